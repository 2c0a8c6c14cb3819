"""Decisions of which the chances of all that may follow are known (`omeara`, eqs. 4–8).

In state x the control u earns g(x, u, y) and leads to y with probability p_xy(u); what is earned k
steps later counts γ^k.

    J^μ(x)  = E Σ γ^k g(x_k, μ(x_k), x_(k+1))                      (4)  value_of
    J*(x)   = max_μ J^μ(x) = max_u Σ_y p_xy(u)·(g + γ·J*(y))       (5)  (6)  solve
    Q*(x,u) = Σ_y p_xy(u)·(g + γ·max_u' Q*(y,u'))                  (7)  solve
    Q(x,u) := (1−α)·Q(x,u) + α·(g + γ·max_u' Q(y,u'))              (8)  learn

(5)–(7) are solved by policy iteration, exact but for rounding; (8) sees only samples.

A page is bad or good. Looking at it (control 1) earns 1 if it is good, and spoils it; left alone it
becomes good with probability ½.

>>> moves = np.array([[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]])
>>> page = Decisions(np.array([[0.0, 0.0], [0.0, 1.0]]), moves, discount=0.5)
>>> found = page.solve()
>>> found.controls.tolist(), found.values.round(4).tolist()
([0, 1], [0.4, 1.2])
>>> page.value_of(np.array([1, 1])).tolist()  # always looking
[0.0, 1.0]
>>> learnt = page.learn(20_000, np.random.default_rng(1))
>>> bool(np.abs(learnt - found.q).max() < 0.03)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_count

Floats = NDArray[np.float64]
Controls = NDArray[np.intp]

_ROUNDED = 1e-11  # of the largest value
_SLOWER = (
    0.6  # α falls as 1/n^0.6: slower than 1/n, which forgets its beginnings too late
)


class Solution(NamedTuple):
    values: Floats  # J*, by state
    q: Floats  # Q*, [control, state]
    controls: Controls  # the best one, by state; between equals the first


@dataclass(frozen=True, eq=False)
class Decisions:
    rewards: Floats  # g: [control, state], or [control, state, next state]
    moves: Floats  # p: [control, state, next state]
    discount: float  # γ

    def __post_init__(self) -> None:
        check_moves(self.moves, self.rewards)
        if not 0.0 < self.discount < 1.0:
            raise BadNumber("the discount γ", self.discount, "above 0 and below 1")

    @property
    def states(self) -> int:
        return len(self.moves[0])

    @cached_property
    def mean_rewards(self) -> Floats:
        """Σ_y p_xy(u)·g(x, u, y), [control, state]."""
        return mean_rewards(self.rewards, self.moves)

    def value_of(self, controls: Controls) -> Floats:
        """J^μ (4) of the policy that uses controls[x] in state x."""
        here = np.arange(self.states)
        step = np.eye(self.states) - self.discount * self.moves[controls, here]
        return np.asarray(np.linalg.solve(step, self.mean_rewards[controls, here]))

    def q_of(self, values: Floats) -> Floats:
        """[control, state]: one control, and `values` from the next state on."""
        return np.asarray(self.mean_rewards + self.discount * (self.moves @ values))

    def solve(self) -> Solution:
        """J* and Q* (5)–(7), by policy iteration."""
        here = np.arange(self.states)
        controls = self.mean_rewards.argmax(axis=0)
        while True:
            values = self.value_of(controls)
            q = self.q_of(values)
            better = q.argmax(axis=0)
            gain = q[better, here] - q[controls, here]
            if gain.max() <= _ROUNDED * max(1.0, float(np.abs(values).max())):
                return Solution(values, q, controls)
            controls = better

    def learn(
        self, steps: int, chance: np.random.Generator, epsilon: float = 0.3
    ) -> Floats:
        """Q̂ (8) after so many steps of one trajectory, ε-greedy; [control, state]."""
        check_count("the number of steps", steps, "controls that are tried")
        ways = np.cumsum(self.moves, axis=2)
        shape = (*self.mean_rewards.shape, self.states)
        rewards = np.broadcast_to(_by_next(self.rewards), shape)
        q = np.zeros(shape[:2])
        tried = np.zeros(shape[:2])
        x = 0
        for explores, which, where in chance.random((steps, 3)).tolist():
            u = int(which * len(q)) if explores < epsilon else int(q[:, x].argmax())
            y = min(int(np.searchsorted(ways[u, x], where, "right")), self.states - 1)
            tried[u, x] += 1.0
            target = rewards[u, x, y] + self.discount * q[:, y].max()
            q[u, x] += (target - q[u, x]) / tried[u, x] ** _SLOWER
            x = y
        return q


def check_moves(moves: Floats, rewards: Floats) -> None:
    """Raises BadNumber unless they are chances and rewards of the same controls and states."""
    shape = moves.shape
    if len(shape) != 3 or shape[1] != shape[2] or 0 in shape:
        raise BadNumber("the shape of the moves", shape, "controls, states, states")
    if rewards.shape not in (shape, shape[:2]):
        raise BadNumber("the shape of the rewards", rewards.shape, f"{shape[:2]}")
    if not np.isfinite(rewards).all():
        raise BadNumber("a reward", rewards[~np.isfinite(rewards)][0], "a number")
    if not (moves >= 0.0).all():
        raise BadNumber("a chance", moves[~(moves >= 0.0)][0], "at least 0")
    sums = moves.sum(axis=2)
    wrong = ~(np.abs(sums - 1.0) <= 1e-9)
    if wrong.any():
        raise BadNumber("the chances of a state and control", sums[wrong][0], "sum 1")


def mean_rewards(rewards: Floats, moves: Floats) -> Floats:
    """[control, state]."""
    if rewards.ndim == 2:
        return rewards
    return np.asarray((rewards * moves).sum(axis=2))


def _by_next(rewards: Floats) -> Floats:
    return rewards if rewards.ndim == 3 else rewards[:, :, None]
