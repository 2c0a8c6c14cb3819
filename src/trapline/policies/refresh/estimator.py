"""estimator: first find out how often each page changes, then poll in proportion to that (paper
`htraa`, 4.3.1).

For a phase of `rounds` polls a page the pages take turns. Of a page's n polls X found a change;
with g the mean gap before its polls, its change probability is taken for p = 1 −
((n−X+½)/(n+½))^(1/g), Cho & Garcia-Molina's bias-reduced estimator (the paper names none). From
then on page i is polled in proportion to p_i, and nothing more is learnt of it: a page never seen
to change is not polled again, as long as others can be. If none was, all are polled alike.

Live, a second takes the place of a step. A page that comes after the phase is polled as often as
the mean page until it has had `rounds` polls, and then by its own estimate; a page that is gone
leaves its leaf. That is a rule for a world that stays as it is: who must follow changes takes
`posterior`.

>>> policy = Estimator.for_pages(3, rounds=10)
>>> for _ in range(30):  # page 1 changes all the time, page 2 in every other gap
...     leaf = policy.turn_kernel(policy.mind)
...     changed = leaf == 1 or (leaf == 2 and policy.mind.progress["polls"][0] % 2 == 0)
...     policy.learn_kernel(policy.mind, leaf, changed, 3.0)
>>> policy.shares().round(2).tolist()
[0.0, 0.77, 0.23, 0.0]
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.errors import check_rate
from trapline.core.ports import Arrays
from trapline.policies.refresh.automata.asked_shares import ask, asked_at
from trapline.policies.refresh.automata.automaton import Automaton, Mind
from trapline.policies.refresh.automata.fluid_edf import (
    OWED,
    SHARE,
    SLACK,
    empty_tree,
    next_turn,
    plant_tree,
    refresh_path,
    set_slack,
    weigh,
    wind,
)
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

# What is noted of the page on each leaf: polls, changes that they found, the sum of the gaps before
# them, and how many polls are still to come before a page that came late is judged.
_POLLED: Final = 0
_CHANGED: Final = 1
_WAITED: Final = 2
_TO_COME: Final = 3
_NOTES: Final = 4
_SEATED: Final = 1  # pages on leaves, in row 0 of the tree, which is no node's


class Settings(NamedTuple):
    rounds: float  # polls a page in the first phase
    notes: Floats  # of each leaf


@bare_kernel
def _has_page(tree: Floats, leaf: int) -> bool:
    return not math.isinf(tree[(leaf + len(tree)) >> 1, SLACK + (leaf & 1)])


@bare_kernel
def _turn(mind: Mind) -> int:
    progress = mind.progress
    tree = mind.tree
    if progress["is_over"][0] > 0.0:
        return next_turn(mind)
    for _ in range(len(tree)):
        leaf = int(progress["turns"][0] % len(tree))
        progress["turns"][0] += 1.0
        if _has_page(tree, leaf):
            return leaf
    return -1


@bare_kernel
def _estimate(notes: Floats, leaf: int) -> float:
    """The probability of a change in a step, or in a second."""
    polled = notes[leaf, _POLLED]
    unchanged = polled - notes[leaf, _CHANGED]
    mean_gap = notes[leaf, _WAITED] / polled
    return float(1.0 - ((unchanged + 0.5) / (polled + 0.5)) ** (1.0 / mean_gap))


@bare_kernel
def _learn(mind: Mind, leaf: int, changed: bool, gap: float) -> None:
    progress = mind.progress
    notes = mind.settings.notes
    is_over = progress["is_over"][0] > 0.0
    if is_over and notes[leaf, _TO_COME] == 0.0:
        return
    notes[leaf, _POLLED] += 1.0
    notes[leaf, _CHANGED] += 1.0 if changed else 0.0
    notes[leaf, _WAITED] += max(gap, 1e-9)
    if is_over:
        notes[leaf, _TO_COME] -= 1.0
        if notes[leaf, _TO_COME] == 0.0:
            _ask_for(mind, leaf, _estimate(notes, leaf))
        return
    progress["polls"][0] += 1.0
    if progress["polls"][0] >= np.rint(mind.settings.rounds * mind.tree[0, _SEATED]):
        _judge_all(mind)


@bare_kernel
def _judge_all(mind: Mind) -> None:
    """The phase is over: by their estimates from now on; a page that was not polled asks for the
    mean.
    """
    tree = mind.tree
    notes = mind.settings.notes
    total = 0.0
    judged = 0
    for leaf in range(len(tree)):
        if _has_page(tree, leaf) and notes[leaf, _POLLED] > 0.0:
            total += _estimate(notes, leaf)
            judged += 1
    mean = total / judged if total > 0.0 else 1.0
    summed = 0.0
    for leaf in range(len(tree)):
        asked = 0.0
        if _has_page(tree, leaf):
            asked = mean
            if notes[leaf, _POLLED] == 0.0:
                notes[leaf, _TO_COME] = math.ceil(mind.settings.rounds)
            elif total > 0.0:
                asked = _estimate(notes, leaf)
        tree[(leaf + len(tree)) >> 1, OWED + (leaf & 1)] = asked
        summed += asked
    weigh(tree)
    wind(tree, mind.seed)
    tree[0, SHARE] = summed
    mind.progress["is_over"][0] = 1.0


@bare_kernel
def _ask_for(mind: Mind, leaf: int, wanted: float) -> None:
    """A page asks for so much from now on; its turn comes at a time of its own, or never."""
    tree = mind.tree
    ask(tree, leaf, wanted - asked_at(tree, leaf))
    mind.progress["draws"][0] += 1.0
    drawn = mix_hash(mind.seed, leaf + len(tree), int(mind.progress["draws"][0]))
    set_slack(tree, leaf, drawn if wanted > 0.0 else math.inf)
    refresh_path(tree, leaf)


class Estimator(Automaton):
    """It does not weigh pages."""

    turn_kernel = staticmethod(_turn)
    learn_kernel = staticmethod(_learn)

    def __init__(self, rounds: float = 10.0, seed: float = 0) -> None:
        check_rate("rounds", rounds, "polls a page in the first phase")
        super().__init__(seed, Settings(float(rounds), np.zeros((2, _NOTES))))

    @property
    def notes(self) -> Floats:
        notes: Floats = self.mind.settings.notes
        return notes

    def state(self) -> Arrays:
        return {**super().state(), "notes": self.notes.copy()}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        self._note_in(np.array(state["notes"], np.float64))

    def _note_in(self, notes: Floats) -> None:
        settings = self.mind.settings._replace(notes=notes)
        self.mind = self.mind._replace(settings=settings)

    def _plant(self, pages: int) -> Floats:
        tree = plant_tree(np.ones(pages), self.mind.seed) if pages else empty_tree(2)
        tree[0, _SEATED] = pages
        self._note_in(np.zeros((len(tree), _NOTES)))
        return tree

    def _double(self) -> Floats:
        self._note_in(np.concatenate((self.notes, np.zeros_like(self.notes))))
        return super()._double()

    def _seat(self, leaf: int) -> None:
        seated = float(self.tree[0, _SEATED])
        self.tree[0, _SEATED] += 1.0
        self.notes[leaf] = 0.0
        if not self.mind.progress["is_over"][0]:
            set_slack(self.tree, leaf, 1.0)
            refresh_path(self.tree, leaf)
            return
        self.notes[leaf, _TO_COME] = math.ceil(self.mind.settings.rounds)
        total = float(self.tree[0, SHARE])
        _ask_for(self.mind, leaf, total / seated if seated * total > 0.0 else 1.0)

    def _unseat(self, leaf: int) -> None:
        self.tree[0, _SEATED] -= 1.0
        if self.mind.progress["is_over"][0]:
            _ask_for(self.mind, leaf, 0.0)
        set_slack(self.tree, leaf, math.inf)
        refresh_path(self.tree, leaf)
