"""lakg: the learning automata knapsack game, one automaton a page.

Granmo & al. 2007; paper `htraa`, section 2.

The automaton of page i has states s = 1 … N and asks for x_i = (s/N)^λ polls a turn; pages are
polled in proportion to what they ask for. All that they share is whether the knapsack is full, Σx ≥
1:

    changed and Σx < 1: s+1        unchanged and Σx ≥ 1: s−1

All start at x = 1/n or just below. With λ = 1 no page can ask for less than 1/N, so more than N
pages never fit; λ = 2 is fine-grained where it matters and seats N² of them.

Turns are by fluid EDF (fluid_edf.py), whose tree also says what a page asks for
(asked_shares.py). Drawing pages at random in proportion to x instead costs 4–21 % of
the detections.

>>> policy = Lakg.for_pages(4, resolution=10, seed=1)
>>> policy.demands().round(6).tolist()
[0.25, 0.25, 0.25, 0.25]
>>> for _ in range(200):  # page 2 changes all the time, the others never
...     leaf = policy.turn_kernel(policy.mind)
...     policy.learn_kernel(policy.mind, leaf, leaf == 2, 1.0)
>>> policy.demands().round(2).tolist()
[0.01, 0.01, 1.0, 0.01]
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, Self

import numpy as np

from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays
from trapline.policies.refresh.automata.asked_shares import ask, asked_at
from trapline.policies.refresh.automata.automaton import (
    Automaton,
    Mind,
    check_grid,
    whole,
)
from trapline.policies.refresh.automata.fluid_edf import (
    SHARE,
    empty_tree,
    plant_tree,
    refresh_path,
    set_slack,
)
from trapline.policies.refresh.refresh_policy import Floats, KnownPages
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

_CAPACITY: Final = 1.0  # of the knapsack: one poll a turn


class Settings(NamedTuple):
    resolution: float
    exponent: float


@bare_kernel
def _demand(settings: Settings, state: float) -> float:
    return float((state / settings.resolution) ** settings.exponent)


@bare_kernel
def _learn(mind: Mind, leaf: int, changed: bool, gap: float) -> None:
    tree = mind.tree
    settings = mind.settings
    if changed != (tree[0, SHARE] < _CAPACITY):
        return
    asked = asked_at(tree, leaf)
    state = np.rint(settings.resolution * asked ** (1.0 / settings.exponent)) + (
        1.0 if changed else -1.0
    )
    if 1.0 <= state <= settings.resolution:
        ask(tree, leaf, _demand(settings, state) - asked)


@bare_kernel
def _seat(mind: Mind, leaf: int, asked: float) -> None:
    tree = mind.tree
    ask(tree, leaf, asked)
    mind.progress["draws"][0] += 1.0
    set_slack(
        tree,
        leaf,
        mix_hash(mind.seed, leaf + len(tree), int(mind.progress["draws"][0])),
    )
    refresh_path(tree, leaf)


@bare_kernel
def _unseat(tree: Floats, leaf: int) -> None:
    ask(tree, leaf, -asked_at(tree, leaf))
    set_slack(tree, leaf, math.inf)
    refresh_path(tree, leaf)


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
        super().__init__(seed, Settings(float(states), float(exponent)))

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        policy = super().for_pages(pages, **settings)
        resolution, exponent = policy.mind.settings
        if pages > resolution**exponent:
            least = math.ceil(pages ** (1.0 / exponent))
            wanted = (
                f"at least {least} for {pages} pages with exponent {exponent:g}; or take "
                "a larger exponent"
            )
            raise BadNumber("resolution", int(resolution), wanted)
        return policy

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """The paper's resolution, or one that leaves room for the smallest share of so many."""
        resolution = max(500, math.isqrt(len(known)) + 1)
        return cls.for_pages(len(known), resolution=resolution, seed=known.seed)

    def demands(self) -> Floats:
        """Polls a turn that the page on each leaf asks for, 0 where there is none."""
        return self.shares() * float(self.tree[0, SHARE])

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        self._refine(len(self.tree))

    def _first(self, pages: int) -> float:
        """What a page asks for at first: 1/n, rounded down to the grid."""
        resolution, exponent = self.mind.settings
        state = math.floor(resolution * (_CAPACITY / pages) ** (1.0 / exponent) + 1e-9)
        return _demand(self.mind.settings, max(1.0, float(state)))

    def _plant(self, pages: int) -> Floats:
        asked = np.full(pages, self._first(max(pages, 1)))
        tree = plant_tree(asked, self.mind.seed) if pages else empty_tree(2)
        tree[0, SHARE] = asked.sum()
        return tree

    def _double(self) -> Floats:
        self._refine(2 * len(self.tree))
        return super()._double()

    def _seat(self, leaf: int) -> None:
        _seat(self.mind, leaf, self._first(self.seats.taken + 1))

    def _unseat(self, leaf: int) -> None:
        _unseat(self.tree, leaf)

    def _refine(self, leaves: int) -> None:
        settings = self.mind.settings
        while leaves > settings.resolution**settings.exponent:
            settings = settings._replace(resolution=2.0 * settings.resolution)
        self.mind = self.mind._replace(settings=settings)
