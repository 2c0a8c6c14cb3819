"""Relative value iteration as `talim` ran it (Proposition 4, errata repaired): slower than the
exact solution, and kept because the paper's tables are what it had found when it stopped.

On states (q, r, s) just before a decision, s = departure, arrival or neither, uniformised at ν = λN
+ μ:

    h ← (1−τ)·h + τ·(T h − T h(x̂)),   T h(x) = γ·1(q=0) + ν·1(q=K, arrival) + min_a E[h(next)],   θ
    = T h(x̂)

until no h changes by more than `tolerance` of itself.

>>> found = iterate(Rates(0.1, 1.0, 1.4), capacity=5, fetchers=16)
>>> found.iterations, round(found.cost, 5)
(255, 0.25924)
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber
from trapline.theory.queueing.control import Bools, Floats
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE, Rates

_NEITHER: Final = 2
_NOISE: Final = 1e-14  # of the largest value
_MOST_ITERATIONS: Final = 1_000_000


@dataclass(frozen=True)
class Iterated:
    cost: float  # θ where the iteration stopped: a little above or below the optimum
    iterations: int
    wakes: Bools  # [event, queue, active] as in a Plan


class _Model:
    """The paper's chain, its expectations as whole-array operations."""

    def __init__(self, rates: Rates, capacity: int, fetchers: int) -> None:
        clock = rates.fetch * fetchers + rates.process
        queue = np.arange(capacity + 1)[:, None]
        active = np.arange(fetchers + 1)[None, :]
        self.departs = np.broadcast_to(
            rates.process * (queue > 0) / clock, (capacity + 1, fetchers + 1)
        )
        self.arrives = np.broadcast_to(rates.fetch * active / clock, self.departs.shape)
        self.cost = np.zeros((3, *self.departs.shape))
        self.cost += rates.weight * (queue == 0)
        self.cost[ARRIVAL, capacity] += clock
        self.feasible = np.ones(self.cost.shape, dtype=bool)
        self.feasible[DEPARTURE, 0, :] = self.feasible[ARRIVAL, :, 0] = False
        self.feasible[_NEITHER, 0, 0] = False

    def has(self, state: tuple[int, ...]) -> bool:
        """Whether (queue, active, event) is a state."""
        if len(state) != 3 or not all(
            isinstance(part, Integral) and part >= 0 for part in state
        ):
            return False
        place = (state[2], state[0], state[1])
        return all(
            part < size for part, size in zip(place, self.cost.shape, strict=True)
        ) and bool(self.feasible[place])

    def expectation(self, h: Floats) -> Floats:
        """E[h(next)] from (q, r) after the decision."""
        idle = 1.0 - self.departs - self.arrives
        expected: Floats = (
            self.departs * h[DEPARTURE] + self.arrives * h[ARRIVAL] + idle * h[_NEITHER]
        )
        return expected

    def options(self, after: Floats) -> tuple[Floats, Floats]:
        """[event, q, r] of what follows if nobody is woken, and if one is."""
        rest, wake = np.full((2, 2, *after.shape), np.inf)
        rest[DEPARTURE, 1:] = after[:-1]
        wake[DEPARTURE, 1:, :-1] = after[:-1, 1:]
        rest[DEPARTURE, 1, 0] = np.inf  # nobody would be left to bring a page
        more = np.concatenate((after[1:], after[-1:]))
        rest[ARRIVAL, :, 1:] = more[:, :-1]
        wake[ARRIVAL, :, 1:] = more[:, 1:]
        return rest, wake

    def step(self, h: Floats) -> Floats:
        after = self.expectation(h)
        best = np.minimum(*self.options(after))
        return self.cost + np.where(
            self.feasible, np.concatenate((best, after[None])), 0.0
        )


def iterate(
    rates: Rates,
    capacity: int,
    fetchers: int,
    reference: tuple[int, int, int] = (1, 1, 1),
    tolerance: float = 1e-5,
    step: float = 0.99999,
) -> Iterated:
    """`reference` x̂ = (queue, active, s), s = 0 departure, 1 arrival, 2 neither; `step` is the
    paper's τ.
    """
    model = _Model(rates, capacity, fetchers)
    if not model.has(reference):
        raise BadNumber(
            "the reference state",
            reference,
            "a state (queue, active, event) that can occur",
        )
    queue, active, event = reference
    if not 0.0 < tolerance < 1.0:
        raise BadNumber("the tolerance", tolerance, "between 0 and 1")
    h = np.zeros_like(model.cost)
    for iterations in range(1, _MOST_ITERATIONS):
        following = model.step(h)
        new = (1.0 - step) * h + step * (following - following[event, queue, active])
        done = _settled(h, new, model.feasible, tolerance)
        h = new
        if done:
            rest, wake = model.options(model.expectation(h))
            return Iterated(
                float(model.step(h)[event, queue, active]), iterations, wake < rest
            )
    raise BadNumber(
        "the tolerance",
        tolerance,
        f"larger: it was not met in {_MOST_ITERATIONS} iterations",
    )


def _settled(old: Floats, new: Floats, feasible: Bools, tolerance: float) -> bool:
    """No state that changed did so by `tolerance` of its value; one that was 0 changed infinitely.

    A value whose limit is 0 flickers in its last digits for ever: that is not a change.
    """
    noise = _NOISE * float(np.abs(old).max())
    return bool((np.abs(new - old) <= tolerance * np.abs(old) + noise)[feasible].all())
