"""Who sets the rates of shards: a split for good, feedback by prices paid, bids.

Each takes a market and returns what the shards should have by now; an empty answer leaves all as it
is. What is safe of that is granted by `theory/treasury.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from trapline.core.ledger import Bid
from trapline.laboratory.papers.scale.shard_market import Floats, ShardMarket, Steer
from trapline.theory.clearing import FLOOR
from trapline.theory.treasury import market_targets

_UNPAID: Final = 1e-12  # the price of a shard that has paid nothing yet


def keep(market: ShardMarket) -> Mapping[int, float]:
    return {}


def bids(market: ShardMarket) -> Mapping[int, float]:
    return market_targets(market.rows(), market.bids(), market.budget_per_s)


@dataclass(frozen=True, slots=True)
class Feedback:
    """b ← b·(m/mean)^gain: who pays more than others has more, what it pays now decides."""

    gain: float

    def __call__(self, market: ShardMarket) -> Mapping[int, float]:
        prices = np.maximum(market.prices(), _UNPAID)
        rates = np.array([shard.granted_per_s for shard in market.shards])
        rates *= (prices / prices.mean()) ** self.gain
        rates *= market.budget_per_s / rates.sum()
        floor = FLOOR * market.budget_per_s / len(rates)
        return dict(enumerate(np.maximum(rates, floor).tolist()))


@dataclass(frozen=True, slots=True)
class WrongBids:
    """Each shard is mistaken about its demand by a factor of its own, for good."""

    factors: Floats

    @classmethod
    def by(cls, spread: float, shards: int, seed: int) -> WrongBids:
        rng = np.random.default_rng([seed, 22])
        return cls(np.exp(rng.normal(0.0, spread, shards)))

    def __call__(self, market: ShardMarket) -> Mapping[int, float]:
        wrong = [self._wrong(bid) for bid in market.bids()]
        return market_targets(market.rows(), wrong, market.budget_per_s)

    def _wrong(self, bid: Bid) -> Bid:
        factor = float(self.factors[bid.shard])
        return replace(bid, per_s=tuple(factor * wish for wish in bid.per_s))


@dataclass(frozen=True, slots=True)
class NoTreasurer:
    """Nobody sets rates from one time to another."""

    steer: Steer
    from_s: float
    until_s: float

    def __call__(self, market: ShardMarket) -> Mapping[int, float]:
        dead = self.from_s <= market.now_s < self.until_s
        return {} if dead else self.steer(market)
