"""One arm of a restless bandit, and its exact Whittle index (`omeara`, eq. 9 and the text around
it; Whittle 1988).

An arm may be visited or left (the paper's controls 1 and 2); it moves in either case. With a
subsidy λ for each step in which it is left, the index of a state is the λ at which visiting and
leaving it are equally good. It exists for all states if those in which it is best left become ever
more as λ grows: if the arm is *indexable*.

The policy that is best at λ has values a + λ·b, so that in state x visiting is ahead by α_x − λ·β_x
until the next breakpoint α_x/β_x of some state. From "always visit" at λ = −∞ the breakpoints are
followed up, one state and one linear system at a time, to "never visit"; nothing is searched. A
state that would be visited again as λ grows shows that the arm is not indexable.

Q(x,1) − Q(x,2) of eq. (9) itself, taken without a subsidy, is `advantage`: α_x at λ = 0. It has the
sign of the index, but not its size, nor its order in general.

The arm of a page that is left for a slot, and holds 1, 1.5, 1.75 … the longer it is left:

>>> arm = aging_arm([1.0, 1.5, 1.75, 1.875])
>>> found = whittle_index(arm)
>>> found.indexable, found.prices.round(6).tolist()  # x_k − k·(x_(k+1) − x_k); the last holds x_4
(True, [0.5, 1.0, 1.375, 1.875])
>>> whittle_index(arm, discount=0.9).prices.round(4).tolist()
[0.55, 1.0725, 1.4451, 1.875]
>>> advantage(arm, discount=0.9).round(4).tolist()
[0.55, 0.825, 0.9625, 1.0875]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber
from trapline.theory.bandits.markov_decisions import (
    Controls,
    Decisions,
    Floats,
    check_moves,
    mean_rewards,
)

LEAVE: Final = 0
VISIT: Final = 1
_FLAT: Final = 1e-12  # a slope that is 0 but for rounding
_BACK: Final = 1e-7  # rounding of a breakpoint, of the largest reward


@dataclass(frozen=True, eq=False)
class RestlessArm:
    """Row 0 is leaving it, row 1 visiting it."""

    rewards: Floats  # [control, state], or [control, state, next state]
    moves: Floats  # [control, state, next state]

    def __post_init__(self) -> None:
        check_moves(self.moves, self.rewards)
        if len(self.moves) != 2:
            raise BadNumber("the number of controls", len(self.moves), "leave, visit")
        object.__setattr__(self, "rewards", mean_rewards(self.rewards, self.moves))

    @property
    def states(self) -> int:
        return len(self.moves[0])

    def with_subsidy(self, subsidy: float, discount: float) -> Decisions:
        rewards = self.rewards.copy()
        rewards[LEAVE] += subsidy
        return Decisions(rewards, self.moves, discount)


class WhittleIndex(NamedTuple):
    indexable: bool
    prices: Floats  # by state; none is a number if the arm is not indexable


def aging_arm(visited: ArrayLike, left: ArrayLike = 0.0) -> RestlessArm:
    """A page whose state is the number of slots since its last visit, 1, 2 …, the last for good.

    At age k a visit earns visited[k−1], and the next age is 1; leaving it earns left[k−1].
    """
    gains = np.asarray(visited, np.float64)
    if gains.ndim != 1 or gains.size == 0:
        raise BadNumber("the number of ages", gains.shape, "at least 1")
    ages = gains.size
    older = np.minimum(np.arange(ages) + 1, ages - 1)
    moves = np.zeros((2, ages, ages))
    moves[LEAVE, np.arange(ages), older] = 1.0
    moves[VISIT, :, 0] = 1.0
    return RestlessArm(np.array([np.broadcast_to(left, ages), gains]), moves)


def advantage(arm: RestlessArm, discount: float) -> Floats:
    """Q(x,1) − Q(x,2), eq. (9) with the Q of eq. (7)."""
    q = arm.with_subsidy(0.0, discount).solve().q
    return np.asarray(q[VISIT] - q[LEAVE])


def whittle_index(arm: RestlessArm, discount: float = 1.0) -> WhittleIndex:
    """Exact but for rounding; at discount 1 by the average reward a step, for which each policy
    must end in one and the same class of states wherever it begins.
    """
    if not 0.0 < discount <= 1.0:
        raise BadNumber("the discount γ", discount, "above 0, at most 1")
    visited = np.ones(arm.states, np.bool_)
    prices = np.full(arm.states, np.nan)
    back = _BACK * max(1.0, float(np.abs(arm.rewards).max()))
    price = -np.inf
    while visited.any():
        ahead, slope = _lead_of_visits(arm, visited, discount)
        turns = np.where(visited, slope > _FLAT, slope < -_FLAT)
        at = np.full(arm.states, np.inf)
        np.divide(ahead, slope, out=at, where=turns)
        at[~visited & (at < price - back)] = np.inf
        state = int(np.where(visited, at, at + back).argmin())
        if not visited[state] or at[state] < price - back or np.isinf(at[state]):
            return WhittleIndex(False, np.full(arm.states, np.nan))
        price = max(price, float(at[state]))
        prices[state] = at[state]
        visited[state] = False
    return WhittleIndex(True, prices)


def _lead_of_visits(
    arm: RestlessArm, visited: NDArray[np.bool_], discount: float
) -> tuple[Floats, Floats]:
    """α and β by state: by how much visiting is ahead of leaving is α − λ·β, if `visited` are
    visited thereafter.
    """
    controls: Controls = visited.astype(np.intp)
    here = np.arange(arm.states)
    step = np.eye(arm.states) - discount * arm.moves[controls, here]
    if discount == 1.0:
        # values are relative to the first state's: its place is the average's
        step[:, 0] = 1.0
    sides = np.column_stack((arm.rewards[controls, here], 1.0 - controls))
    try:
        values = np.linalg.solve(step, sides)
    except np.linalg.LinAlgError:
        values = np.full(sides.shape, np.inf)
    if not np.abs(values).max() < 1e12:
        raise BadNumber(
            "the discount γ",
            discount,
            "below 1, as a policy's average depends on where it begins",
        )
    if discount == 1.0:
        values[0] = 0.0
    ahead = arm.rewards[VISIT] - arm.rewards[LEAVE]
    lead = discount * ((arm.moves[VISIT] - arm.moves[LEAVE]) @ values)
    return ahead + lead[:, 0], 1.0 - lead[:, 1]
