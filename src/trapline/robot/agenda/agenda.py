"""The agenda: all offers of all pages, ordered so that the dearest visit that manners allow is
found in O(log n).

Policies write offers on cards; the agenda files them (filing.py), buys (purchase.py) and forgets
nothing: its state is the cards, hosts, addresses and till; its heaps are derived data, rebuilt at
start.

>>> import numpy as np
>>> agenda = Agenda(Budget(per_s=2.0))
>>> host = agenda.add_host(gap_s=1.0, address=agenda.add_address(), rules_until_s=np.inf)
>>> agenda.meet(np.array([0]), np.array([host]), depth=0)
>>> agenda.cards["base"][0] = 5.0
>>> agenda.file([0], now_s=0.0)
>>> agenda.choose(0.0)
(0, 0, 5.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BLOCKED, RESTING, UNLOCATED, Cards, Hosts, blank_cards
from trapline.core.errors import BadNumber
from trapline.core.links import Links
from trapline.core.ports import Arrays, Pages
from trapline.robot.agenda import host_turns, page_slots, purchase
from trapline.robot.agenda.filing import file_card, place_host
from trapline.robot.agenda.heaps import pull_host
from trapline.robot.agenda.link_filter import farthest
from trapline.robot.agenda.tables import UNLISTED, new_books
from trapline.robot.visit_costs import CostKind
from trapline.scope.scope import DEEPEST

_ADDED = frozenset(("wake", "served", "gap"))  # since version 0.1
OURS = -1  # to `choose`: the agenda picks among held pages itself
NOTHING = -2  # to `choose`: a Chooser wants no held page now


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent: a token bucket of `burst` that refills at `per_s` (∞ = as much as manners
    allow), in units of cost. Unless `cost` says otherwise, a unit is a visit.
    """

    per_s: float = math.inf
    burst: float = 1.0
    # of the visits that fringe and held pages both want, where prices cannot decide
    discovery_share: float = 0.5
    cost: CostKind = CostKind.VISITS

    def __post_init__(self) -> None:
        if not self.per_s > 0.0:
            raise BadNumber(
                "the budget",
                self.per_s,
                "a positive number of visits, or units, a second",
            )
        if not self.burst >= 1.0:
            raise BadNumber("the burst", self.burst, "at least 1 visit")
        if not 0.0 <= self.discovery_share <= 1.0:
            raise BadNumber(
                "the discovery share", self.discovery_share, "between 0 and 1"
            )


def _grow(array: NDArray[np.void], length: int) -> NDArray[np.void]:
    larger = np.zeros(length, array.dtype)
    larger[: len(array)] = array
    return larger


def _is_part(saved: np.dtype[Any], own: np.dtype[Any]) -> bool:
    """Whether one kind of record is the other, or lacks only what version 0.1 did not note."""
    names = saved.names or ()
    alike = all(
        name in (own.names or ()) and saved[name] == own[name] for name in names
    )
    return alike and set(own.names or ()) - set(names) <= _ADDED


def _take_over(own: NDArray[np.void], saved: NDArray[Any]) -> None:
    """The records of an earlier run; what they did not note yet stays as it is."""
    for name in saved.dtype.names or ():
        own[name][: len(saved)] = saved[name]


def _owed_until(till: NDArray[np.void], budget: Budget) -> float:
    """When the bucket is full again: visits are owed, not seconds, so another budget has another
    time for them.
    """
    before, free_at, last_s = (
        float(till[name][0]) for name in ("budget", "free_at", "last_take")
    )
    if before == budget.per_s or not free_at > last_s:
        return free_at
    return last_s + min((free_at - last_s) * before, budget.burst) / budget.per_s


class Agenda:
    def __init__(self, budget: Budget) -> None:
        self.books = new_books(budget.per_s, budget.burst, budget.discovery_share)
        self.budget = budget

    @property
    def cards(self) -> Cards:
        return self.books.cards

    @property
    def hosts(self) -> Hosts:
        return self.books.hosts

    def tally(self, name: str) -> float:
        """One number of the till, by name: market, paid, visits …"""
        return float(self.books.till[name][0])

    def count(self, state: int) -> int:
        """How many pages are FRINGE, HELD or GONE."""
        return int(self.books.till["states"][0, state])

    def explore(self, explores: float) -> None:
        """Hosts met from now on, and others after their next visit, add so much to the scores of
        their pages.
        """
        if not 0.0 <= explores < math.inf:
            raise BadNumber(
                "what a discovery policy explores",
                explores,
                "a finite number, at least 0",
            )
        self.books.till["explores"][0] = explores

    def spend(self, per_s: float, now_s: float) -> None:
        """Another rate from now on; as many visits are owed as were."""
        till = self.books.till
        before = self.tally("budget")
        self.budget = replace(self.budget, per_s=per_s)
        owed_s = self.tally("free_at") - now_s
        if owed_s > 0.0:
            visits = owed_s * before if math.isfinite(before) else 0.0
            till["free_at"] = now_s + visits / per_s
        till["budget"] = per_s

    def note_cost(self, page: int, units: float) -> None:
        """A visit that was bought at the cost on the page's card has cost so much."""
        purchase.settle_cost(self.books, page, units)

    def reprice(self, costs: NDArray[np.float64]) -> None:
        """Visits are counted in another unit from now on: what each card costs, and no price that
        was paid before says anything.
        """
        cards = self.books.cards
        cards["cost"] = 1.0
        cards["cost"][: len(costs)] = costs
        self.books.till["market"] = 0.0
        self.books.till["paid"] = 0
        self.books.hosts["local"] = 0.0
        self._lay_out()

    def add_address(self) -> int:
        address = int(self.books.till["addresses"][0])
        if address == len(self.books.addresses):
            self.books = self.books._replace(
                addresses=_grow(self.books.addresses, 2 * address)
            )
        self.books.addresses["ended"][address] = -np.inf
        self.books.addresses["gap"][address] = np.inf
        self.books.addresses["first_waiting"][address] = -1
        self.books.till["addresses"][0] = address + 1
        return address

    def add_host(
        self, gap_s: float, address: int = -1, rules_until_s: float = -math.inf
    ) -> int:
        """A new host; without an address nothing is offered there until `locate` tells it."""
        if not 0.0 <= gap_s < math.inf:
            raise BadNumber("a gap", gap_s, "a finite number of seconds, 0 or more")
        host = int(self.books.till["hosts"][0])
        if host == len(self.books.hosts):
            self._grow_hosts(2 * host)
        record = self.books.hosts[host]
        record["ready"] = -np.inf
        record["served"] = -np.inf
        record["rules_until"] = rules_until_s
        record["address"] = address
        record["slot"] = -1
        record["next_waiting"] = UNLISTED
        record["state"] = UNLOCATED if address < 0 else RESTING
        record["bonus"] = self.books.till["explores"][0]
        host_turns.set_gap(self.books, host, gap_s)
        self.books.till["hosts"][0] = host + 1
        return host

    def locate(self, host: int, address: int, now_s: float) -> None:
        """Tell where a host stands.

        It keeps its first address: visits under way and gaps are owed there.
        """
        if self.hosts["state"][host] in (UNLOCATED, BLOCKED):
            self.note_address(host, address)
            self.hosts["state"][host] = RESTING
            place_host(self.books, host, now_s)

    def note_address(self, host: int, address: int) -> None:
        """Where a host stands, whether it is to be visited or not; its first address counts."""
        if self.hosts["address"][host] < 0:
            self.hosts["address"][host] = address
            host_turns.set_gap(self.books, host, float(self.hosts["gap"][host]))

    def renew_address_gaps(self) -> None:
        """As if every host had always had its present gap."""
        hosts = self.hosts[: int(self.books.till["hosts"][0])]
        located = hosts["address"] >= 0
        gaps_s = self.books.addresses["gap"]
        gaps_s[:] = np.inf
        np.minimum.at(gaps_s, hosts["address"][located], hosts["gap"][located])

    def block(self, host: int) -> None:
        """Nothing on this host is offered until it is located anew."""
        for rank in range(3):
            pull_host(self.books, rank, host)
        self.hosts["state"][host] = BLOCKED

    def reserve(self, pages: int) -> None:
        """Have cards for this many pages; those beyond the ones met are unmet."""
        have = len(self.books.cards)
        if pages > have:
            length = max(pages, 2 * have)
            cards = blank_cards(length)
            cards[:have] = self.books.cards
            places = np.zeros((2, length), np.int32)
            places[:, :have] = self.books.places
            self.books = self.books._replace(cards=cards, places=places)
        self.books.till["cards"][0] = max(pages, int(self.books.till["cards"][0]))

    def meet(self, pages: Pages, hosts: Pages, depth: int) -> None:
        """Unmet pages join the fringe (no offer yet)."""
        self.reserve(int(pages.max()) + 1)
        seated = page_slots.meet_all(self.books, pages, hosts, depth)
        while seated < len(pages):
            self._grow_piles()
            seated += page_slots.meet_all(
                self.books, pages[seated:], hosts[seated:], depth
            )

    def meet_links(self, links: Links, depth: int, now_s: float) -> NDArray[np.bool_]:
        """Unmet pages that these links lead to join the fringe, and those that may come back; says
        which links were the first to lead there.
        """
        new = np.zeros(len(links), np.bool_)
        self.reserve(farthest(links)[0] + 1)
        seated = page_slots.meet_links(self.books, links, 0, depth, new, now_s)
        while seated < len(links):
            self._grow_piles()
            seated = page_slots.meet_links(self.books, links, seated, depth, new, now_s)
        return new

    def reserve_hosts(self, pages: Pages) -> None:
        """Lay the segments out for this many pages a host, so that kernels may meet them without
        growing the pool.
        """
        if (self.hosts["room"][: len(pages)] >= pages).all():
            return
        met = self.hosts["pages"][: len(pages)].copy()
        self.hosts["pages"][: len(pages)] = pages
        end = page_slots.seat_hosts(self.books, False)
        self.hosts["pages"][: len(pages)] = met
        self.books = self.books._replace(piles=np.zeros(max(end, 32), np.int32))
        page_slots.rebuild(self.books)

    def file(self, pages: Sequence[int], now_s: float) -> None:
        for page in pages:
            file_card(self.books, page, now_s)

    def choose(self, now_s: float, chosen: int = OURS) -> tuple[int, int, float]:
        """(page, host, price) to visit now; (−1, host, 0) = its robots.txt first; (−1, −1, 0) =
        nothing.
        """
        return purchase.choose(self.books, now_s, chosen)

    def note_past_visit(self, page: int, host: int) -> None:
        """A visit of which only history tells; `note_past_links` says how far from a seed."""
        hosts = self.hosts
        self.cards["depth"][page] = DEEPEST
        self.books.till["visits"] += 1
        hosts["visits"][host] += 1
        hosts["bonus"][host] = self.tally("explores") / math.sqrt(
            1.0 + hosts["visits"][host]
        )

    def note_past_links(self, page: int, links: Links) -> None:
        """Where a page led, in order of pages: whoever led to a page first has a smaller number, so
        one that nobody has led to yet is a seed.
        """
        depth = self.cards["depth"]
        if depth[page] == DEEPEST:
            depth[page] = 0
        targets = links["page"][links["page"] < len(depth)]
        depth[targets] = np.minimum(depth[targets], depth[page] + 1)

    def forget_visits(self, hosts: Sequence[int]) -> None:
        """Visits to these hosts are counted by another shard."""
        visits = self.hosts["visits"]
        self.books.till["visits"] -= visits[hosts].sum() if len(hosts) else 0
        visits[hosts] = 0

    def move_times(self, by_s: float) -> None:
        """All times shift by so much."""
        for table, names in (
            (self.cards, ("last", "not_before", "due")),
            (self.hosts, ("ready", "wake", "served", "rules_until", "key")),
            (self.books.addresses, ("ended",)),
            (self.books.till, ("free_at", "last_take")),
        ):
            for name in names:
                table[name] += by_s
        self._lay_out()  # times that differed by a hair may be equal now

    def save(self) -> Arrays:
        """The state; the heaps are not part of it."""
        till = self.books.till
        return {
            "cards": self.books.cards[: int(till["cards"][0])],
            "hosts": self.books.hosts[: int(till["hosts"][0])],
            "addresses": self.books.addresses[: int(till["addresses"][0])],
            "till": till,
        }

    def understands(self, saved: Arrays) -> bool:
        """Whether its records are like ours; what they did not note yet may be missing."""
        return all(
            _is_part(saved[name].dtype, own.dtype) for name, own in self.save().items()
        )

    def load(self, saved: Arrays) -> None:
        """Take over a saved state (budget, share and exploration stay as they were set now) and
        rebuild the heaps.
        """
        budget = self.budget
        explores = float(self.books.till["explores"][0])
        fresh = new_books(budget.per_s, budget.burst, budget.discovery_share)
        fresh.till[:] = saved["till"]
        fresh.till["free_at"] = _owed_until(fresh.till, budget)
        fresh.till["budget"] = budget.per_s
        fresh.till["burst"] = budget.burst
        fresh.till["share"] = budget.discovery_share
        fresh.till["explores"] = explores
        self.books = fresh
        self.reserve(max(len(saved["cards"]), 16))
        fresh.till["cards"] = len(saved["cards"])
        self._grow_hosts(max(len(saved["hosts"]), 4))
        self.books = self.books._replace(
            addresses=_grow(self.books.addresses, max(len(saved["addresses"]), 4))
        )
        _take_over(self.books.cards, saved["cards"])
        _take_over(self.books.hosts, saved["hosts"])
        _take_over(self.books.addresses, saved["addresses"])
        if "gap" not in (saved["addresses"].dtype.names or ()):  # of version 0.1
            self.renew_address_gaps()
        self.books.hosts["bonus"] = explores / np.sqrt(1.0 + self.books.hosts["visits"])
        self._lay_out()

    def _lay_out(self) -> None:
        """Segments and heaps anew, from the state."""
        end = page_slots.seat_hosts(self.books, True)
        self.books = self.books._replace(piles=np.zeros(max(end, 32), np.int32))
        page_slots.rebuild(self.books)

    def _grow_hosts(self, length: int) -> None:
        ranks = np.zeros((3, length), np.int32)
        ranks[:, : self.books.ranks.shape[1]] = self.books.ranks
        self.books = self.books._replace(
            hosts=_grow(self.books.hosts, length), ranks=ranks
        )

    def _grow_piles(self) -> None:
        """Larger pool, segments packed anew: what relocations left behind is reclaimed."""
        end = page_slots.seat_hosts(self.books, True)
        piles = np.zeros(max(2 * end, 64), np.int32)
        self.books = self.books._replace(piles=piles)
        page_slots.rebuild(self.books)
