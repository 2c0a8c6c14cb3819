"""What the index policy of `whittle` earns in the long run, exactly: it is deterministic, so it
ends in a cycle.

In each slot the sources of highest price are visited, of equal ones the first, until the budget is
used up. Budget left over is saved for the next slot: if the best remaining source costs more than
is left, nothing is visited in its stead. At most a slot's budget or the cost of the dearest source,
whichever is more, is carried over, so that any source can be afforded and the long-run cost is the
budget (eq. 5) unless every source is visited in every slot. With unit costs and a whole budget M,
that is the paper's policy: the top M sources, and nothing is ever left over. (Prices within a
rounding of their ceiling are equal: of sources left that long the first is visited, whatever their
ages; no reward is lost.)

>>> numbers = [(1.0, 0.7), (0.7, 0.35), (0.2, 0.7), (0.08, 0.21)]
>>> table = [EphemeralSource(250.0, *pair) for pair in numbers]
>>> found = long_run_reward(table, budget=2)
>>> round(found.value, 6), found.period, (found.rates * 7).tolist()
(337.77455, 7, [7.0, 4.0, 2.0, 1.0])
>>> found.pattern
((0, 1), (0, 2), (0, 1), (0, 1), (0, 2), (0, 1), (0, 3))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.slot_formulas import Floats
from trapline.theory.ephemeral.source import EphemeralSource, Sources

# from k·μT = 45 on, prices and contents are at their ceilings to the last digit
_SATURATED: Final = 45.0


@dataclass(frozen=True)
class LongRun:
    value: float  # reward a slot
    rates: Floats  # visits a slot of each source
    period: int  # slots after which everything repeats
    # the sources visited in each slot of a period, counted from 0
    pattern: tuple[tuple[int, ...], ...]


def long_run_reward(
    sources: Sources | Sequence[EphemeralSource],
    budget: float,
    most_slots: int = 100_000,
) -> LongRun:
    """The policy starts when all sources have just been visited.

    Cycles grow with the number of sources. Twenty may need more than `most_slots`, which is an
    error: then ask for an average_reward.
    """
    run = _run(sources, budget)
    window = _Window(run.ages.copy(), run.purse)
    for _ in range(most_slots):
        window.add(run.step())
        if window.closed(run):
            return _summary(run.many, window)
        if len(window.picks) == window.length:
            window = _Window(run.ages.copy(), run.purse, 2 * window.length)
    raise BadNumber(
        "the number of slots",
        most_slots,
        "more: the index policy did not repeat itself within them",
    )


def average_reward(
    sources: Sources | Sequence[EphemeralSource],
    budget: float,
    slots: int,
    skip: int = 0,
) -> float:
    """Reward a slot of the same policy over `slots` slots, after `skip` others: for sources whose
    cycle is too long.
    """
    if slots < 1:
        raise BadNumber("the number of slots", slots, "at least 1")
    run = _run(sources, budget)
    rewards = [run.step().reward for _ in range(skip + slots)]
    return math.fsum(rewards[skip:]) / slots


@dataclass(frozen=True, slots=True)
class _Slot:
    picks: tuple[int, ...]
    reward: float
    lowest: float  # price: what stays below it had no say


class _Run:
    """The policy, slot by slot.

    Money is counted in whole numbers: what is saved must repeat exactly.
    """

    def __init__(self, many: Sources, costs: list[int], budget: int) -> None:
        self.many = many
        self.costs = costs
        self.budget = budget
        self.most_saved = max(budget, *costs)
        self.cheapest = min(costs)
        self.purse = 0
        self.ages = np.ones(len(many))
        self.oldest = np.minimum(np.ceil(_SATURATED / many.fading), many.lifetime)

    def step(self) -> _Slot:
        self.purse = min(self.purse, self.most_saved) + self.budget
        prices = self.many.price(self.ages)
        picks, lowest = self._choose(prices)
        reward = math.fsum(self.many.content(self.ages)[picks])
        self.ages = np.minimum(self.ages + 1.0, self.oldest)
        self.ages[picks] = 1.0
        return _Slot(tuple(sorted(picks)), reward, lowest)

    def _choose(self, prices: Floats) -> tuple[list[int], float]:
        picks: list[int] = []
        lowest = math.inf
        for source in np.argsort(-prices, kind="stable").tolist():
            if self.purse < self.cheapest or not prices[source] > 0.0:
                break
            lowest = float(prices[source])
            if self.purse < self.costs[source]:
                break
            self.purse -= self.costs[source]
            picks.append(source)
        return picks, lowest


@dataclass
class _Window:
    """Brent's search for a cycle: slots since a marked state, in windows of 1, 2, 4, 8 … slots."""

    ages: Floats
    purse: int
    length: int = 1
    picks: list[tuple[int, ...]] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    lowest: float = math.inf

    def add(self, slot: _Slot) -> None:
        self.picks.append(slot.picks)
        self.rewards.append(slot.reward)
        self.lowest = min(self.lowest, slot.lowest)

    def closed(self, run: _Run) -> bool:
        """The marked state is back, but for the ages of sources not visited since, whose price can
        never matter.
        """
        if run.purse != self.purse:
            return False
        other = np.flatnonzero(run.ages != self.ages)
        if not (run.many.worth[other] < self.lowest).all():
            return False
        return not any(
            source in picks for picks in self.picks for source in other.tolist()
        )


def _run(sources: Sources | Sequence[EphemeralSource], budget: float) -> _Run:
    many = sources if isinstance(sources, Sources) else Sources.of(sources)
    if not (math.isfinite(budget) and budget > 0.0):
        raise BadNumber(
            "the budget M", budget, "a number above 0 (units of cost a slot)"
        )
    return _Run(many, *_whole(many.cost, budget))


def _summary(many: Sources, window: _Window) -> LongRun:
    period = len(window.picks)
    visits = np.bincount(
        [source for picks in window.picks for source in picks], minlength=len(many)
    )
    return LongRun(
        math.fsum(window.rewards) / period, visits / period, period, tuple(window.picks)
    )


def _whole(costs: Floats, budget: float) -> tuple[list[int], int]:
    """Costs and budget in a unit of which all are whole multiples; 0.1 is a tenth, not the float
    next to it.
    """
    exact = [Fraction(repr(float(number))) for number in (*costs, budget)]
    unit = math.lcm(*(number.denominator for number in exact))
    whole = [int(number * unit) for number in exact]
    return whole[:-1], whole[-1]
