"""estimator: first find out how often each page changes, then poll in proportion to that (paper
`htraa`, 4.3.1).

For `phase` polls the pages take turns. Of a page's n polls X found a change; with g the mean gap
between polls, its change probability is taken for p = 1 − ((n−X+½)/(n+½))^(1/g), Cho &
Garcia-Molina's bias-reduced estimator (the paper names none). From then on page i is polled in
proportion to p_i, and nothing more is learnt: a page never seen to change is not polled again. If
none was, all are polled alike.

>>> policy = Estimator(3, phase=30)
>>> for _ in range(30):  # page 1 changes all the time, page 2 in every other gap
...     leaf = policy.turn_kernel(policy.numbers, policy.memory)
...     changed = leaf == 1 or (leaf == 2 and policy.numbers[TURNS] % 2 == 0)
...     policy.learn_kernel(policy.numbers, policy.memory, leaf, changed, 3.0)
>>> policy.shares().round(2).tolist()
[0.0, 0.77, 0.23, 0.0]
"""

from __future__ import annotations

from typing import Any, Final, Self

from trapline.policies.refresh.automata.automaton import (
    POLLS,
    SEED,
    SETTINGS,
    TURNS,
    WAITED,
    Automaton,
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
from trapline.policies.refresh.card_policy import Numbers
from trapline.theory.kernel import bare_kernel

_PAGES: Final = SETTINGS
_PHASE: Final = SETTINGS + 1

# Until the tree is wound its lowest nodes serve as the notebook: polls where the slack of a leaf
# will be, changes where weights are expected.
_POLLED: Final = SLACK
_CHANGED: Final = OWED


@bare_kernel
def _turn(numbers: Numbers, memory: Numbers) -> int:
    if numbers[POLLS] >= numbers[_PHASE]:
        return next_turn(numbers, memory)
    numbers[TURNS] += 1.0
    return int((numbers[TURNS] - 1.0) % numbers[_PAGES])


@bare_kernel
def _learn(
    numbers: Numbers, memory: Numbers, leaf: int, changed: bool, gap: float
) -> None:
    if numbers[POLLS] >= numbers[_PHASE]:
        return
    node = (leaf + len(memory)) >> 1
    side = leaf & 1
    memory[node, _POLLED + side] += 1.0
    memory[node, _CHANGED + side] += 1.0 if changed else 0.0
    numbers[POLLS] += 1.0
    numbers[WAITED] += gap
    if numbers[POLLS] == numbers[_PHASE]:
        _estimate(memory, int(numbers[_PAGES]), numbers[WAITED] / numbers[POLLS])
        wind(memory, int(numbers[SEED]))


@bare_kernel
def _estimate(memory: Numbers, pages: int, gap: float) -> None:
    total = 0.0
    for leaf in range(pages):
        node = (leaf + len(memory)) >> 1
        side = leaf & 1
        polled = memory[node, _POLLED + side]
        changed = memory[node, _CHANGED + side]
        memory[node, OWED + side] = 1.0 - (
            (polled - changed + 0.5) / (polled + 0.5)
        ) ** (1.0 / gap)
        total += changed
    if total == 0.0:
        for leaf in range(pages):
            memory[(leaf + len(memory)) >> 1, OWED + (leaf & 1)] = 1.0
    weigh(memory)


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
        super().__init__(seed, (count, whole("phase", phase, 1)))
        self.seat_all(count)

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        return cls(pages, **settings)

    def _plant(self, pages: int) -> Numbers:
        memory = empty_tree(room_for(pages))
        memory[:, _POLLED : _POLLED + 2] = 0.0
        return memory
