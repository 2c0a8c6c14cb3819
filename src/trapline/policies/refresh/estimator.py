"""estimator: first find out how often each page changes, then poll in proportion to that (paper
`htraa`, 4.3.1).

For `phase` polls the pages take turns. Of a page's n polls X found a change; with g the mean gap
between polls, its change probability is taken for p = 1 − ((n−X+½)/(n+½))^(1/g), Cho &
Garcia-Molina's bias-reduced estimator (the paper names none). From then on page i is polled in
proportion to p_i, and nothing more is learnt: a page never seen to change is not polled again. If
none was, all are polled alike.

>>> policy = Estimator(3, phase=30)
>>> for _ in range(30):  # page 1 changes all the time, page 2 in every other gap
...     leaf = policy.turn_kernel(policy.mind)
...     changed = leaf == 1 or (leaf == 2 and policy.mind.progress["turns"][0] % 2 == 0)
...     policy.learn_kernel(policy.mind, leaf, changed, 3.0)
>>> policy.shares().round(2).tolist()
[0.0, 0.77, 0.23, 0.0]
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Self

from trapline.policies.refresh.automata.automaton import (
    Automaton,
    Mind,
    whole,
)
from trapline.policies.refresh.automata.fluid_edf import (
    OWED,
    SLACK,
    empty_tree,
    next_turn,
    room_for,
    weigh,
    wind,
)
from trapline.policies.refresh.refresh_policy import Floats, KnownPages
from trapline.theory.kernel import bare_kernel

_ROUNDS: Final = 10  # of an example's phase


class Settings(NamedTuple):
    pages: int
    phase: int  # polls of the first phase


# Until the tree is wound its lowest nodes serve as the notebook: polls where the slack of a leaf
# will be, changes where weights are expected.
_POLLED: Final = SLACK
_CHANGED: Final = OWED


@bare_kernel
def _turn(mind: Mind) -> int:
    progress = mind.progress
    if progress["polls"][0] >= mind.settings.phase:
        return next_turn(mind)
    progress["turns"][0] += 1.0
    return int((progress["turns"][0] - 1.0) % mind.settings.pages)


@bare_kernel
def _learn(mind: Mind, leaf: int, changed: bool, gap: float) -> None:
    progress = mind.progress
    tree = mind.tree
    if progress["polls"][0] >= mind.settings.phase:
        return
    node = (leaf + len(tree)) >> 1
    side = leaf & 1
    tree[node, _POLLED + side] += 1.0
    tree[node, _CHANGED + side] += 1.0 if changed else 0.0
    progress["polls"][0] += 1.0
    progress["waited_s"][0] += gap
    if progress["polls"][0] == mind.settings.phase:
        mean_gap = progress["waited_s"][0] / progress["polls"][0]
        _estimate(tree, mind.settings.pages, mean_gap)
        wind(tree, mind.seed)


@bare_kernel
def _estimate(tree: Floats, pages: int, gap: float) -> None:
    total = 0.0
    for leaf in range(pages):
        node = (leaf + len(tree)) >> 1
        side = leaf & 1
        polled = tree[node, _POLLED + side]
        changed = tree[node, _CHANGED + side]
        tree[node, OWED + side] = 1.0 - ((polled - changed + 0.5) / (polled + 0.5)) ** (
            1.0 / gap
        )
        total += changed
    if total == 0.0:
        for leaf in range(pages):
            tree[(leaf + len(tree)) >> 1, OWED + (leaf & 1)] = 1.0
    weigh(tree)


class Estimator(Automaton):
    """It does not weigh pages.

    For the laboratory: after its phase it knows no new pages and forgets none.
    """

    laboratory_only = True
    open_house = False
    turn_kernel = staticmethod(_turn)
    learn_kernel = staticmethod(_learn)

    def __init__(self, pages: int, phase: int, seed: float = 0) -> None:
        count = whole("the number of pages", pages, 2)
        super().__init__(seed, Settings(count, whole("phase", phase, 1)))
        self.seat_all(count)

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        return cls(pages, **settings)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(len(known), phase=_ROUNDS * len(known), seed=known.seed)

    def _plant(self, pages: int) -> Floats:
        tree = empty_tree(room_for(pages))
        tree[:, _POLLED : _POLLED + 2] = 0.0
        return tree
