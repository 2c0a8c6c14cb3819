"""The fringe: what visits found becomes scores (by the discovery policy), and scores become prices.

The price of a fringe page is worth·(score/cost + bonus of its host); the worth of a relevant page
is asked of the refresh policy, and multiplied by what scores kept of their promise lately.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE
from trapline.core.errors import BadNumber
from trapline.core.links import Links
from trapline.core.ports import MAILED, Found, Pages, Scores
from trapline.core.records import Outcome
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.robot.agenda import fringe_prices, purchase
from trapline.robot.agenda.agenda import Agenda
from trapline.robot.agenda.filing import file_card
from trapline.robot.visit_costs import VisitCosts

# a fringe page whose score has fallen below this share of what was written is filed again, not
# bought;
STALE = 0.95
RESCORES = 8  # but after so many the dearest is bought as it is

Worth = Callable[[int], float]


class Fringe:
    def __init__(
        self,
        agenda: Agenda,
        discovery: DiscoveryPolicy,
        found_worth: Worth | None,
        depth: int,
        costs: VisitCosts,
    ) -> None:
        """`found_worth(host)` of a relevant page found there, −1 = anywhere.

        Links lead `depth` steps from a seed. `costs` are those of visits.
        """
        self._agenda = agenda
        self._discovery = discovery
        self._found_worth = found_worth
        self._depth = depth
        self._costs = costs
        self._shares = np.ones(0)
        self.closed = False  # nothing new is taken in: as many pages are held as may be

    @property
    def priced(self) -> bool:
        """Whether the refresh policy says what a page that is found is worth."""
        return self._found_worth is not None

    def discover(
        self,
        page: int,
        outcome: Outcome,
        relevance: float,
        links: Links,
        now_s: float,
        elsewhere: float = 0.0,
    ) -> float:
        """Meet what a visit found (page −1: seeds) and price it; returns what was new in it, in
        relevance. `elsewhere`: what links that other shards follow promise.
        """
        depth = int(self._agenda.cards["depth"][page]) + 1 if page >= 0 else 0
        if self.closed or depth > self._depth:
            links = links[:0]
        new = self._agenda.meet_links(links, depth, now_s)
        found = Found(page, relevance, links, new, outcome, elsewhere)
        scores = self._discovery.discover(self._agenda.cards, found, now_s)
        return self.offer(scores, found, now_s) if len(scores.pages) else 0.0

    def receive(self, relevance: float, depth: int, links: Links, now_s: float) -> None:
        """Meet what another shard has found on pages of such relevance, as if found here."""
        if self.closed or depth > self._depth:
            return
        new = self._agenda.meet_links(links, depth, now_s)
        found = Found(MAILED, relevance, links, new)
        scores = self._discovery.discover(self._agenda.cards, found, now_s)
        if len(scores.pages):
            self.offer(scores, found, now_s)

    def shut(self, shut: bool, in_flight: set[int], now_s: float) -> None:
        """Close the offers of all fringe pages, as many pages being held as may be; or open them
        again.
        """
        self.closed = shut
        cards = self._agenda.cards
        fringe = cards["state"] == FRINGE
        pages = np.flatnonzero(
            fringe if shut else fringe & np.isposinf(cards["not_before"])
        )
        for page in pages.tolist():
            if page not in in_flight:
                cards["not_before"][page] = np.inf if shut else now_s
                file_card(self._agenda.books, page, now_s)

    def offer(self, scores: Scores, found: Found, now_s: float) -> float:
        """Write what fringe pages promise; returns what the new ones promise beyond the market
        price, in relevance.
        """
        books = self._agenda.books
        shares = self._shares_of(scores.pages)
        if not fringe_prices.offer_fringe(
            books,
            scores.pages,
            scores.scores,
            scores.since_s,
            shares,
            self._costs_by_host(),
            now_s,
        ):
            raise BadNumber(
                "a score of the discovery policy", "not a number", "a number"
            )
        if self._found_worth is not None:
            books.till["worth"][0] = self._found_worth(-1) * fringe_prices.share_kept(
                books.till
            )
        return float(fringe_prices.promised_news(books, found.links, found.new))

    def renew_first(self, now_s: float, chosen: int) -> None:
        """Let the fringe page that would be bought have the score that it deserves by now."""
        books = self._agenda.books
        for _ in range(RESCORES):
            page, host, written = purchase.choose_fringe(books, now_s, chosen)
            if page < 0:
                return
            score = self._discovery.rescore(page) * self._share_of_worth(host)
            # scores may be below 0
            if not score < written - (1.0 - STALE) * abs(written):
                return
            fringe_prices.rewrite_fringe(books, page, score, now_s)

    def _costs_by_host(self) -> NDArray[np.float64]:
        """Of a first visit; nothing where all visits cost the same."""
        hosts = len(self._agenda.hosts) if self._costs.counts else 0
        return self._costs.of_hosts(hosts)

    def _shares_of(self, pages: Pages) -> NDArray[np.float64]:
        """`_share_of_worth` by host, true of the hosts of these pages."""
        books = self._agenda.books
        if len(self._shares) < len(books.hosts):
            self._shares = np.ones(len(books.hosts))
        if self._found_worth is not None:
            anywhere = self._found_worth(-1)
            for host in set(books.cards["host"][pages].tolist()):
                self._shares[host] = self._found_worth(host) / anywhere
        return self._shares

    def _share_of_worth(self, host: int) -> float:
        """Worth of a relevant page on this host, as a share of that on any."""
        if self._found_worth is None:
            return 1.0
        return float(self._found_worth(host) / self._found_worth(-1))
