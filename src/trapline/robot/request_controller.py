"""The request controller: what to fetch next, and when to come back.

A state machine without clock, socket or log. `issue` hands out tickets; `land` says that a visit
ended (its host's gap counts from there); `settle` says what it taught; `expire` takes back the
tickets that nobody answered for; `next_time` says when to ask again (∞ = finished). Seconds handed
in never decrease.

>>> from trapline.policies.discovery.breadth_first import BreadthFirst
>>> from trapline.policies.refresh.uniform import Uniform
>>> controller = RequestController(
...     discovery=BreadthFirst(), refresh=Uniform(), budget=Budget(per_s=1.0)
... )
>>> host = controller.add_own_host(gap_s=2.0)
>>> controller.admit(links_to([0], [host]), now_s=0.0)
>>> [ticket] = controller.issue(0.0, room=4)
>>> controller.land(ticket, ended_s=0.5)
>>> _ = controller.settle(Observation(ticket, Outcome.OK, True, 1.0), now_s=0.5)
>>> controller.issue(1.0, room=4), controller.next_time()
([], 2.5)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BLOCKED, FRINGE, GONE, HELD, UNMET
from trapline.core.errors import BadNumber, ClockWentBack, UnknownPage
from trapline.core.links import NO_LINKS, Links, Signals, links_to
from trapline.core.ports import Arrays, Found, Seen
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket, Visit
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.fetchers.fetcher_policy import Reserves
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.robot.agenda import host_turns, outcomes, purchase
from trapline.robot.agenda.agenda import NOTHING, OURS, Agenda, Budget
from trapline.robot.agenda.filing import file_card
from trapline.robot.agenda.link_filter import (
    CLUES,
    farthest,
    mark_unfetched,
    unsound_clue,
)
from trapline.robot.call_records import ArrivedLinks, Choices, MoreLinks, Settled
from trapline.robot.change_signals import ChangeSignals
from trapline.robot.fringe import Fringe
from trapline.robot.host_book import HostBook
from trapline.robot.host_gaps import HostGaps
from trapline.robot.in_flight import InFlight
from trapline.robot.ordered_visits import OrderedVisits
from trapline.robot.page_intervals import Interval, PageIntervals
from trapline.robot.refusals import Refusals
from trapline.robot.rules_book import RulesBook
from trapline.robot.visit_costs import VisitCosts
from trapline.scope.scope import DEEPEST
from trapline.theory.price import offer_loss

LEASE_S = 300.0  # a ticket that nobody answered for by then is taken back
JUDGE_S = 4e-3  # of processor, that is spent on judging the links of one answer
RULES_S = 0.1  # until a host is looked at again whose robots.txt is being read

# first visits that say what a link was worth
_TAUGHT = (Outcome.OK, Outcome.GONE, Outcome.SKIPPED)


def _no_url(page: int) -> str:
    raise UnknownPage(page, 0)


def part_of(saved: Arrays, prefix: str) -> Arrays:
    """What belongs to one learner of all that was saved."""
    return {
        name.removeprefix(prefix): array
        for name, array in saved.items()
        if name.startswith(prefix)
    }


class Limits(NamedTuple):
    """What bounds a crawl beside its budget."""

    lease_s: float = LEASE_S  # a ticket that nobody answered for by then is taken back
    depth: int = DEEPEST  # links lead at most so many steps from a seed
    pages: float = math.inf  # held at most
    # a host that yields much less than others has a smaller share of the visits
    share_by_yield: bool = False


NO_LIMITS: Final = Limits()


class RequestController:
    def __init__(
        self,
        *,
        discovery: DiscoveryPolicy,
        refresh: RefreshPolicy,
        budget: Budget,
        url: Callable[[int], str] = _no_url,
        gap_s: Callable[[int, float | None], float] | None = None,
        rules: RulesBook | None = None,
        limits: Limits = NO_LIMITS,
    ) -> None:
        """`url` names pages for robots `rules`.

        `gap_s(host, crawl_delay)` is what a newly met host is owed.
        """
        self.discovery = discovery
        self.refresh = refresh
        refresh.learn_beside(discovery)
        self.agenda = Agenda(budget)
        self.agenda.explore(discovery.explores)
        self._url = url
        self._most_pages = limits.pages
        self.costs = VisitCosts(budget.cost)
        gaps = HostGaps(
            gap_s,
            budget.per_s,
            bound=limits.share_by_yield,
            cost=self.costs.of_host,
        )
        self._hosts = HostBook(self.agenda, gaps, rules or RulesBook())
        self._refusals = Refusals()
        self._choices = 0  # of the last call of `issue`
        # the reserve that its last choice was not worth, and what a usual visit is
        self._dismissed: tuple[float, float] | None = None
        worth = refresh.found_worth if refresh.prices_finds else None
        self._fringe = Fringe(self.agenda, discovery, worth, limits.depth, self.costs)
        self._in_flight = InFlight(limits.lease_s)
        self._signals = ChangeSignals()
        self._ordered = OrderedVisits()
        self._intervals = PageIntervals()
        self._now_s = -math.inf
        self._granted_per_s = 0.0  # by `spend`; 0 = the budget holds
        self._declined = False  # the policy that chooses, asked last, wanted nothing
        self.opens_s = -math.inf  # the budget lets no visit through before
        # that the visit settled last brought, in relevance: for those who explain
        self.news = 0.0

    # hosts

    def add_own_host(self, gap_s: float) -> int:
        """A host known to stand alone on its address and to need no robots.txt: worlds of the
        laboratory.
        """
        return self.agenda.add_host(gap_s, self.agenda.add_address(), math.inf)

    def hosts(self) -> int:
        """How many hosts are known.

        New ones wait until the caller has found their addresses (`locate`).
        """
        return len(self._hosts)

    @property
    def host_book(self) -> HostBook:
        """What is known of the hosts, for those who explain."""
        return self._hosts

    def locate(self, host: int, address: str | None, now_s: float) -> None:
        """Where the host is reached; None = it may not be visited."""
        self._advance(now_s)
        self._hosts.locate(host, address, now_s)

    def pause(self, host: int, now_s: float, *, paused: bool) -> None:
        """No visit to this host from now on, until it is told otherwise."""
        self._advance(now_s)
        self._hosts.pause(host, now_s, paused=paused)

    def bound(self, host: int, share: float, now_s: float) -> None:
        """At most this share of the visits goes to this host from now on; 1 = no bound."""
        self._advance(now_s)
        self._hosts.meet(host)
        self._hosts.gaps.order(host, share)
        self._hosts.owe_gap(host)

    def forget(self, pages: Sequence[int], now_s: float) -> None:
        """Never visit these pages again.

        Those under way are for the caller to skip when they come in.
        """
        self._strike(pages, GONE, now_s)

    def unmeet(self, pages: Sequence[int], now_s: float) -> None:
        """As if nobody had ever led to these pages: they may be admitted again."""
        self._strike(pages, UNMET, now_s)

    def order_visits(self, pages: Sequence[int], now_s: float) -> None:
        """These pages are due at once, whatever their prices; robots.txt and gaps hold."""
        self._advance(now_s)
        in_flight = self._in_flight.pages()
        for page in pages:
            if page in in_flight:
                continue
            if self._ordered.order(self.agenda.cards, page):
                file_card(self.agenda.books, page, now_s)

    def bound_intervals(self, intervals: Mapping[int, Interval], now_s: float) -> None:
        """These pages are visited neither sooner nor later than this, and no others are bounded."""
        self._advance(now_s)
        in_flight = self._in_flight.pages()
        cards = self.agenda.cards
        for page in self._intervals.bound(cards, intervals):
            # an offer of before opens by the new bounds; one that failed keeps its time
            if (
                page < len(cards)
                and page not in in_flight
                and cards["state"][page] == HELD
            ):
                if not cards["failures"][page]:
                    opens_s = self._intervals.opens_s(cards, page)
                    cards["not_before"][page] = max(opens_s, cards["last"][page])
                file_card(self.agenda.books, page, now_s)

    def is_ordered(self, page: int) -> bool:
        """Whether a person ordered a visit that was not made yet."""
        return page in self._ordered

    def spend(self, per_s: float, now_s: float) -> None:
        """Visits a second from now on: what this shard of a crawl is granted.

        Shares of hosts stay those of the budget that the controller was made with: of the whole
        crawl's.
        """
        self._advance(now_s)
        self.agenda.spend(per_s, now_s)
        self._granted_per_s = per_s
        self.opens_s = float(purchase.bucket_opens(self.agenda.books))

    def weigh(self, factors: Mapping[int, float], now_s: float) -> None:
        """These pages are worth so many times what their relevance says, from now on."""
        self._advance(now_s)
        cards = self.agenda.cards
        in_flight = self._in_flight.pages()
        for page, factor in factors.items():
            if not 1.0 <= factor < math.inf:
                raise BadNumber("a factor of demand", factor, "finite, at least 1")
            known = 0 <= page < len(cards)
            # of spare cards there may be fewer after a restart
            if known and (cards["state"][page] != UNMET or factor == 1.0):
                touched = self.refresh.weigh(cards, page, factor)
                self.agenda.file([p for p in touched if p not in in_flight], now_s)

    # the circle

    def admit(self, links: Links, now_s: float) -> None:
        """Pages to know about: seeds. Those already fetched are left as they are."""
        self._advance(now_s)
        self._discover(-1, Outcome.OK, 1.0, self.links_to_fetch(links, now_s), now_s)

    def links_to_fetch(self, links: Links, now_s: float) -> Links:
        """The links that lead to pages never fetched, or gone long ago: of the others there is
        nothing to learn.
        """
        if not len(links):
            return links
        kept = np.empty(len(links), np.bool_)
        count = mark_unfetched(links, self.agenda.cards, now_s, kept)
        return links if count == len(links) else links[kept]

    def may_issue(self, now_s: float) -> bool:
        """False = `issue` would find nothing, and change nothing."""
        if now_s >= self._intervals.next_s():
            return True
        # these want to be asked, come what may
        asks = self.refresh.chooses or self._most_pages < math.inf
        return now_s >= (
            self.opens_s if asks else purchase.next_time(self.agenda.books, False)
        )

    def issue(
        self,
        now_s: float,
        room: int,
        reserves: Reserves | None = None,
        again: Choices | None = None,
    ) -> list[Ticket]:
        """At most `room` visits to make now, dearest first, none that is not worth its reserve;
        `again` repeats an earlier call.
        """
        self._advance(now_s)
        self._keep_count(now_s)
        self.order_visits(list(self._intervals.overdue(now_s)), now_s)
        self._refusals.begin()
        self._choices = 0
        self._dismissed = None
        tickets: list[Ticket] = []
        while len(tickets) < room and now_s >= self.opens_s:
            if self._has_chosen_enough(again):
                break
            self._choices += 1
            chosen = self._ask_policy(now_s) if self.refresh.chooses else OURS
            self._declined = chosen == NOTHING
            if self.discovery.rescores:
                self._fringe.renew_first(now_s, chosen)
            reserve, usual = self._reserve(len(tickets), again, reserves)
            page, host, price, self.opens_s = purchase.buy(
                self.agenda.books, now_s, chosen, reserve, usual
            )
            if page == purchase.DECLINED:
                self._dismissed = reserve, usual
            if host < 0:
                break
            # its robots.txt has come and is being read
            if page < 0 and self._in_flight.awaits_rules(host):
                host_turns.postpone(self.agenda.books, host, now_s + RULES_S)
            elif page < 0:
                host_turns.occupy(self.agenda.books, host)
                tickets.append(self._in_flight.open(Kind.ROBOTS, -1, host, now_s, 0.0))
            elif not self._hosts.has_rules(host):
                tickets.append(
                    self._in_flight.open(Kind.PAGE, page, host, now_s, price)
                )
            elif self._may_visit(page, host, now_s, again):
                self.opens_s = purchase.take(self.agenda.books, page, price, now_s)
                tickets.append(
                    self._in_flight.open(Kind.PAGE, page, host, now_s, price)
                )
            if self._most_pages < math.inf:
                self._keep_count(now_s)
            elif len(tickets) < room and not self.may_issue(now_s):
                # cheaper to see than to look for one in vain
                break
        return tickets

    def call_on(self, host: int, kind: Kind, now_s: float) -> Ticket | None:
        """A visit that no offer asks for; None = not now: the host or its address is busy, owes its
        gap, or may not be visited.
        """
        self._advance(now_s)
        if kind is Kind.ROBOTS and self._in_flight.asks_rules(host):
            return None
        if not host_turns.is_free(self.agenda.books, host, now_s):
            return None
        host_turns.occupy(self.agenda.books, host)
        return self._in_flight.open(kind, -1, host, now_s, 0.0)

    def meet_host(self, host: int, now_s: float) -> None:
        """Know of a host, whatever leads there."""
        self._advance(now_s)
        self._hosts.meet(host)

    def is_blocked(self, host: int) -> bool:
        """Whether a host may not be visited at all, as far as is known now."""
        return bool(self.agenda.hosts["state"][host] == BLOCKED)

    def knows_rules(self, host: int, now_s: float) -> bool:
        """Whether the robots.txt of a host was read, and is still valid."""
        known = host < self.hosts()
        return known and float(self.agenda.hosts["rules_until"][host]) > now_s

    def allows(self, host: int, url: str) -> bool:
        """Whether the robots.txt of a host, if it is known, allows a URL."""
        return self._hosts.judge(host, url).allowed

    def choices(self) -> Choices:
        """What the last call of `issue` did, so that it can be repeated."""
        return Choices(self._choices, self._refusals.pages, self._dismissed)

    @property
    def declined(self) -> bool:
        """Whether the last call of `issue` ended at a visit that was not worth its reserve."""
        return self._dismissed is not None

    def loss_per_s(self, ticket: Ticket) -> float:
        """What the answer to a ticket just issued loses of its worth a second until it is read."""
        cards = self.agenda.cards
        if ticket.page < 0 or not math.isfinite(ticket.price):
            return 0.0
        if cards["state"][ticket.page] == HELD:
            return float(offer_loss(cards, ticket.page, ticket.issued_s))
        worth_s = self.agenda.tally("worth")
        # a worth of 1 is a find: those do not fade
        return ticket.price / worth_s if worth_s > 1.0 else 0.0

    def land(self, ticket: Ticket, ended_s: float) -> None:
        """The visit ended: its host is free again, and owes its gap from here.

        Of a ticket taken back meanwhile only the gap is noted.
        """
        if self._in_flight.land(ticket.number, ended_s):
            host_turns.land(self.agenda.books, ticket.host, ended_s)
        else:
            host_turns.owe(self.agenda.books, ticket.host, ended_s)

    @property
    def under_way(self) -> int:
        """Tickets that are not settled yet."""
        return len(self._in_flight)

    def answer_times(self, now_s: float) -> NDArray[np.float64]:
        """Seconds that a page of each host takes to answer: as measured, or as the visit under way
        takes already.
        """
        times_s = self._hosts.answer_times()
        for ticket in self._in_flight.under_way():
            host = ticket.host
            times_s[host] = max(times_s[host], now_s - ticket.issued_s)
        return times_s

    @property
    def least_per_s(self) -> float:
        """Visits a second that people asked for, whatever the price (`bound_intervals`)."""
        return self._intervals.least_per_s

    def waits_since(self) -> float:
        """When the first visit was issued that has not landed yet; ∞ = all have."""
        issued = (ticket.issued_s for ticket in self._in_flight.under_way())
        return min(issued, default=math.inf)

    @property
    def most_pages(self) -> float:
        """How many pages may be held; ∞ = any number."""
        return self._most_pages

    @property
    def is_full(self) -> bool:
        """Whether so many pages are held that no new one is fetched."""
        return self._fringe.closed

    def in_flight(self, number: int) -> Ticket | None:
        return self._in_flight.get(number)

    def settle(self, observation: Observation, now_s: float) -> Settled:
        """Learn from a visit that landed. Of a ticket taken back meanwhile nothing is learnt.

        Returns what is needed to say it again.
        """
        links = self.links_to_fetch(observation.links, now_s)
        self._check(observation, links, now_s)
        self.news = 0.0
        closed = self._in_flight.close(observation.ticket.number)
        if not closed:
            return Settled(links, ())
        forbidden = observation.forbidden
        if forbidden is None:
            forbidden = self._forbidden_among(links)
        promised = self._appraise(observation)
        told = replace(observation, promised=promised)
        self._settle(*closed, told, links, now_s)
        self._close(forbidden, now_s)
        return Settled(links, forbidden, promised)

    def find(self, found: MoreLinks, now_s: float) -> MoreLinks:
        """More of what a page that was settled leads to. Returns what is needed to say it again."""
        self._advance(now_s)
        links = self.links_to_fetch(found.links, now_s)
        forbidden = found.forbidden
        if forbidden is None:
            forbidden = self._forbidden_among(links)
        if len(links):
            self._discover(found.page, Outcome.OK, found.relevance, links, now_s)
        self._close(forbidden, now_s)
        if len(found.signals):
            self._heed(found.signals, now_s)
        return found._replace(links=links, forbidden=forbidden)

    def receive(self, arrived: ArrivedLinks, now_s: float) -> ArrivedLinks:
        """Links that another shard has found. Returns what is needed to say it again."""
        self._advance(now_s)
        links = arrived.links
        kept = np.empty(len(links), np.bool_)
        mark_unfetched(links, self.agenda.cards, now_s, kept)
        arrived = arrived.part(kept)
        _, first = np.unique(arrived.links["page"], return_index=True)
        arrived = arrived.part(np.sort(first))
        forbidden = arrived.forbidden
        if forbidden is None:
            forbidden = self._forbidden_among(arrived.links)
        for relevance, depth, some in arrived.alike():
            self._hosts.meet(farthest(some)[1])
            self._fringe.receive(relevance, depth, some, now_s)
        self._close(forbidden, now_s)
        return arrived._replace(forbidden=forbidden)

    def _appraise(self, observation: Observation) -> float:
        """What links that other shards follow promise."""
        if observation.promised is not None:
            return observation.promised
        page = observation.ticket.page
        if page < 0 or not len(observation.elsewhere):
            return 0.0
        relevance = observation.relevance
        return self.discovery.appraise(page, relevance, observation.elsewhere)

    def _check(self, observation: Observation, links: Links, now_s: float) -> None:
        self._advance(now_s)
        if not 0.0 <= observation.relevance <= 1.0:
            raise BadNumber("a relevance", observation.relevance, "a number in [0, 1]")
        if not 0.0 <= observation.news < math.inf:
            raise BadNumber(
                "the news of a visit", observation.news, "a finite number, at least 0"
            )
        if (clue := unsound_clue(links)) >= 0:
            raise BadNumber(
                f"the {CLUES[clue]} of a link", "not a number", "a finite number"
            )

    def _settle(
        self,
        ticket: Ticket,
        landed_s: float | None,
        observation: Observation,
        links: Links,
        now_s: float,
    ) -> None:
        ended_s = now_s if landed_s is None else landed_s
        if landed_s is None:
            host_turns.land(self.agenda.books, ticket.host, ended_s)
        self._hosts.note_answer(ticket, ended_s, observation, now_s)
        if self.costs.counts and ticket.page >= 0:
            self._note_cost(ticket, ended_s - ticket.issued_s, observation)
        if observation.robots is not None:
            self._hosts.set_rules(ticket.host, observation.robots)
            if len(links):  # the sitemaps that it names
                self._discover(-1, Outcome.OK, 1.0, links, now_s)
        elif ticket.page >= 0 and self._hosts.gaps.refusals(ticket.host) > 1:
            # the host wants nobody now: no word on the page
            self._put_off(ticket.page, now_s)
        elif ticket.page >= 0:
            self._settle_page(ticket, observation, links, ended_s, now_s)

    def _note_cost(
        self, ticket: Ticket, took_s: float, observation: Observation
    ) -> None:
        """What a visit has cost; its card says from now on what the next one will."""
        page = ticket.page
        units = self.costs.units(max(0.0, took_s), observation.received)
        self.agenda.note_cost(page, units)
        self.opens_s = float(purchase.bucket_opens(self.agenda.books))
        expected = float(self.agenda.cards["cost"][page])
        # that nothing came of a visit is no reason to make the next one sooner
        if observation.outcome is not Outcome.FAILED or units > expected:
            self.costs.learn(page, ticket.host, units)
            expected = self.costs.of_page(page, ticket.host)
        self.agenda.cards["cost"][page] = expected

    def expire(self, now_s: float) -> list[Ticket]:
        """Take back tickets past their lease: pages are filed again unlearnt, hosts owe their gap
        from now.
        """
        self._advance(now_s)
        return [
            self._take_back(ticket, now_s) for ticket in self._in_flight.overdue(now_s)
        ]

    def next_time(self) -> float:
        """When to call `issue` or `expire` again if nothing lands before; ∞ = finished."""
        return min(
            float(purchase.next_time(self.agenda.books, self._declined)),
            self._intervals.next_s(),
            self._in_flight.deadline(),
        )

    # saving

    def save(self) -> Arrays:
        """Everything that must survive: cards, hosts, policies, tickets in flight."""
        saved = dict(self.agenda.save())
        for part, owner in self._parts():
            saved.update({f"{part}.{name}": array for name, array in owner.items()})
        saved["clock"] = np.array([self._now_s, self._fringe.closed], np.float64)
        saved["granted"] = np.array([self._granted_per_s])
        saved["policies"] = np.array(self._policy_names())
        return saved

    def _parts(self) -> Iterator[tuple[str, Arrays]]:
        yield "hosts", self._hosts.save()
        yield "flight", self._in_flight.save()
        yield "signals", self._signals.save()
        yield "ordered", self._ordered.save()
        yield "intervals", self._intervals.save()
        yield "costs", self.costs.save()
        yield "discovery", self.discovery.state()
        yield "refresh", self.refresh.state()

    def understands(self, saved: Arrays) -> bool:
        """Whether a saved state is of this version: its records have the same fields."""
        return "hosts.paces" in saved and self.agenda.understands(saved)

    def load(self, saved: Arrays) -> None:
        """Take over a saved state.

        A policy that was not the one saved starts with what the cards know.
        """
        if granted := float(np.asarray(saved.get("granted", 0.0)).sum()):
            # only a call changes it: those since the checkpoint were made under it
            self._granted_per_s = granted
            self.agenda.budget = replace(self.agenda.budget, per_s=granted)
        self.agenda.load(saved)
        self._hosts.load(part_of(saved, "hosts."))
        self._in_flight.load(part_of(saved, "flight."))
        self._signals.load(part_of(saved, "signals."))
        self._ordered.load(part_of(saved, "ordered."))
        self._intervals.load(part_of(saved, "intervals."))
        if not self.costs.load(part_of(saved, "costs.")):
            self.agenda.reprice(np.ones(0))
        self._now_s, closed = np.asarray(saved["clock"], np.float64).tolist()
        self._fringe.closed = bool(closed)
        self.opens_s = float(purchase.bucket_opens(self.agenda.books))
        self.agenda.books.till["worth"][0] = (
            self.agenda.tally("worth") if self._fringe.priced else 1.0
        )
        # scores become prices by refresh
        policies: tuple[RefreshPolicy | DiscoveryPolicy, ...] = (
            self.refresh,
            self.discovery,
        )
        for role, policy, name in zip(
            ("refresh", "discovery"),
            policies,
            reversed(saved["policies"].tolist()),
            strict=True,
        ):
            if name == type(policy).__name__:
                policy.restore(part_of(saved, role + "."))
            else:
                self._hand_over(FRINGE if role == "discovery" else HELD)

    def renew_gaps(self) -> None:
        """Ask anew what each host is owed: the settings may have changed since the
        state was saved.
        """
        self._hosts.renew_gaps()

    def take_back_all(self, now_s: float) -> list[Ticket]:
        """After a restart nobody will answer for the tickets in flight, nor does anybody know which
        visits were made and never written down: every host owes its gap from now.
        """
        fresh = self._now_s == -math.inf
        self._advance(now_s)
        lost = [self._take_back(ticket, now_s) for ticket in self._in_flight]
        if not fresh:
            self._hosts.resume(now_s)
        return lost

    def remember(self, visit: Visit) -> None:
        """Learn once more from a visit of an earlier run that left no state; oldest first."""
        self._in_flight.pass_over(visit.number)
        self._now_s = max(self._now_s, visit.ended_s)
        self._hosts.meet(visit.host)
        if visit.kind is not Kind.PAGE:
            return
        ticket = Ticket(
            visit.number,
            visit.kind,
            visit.page,
            visit.host,
            visit.issued_s,
            visit.price,
        )
        found = Observation(ticket, visit.outcome, visit.changed, visit.relevance)
        self.admit(links_to([visit.page], [visit.host]), self._now_s)
        self.agenda.note_past_visit(visit.page, visit.host)
        ended_s = max(visit.ended_s, float(self.agenda.cards["last"][visit.page]))
        self._settle_page(ticket, found, NO_LINKS, ended_s, self._now_s)

    def remember_links(self, page: int, relevance: float, links: Links) -> None:
        """Where a page led that `remember` was told of; in order of pages."""
        self.agenda.note_past_links(page, links)
        fringe = self.links_to_fetch(links, self._now_s)
        self._discover(page, Outcome.OK, relevance, fringe, self._now_s)

    def remember_rules(self, host: int, robots: Robots) -> None:
        """What a host's robots.txt said."""
        self._hosts.meet(host)
        self._hosts.set_rules(host, robots)

    def set_clock(self, now_s: float) -> None:
        """The clock was wrong, then or now: the last time handed in was this one.

        Everything moves with it, so that all waits and ages stay what they are.
        """
        by_s = now_s - self._now_s
        if not math.isfinite(by_s):  # nothing has happened yet
            return
        self._now_s = now_s
        self.opens_s += by_s
        for part in (
            self.agenda,
            self._hosts,
            self._in_flight,
            self._intervals,
            self._signals,
            self.refresh,
            self.discovery,
        ):
            part.move_times(by_s)

    def wake_up(self, now_s: float) -> None:
        """The robot stood still until now: nobody could answer for the tickets in flight."""
        self._advance(now_s)
        self._in_flight.restart(now_s)

    @property
    def now_s(self) -> float:
        """The latest time that was handed in."""
        return self._now_s

    # inside

    def _strike(self, pages: Sequence[int], state: int, now_s: float) -> None:
        self._advance(now_s)
        in_flight = self._in_flight.pages()
        for page in pages:
            if 0 <= page < len(self.agenda.cards) and page not in in_flight:
                self._ordered.fulfil(self.agenda.cards, page)
                outcomes.strike(self.agenda.books, page, state, now_s)

    def _advance(self, now_s: float) -> None:
        if not now_s >= self._now_s:
            raise ClockWentBack(now_s, self._now_s)
        self._now_s = now_s

    def _ask_policy(self, now_s: float) -> int:
        host_turns.wake(self.agenda.books, now_s)
        page = self.refresh.choose(self.agenda.cards, self.agenda.hosts, now_s)
        return page if page >= 0 else NOTHING

    def _settle_page(
        self,
        ticket: Ticket,
        observation: Observation,
        links: Links,
        ended_s: float,
        now_s: float,
    ) -> None:
        agenda = self.agenda
        outcome = observation.outcome
        relevance = observation.relevance
        page = ticket.page
        self._ordered.fulfil(agenda.cards, page)
        if outcome is not Outcome.FAILED:
            self._note_word(ticket, observation)
        age_s = outcomes.note_visit(
            agenda.books, page, int(outcome), relevance, ended_s, now_s
        )
        news = observation.news
        if len(links) or (
            self.discovery.learns and math.isinf(age_s) and outcome in _TAUGHT
        ):
            others = self.links_to_fetch(links, now_s)  # itself is fetched now
            promised = observation.promised or 0.0
            news += self._discover(page, outcome, relevance, others, now_s, promised)
        self.news = news
        seen = Seen(
            int(outcome),
            observation.changed,
            relevance,
            news,
            age_s,
            now_s,
            agenda.tally("market"),
        )
        if outcome <= Outcome.UNCHANGED:
            touched = self.refresh.settle(agenda.cards, page, seen)
            self._intervals.note_visit(agenda.cards, page, ended_s)
            agenda.file(touched, now_s)
        else:
            if outcome is Outcome.GONE and self.refresh.hears_of_losses:
                self.refresh.settle(agenda.cards, page, seen)
            self._intervals.note_visit(agenda.cards, page, now_s)
            file_card(agenda.books, page, now_s)
        if len(observation.signals):
            self._heed(observation.signals, now_s)

    def _heed(self, signals: Signals, now_s: float) -> None:
        """Pages that are said to have changed are worth a visit at once, as far as such
        words hold.
        """
        cards = self.agenda.cards
        words = self._signals
        later = self.refresh.observes
        for page in words.news(cards, signals, now_s, later=later).tolist():
            base = words.raised.setdefault(page, float(cards["base"][page]))
            if math.isinf(base):  # by interval, or not at all: it is due now
                soonest_s = max(now_s, self._intervals.opens_s(cards, page))
                cards["not_before"][page] = min(cards["not_before"][page], soonest_s)
            else:
                trust = words.trust(int(cards["host"][page]))
                dates_s = words.said[page]
                more = self.refresh.announce(cards, page, dates_s, trust, now_s)
                cards["base"][page] = base + more
            file_card(self.agenda.books, page, now_s)

    def _put_off(self, page: int, now_s: float) -> None:
        """Try another page of the host first."""
        self.agenda.cards["not_before"][page] = now_s + outcomes.RETRY_S
        self._intervals.note_visit(self.agenda.cards, page, now_s)
        file_card(self.agenda.books, page, now_s)

    def _note_word(self, ticket: Ticket, observation: Observation) -> None:
        """What the page says of its host: of its yield, and of how true it was that the page has
        changed.
        """
        cards = self.agenda.cards
        page = ticket.page
        if cards["state"][page] == FRINGE:  # a held page is visited for other reasons
            self._hosts.gaps.note_yield(
                ticket.host, observation.relevance * observation.changed
            )
        changed = observation.changed or observation.outcome is Outcome.GONE
        base = self._signals.note_visit(page, ticket.host, changed=changed)
        if base is not None:
            cards["base"][page] = base

    def _keep_count(self, now_s: float) -> None:
        """No more pages than may be held: the fringe is closed when they are, and opened when one
        has left.
        """
        if self._most_pages == math.inf:
            return
        in_flight = self._in_flight.pages()
        cards = self.agenda.cards
        held = self.agenda.count(HELD) + sum(
            cards["state"][page] == FRINGE for page in in_flight
        )
        full = held >= self._most_pages
        if full != self._fringe.closed:
            self._fringe.shut(full, in_flight, now_s)

    def _discover(
        self,
        page: int,
        outcome: Outcome,
        relevance: float,
        links: Links,
        now_s: float,
        elsewhere: float = 0.0,
    ) -> float:
        self._hosts.meet(farthest(links)[1])
        return self._fringe.discover(page, outcome, relevance, links, now_s, elsewhere)

    def _policy_names(self) -> list[str]:
        return [type(self.discovery).__name__, type(self.refresh).__name__]

    def _hand_over(self, state: int) -> None:
        """Another policy takes over the pages of a state: offers of the old one are struck, the new
        one writes its.
        """
        cards = self.agenda.cards
        now_s = self._now_s
        pages = np.flatnonzero(cards["state"] == state)
        in_flight = self._in_flight.pages()
        # one by one: a heap bears one card at a time that is not where its offer says
        for page in pages.tolist():
            if page not in in_flight:
                cards["base"][page] = -np.inf
                file_card(self.agenda.books, page, now_s)
        cards["worth"][pages] = 0.0
        # the others are tried again in their time
        at_once = pages[cards["failures"][pages] == 0]
        cards["not_before"][at_once] = now_s
        if state == FRINGE:
            links = links_to(pages, cards["host"][pages])
            found = Found(-1, 1.0, links, np.ones(len(links), np.bool_))
            self._fringe.offer(
                self.discovery.discover(cards, found, now_s), found, now_s
            )
            return
        touched: list[int] = []
        # as if met now: nobody was there, so nothing is to be learnt
        market = self.agenda.tally("market")
        met = Seen(int(Outcome.UNCHANGED), False, 1.0, 0.0, math.inf, now_s, market)
        for page in pages.tolist():
            touched += self.refresh.settle(cards, page, met)
            opens_s = self._intervals.opens_s(cards, page)
            cards["not_before"][page] = max(cards["not_before"][page], opens_s)
        self.agenda.file([page for page in touched if page not in in_flight], now_s)

    def _has_chosen_enough(self, again: Choices | None) -> bool:
        if again is None:
            return self._refusals.is_enough()
        return self._choices >= again.made

    def _reserve(
        self, bought: int, again: Choices | None, reserves: Reserves | None
    ) -> tuple[float, float]:
        """What the next visit must be worth, and what one without a price is worth."""
        if again is not None and again.declined is not None:
            is_last = self._choices >= again.made
            return again.declined if is_last else (-math.inf, 0.0)
        if reserves is None:
            return -math.inf, 0.0
        within = bought < len(reserves.prices)
        reserve = float(reserves.prices[bought]) if within else math.inf
        return reserve, reserves.usual

    def _may_visit(
        self, page: int, host: int, now_s: float, again: Choices | None
    ) -> bool:
        """Whether robots.txt allows it. If not, the page is refused, and its host pays for
        that.
        """
        if again is not None and again.refused is not None:
            if page not in again.refused:
                return True
            until_s = again.refused[page]
        else:
            judgement = self._hosts.judge(host, self._url(page))
            if judgement.allowed:
                self._refusals.spend(host, judgement)
                return True
            until_s = self._refusals.refuse(page, host, judgement, now_s)
        self._close([page], now_s)
        if until_s is not None:
            host_turns.postpone(self.agenda.books, host, until_s)
        return False

    def _forbidden_among(self, links: Links) -> tuple[int, ...]:
        """New pages that robots.txt forbids, as far as that is known and quickly found out: others
        are judged before they are visited.
        """
        cards = self.agenda.cards
        hosts = self.agenda.hosts
        pages = links["page"].astype(np.int64)
        inside = np.clip(pages, 0, len(cards) - 1)
        known = (pages < len(cards)) & (cards["state"][inside] != UNMET)
        ruled = (links["host"] < len(hosts)) & ~known
        ruled[ruled] = hosts["ruled"][links["host"][ruled]] > 0
        forbidden: list[int] = []
        loaded: set[int] = set()
        spent_s = 0.0
        for page, host in links[ruled][["page", "host"]].tolist():
            judgement = self._hosts.judge(host, self._url(page))
            if not judgement.allowed:
                forbidden.append(page)
            spent_s += judgement.cost_s
            if host not in loaded:
                spent_s += judgement.load_s
                loaded.add(host)
            if spent_s > JUDGE_S:
                break
        return tuple(forbidden)

    def _close(self, pages: Sequence[int], now_s: float) -> None:
        """robots.txt says no: the offers are closed until the rules are read anew."""
        numbers = np.array(pages, np.int64)
        outcomes.close_offers(self.agenda.books, numbers, now_s)

    def _take_back(self, ticket: Ticket, now_s: float) -> Ticket:
        closed = self._in_flight.close(ticket.number)
        if closed is not None and closed[1] is None:
            host_turns.land(self.agenda.books, ticket.host, now_s)
        if ticket.page >= 0:
            self._intervals.put_off(ticket.page, now_s)
            file_card(self.agenda.books, ticket.page, now_s)
        return ticket
