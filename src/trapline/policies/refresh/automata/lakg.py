"""lakg: the learning automata knapsack game, one automaton a page (Granmo & al.

2007; paper `htraa`, section 2).

The automaton of page i has states s = 1 … N and asks for x_i = (s/N)^λ polls a turn; pages are
polled in proportion to what they ask for. All that they share is whether the knapsack is full, Σx ≥
1:

    changed and Σx < 1: s+1        unchanged and Σx ≥ 1: s−1

All start at x = 1/n or just below. With λ = 1 no page can ask for less than 1/N, so more than N
pages never fit; λ = 2 is fine-grained where it matters and seats N² of them.

Turns are by fluid EDF (automata/fluid.py), whose tree also says what a page asks for: Σx times the
shares on the way to its leaf. Drawing pages at random in proportion to x instead costs 4–21 % of
the detections.

>>> policy = Lakg.for_pages(4, resolution=10, seed=1)
>>> policy.asked().round(6).tolist()
[0.25, 0.25, 0.25, 0.25]
>>> for _ in range(200):  # page 2 changes all the time, the others never
...     leaf = policy.turn_kernel(policy.numbers, policy.memory)
...     policy.learn_kernel(policy.numbers, policy.memory, leaf, leaf == 2, 1.0)
>>> policy.asked().round(2).tolist()
[0.01, 0.01, 1.0, 0.01]
"""

from __future__ import annotations

import math
from typing import Any, Final, Self

import numpy as np

from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays
from trapline.policies.refresh.automata.automaton import (
    COUNT,
    SEED,
    SETTINGS,
    Automaton,
    check_grid,
    whole,
)
from trapline.policies.refresh.automata.fluid_edf import (
    SHARE,
    empty_tree,
    left_share,
    plant_tree,
    refresh_path,
    set_slack,
    settle_path,
)
from trapline.policies.refresh.card_policy import Numbers
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

_RESOLUTION: Final = SETTINGS
_EXPONENT: Final = SETTINGS + 1

_CAPACITY: Final = 1.0  # of the knapsack: one poll a turn

# Σx is kept in memory[0, SHARE], which is no node's.


@bare_kernel
def _asked(numbers: Numbers, state: float) -> float:
    return float((state / numbers[_RESOLUTION]) ** numbers[_EXPONENT])


@bare_kernel
def _asked_at(memory: Numbers, leaf: int) -> float:
    """What the page on a leaf asks for."""
    asked = float(memory[0, SHARE])
    node = 1
    bit = len(memory) >> 1
    while bit > 0:
        side = 1 if leaf & bit else 0
        share = left_share(memory, node)
        asked *= 1.0 - share if side else share
        node = 2 * node + side
        bit = bit >> 1
    return asked


@bare_kernel
def _ask(memory: Numbers, leaf: int, more: float) -> None:
    """Let a page ask for so much more: shares above it move such that all others ask for what they
    did.
    """
    settle_path(memory, leaf)
    total = float(memory[0, SHARE])
    node = 1
    bit = len(memory) >> 1
    memory[0, SHARE] += more
    while bit > 0:
        side = 1 if leaf & bit else 0
        left = left_share(memory, node) * total
        memory[node, SHARE] = (left if side else left + more) / (total + more)
        total = total - left if side else left
        node = 2 * node + side
        bit = bit >> 1
    refresh_path(memory, leaf)


@bare_kernel
def _learn(
    numbers: Numbers, memory: Numbers, leaf: int, changed: bool, gap: float
) -> None:
    if changed != (memory[0, SHARE] < _CAPACITY):
        return
    asked = _asked_at(memory, leaf)
    state = np.rint(numbers[_RESOLUTION] * asked ** (1.0 / numbers[_EXPONENT])) + (
        1.0 if changed else -1.0
    )
    if 1.0 <= state <= numbers[_RESOLUTION]:
        _ask(memory, leaf, _asked(numbers, state) - asked)


@bare_kernel
def _seat(numbers: Numbers, memory: Numbers, leaf: int, asked: float) -> None:
    _ask(memory, leaf, asked)
    numbers[COUNT] += 1.0
    set_slack(
        memory,
        leaf,
        mix_hash(int(numbers[SEED]), leaf + len(memory), int(numbers[COUNT])),
    )
    refresh_path(memory, leaf)


@bare_kernel
def _unseat(memory: Numbers, leaf: int) -> None:
    _ask(memory, leaf, -_asked_at(memory, leaf))
    set_slack(memory, leaf, math.inf)
    refresh_path(memory, leaf)


class Lakg(Automaton):
    """It cannot weigh pages: its fixed point makes weight·detection equal, which is not the
    optimum.

    Live, a newcomer asks for 1/n of the polls. When the tree outgrows the grid, the grid is made
    twice as fine: states double, and every page asks for what it asked before.
    """

    learn_kernel = staticmethod(_learn)

    def __init__(
        self, resolution: float = 500, exponent: float = 2.0, seed: float = 0
    ) -> None:
        states = whole("resolution", resolution, 2)
        check_grid("exponent", exponent, states)
        super().__init__(seed, (states, exponent))

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        policy = super().for_pages(pages, **settings)
        resolution = policy.numbers[_RESOLUTION]
        exponent = policy.numbers[_EXPONENT]
        if pages > resolution**exponent:
            least = math.ceil(pages ** (1.0 / exponent))
            wanted = (
                f"at least {least} for {pages} pages with exponent {exponent:g}; or take "
                "a larger exponent"
            )
            raise BadNumber("resolution", int(resolution), wanted)
        return policy

    def asked(self) -> Numbers:
        """Polls a turn that the page on each leaf asks for, 0 where there is none."""
        return self.shares() * float(self.memory[0, SHARE])

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        self._refine(len(self.memory))

    def _first(self, pages: int) -> float:
        """What a page asks for at first: 1/n, rounded down to the grid."""
        resolution = self.numbers[_RESOLUTION]
        exponent = self.numbers[_EXPONENT]
        state = math.floor(resolution * (_CAPACITY / pages) ** (1.0 / exponent) + 1e-9)
        return _asked(self.numbers, max(1.0, float(state)))

    def _plant(self, pages: int) -> Numbers:
        asked = np.full(pages, self._first(max(pages, 1)))
        memory = plant_tree(asked, int(self.numbers[SEED])) if pages else empty_tree(2)
        memory[0, SHARE] = asked.sum()
        return memory

    def _double(self) -> Numbers:
        self._refine(2 * len(self.memory))
        return super()._double()

    def _seat(self, leaf: int) -> None:
        _seat(self.numbers, self.memory, leaf, self._first(self.seats.taken + 1))

    def _unseat(self, leaf: int) -> None:
        _unseat(self.memory, leaf)

    def _refine(self, leaves: int) -> None:
        while leaves > self.numbers[_RESOLUTION] ** self.numbers[_EXPONENT]:
            self.numbers[_RESOLUTION] *= 2.0
