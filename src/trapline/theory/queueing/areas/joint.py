"""Fetchers that may go to any area, controlled together: exactly, where there are few of them.

The state says how many pages wait and how many fetchers are at work in each area. At an arrival the
fetcher that came home rests or goes to any area; at a departure one that rests may go to any.
Without a page and a fetcher anywhere nothing would ever happen again: that state is excluded. It is
the reference for what a table of worths leads to.

>>> from trapline.theory.queueing.areas.rents import best_rent
>>> quick = FetcherQueue(fetch_rate=0.2, process_rate=1.0, capacity=2, starvation_weight=1.4)
>>> slow = FetcherQueue(fetch_rate=0.2, process_rate=0.5, capacity=2, starvation_weight=0.7)
>>> joint = JointAreas([quick, slow], fetchers=4)
>>> round(joint.solve(), 4)
1.1544
>>> round(joint.play(best_rent([quick, slow], fetchers=4).worths), 4)
1.1669
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trapline.core.errors import BadNumber
from trapline.theory.queueing.areas.shares import check_areas
from trapline.theory.queueing.control import (
    ChoiceProcess,
    Floats,
    Ints,
    evaluate,
    policy_iteration,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue

_MOST_STATES = 20_000


class JointAreas:
    """Choices: 0 = nobody goes to work, i = one goes to area i − 1."""

    def __init__(
        self,
        areas: Sequence[FetcherQueue],
        fetchers: int,
    ) -> None:
        check_areas(areas, fetchers)
        self.areas = list(areas)
        self.fetchers = fetchers
        self._states = _all_states(areas, fetchers)
        self._queues = self._states[: len(areas)]
        self._active = self._states[len(areas) :]
        self._place = {
            tuple(state): number for number, state in enumerate(self._states.T.tolist())
        }
        self._process = self._make_process()

    def solve(self) -> float:
        """The least cost."""
        start = np.zeros(self._process.rate.shape, dtype=np.int64)
        return policy_iteration(self._process, self._mend(start)).cost

    def play(
        self,
        worths: Sequence[Floats],
    ) -> float:
        """What it costs to send each fetcher where it is worth most, if that is above 0."""
        choice = np.zeros(self._process.rate.shape, dtype=np.int64)
        for event, after in enumerate(self._process.target[:, 0, :]):
            for state in np.flatnonzero(self._process.rate[event] > 0.0):
                rest = after[state] if after[state] >= 0 else None
                choice[event, state] = self._best(worths, event, int(state), rest)
        return evaluate(self._process, self._mend(choice)).cost

    def _best(
        self,
        worths: Sequence[Floats],
        event: int,
        state: int,
        rest: int | None,
    ) -> int:
        if rest is None:  # nothing and nobody anywhere: somebody must go
            queues = [0] * len(self.areas)
            active = queues
        else:
            queues = self._queues[:, rest].tolist()
            active = self._active[:, rest].tolist()
        found = [
            worth[waiting, there]
            for worth, waiting, there in zip(worths, queues, active, strict=True)
        ]
        best = int(np.argmax(found))
        return best + 1 if rest is None or found[best] > 0.0 else 0

    def _mend(
        self,
        choice: Ints,
    ) -> Ints:
        """The choices, and the first that may be made where one may not."""
        target = self._process.target
        chosen = np.take_along_axis(target, choice[:, None, :], axis=1)[:, 0, :]
        return np.where(chosen >= 0, choice, (target >= 0).argmax(axis=1))

    def _make_process(self) -> ChoiceProcess:
        count = len(self.areas)
        rates = []
        targets = []
        cost = np.zeros(self._states.shape[1])
        for number, area in enumerate(self.areas):
            arrivals = area.fetch_rate * self._active[number]
            queue = self._queues[number]
            cost += area.starvation_weight * (queue == 0)
            cost += arrivals * (queue == area.capacity)
            rates += [np.where(queue > 0, area.process_rate, 0.0), arrivals]
            after = self._states.copy()
            after[number] = np.maximum(queue - 1, 0)
            targets.append(self._choices(after))
            after = self._states.copy()
            after[number] = np.minimum(queue + 1, area.capacity)
            after[count + number] -= 1
            targets.append(self._choices(after))
        return ChoiceProcess(cost, np.array(rates), np.array(targets))

    def _choices(
        self,
        after: Ints,
    ) -> Ints:
        """[choice, state] from what is there when nobody has gone to work yet."""
        found = [self._numbers(after)]
        for area in range(len(self.areas)):
            sent = after.copy()
            sent[len(self.areas) + area] += 1
            found.append(self._numbers(sent))
        return np.array(found)

    def _numbers(
        self,
        states: Ints,
    ) -> Ints:
        return np.array(
            [self._place.get(tuple(state), -1) for state in states.T.tolist()]
        )


def _all_states(
    areas: Sequence[FetcherQueue],
    fetchers: int,
) -> Ints:
    """[queues and fetchers at work by area, state]"""
    shape = [area.capacity + 1 for area in areas] + [fetchers + 1] * len(areas)
    if np.prod(shape, dtype=float) > 50 * _MOST_STATES:
        raise BadNumber("the number of states", shape, f"at most {_MOST_STATES:,}")
    grid = np.indices(shape).reshape(len(shape), -1)
    kept = (grid[len(areas) :].sum(axis=0) <= fetchers) & (grid.sum(axis=0) > 0)
    if kept.sum() > _MOST_STATES:
        raise BadNumber(
            "the number of states", int(kept.sum()), f"at most {_MOST_STATES:,}"
        )
    return grid[:, kept]
