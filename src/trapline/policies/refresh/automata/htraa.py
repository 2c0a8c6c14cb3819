"""htraa: a hierarchy of twofold resource allocation automata learns how often to poll each page
(paper `htraa`, 3.2).

Every inner node of a balanced tree over the pages is an automaton with states s = 1 … N that gives
the share q = s/(N+1) of its polls to its left side and 1 − q to its right one. When a poll below it
ends, the automaton moves

    changed:    s+1 if the page is on its left, with probability 1 − q;
                s−1 if it is on its right, with probability q
    unchanged:  the other way, with the same probabilities

(the first line is eqs. (1)–(2)), so that the side polled more often does not also learn more often.
It comes to rest where polls on both sides find a change equally often: the optimum for pages of
equal weight. `mode` says which of the two rules count. A power grid, q = (s/(N+1))^g, is finer near
0; with `level_factor` f the automata just above the pages have N = `resolution`, their parents f·N,
and so on.

Learning is quick where pages of like rates are neighbours, and slow where they are not.

>>> policy = HTraa.for_pages(4, resolution=9, seed=1)
>>> policy.shares().tolist()
[0.25, 0.25, 0.25, 0.25]
>>> for _ in range(40):  # page 0 changes all the time, the others never
...     leaf = policy.turn_kernel(policy.mind)
...     policy.learn_kernel(policy.mind, leaf, leaf == 0, 1.0)
>>> policy.shares().round(2).tolist()
[0.81, 0.09, 0.05, 0.05]
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.errors import BadNumber, UnknownName
from trapline.policies.refresh.automata.automaton import (
    Automaton,
    Mind,
    check_grid,
    whole,
)
from trapline.policies.refresh.automata.fluid_edf import (
    SHARE,
    SLACK,
    empty_tree,
    hand_down,
    refresh_path,
    serve,
    set_slack,
    settle_path,
    weighted_tree,
    wind,
)
from trapline.policies.refresh.automata.tree_seats import Below
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

MODES: Final = {
    "reward-penalty": (1.0, 1.0),
    "reward-inaction": (1.0, 0.0),
    "inaction-penalty": (0.0, 1.0),
}


class Settings(NamedTuple):
    resolution: float
    grid: float
    climb: float  # log2 of the level factor
    rewards: float  # 1 = learns from changes; 0 = does not
    penalties: float  # 1 = learns from their absence


@bare_kernel
def _states(settings: Settings, span: int) -> float:
    """N of the automata whose sides have room for `span` pages each."""
    return max(2.0, float(np.rint(settings.resolution * span**settings.climb)))


@bare_kernel
def _position(share: float, states: float, grid: float) -> float:
    """Where a share lies on the grid: a whole number when it is a state."""
    return (share if grid == 1.0 else share ** (1.0 / grid)) * (states + 1.0)


@bare_kernel
def _share(state: float, states: float, grid: float) -> float:
    share = state / (states + 1.0)
    return share if grid == 1.0 else share**grid


@bare_kernel
def _move(mind: Mind, node: int, side: int, changed: bool, span: int) -> None:
    """Rules (1)–(2) and their inverses for one automaton; with one side empty there is nothing to
    divide.
    """
    tree = mind.tree
    if math.isinf(tree[node, SLACK]) or math.isinf(tree[node, SLACK + 1]):
        return
    share = tree[node, SHARE]
    if mix_hash(mind.seed, node, int(mind.progress["draws"][0])) >= (
        1.0 - share if side == 0 else share
    ):
        return
    states = _states(mind.settings, span)
    state = np.rint(_position(share, states, mind.settings.grid)) + (
        1.0 if (side == 0) == changed else -1.0
    )
    if 1.0 <= state <= states:
        tree[node, SHARE] = _share(state, states, mind.settings.grid)


@bare_kernel
def _learn(mind: Mind, leaf: int, changed: bool, gap: float) -> None:
    tree = mind.tree
    if (mind.settings.rewards if changed else mind.settings.penalties) == 0.0:
        return
    mind.progress["draws"][0] += 1.0
    node = 1
    bit = len(tree) >> 1
    service = 0.0
    while bit > 0:
        side = 1 if leaf & bit else 0
        serve(tree, node, service)
        service = hand_down(tree, node, side)
        _move(mind, node, side, changed, bit)
        node = 2 * node + side
        bit = bit >> 1
    refresh_path(tree, leaf)


@bare_kernel
def _fair(share: float, before: int, after: int, others: int) -> float:
    """The share of a side whose pages become `after` instead of `before`, beside those on the other
    side.
    """
    if before == 0:
        return after / (after + others)
    return share * after / (share * after + (1.0 - share) * before)


@bare_kernel
def _reseat(mind: Mind, below: Below, leaf: int, by: int) -> None:
    """A page comes (by = 1) to a leaf or leaves it (−1); `below` counts the pages as they were
    before.
    """
    tree = mind.tree
    settle_path(tree, leaf)
    mind.progress["draws"][0] += 1.0
    drawn = mix_hash(mind.seed, leaf + len(tree), int(mind.progress["draws"][0]))
    set_slack(tree, leaf, drawn if by > 0 else math.inf)
    node = 1
    bit = len(tree) >> 1
    while bit > 0:
        side = 1 if leaf & bit else 0
        before = below[2 * node + side] if bit > 1 else (1 - by) // 2
        others = below[node] - before
        if others > 0 and before + by > 0:
            share = tree[node, SHARE] if side == 0 else 1.0 - tree[node, SHARE]
            share = _fair(share, before, before + by, others)
            states = _states(mind.settings, bit)
            place = _position(
                share if side == 0 else 1.0 - share, states, mind.settings.grid
            )
            # At random between the two states next to it: rounding a thousand times the same way
            # would add up.
            state = math.floor(
                place + mix_hash(mind.seed, node, int(mind.progress["draws"][0]))
            )
            tree[node, SHARE] = _share(
                min(max(state, 1.0), states), states, mind.settings.grid
            )
        node = 2 * node + side
        bit = bit >> 1
    refresh_path(tree, leaf)


@bare_kernel
def _snap(mind: Mind) -> None:
    """Put every share on its automaton's grid, rounded down."""
    tree = mind.tree
    first = 1
    span = len(tree) >> 1
    while span > 0:
        states = _states(mind.settings, span)
        for node in range(first, 2 * first):
            state = math.floor(
                _position(tree[node, SHARE], states, mind.settings.grid) + 1e-9
            )
            tree[node, SHARE] = _share(
                min(max(state, 1.0), states), states, mind.settings.grid
            )
        first = 2 * first
        span = span >> 1


class HTraa(Automaton):
    """It cannot weigh pages: its fixed point makes weight·detection equal, which is not the
    optimum.

    A page that comes later is given the mean share of the pages around it: each automaton above it
    raises the odds of its side from m pages' to m+1 pages' (1 to m where the side was empty), and
    lowers them when a page goes.
    """

    learn_kernel = staticmethod(_learn)

    def __init__(
        self,
        resolution: float = 500,
        mode: str = "reward-penalty",
        grid: float = 1.0,
        level_factor: float = 1.0,
        seed: float = 0,
    ) -> None:
        if mode not in MODES:
            raise UnknownName("mode", str(mode), list(MODES))
        states = whole("resolution", resolution, 2)
        check_grid("grid", grid, states + 1)
        # twenty levels of more than that leave nothing for anybody
        if not 0.25 <= level_factor <= 4.0:
            raise BadNumber(
                "level_factor",
                level_factor,
                "from 0.25 to 4: an automaton's resolution by its children's",
            )
        climb = math.log2(level_factor)
        settings = Settings(float(states), float(grid), climb, *MODES[mode])
        super().__init__(seed, settings)

    def _plant(self, pages: int) -> Floats:
        tree = weighted_tree(np.ones(pages)) if pages else empty_tree(2)
        _snap(self.mind._replace(tree=tree))
        wind(tree, self.mind.seed)
        return tree

    def _seat(self, leaf: int) -> None:
        _reseat(self.mind, self.seats.below, leaf, 1)

    def _unseat(self, leaf: int) -> None:
        _reseat(self.mind, self.seats.below, leaf, -1)
