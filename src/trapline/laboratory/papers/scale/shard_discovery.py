"""Shards that discover one web together: each follows the links to its own hosts, and mails the
others.

The controllers are those that run live, in pretend time. A link to another shard's host is sent
once by each shard that finds it, with the relevance and depth of its page, and arrives a second
later; the sender appraises it for its own learning. Bids share the budget every ten seconds.

>>> from trapline.laboratory.worlds.linked import LinkedWeb
>>> from trapline.policies.discovery.breadth_first import BreadthFirst
>>> web = LinkedWeb.generate(pages=100, hosts=6, seed=1)
>>> found = crawl_in_shards(web, BreadthFirst, shards=2, per_s=10.0)
>>> len(set(found.page.tolist())) == len(found.page), found.steps
(True, 100)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from trapline.core.ledger import RENEW_S, ShardRow
from trapline.core.links import LINK, Links
from trapline.core.records import Observation, Ticket
from trapline.laboratory.papers.scale.ledger_rows import row_at_work
from trapline.laboratory.runs.discovery_pass import Pass, Web, still_truth
from trapline.laboratory.runs.drive import new_controller, observe
from trapline.laboratory.worlds.truth import Integers, Truth
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.never import Never
from trapline.robot.agenda.agenda import Budget
from trapline.robot.bidding import bid_of
from trapline.robot.call_records import ArrivedLinks
from trapline.robot.request_controller import RequestController
from trapline.theory.chance import mix_hash
from trapline.theory.treasury import market_targets, settle_rates

MAIL_S: Final = 1.0
TRADE_S: Final = 10.0
_HOMES: Final = 7  # seed of the hash of hosts

MakePolicy = Callable[[], DiscoveryPolicy]


def home_of_hosts(hosts: int, shards: int) -> Integers:
    """As the hash of their names."""
    homes = [int(mix_hash(_HOMES, host, 0) * shards) for host in range(hosts)]
    return np.array(homes, np.int64)


@dataclass(slots=True)
class _Discoverer:
    """A shard, and the links on their way to it."""

    number: int
    controller: RequestController
    granted_per_s: float
    heard_per_s: float
    sent: set[int] = field(default_factory=set)  # pages whose links it has mailed
    mail: list[tuple[float, Links, float, int]] = field(default_factory=list)

    def next_s(self, now_s: float) -> float:
        arrives_s = self.mail[0][0] if self.mail else math.inf
        return max(now_s, min(self.controller.next_time(), arrives_s))

    def take_mail(self, now_s: float) -> None:
        while self.mail and self.mail[0][0] <= now_s:
            _, links, relevance, depth = self.mail.pop(0)
            count = len(links)
            arrived = ArrivedLinks(
                links,
                np.full(count, relevance, np.float32),
                np.full(count, min(depth, 255), np.uint8),
            )
            self.controller.receive(arrived, now_s)

    def row(self) -> ShardRow:
        return row_at_work(self.number, self.granted_per_s, self.heard_per_s)


class ShardCrawl:
    def __init__(self, web: Web, make: MakePolicy, shards: int, per_s: float) -> None:
        self.truth: Truth = still_truth(web.truth, gap_s=0.0)
        self.per_s = per_s
        self._home = home_of_hosts(len(self.truth.gap_s), shards)
        self._targets: dict[int, float] = {}
        seeds = np.array(web.seeds, np.int64)
        homes = self._home[self.truth.host[seeds]]
        self.shards = [
            self._open(shard, make(), seeds[homes == shard].tolist(), per_s / shards)
            for shard in range(shards)
        ]

    def _open(
        self, shard: int, discovery: DiscoveryPolicy, seeds: list[int], rate: float
    ) -> _Discoverer:
        controller = new_controller(
            self.truth,
            discovery=discovery,
            refresh=Never(),
            budget=Budget(per_s=rate),
            seeds=seeds,
        )
        return _Discoverer(
            shard,
            controller,
            rate,
            rate,
        )

    def visit(self, shard: _Discoverer, now_s: float) -> int:
        """The next visit of a shard, from its beginning to its end; −1 = there is none now."""
        shard.take_mail(now_s)
        tickets = shard.controller.issue(now_s, 1)
        if not tickets:
            return -1
        [ticket] = tickets
        shard.controller.land(ticket, now_s)
        found = observe(self.truth, ticket, now_s)
        shard.controller.settle(self._split(shard, ticket, found, now_s), now_s)
        return ticket.page

    def _split(
        self, shard: _Discoverer, ticket: Ticket, found: Observation, now_s: float
    ) -> Observation:
        """Links to others' hosts are for them to follow."""
        homes = self._home[found.links["host"]]
        theirs = homes != shard.number
        if not theirs.any():
            return found
        depth = int(shard.controller.agenda.cards["depth"][ticket.page]) + 1
        self._send(shard, found.links[theirs], found.relevance, depth, now_s)
        return Observation(
            ticket,
            found.outcome,
            found.changed,
            found.relevance,
            found.links[~theirs],
            elsewhere=found.links[theirs],
        )

    def _send(
        self,
        shard: _Discoverer,
        links: Links,
        relevance: float,
        depth: int,
        now_s: float,
    ) -> None:
        new = np.array([page not in shard.sent for page in links["page"].tolist()])
        links = links[new]
        shard.sent.update(links["page"].tolist())
        homes = self._home[links["host"]]
        for home in np.unique(homes).tolist():
            letter = np.array(links[homes == home], LINK)
            self.shards[home].mail.append((now_s + MAIL_S, letter, relevance, depth))

    def trade(self, now_s: float) -> None:
        bids = [bid_of(one.controller, one.number, now_s) for one in self.shards]
        rows = [one.row() for one in self.shards]
        self._targets = market_targets(rows, bids, self.per_s)
        self.settle()

    def settle(self) -> None:
        rows = [one.row() for one in self.shards]
        for number, rate in settle_rates(rows, self._targets, self.per_s).items():
            self.shards[number].granted_per_s = rate

    def hear(self, now_s: float) -> None:
        for one in self.shards:
            if one.granted_per_s != one.heard_per_s:
                one.controller.spend(one.granted_per_s, now_s)
                one.heard_per_s = one.granted_per_s
        self.settle()


def crawl_in_shards(web: Web, make: MakePolicy, shards: int, per_s: float) -> Pass:
    """Fetch for as many steps as there are pages, `per_s` of them a second."""
    crawl = ShardCrawl(
        web,
        make,
        shards,
        per_s,
    )
    steps = len(crawl.truth.pages)
    pages: list[int] = []
    times: list[float] = []
    now_s = 0.0
    market_s = [TRADE_S, math.inf]  # the next trade, and when it is heard
    while True:
        next_s, number = min((one.next_s(now_s), one.number) for one in crawl.shards)
        now_s = min(next_s, *market_s)
        if now_s >= steps / per_s:
            break
        if now_s == market_s[1]:
            crawl.hear(now_s)
            again_s = now_s + RENEW_S
            market_s[1] = again_s if again_s < market_s[0] else math.inf
        elif now_s == market_s[0]:
            crawl.trade(now_s)
            market_s = [now_s + TRADE_S, now_s + RENEW_S]
        elif (page := crawl.visit(crawl.shards[number], now_s)) >= 0:
            pages.append(page)
            times.append(now_s)
    step = (np.array(times) * per_s).astype(np.int64)
    return Pass(np.array(pages, np.int64), step, steps)
