"""The runs of scale/one-price: one world, one way to set the rates, freshness round by round.

>>> small = MarketSizes(shards=4, pages=40, rounds=2)
>>> cases = [MarketCase(kind, kind, small) for kind in (ONE, BIDS_60)]
>>> runs = [run_case(case, seed=1) for case in cases]
>>> [len(run.earned) for run in runs], bool(runs[1].earned[1] > 0.8 * runs[0].earned[1])
([2, 2], True)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from trapline.laboratory.papers.scale.shard_market import (
    Floats,
    ShardMarket,
    Steer,
    run_market,
)
from trapline.laboratory.papers.scale.steering import (
    Feedback,
    NoTreasurer,
    WrongBids,
    bids,
    keep,
)
from trapline.laboratory.papers.scale.unlike_shards import UnlikeShards
from trapline.theory.freshness import FreshnessBound, freshness_earned

ONE: Final = "one agenda"
BOUND: Final = "bound"
EQUAL: Final = "equal split"
PAGES: Final = "split by pages"
FEEDBACK: Final = "price feedback, every 60 s"
SLOW: Final = "price feedback, every round"
BIDS_10: Final = "bids every 10 s"
BIDS_60: Final = "bids every 60 s"
WRONG: Final = "bids wrong by 10 %"
DEAD: Final = "no treasurer in round 2"

ROUND_S: Final = 600.0
ERROR: Final = 0.1
_BINDS: Final = 0.999  # of what a host's gap allows


@dataclass(frozen=True, slots=True)
class MarketSizes:
    shards: int = 64
    pages: int = 2_000  # a shard, on average
    rounds: int = 6


@dataclass(frozen=True, slots=True)
class MarketCase:
    name: str  # in tables and pictures
    kind: str
    sizes: MarketSizes
    learnt: bool = False  # change rates are not known

    @property
    def cost(self) -> float:
        often = 6.0 if self.kind == BIDS_10 else 1.0
        return often * self.sizes.shards * self.sizes.pages


class MarketRun(NamedTuple):
    earned: Floats  # [round] worth of fresh pages
    spread: Floats  # [round] of log prices, at its end; all shards alike
    free_spread: Floats  # the same where no host binds, weighed by visits
    used: float  # of the budget


def run_case(case: MarketCase, seed: int) -> MarketRun:
    world, bound = _judged_world(case.sizes, seed)
    rounds = case.sizes.rounds
    if case.kind == BOUND:
        nothing = np.full(rounds, np.nan)
        used = float(bound.rates.sum() / world.budget_per_s)
        return MarketRun(
            np.full(rounds, bound.value),
            nothing,
            nothing,
            used,
        )
    every_s, steer = steering_of(case, seed)
    market = _market_of(world, case)
    watcher = _PriceWatcher(*free_shards(world, bound))
    run_market(market, rounds * ROUND_S, every_s, steer, watcher.watch)
    return _judge(world, market, rounds, watcher)


@lru_cache(maxsize=4)
def _judged_world(sizes: MarketSizes, seed: int) -> tuple[UnlikeShards, FreshnessBound]:
    world = UnlikeShards.draw(sizes.shards, sizes.pages, ROUND_S, seed)
    return world, world.bound()


def steering_of(case: MarketCase, seed: int) -> tuple[float, Steer]:
    """How often the rates are set, and by whom."""
    known: dict[str, tuple[float, Steer]] = {
        ONE: (ROUND_S, keep),
        EQUAL: (ROUND_S, keep),
        PAGES: (ROUND_S, keep),
        FEEDBACK: (60.0, Feedback(0.2)),
        SLOW: (ROUND_S, Feedback(0.5)),
        BIDS_10: (10.0, bids),
        BIDS_60: (60.0, bids),
        WRONG: (60.0, WrongBids.by(ERROR, case.sizes.shards, seed)),
        DEAD: (60.0, NoTreasurer(bids, ROUND_S, 2.0 * ROUND_S)),
    }
    return known[case.kind]


def _market_of(world: UnlikeShards, case: MarketCase) -> ShardMarket:
    if case.kind == ONE:
        return ShardMarket.of_one(world, learnt=case.learnt)
    pages = np.bincount(world.shard).astype(np.float64)
    shares = pages if case.kind == PAGES else np.ones(len(pages))
    return ShardMarket.of(world, shares / shares.sum(), learnt=case.learnt)


def free_shards(world: UnlikeShards, bound: FreshnessBound) -> tuple[Floats, Floats]:
    """The visits of each shard in the best schedule, and whether no host binds there (1 or 0)."""
    visits = np.bincount(world.host, bound.rates)
    binds = visits > _BINDS / world.gap_s
    of_shard = np.asarray(np.bincount(world.shard, bound.rates), np.float64)
    bound_visits = np.bincount(world.shard, bound.rates * binds[world.host])
    return of_shard, (bound_visits <= 0.0).astype(np.float64)


class _PriceWatcher:
    def __init__(self, visits: Floats, free: Floats) -> None:
        self._weights = visits * free
        self.spread: list[float] = []
        self.free_spread: list[float] = []

    def watch(self, market: ShardMarket) -> None:
        if market.now_s <= 0.0 or market.now_s % ROUND_S:
            return
        logs = np.log(market.prices())
        self.spread.append(float(logs.std()))
        if len(logs) < len(self._weights):  # one agenda
            self.free_spread.append(0.0)
            return
        share = self._weights / self._weights.sum()
        mean = float(share @ logs)
        self.free_spread.append(float(np.sqrt(share @ (logs - mean) ** 2)))


def _judge(
    world: UnlikeShards, market: ShardMarket, rounds: int, watcher: _PriceWatcher
) -> MarketRun:
    log = market.log()
    earned = [
        freshness_earned(
            world.rate,
            world.worth,
            world.last_s,
            log.issued_s,
            log.page,
            window=(number * ROUND_S, (number + 1) * ROUND_S),
        )
        for number in range(rounds)
    ]
    used = len(log.page) / (world.budget_per_s * rounds * ROUND_S)
    return MarketRun(
        np.array(earned),
        np.array(watcher.spread),
        np.array(watcher.free_spread),
        used,
    )
