"""The optimum of a few restless arms, by dynamic programming on their joint states (`omeara`, eqs.
5–6), and what a policy of indices earns beside it.

At each step exactly `visits` of the arms are visited. The problem is PSPACE-hard in the number of
arms, and there are Π n_i joint states: six arms are the most that is taken. Values are found by
value iteration on an array with an axis for each arm, which is stopped when its bounds (MacQueen's
for a discount below 1, Odoni's for the average) are `tolerance` apart; the result is between them.

Three pages that bring the chance that they have changed, each at its own pace:

>>> from trapline.theory.bandits.restless_arm import aging_arm, whittle_index
>>> pages = [aging_arm(1.0 - keep ** np.arange(1, 7)) for keep in (0.9, 0.6, 0.3)]
>>> best = JointArms(pages, visits=1, discount=0.9)
>>> indices = [whittle_index(page, 0.9).prices for page in pages]
>>> gap = 1.0 - best.value_of(indices) / best.optimum()
>>> round(float(best.optimum()[0, 0, 0]), 4), bool(gap.max() < 0.01)
(7.816, True)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber
from trapline.theory.bandits.markov_decisions import Floats
from trapline.theory.bandits.restless_arm import LEAVE, VISIT, RestlessArm

_MOST_ARMS: Final = 6
_MOST_STATES: Final = 200_000
_MOST_STEPS: Final = 20_000
_STAYS: Final = (
    0.5  # a chain that stays with this chance has no period, and the same average
)


@dataclass(frozen=True, eq=False)
class JointArms:
    arms: Sequence[RestlessArm]
    visits: int  # arms visited at each step
    discount: float = 1.0  # 1 = the average reward a step
    tolerance: float = 1e-9  # of the largest reward, a step

    def __post_init__(self) -> None:
        arms = len(self.arms)
        if not 1 <= arms <= _MOST_ARMS:
            raise BadNumber("the number of arms", arms, f"1 to {_MOST_ARMS}")
        if not 0 <= self.visits <= arms:
            raise BadNumber("visits at each step", self.visits, "at most all arms")
        if not 0.0 < self.discount <= 1.0:
            raise BadNumber("the discount γ", self.discount, "above 0, at most 1")
        states = math.prod(self.shape)
        if states > _MOST_STATES:
            raise BadNumber("joint states", states, f"at most {_MOST_STATES:,}")

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(arm.states for arm in self.arms)

    @cached_property
    def choices(self) -> list[tuple[int, ...]]:
        """Arms that may be visited together."""
        return list(itertools.combinations(range(len(self.arms)), self.visits))

    def optimum(self) -> Floats:
        """J* by joint state; at discount 1 the average reward a step, by joint state too."""
        return self._iterate(lambda options: options.max(axis=0))

    def value_of(self, indices: Sequence[ArrayLike]) -> Floats:
        """The same of the policy that visits the arms of greatest index, indices[i] by state of arm
        i; between equals, the first ones.
        """
        ahead = np.zeros((len(self.choices), *self.shape))
        for number, choice in enumerate(self.choices):
            for arm in choice:
                ahead[number] += self._along(arm, np.asarray(indices[arm], np.float64))
        taken: NDArray[np.intp] = ahead.argmax(axis=0)[None]
        return self._iterate(
            lambda options: np.take_along_axis(options, taken, axis=0)[0]
        )

    @cached_property
    def _earned(self) -> Floats:
        """[choice, joint state]."""
        earned = np.zeros((len(self.choices), *self.shape))
        for number, choice in enumerate(self.choices):
            for i, arm in enumerate(self.arms):
                control = VISIT if i in choice else LEAVE
                earned[number] += self._along(i, arm.rewards[control])
        return earned

    def _along(self, arm: int, column: Floats) -> Floats:
        """A column by state of one arm, as by joint state."""
        axes = [1] * len(self.arms)
        axes[arm] = -1
        return column.reshape(axes)

    def _options(self, values: Floats) -> Floats:
        """[choice, joint state]: what is earned, and `values` from the next step on."""
        options = self._earned.copy()
        for number, choice in enumerate(self.choices):
            after = values
            for i, arm in enumerate(self.arms):
                moves = arm.moves[VISIT if i in choice else LEAVE]
                after = np.moveaxis(np.tensordot(moves, after, axes=(1, i)), 0, i)
            options[number] += self.discount * after
        return options

    def _iterate(self, chosen: Callable[[Floats], Floats]) -> Floats:
        average = self.discount == 1.0
        near = self.tolerance * max(1e-300, float(np.abs(self._earned).max()))
        ahead = 1.0 if average else self.discount / (1.0 - self.discount)
        values = np.zeros(self.shape)
        for _ in range(_MOST_STEPS):
            found = chosen(self._options(values))
            gain = found - values
            least = float(gain.min())
            most = float(gain.max())
            middle = 0.5 * (least + most)
            if most - least <= near:
                return (
                    np.full(self.shape, middle) if average else found + ahead * middle
                )
            # what all values have in common changes no choice
            values = values + _STAYS * (gain - middle) if average else found
        raise BadNumber(
            "the discount γ",
            self.discount,
            "smaller, as values hardly converge (or averages depend on the first state)",
        )
