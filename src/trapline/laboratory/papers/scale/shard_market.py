"""Shards in pretend time under one budget: a request controller each, rates that are granted and
heard as in the live crawl.

Each shard is the robot's own request controller, driven by the compiled loop. Whoever steers sees
what the treasurer sees, the rows of the ledger and the shards' bids, and grants rates through
`theory/treasury.py`. An owner hears what was granted when it renews its lease.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.ledger import RENEW_S, Bid, ShardRow
from trapline.laboratory.papers.scale.ledger_rows import row_at_work
from trapline.laboratory.papers.scale.unlike_shards import UnlikeShards
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import Log, new_controller
from trapline.laboratory.worlds.truth import Truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.bidding import bid_of
from trapline.robot.request_controller import RequestController
from trapline.theory.treasury import settle_rates

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_SPARE: Final = 16  # visits that a run may make beyond its rate


@dataclass(slots=True)
class Shard:
    """A part of the world, or all of it, and who visits it."""

    pages: Integers  # in the world
    truth: Truth
    controller: RequestController
    granted_per_s: float
    heard_per_s: float
    logs: list[Log] = field(default_factory=list)

    def run(self, from_s: float, until_s: float) -> None:
        most = math.ceil(self.heard_per_s * (until_s - from_s)) + _SPARE
        log = run_compiled(
            self.controller,
            self.truth,
            room=1,
            visits=most,
            start_s=from_s,
            until_s=until_s,
        )
        if len(log.page):
            self.logs.append(Log(log.issued_s, self.pages[log.page]))

    def hear(self, now_s: float) -> None:
        if self.heard_per_s != self.granted_per_s:
            self.controller.spend(self.granted_per_s, now_s)
            self.heard_per_s = self.granted_per_s


class ShardMarket:
    def __init__(self, shards: list[Shard], budget_per_s: float) -> None:
        self.shards = shards
        self.budget_per_s = budget_per_s
        self.now_s = 0.0

    @classmethod
    def of(cls, world: UnlikeShards, shares: Floats, *, learnt: bool) -> ShardMarket:
        """One controller a shard, with these shares of the budget to begin with."""
        shards = []
        for shard, share in enumerate(shares.tolist()):
            pages = world.pages_of(shard)
            rate = world.budget_per_s * share
            truth = world.truth_of(shard)
            shards.append(_new_shard(world, pages, truth, rate, learnt=learnt))
        return cls(shards, world.budget_per_s)

    @classmethod
    def of_one(cls, world: UnlikeShards, *, learnt: bool) -> ShardMarket:
        """One agenda over all pages."""
        pages = np.arange(len(world.rate))
        rate = world.budget_per_s
        one = _new_shard(world, pages, world.truth(), rate, learnt=learnt)
        return cls([one], rate)

    def run(self, until_s: float) -> None:
        for shard in self.shards:
            shard.run(self.now_s, until_s)
        self.now_s = until_s

    def hear(self) -> None:
        for shard in self.shards:
            shard.hear(self.now_s)

    def rows(self) -> list[ShardRow]:
        """As the ledger has them."""
        return [
            row_at_work(number, shard.granted_per_s, shard.heard_per_s)
            for number, shard in enumerate(self.shards)
        ]

    def bids(self) -> list[Bid]:
        return [
            bid_of(shard.controller, number, self.now_s)
            for number, shard in enumerate(self.shards)
        ]

    def prices(self) -> Floats:
        """What each shard pays."""
        markets = [shard.controller.agenda.tally("market") for shard in self.shards]
        return np.array(markets)

    def grant(self, rates: Mapping[int, float]) -> None:
        for number, rate in rates.items():
            self.shards[number].granted_per_s = rate

    def log(self) -> Log:
        """The visits of all shards, in order."""
        logs = [log for shard in self.shards for log in shard.logs]
        issued_s = np.concatenate([log.issued_s for log in logs])
        order = np.argsort(issued_s, kind="stable")
        return Log(issued_s[order], np.concatenate([log.page for log in logs])[order])


Steer = Callable[[ShardMarket], Mapping[int, float]]


def run_market(
    market: ShardMarket,
    until_s: float,
    every_s: float,
    steer: Steer,
    watch: Callable[[ShardMarket], None],
) -> None:
    """Steer every so often; owners hear what was granted when they renew their leases, and when
    all have heard of the cuts the raises follow.
    """
    while market.now_s < until_s:
        trade_s = market.now_s
        watch(market)
        targets = steer(market) if trade_s > 0.0 else {}
        for ahead_s in (RENEW_S, 2.0 * RENEW_S):
            if targets:
                rates = settle_rates(market.rows(), targets, market.budget_per_s)
                market.grant(rates)
                market.run(min(trade_s + ahead_s, until_s))
                market.hear()
        market.run(min(trade_s + every_s, until_s))
    watch(market)


def _new_shard(
    world: UnlikeShards, pages: Integers, truth: Truth, rate: float, *, learnt: bool
) -> Shard:
    refresh: RefreshPolicy = (
        Posterior()
        if learnt
        else KnownRate(world.rate[pages], world.worth[pages] / world.rate[pages])
    )
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=rate),
        seeds=[],
    )
    hold_all(controller, truth, world.last_s[pages])
    return Shard(
        pages,
        truth,
        controller,
        rate,
        rate,
    )
