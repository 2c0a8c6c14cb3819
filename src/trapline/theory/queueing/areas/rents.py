"""Which area gets the next fetcher: what one more is worth in each, at a common rent.

Areas are coupled by one limit only: at most N fetchers are at work. As for restless bandits
(Whittle 1988), let the limit hold on average: each fetcher at work costs a rent c a unit of time,
and each area i has a problem of its own, in which any number may be woken at an event,

    θ_i(c) = least long-run average of γ·1(q=0) + λr·1(q=K) + c·r.

No control of all areas together costs less than max_c Σ_i θ_i(c) − cN: that is a bound. At the best
rent, h_i(q, r) − h_i(q, r+1) is what one more fetcher is worth in area i, h being that of the same
problem with one fetcher woken at an event, as it is in fact. The one that comes home, or is woken,
goes where it is worth most, or rests if it is worth nothing anywhere.

>>> quick = FetcherQueue(fetch_rate=0.1, process_rate=1.0, capacity=5, starvation_weight=1.4)
>>> slow = FetcherQueue(fetch_rate=0.1, process_rate=0.5, capacity=5, starvation_weight=0.7)
>>> found = best_rent([quick, slow], fetchers=12)
>>> round(found.bound, 4), round(found.rent, 4)
(0.4623, 0.1041)
>>> found.worths[0][1, 6] > found.worths[1][1, 6]  # the same queue and fetchers: the quick one
np.True_
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from trapline.theory.queueing.areas.shares import check_areas
from trapline.theory.queueing.control import (
    ChoiceProcess,
    Floats,
    Ints,
    policy_iteration,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue

_HALVINGS: Final = 16  # of the interval in which the best rent lies
_AMPLE: Final = (
    3  # times the best fixed number; the paper's plans never wake 2.8 times as many
)


@dataclass(frozen=True)
class Rent:
    rent: float
    bound: float  # no control of all areas together costs less
    # by area, [queue, at work]: what one more fetcher is worth; −∞ where there is none
    worths: list[Floats]


@dataclass(frozen=True)
class _Alone:
    """One area by itself, at a rent."""

    cost: float  # θ, the rent included
    mean_fetchers: float
    relative: Floats  # [queue, at work]; NaN at (0, 0)


def best_rent(
    areas: Sequence[FetcherQueue],
    fetchers: int,
) -> Rent:
    """By bisection: the bound is concave in the rent, and grows while more than N are wanted."""
    check_areas(areas, fetchers)
    low = 0.0
    high = max(_most_ever_paid(area) for area in areas)
    if _bound_and_wanted(areas, fetchers, low)[1] > fetchers:
        for _ in range(_HALVINGS):
            rent = (low + high) / 2.0
            wanted = _bound_and_wanted(areas, fetchers, rent)[1]
            low, high = (rent, high) if wanted > fetchers else (low, rent)
    bound = _bound_and_wanted(areas, fetchers, low)[0]
    known = {area: worth_at_rent(area, fetchers, low) for area in set(areas)}
    return Rent(low, bound, [known[area] for area in areas])


def _most_ever_paid(area: FetcherQueue) -> float:
    """A fetcher brings λ pages a unit of time, and each spares 1/μ of starvation at most."""
    return 2.0 * area.fetch_rate * area.starvation_weight / area.process_rate


def _bound_and_wanted(
    areas: Sequence[FetcherQueue],
    fetchers: int,
    rent: float,
) -> tuple[float, float]:
    """Of all areas at a rent; those that are alike are solved once."""
    counts = Counter(areas)
    cost = -rent * fetchers
    wanted = 0.0
    for area, count in counts.items():
        found = _solve_alone(area, fetchers, rent, at_once=fetchers)
        # it may also be left without anybody for ever
        cost += count * min(found.cost, area.starvation_weight)
        served = found.cost < area.starvation_weight
        wanted += count * found.mean_fetchers * served
    return cost, wanted


def worth_at_rent(
    area: FetcherQueue,
    fetchers: int,
    rent: float,
) -> Floats:
    """[queue, at work] of one more fetcher, woken one at a time."""
    found = _solve_alone(area, fetchers, rent, at_once=1)
    worth = np.full((area.capacity + 1, fetchers + 1), -np.inf)
    if found.cost < area.starvation_weight:
        gains = found.relative[:, :-1] - found.relative[:, 1:]
        worth[:, : gains.shape[1]] = gains
        # Alone, it is never left with nothing and nobody: else it would starve for one way more.
        worth[0, 0] = worth[0, 1:].max() + area.starvation_weight / area.fetch_rate
    return worth


def _solve_alone(
    area: FetcherQueue,
    fetchers: int,
    rent: float,
    at_once: int,
) -> _Alone:
    """Exactly, if so many may be woken at one event, and never more than are ample."""
    best = area.best_static().fetchers
    fetchers = min(fetchers, _AMPLE * best + area.capacity)
    grid = np.indices((area.capacity + 1, fetchers + 1)).reshape(2, -1)[:, 1:]
    queue, active = grid
    level = min(best, fetchers)
    targets = []
    choices = []
    for after, least in (
        (np.maximum(queue - 1, 0), active),
        (np.minimum(queue + 1, area.capacity), active - 1),
    ):
        targets.append(_targets(after, least, at_once, fetchers))
        most = np.minimum(least + at_once, fetchers)
        choices.append(np.maximum(np.clip(level, least, most), after == 0))
    arrivals = area.fetch_rate * active
    cost = area.starvation_weight * (queue == 0) + arrivals * (queue == area.capacity)
    rates = np.stack((np.where(queue > 0, area.process_rate, 0.0), arrivals))
    process = ChoiceProcess(cost + rent * active, rates, np.array(targets))
    found = policy_iteration(process, np.array(choices))
    relative = np.append(np.nan, found.relative).reshape(-1, fetchers + 1)
    return _Alone(found.cost, float(found.share @ active), relative)


def _targets(
    after: Ints,
    least: Ints,
    at_once: int,
    fetchers: int,
) -> Ints:
    """[choice, state]: so many at work from now on, `least` if nobody is woken."""
    wished = np.arange(fetchers + 1)[:, None]
    kept = (wished >= least) & (wished <= least + at_once) & (after + wished > 0)
    return np.where(kept, after * (fetchers + 1) + wished - 1, -1)
