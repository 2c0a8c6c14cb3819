"""A world of materials, the "stochastic environment" of paper `htraa`, 3.1.1: an access to material
i, of which there is the amount x_i in the knapsack, is worth 1 with probability p_i(x_i), else 0.

p_i is any function that never rises; it is tabulated between 0 and the capacity, so that a compiled
loop can ask it. `family` makes materials of one form, with random values and decays.

>>> import numpy as np
>>> world = UnitValueWorld(lambda x: np.array([0.9, 0.6]) * np.exp(-2.0 * x), materials=2)
>>> world.best.amounts.round(3).tolist()
[0.601, 0.399]
>>> round(float(world.table[0, 0]), 3), world.table.shape
(0.9, (2, 1025))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final, Self

import numpy as np

from trapline.core.errors import BadNumber, UnknownName
from trapline.theory.knapsack.equality_knapsack import (
    Floats,
    Mix,
    UnitValues,
    best_mix,
    mix_value,
)

_STEPS: Final = 1024  # of the table
# p(x) by its value at 0 and its decay
FAMILIES: Final[dict[str, Callable[[Floats, Floats, Floats], Floats]]] = {
    "exponential": lambda top, decay, x: top * np.exp(-decay * x),
    "hyperbolic": lambda top, decay, x: top / (1.0 + decay * x),
    "linear": lambda top, decay, x: top * np.maximum(0.0, 1.0 - 0.5 * decay * x),
    "saturated": lambda top, decay, x: top * np.exp(-((decay * x) ** 2)),
}


class UnitValueWorld:
    def __init__(
        self, unit_values: UnitValues, materials: int, capacity: float = 1.0
    ) -> None:
        self.unit_values = unit_values
        self.capacity = capacity
        self.best: Mix = best_mix(unit_values, materials, capacity)
        grid = np.linspace(0.0, capacity, _STEPS + 1)
        columns = [unit_values(np.full(materials, amount)) for amount in grid]
        self.table = np.ascontiguousarray(np.column_stack(columns))
        if (self.table > 1.0).any() or (np.diff(self.table, axis=1) > 1e-12).any():
            raise BadNumber(
                "a unit value", self.table.max(), "a probability that never rises"
            )

    @classmethod
    def family(
        cls, name: str, materials: int, seed: int, capacity: float = 1.0
    ) -> Self:
        """Values at 0 between .1 and .9, log-uniform; decays such that shares matter."""
        if name not in FAMILIES:
            raise UnknownName("family of unit values", name, list(FAMILIES))
        chance = np.random.default_rng([seed, materials])
        top = 0.9 * 9.0 ** -np.sort(chance.uniform(0.0, 1.0, materials))
        decay = materials * chance.uniform(0.5, 2.0, materials) / capacity
        form = FAMILIES[name]
        return cls(lambda x: form(top, decay, x), materials, capacity)

    def __len__(self) -> int:
        return len(self.table)

    def share_of_best(self, shares: Floats) -> float:
        """What a mix in these shares is worth, of the best one's value."""
        amounts = self.capacity * shares[: len(self)]
        return mix_value(self.unit_values, amounts) / self.best.value

    @cached_property
    def uniform_share(self) -> float:
        """Of the best mix's value: what equal amounts are worth."""
        return self.share_of_best(np.full(len(self), 1.0 / len(self)))
