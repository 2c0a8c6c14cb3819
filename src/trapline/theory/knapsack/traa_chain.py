"""The Markov chain of a twofold resource allocation automaton, and the law of its states (paper
`htraa`, eqs. 4–18).

In state s = 1 … N a TRAA gives the share q_s = s/(N+1) of the accesses to material 1 and r_s = 1 −
q_s to material 2. An access to material i is worth 1 with probability p_i(x_i). With the rules
(1)–(2) the chain goes, where 1 < s or s < N,

    down, s → s−1, with probability  r·p₂(r)·q    (4)
    up,   s → s+1, with probability  q·p₁(q)·r    (5)

and stays otherwise (6)–(8). It moves to neighbours only, so that each pair of them is in balance,
π_(s+1)/π_s = h_(s,s+1)/h_(s+1,s) (12)–(15): the law is a running product. Learning from accesses
that are worth nothing (`mode`) adds (1 − p₂)·q·r to the way up, (1 − p₁)·q·r to the way down.

The law is a hill over the state at which p₁(q) = p₂(r), and its width in shares falls as 1/√N, so
that the paper's Theorem 1 is true. Its proof is not: the ratios of neighbours approach 1 on the
hilltop, and M of (17), the largest of them, is 1 to within 1/N or so. At a given distance from the
top the bound U of (16) then falls no quicker than the top itself, as 1/√N, and summed over N states
it bounds nothing (18).

>>> chain = TraaChain.of(9, lambda x: 0.9 * (1.0 - x), lambda x: 0.3 * (1.0 - x))
>>> chain.law.round(3).tolist()  # 0.9·(1 − q) = 0.3·q at q = 3/4, between states 7 and 8
[0.0, 0.0, 0.002, 0.011, 0.039, 0.102, 0.2, 0.295, 0.35]
>>> round(chain.mean_share, 4), round(chain.share_sd, 4)
(0.7768, 0.1231)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownName

Floats = NDArray[np.float64]
UnitValue = Callable[[Floats], Floats]

# which accesses teach: those of value 1, those of value 0
MODES: Final = {
    "reward-penalty": (1.0, 1.0),
    "reward-inaction": (1.0, 0.0),
    "inaction-penalty": (0.0, 1.0),
}
_FEWEST: Final = 2  # states


@dataclass(frozen=True)
class TraaChain:
    """Ways between neighbouring states; share s/(N+1) belongs to state s, at place s−1."""

    up: Floats  # h_(s,s+1), 0 at the last state
    down: Floats  # h_(s,s−1), 0 at the first

    @classmethod
    def of(
        cls,
        resolution: int,
        first: UnitValue,
        second: UnitValue,
        *,
        capacity: float = 1.0,
        mode: str = "reward-inaction",
    ) -> Self:
        """`first(x)` and `second(x)` are p₁ and p₂ at the amounts x, between 0 and the capacity."""
        if not resolution >= _FEWEST:
            raise BadNumber("the resolution N", resolution, f"at least {_FEWEST}")
        if mode not in MODES:
            raise UnknownName("mode", mode, list(MODES))
        rewards, penalties = MODES[mode]
        share = np.arange(1.0, resolution + 1.0) / (resolution + 1.0)
        left = _chances(first, capacity * share)
        right = _chances(second, capacity * (1.0 - share))
        often = share * (1.0 - share)
        up = often * (rewards * left + penalties * (1.0 - right))
        down = often * (rewards * right + penalties * (1.0 - left))
        up[-1] = 0.0
        down[0] = 0.0
        return cls(up, down)

    @property
    def shares(self) -> Floats:
        """q_s of all states."""
        states = len(self.up)
        return np.arange(1.0, states + 1.0) / (states + 1.0)

    @cached_property
    def law(self) -> Floats:
        """π, the share of time spent in each state in the long run (9)–(15).

        A state that cannot be come back to has none of it.
        """
        first, end = self._closed_class()
        ratios = self.up[first : end - 1] / self.down[first + 1 : end]
        logs = np.concatenate(([0.0], np.cumsum(np.log(ratios))))
        law = np.zeros(len(self.up))
        law[first:end] = np.exp(logs - logs.max())
        return np.asarray(law / law.sum())

    def _closed_class(self) -> tuple[int, int]:
        """Places of the states from which, and to which, all others of them lead."""
        no_way_back = np.flatnonzero(self.down[1:] == 0.0)
        no_way_on = np.flatnonzero(self.up[:-1] == 0.0)
        first = int(no_way_back[-1]) + 1 if no_way_back.size else 0
        end = int(no_way_on[0]) + 1 if no_way_on.size else len(self.up)
        if first >= end:
            raise BadNumber(
                "a unit value",
                0.0,
                "above 0 in places: else it matters for ever where the automaton began",
            )
        return first, end

    @property
    def mean_share(self) -> float:
        """E x₁ in the long run."""
        return float(self.law @ self.shares)

    @property
    def share_sd(self) -> float:
        """The standard deviation of x₁ in the long run."""
        away = self.shares - self.mean_share
        return float(np.sqrt(self.law @ away**2))

    def steepness(self, best: float) -> float:
        """M of (17): the largest ratio of neighbours on the way to the optimal share `best`."""
        below = self._states_below(best)
        falling = self.down[1:below] / self.up[: below - 1]
        rising = self.up[below:-1] / self.down[below + 1 :]
        return float(np.concatenate((falling, rising)).max(initial=0.0))

    def state_bound(self, best: float) -> Floats:
        """U of (16): no state is likelier than this."""
        below = self._states_below(best)
        state = np.arange(1, len(self.up) + 1)
        far = np.where(state <= below, below - state, state - below - 1)
        foot = np.where(
            state <= below,
            self.law[below - 1],
            self.law[min(below, len(self.up) - 1)],
        )
        return np.asarray(foot * self.steepness(best) ** far)

    def _states_below(self, best: float) -> int:
        """z = ⌊x₁*·(N+1)⌋ (the paper divides), at least the first state."""
        states = len(self.up)
        return min(max(int(best * (states + 1)), 1), states)


def _chances(unit_value: UnitValue, amounts: Floats) -> Floats:
    found = np.asarray(unit_value(amounts), np.float64)
    bad = ~((found >= 0.0) & (found <= 1.0))
    if bad.any():
        raise BadNumber("a unit value", found[bad][0], "a probability")
    return found
