"""A world of shards that are very unlike: how many pages and hosts, how often pages change, what
they are worth and how long hosts are to be left alone differ a lot from shard to shard.

Changes and worths spread over three decades, by shard and by page. Shards have hosts from few to
many and gaps from short to long, so that in some of them the hosts, not the budget, are what is
scarce. An equal split of the budget is worth about 84 % of the best one, a split by pages 91 %: the
spreads were chosen for that, by the splits alone, while bids of earlier worlds were known.

>>> world = UnlikeShards.draw(shards=4, pages=50, round_s=100.0, seed=1)
>>> len(world.rate), world.budget_per_s == len(world.rate) / 100.0, len(world.pages_of(2)) > 0
(200, True, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.theory.freshness import FreshnessBound, freshness_bound

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# spread of shards: natural logarithms, but for the decades of change rates
SIZES: Final = 0.9
WORTHS: Final = 1.0
RATES: Final = 0.55
# of the pages of one shard
PAGE_WORTHS: Final = 0.7
PAGE_RATES: Final = 1.0  # decades either way
HOSTS: Final = (4.0, 400.0)  # a shard, from .. to
GAPS_S: Final = (0.1, 2.0)
_SEEDS: Final = 100_003  # apart, of the histories of shards


@dataclass(frozen=True, slots=True)
class UnlikeShards:
    round_s: float  # in which every page could be visited once
    seed: int
    shard: Integers  # of each page
    host: NDArray[np.int32]  # of each page, numbered over all shards
    rate: Floats
    worth: Floats  # of a page that is fresh; at most 1
    gap_s: Floats  # of each host

    @classmethod
    def draw(cls, shards: int, pages: int, round_s: float, seed: int) -> Self:
        """So many pages a shard on average."""
        rng = np.random.default_rng([seed, 20])
        size = _sizes(rng, shards, pages)
        shard = np.repeat(np.arange(shards), size)
        host, shard_of_host = _hosts(rng, size)
        rate = rng.normal(0.0, RATES, shards)[shard]
        rate += rng.uniform(-PAGE_RATES, PAGE_RATES, len(shard))
        worth = rng.normal(0.0, WORTHS, shards)[shard]
        worth += rng.normal(0.0, PAGE_WORTHS, len(shard))
        gap_s = _log_uniform(rng, GAPS_S, shards)[shard_of_host]
        return cls(
            round_s,
            seed,
            shard,
            host,
            10.0**rate / round_s,
            np.exp(worth - worth.max()),
            gap_s,
        )

    @property
    def shards(self) -> int:
        return int(self.shard[-1]) + 1

    @property
    def budget_per_s(self) -> float:
        return len(self.rate) / self.round_s

    @property
    def last_s(self) -> Floats:
        """When each page was visited last: each once in the round before, in any order."""
        phase = np.random.default_rng([self.seed, 21]).permutation(len(self.rate))
        return -self.round_s * (phase + 0.5) / len(phase)

    def pages_of(self, shard: int) -> Integers:
        first, end = np.searchsorted(self.shard, (shard, shard + 1)).tolist()
        return np.arange(first, end)

    def truth_of(self, shard: int) -> Truth:
        """The world of one shard, its pages and hosts numbered from 0."""
        return self._truth(self.pages_of(shard), _SEEDS * self.seed + shard + 1)

    def truth(self) -> Truth:
        return self._truth(np.arange(len(self.rate)), _SEEDS * self.seed)

    def _truth(self, pages: Integers, seed: int) -> Truth:
        host = self.host[pages]
        first = int(host[0])
        return make_truth(
            host=host - np.int32(first),
            rate=self.rate[pages],
            relevance=self.worth[pages],
            gap_s=self.gap_s[first : int(host[-1]) + 1],
            seed=seed,
        )

    def bound(self) -> FreshnessBound:
        """What no schedule exceeds."""
        return freshness_bound(
            self.rate, self.worth, self.budget_per_s, self.host, self.gap_s
        )


def _sizes(rng: np.random.Generator, shards: int, pages: int) -> Integers:
    """Exactly so many pages in all."""
    wanted = np.exp(rng.normal(0.0, SIZES, shards))
    ends = np.round(np.cumsum(wanted) / wanted.sum() * (shards * (pages - 10)))
    return np.asarray(np.diff(ends, prepend=0.0).astype(np.int64) + 10)


def _log_uniform(
    rng: np.random.Generator, ends: tuple[float, float], count: int
) -> Floats:
    low, high = np.log(ends).tolist()
    return np.asarray(np.exp(rng.uniform(low, high, count)))


def _hosts(
    rng: np.random.Generator, size: Integers
) -> tuple[NDArray[np.int32], Integers]:
    """The host of each page, and the shard of each host; a few hosts have most pages."""
    host = []
    shard_of_host = []
    met = 0
    for shard, pages in enumerate(size.tolist()):
        count = int(_log_uniform(rng, HOSTS, 1)[0])
        drawn = np.sort((count * rng.uniform(size=pages) ** 2).astype(np.int64))
        _, dense = np.unique(drawn, return_inverse=True)
        host.append(dense + met)
        met += int(dense[-1]) + 1
        shard_of_host += [shard] * (int(dense[-1]) + 1)
    return np.concatenate(host).astype(np.int32), np.array(shard_of_host)
