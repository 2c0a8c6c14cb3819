"""The request controller: what to fetch next, and when to come back.

A state machine without clock, socket or log. `issue` hands out tickets; `land` says that a visit ended (its host's
gap counts from there); `settle` says what it taught; `expire` takes back the tickets that nobody answered for;
`next_time` says when to ask again (∞ = finished). Seconds handed in never decrease.

>>> from trapline.policies.discovery.breadth_first import BreadthFirst
>>> from trapline.policies.uniform import Uniform
>>> controller = RequestController(discovery=BreadthFirst(), refresh=Uniform(), budget=Budget(per_s=1.0))
>>> host = controller.add_own_host(gap_s=2.0)
>>> controller.admit(links_to([0], [host]), now_s=0.0)
>>> [ticket] = controller.issue(0.0, room=4)
>>> controller.land(ticket, ended_s=0.5)
>>> controller.settle(Observation(ticket, Outcome.OK, changed=True, relevance=1.0), now_s=0.5)
>>> controller.issue(1.0, room=4), controller.next_time()
([], 2.5)
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, HELD, UNMET
from trapline.core.errors import BadNumber, ClockWentBack, UnknownPage
from trapline.core.links import Links, links_to
from trapline.core.ports import Arrays, Chooser, Discoverer, Found, Policy, Scores
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.politeness.robots import Rules
from trapline.robot import buying, hosting
from trapline.robot.agenda import NOTHING, OURS, Agenda, Budget
from trapline.robot.filing import file_card

LEASE_S = 300.0  # a ticket that nobody answered for by then is taken back
STALE = 0.95  # a fringe page whose score has fallen below this share of what was written is filed again, not bought;
RESCORES = 8  # but after so many the dearest is bought as it is

_TAUGHT = (Outcome.OK, Outcome.GONE, Outcome.SKIPPED)  # first visits that say what a link was worth


def _no_url(page: int) -> str:
    raise UnknownPage(page, 0)


def _packed(value: Any) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def _unpacked(array: NDArray[np.generic]) -> Any:
    return json.loads(array.tobytes())


class RequestController:
    def __init__(
        self,
        *,
        discovery: Discoverer,
        refresh: Policy | Chooser,
        budget: Budget,
        url: Callable[[int], str] = _no_url,
        gap_s: Callable[[int, float | None], float] | None = None,
        lease_s: float = LEASE_S,
    ) -> None:
        """`url` names pages for robots rules; `gap_s(host, crawl_delay)` is what a newly met host is owed."""
        self.discovery = discovery
        self.refresh = refresh
        self.agenda = Agenda(budget)
        self._url = url
        self._gap_s = gap_s
        self._lease_s = lease_s
        self.agenda.explore(discovery.explores)
        self._found_worth = getattr(refresh, "found_worth", None)  # of a relevant page, where refresh has prices
        self._chooser = cast("Chooser", refresh) if hasattr(refresh, "choose") else None
        self._rules: dict[int, Rules] = {}
        self._texts: dict[int, str] = {}  # what the rules were read from
        self._flight: dict[int, Ticket] = {}
        self._landed: dict[int, float] = {}
        self._addresses: dict[str, int] = {}
        self._number = 0
        self._now_s = -math.inf
        self._declined = False  # the Chooser, asked last, wanted nothing
        self.opens_s = -math.inf  # the budget lets no visit through before

    # hosts

    def add_own_host(self, gap_s: float) -> int:
        """A host known to stand alone on its address and to need no robots.txt: worlds of the laboratory."""
        return self.agenda.add_host(gap_s, self.agenda.add_address(), math.inf)

    def hosts(self) -> int:
        """How many hosts are known. New ones wait until the caller has found their addresses (`locate`)."""
        return int(self.agenda.tally("hosts"))

    def locate(self, host: int, address: str | None, now_s: float) -> None:
        """Where the host is reached; None = it may not be visited."""
        self._advance(now_s)
        if address is None:
            self.agenda.block(host)
            return
        if address not in self._addresses:
            self._addresses[address] = self.agenda.add_address()
        self.agenda.locate(host, self._addresses[address], now_s)

    # the circle

    def admit(self, links: Links, now_s: float) -> None:
        """Pages to know about: seeds. Those already fetched are left as they are."""
        self._advance(now_s)
        self._discover(-1, Outcome.OK, 1.0, self.unfetched(links), now_s)

    def unfetched(self, links: Links) -> Links:
        """The links that lead to pages never fetched: of the others there is nothing to learn."""
        cards, pages = self.agenda.cards, links["page"]
        state = np.full(len(links), UNMET, np.uint8)
        known = (pages >= 0) & (pages < len(cards))
        state[known] = cards["state"][pages[known]]
        kept = (pages >= 0) & ((state == UNMET) | (state == FRINGE))
        return links if kept.all() else links[kept]

    def issue(self, now_s: float, room: int) -> list[Ticket]:
        """At most `room` visits to make now, dearest first."""
        self._advance(now_s)
        tickets: list[Ticket] = []
        while len(tickets) < room and now_s >= self.opens_s:
            chosen = OURS if self._chooser is None else self._ask_chooser(self._chooser, now_s)
            self._declined = chosen == NOTHING
            if self.discovery.rescores:
                self._renew_first(now_s, chosen)
            page, host, price, self.opens_s = buying.buy(self.agenda.books, now_s, chosen)
            if host < 0:
                break
            if page < 0:
                hosting.occupy(self.agenda.books, host)
                tickets.append(self._ticket(Kind.ROBOTS, -1, host, now_s, 0.0))
            elif host not in self._rules:
                tickets.append(self._ticket(Kind.PAGE, page, host, now_s, price))
            elif self._rules[host].allowed(self._url(page)):
                buying.take(self.agenda.books, page, price, now_s)
                self.opens_s = float(buying.bucket_opens(self.agenda.books))
                tickets.append(self._ticket(Kind.PAGE, page, host, now_s, price))
            else:
                self._refuse(page, host, now_s)
        return tickets

    def land(self, ticket: Ticket, ended_s: float) -> None:
        """The visit ended: its host is free again, and owes its gap from here."""
        self.land_again(ticket.number, ticket.host, ended_s)

    def land_again(self, number: int, host: int, ended_s: float) -> None:
        """`land` by the ticket's number. Of a ticket taken back meanwhile only the gap is noted."""
        if number not in self._flight or number in self._landed:
            hosting.owe(self.agenda.books, host, ended_s)
            return
        self._landed[number] = ended_s
        hosting.land(self.agenda.books, host, ended_s)

    def in_flight(self, number: int) -> Ticket | None:
        return self._flight.get(number)

    def settle(self, observation: Observation, now_s: float) -> None:
        """Learn from a visit that landed. An observation of a ticket taken back meanwhile is ignored."""
        self._advance(now_s)
        if not 0.0 <= observation.relevance <= 1.0:
            raise BadNumber("a relevance", observation.relevance, "a number in [0, 1]")
        if not 0.0 <= observation.news < math.inf:
            raise BadNumber("the news of a visit", observation.news, "a finite number, at least 0")
        for clue in ("anchor", "address", "context", "place"):
            if not np.isfinite(observation.links[clue]).all():
                raise BadNumber(f"the {clue} of a link", "not a number", "a finite number")
        ticket = self._flight.pop(observation.ticket.number, None)
        if ticket is None:
            return
        if ticket.number not in self._landed:
            hosting.land(self.agenda.books, ticket.host, now_s)
        ended_s = self._landed.pop(ticket.number, now_s)
        if observation.retry_after_s > 0.0:
            hosting.postpone(self.agenda.books, ticket.host, now_s + observation.retry_after_s)
        if observation.robots is not None:
            self._obey(ticket.host, observation.robots)
            return
        if ticket.page >= 0:
            self._learn(ticket.page, observation, ended_s, now_s)

    def expire(self, now_s: float) -> list[Ticket]:
        """Take back tickets past their lease: pages are filed again unlearnt, hosts owe their gap from now."""
        self._advance(now_s)
        lost = []
        for ticket in list(self._flight.values()):
            if ticket.issued_s + self._lease_s > now_s:
                break  # tickets are in order of issue
            lost.append(self._take_back(ticket, now_s))
        return lost

    def next_time(self) -> float:
        """When to call `issue` or `expire` again if nothing lands before; ∞ = finished."""
        when = float(buying.next_time(self.agenda.books, self._declined))
        if self._flight:
            when = min(when, next(iter(self._flight.values())).issued_s + self._lease_s)
        return when

    # saving

    def save(self) -> Arrays:
        """Everything that must survive: cards, hosts, policies, tickets in flight."""
        saved = dict(self.agenda.save())
        for role, policy in (("discovery", self.discovery), ("refresh", self.refresh)):
            saved.update({f"{role}.{name}": array for name, array in policy.state().items()})
        rows = [(t.number, t.kind, t.page, t.host, t.issued_s, t.price) for t in self._flight.values()]
        saved["flight"] = np.array(rows, np.float64).reshape(-1, 6)
        saved["landed"] = np.array(list(self._landed.items()), np.float64).reshape(-1, 2)
        saved["clock"] = np.array([self._now_s, self._number], np.float64)
        saved["texts"] = _packed([list(self._addresses.items()), list(self._texts.items()), self._policy_names()])
        return saved

    def understands(self, saved: Arrays) -> bool:
        """Whether a saved state is of this version: its records have the same fields."""
        return self.agenda.understands(saved)

    def load(self, saved: Arrays) -> None:
        """Take over a saved state. A policy that was not the one saved starts with what the cards know."""
        self.agenda.load(saved)
        self._flight, self._rules, self._texts = {}, {}, {}
        addresses, texts, names = _unpacked(saved["texts"])
        self._addresses = dict(addresses)
        for host, text in texts:
            self._texts[host], self._rules[host] = text, Rules(text)
        for number, kind, page, host, issued_s, price in np.asarray(saved["flight"], np.float64).tolist():
            ticket = Ticket(int(number), Kind(int(kind)), int(page), int(host), issued_s, price)
            self._flight[ticket.number] = ticket
        self._landed = {int(n): ended for n, ended in np.asarray(saved["landed"], np.float64).tolist()}
        now_s, number = np.asarray(saved["clock"], np.float64).tolist()
        self._now_s, self._number = now_s, int(number)
        self.opens_s = float(buying.bucket_opens(self.agenda.books))
        self.agenda.books.till["worth"][0] = 1.0 if self._found_worth is None else self.agenda.tally("worth")
        policies: tuple[Policy | Discoverer, ...] = (self.refresh, self.discovery)  # scores become prices by refresh
        for role, policy, name in zip(("refresh", "discovery"), policies, reversed(names), strict=True):
            if name == type(policy).__name__:
                prefix = role + "."
                policy.restore({k.removeprefix(prefix): v for k, v in saved.items() if k.startswith(prefix)})
            else:
                self._hand_over(FRINGE if role == "discovery" else HELD)

    def renew_gaps(self) -> None:
        """Ask anew what each host is owed: the settings may have changed since the state was saved."""
        for host in range(self.hosts() if self._gap_s is not None else 0):
            self._owe_gap(host)

    def take_back_all(self, now_s: float) -> list[Ticket]:
        """After a restart nobody will answer for the tickets in flight, nor does anybody know which visits were made
        and never written down: every host owes its gap from now."""
        self._advance(now_s)
        lost = [self._take_back(ticket, now_s) for ticket in list(self._flight.values())]
        for host in range(self.hosts()):
            hosting.owe(self.agenda.books, host, now_s)
        return lost

    @property
    def now_s(self) -> float:
        """The latest time that was handed in."""
        return self._now_s

    # inside

    def _advance(self, now_s: float) -> None:
        if not now_s >= self._now_s:
            raise ClockWentBack(now_s, self._now_s)
        self._now_s = now_s

    def _ask_chooser(self, chooser: Chooser, now_s: float) -> int:
        hosting.wake(self.agenda.books, now_s)
        page = chooser.choose(self.agenda.cards, self.agenda.hosts, now_s)
        return page if page >= 0 else NOTHING

    def _renew_first(self, now_s: float, chosen: int) -> None:
        """Let the fringe page that would be bought have the score that it deserves by now."""
        books = self.agenda.books
        for _ in range(RESCORES):
            page = buying.choose_fringe(books, now_s, chosen)
            if page < 0:
                return
            score = self.discovery.rescore(page) * self._share_of_worth(int(books.cards["host"][page]))
            written = float(books.cards["base"][page])
            if not score < written - (1.0 - STALE) * abs(written):  # scores may be below 0
                return
            buying.rewrite_fringe(books, page, score, now_s)

    def _ticket(self, kind: Kind, page: int, host: int, now_s: float, price: float) -> Ticket:
        ticket = Ticket(self._number, kind, page, host, now_s, price)
        self._flight[self._number] = ticket
        self._number += 1
        return ticket

    def _learn(self, page: int, observation: Observation, ended_s: float, now_s: float) -> None:
        agenda, outcome, relevance = self.agenda, observation.outcome, observation.relevance
        promised = float(agenda.cards["base"][page])
        if agenda.cards["state"][page] == FRINGE and outcome in _TAUGHT and math.isfinite(promised):
            buying.note_promise(agenda.books.till, promised, relevance)
        age_s = buying.note_outcome(agenda.cards, agenda.books.till, page, int(outcome), ended_s, now_s)
        news = observation.news
        if len(observation.links) or (self.discovery.learns and math.isinf(age_s) and outcome in _TAUGHT):
            news += self._discover(page, outcome, relevance, self.unfetched(observation.links), now_s)
        if outcome <= Outcome.UNCHANGED:
            touched = self.refresh.settle(
                agenda.cards, page, outcome, observation.changed, relevance, news, age_s, now_s
            )  # fmt: skip
            agenda.file(touched, now_s)
        else:
            file_card(agenda.books, page, now_s)

    def _discover(self, page: int, outcome: Outcome, relevance: float, links: Links, now_s: float) -> float:
        """Meet what a visit found (page −1: seeds) and price it; returns what was new in it, in relevance."""
        new = np.zeros(0, np.bool_)
        if len(links):
            self._meet_hosts(int(links["host"].max()))
            new = self.agenda.meet_links(links, int(self.agenda.cards["depth"][page]) + 1 if page >= 0 else 0)
        found = Found(page, relevance, links, new, outcome)
        scores = self.discovery.discover(self.agenda.cards, found, now_s)
        return self._offer(scores, found, now_s) if len(scores.pages) else 0.0

    def _offer(self, scores: Scores, found: Found, now_s: float) -> float:
        """Write what fringe pages promise; returns what the new ones promise beyond the market price, in relevance."""
        agenda, written = self.agenda, scores.scores
        if np.isnan(written).any():
            raise BadNumber("a score of the discovery policy", "not a number", "a number")
        if self._found_worth is not None:
            agenda.books.till["worth"][0] = self._found_worth(-1) * buying.share_kept(agenda.books.till)
            hosts = agenda.cards["host"][scores.pages]
            share = {host: self._share_of_worth(host) for host in set(hosts.tolist())}
            written = written * np.array([share[host] for host in hosts.tolist()])
        buying.offer_fringe(agenda.books, scores.pages, written, scores.since_s, now_s)
        if not found.new.any():
            return 0.0
        promised = agenda.cards["base"][found.links["page"][found.new]].astype(np.float64)
        if np.isinf(promised).any():  # not comparable by price: as much as the words of the links promise
            return float(buying.promised_news(found.links, found.new))
        till = agenda.books.till
        return float(np.maximum(promised - till["market"][0] / till["worth"][0], 0.0).sum())

    def _share_of_worth(self, host: int) -> float:
        """Worth of a relevant page on this host, as a share of that on any."""
        if self._found_worth is None:
            return 1.0
        return float(self._found_worth(host) / self._found_worth(-1))

    def _meet_hosts(self, last: int) -> None:
        while (host := self.hosts()) <= last:
            if self._gap_s is None:
                raise UnknownPage(host, host)
            self.agenda.add_host(self._gap_s(host, None))

    def _obey(self, host: int, robots: Robots) -> None:
        hosts = self.agenda.hosts
        self._rules.pop(host, None)
        self._texts.pop(host, None)
        if robots.text is None:  # fail closed: nobody goes there until robots.txt can be had
            hosting.postpone(self.agenda.books, host, robots.until_s)
        elif robots.text.strip():
            self._rules[host], self._texts[host] = Rules(robots.text), robots.text
        hosts["rules_until"][host] = robots.until_s
        hosts["ruled"][host] = host in self._rules
        self._owe_gap(host)

    def _owe_gap(self, host: int) -> None:
        if self._gap_s is not None:
            delay_s = self._rules[host].crawl_delay_s if host in self._rules else None
            hosts, addresses = self.agenda.hosts, self.agenda.books.addresses
            hosts["gap"][host] = self._gap_s(host, delay_s)
            if (address := int(hosts["address"][host])) >= 0:  # a longer gap is owed from the last visit on
                hosting.owe(self.agenda.books, host, float(addresses["ended"][address]))

    def _policy_names(self) -> list[str]:
        return [type(self.discovery).__name__, type(self.refresh).__name__]

    def _hand_over(self, state: int) -> None:
        """Another policy takes over the pages of a state: offers of the old one are struck, the new one writes its."""
        cards, now_s = self.agenda.cards, self._now_s
        pages = np.flatnonzero(cards["state"] == state)
        in_flight = {ticket.page for ticket in self._flight.values()}
        for page in pages.tolist():  # one by one: a heap bears one card at a time that is not where its offer says
            if page not in in_flight:
                cards["base"][page] = -np.inf
                file_card(self.agenda.books, page, now_s)
        cards["worth"][pages] = 0.0
        at_once = pages[cards["failures"][pages] == 0]  # the others are tried again in their time
        cards["not_before"][at_once] = now_s
        if state == FRINGE:
            links = links_to(pages, cards["host"][pages])
            found = Found(-1, 1.0, links, np.ones(len(links), np.bool_))
            self._offer(self.discovery.discover(cards, found, now_s), found, now_s)
            return
        touched: list[int] = []
        for page in pages.tolist():  # as if met now: nobody was there, so nothing is to be learnt
            touched += self.refresh.settle(cards, page, Outcome.UNCHANGED, False, 1.0, 0.0, math.inf, now_s)
        self.agenda.file([page for page in touched if page not in in_flight], now_s)

    def _refuse(self, page: int, host: int, now_s: float) -> None:
        """robots.txt says no: the offer is closed until the rules are read anew."""
        cards = self.agenda.cards
        cards["not_before"][page] = max(float(self.agenda.hosts["rules_until"][host]), now_s + 1.0)
        file_card(self.agenda.books, page, now_s)

    def _take_back(self, ticket: Ticket, now_s: float) -> Ticket:
        self._flight.pop(ticket.number)
        if self._landed.pop(ticket.number, None) is None:
            hosting.land(self.agenda.books, ticket.host, now_s)
        if ticket.page >= 0:
            file_card(self.agenda.books, ticket.page, now_s)
        return ticket
