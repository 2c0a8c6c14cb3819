"""q-learning: a lookup table learns what a link leads to, over traversals of one graph (`omeara`,
eqs. 9–11).

The local state x of a page of the fringe is the document that it was discovered by, so there is a
row for each link under which a page was ever found; it starts at 0. The index (9) is Q(x,1) −
Q(x,2): 1 = fetch it, 2 = leave it. After each step, with g the reward (11) and S the sum over the
children that the visit discovered, eq. (10) says

    fetched:            Q(x,1) := (1−α)·Q(x,1) + α·(g + γ·S)
    left, left again:   Q(x,2) := (1−α)·Q(x,2) + α·γ·Q(x,2) = c·Q(x,2),   c = 1−α+αγ
    left, then fetched: Q(x,2) := (1−α)·Q(x,2) + α·γ·Q(x,1)

The last two go over the whole fringe at every step. Here a page's are made up for when it is
fetched, by the closed form c^(n−1), and its index is worked out when asked for; its score is
Q(x,1), which the index never exceeds.

What the paper leaves open has names. `children`: S = Σ Q(x_j,1) ("active": they will be fetched) or
Σ Q(x_j,2) ("passive": to the letter, for at the next step all but one are left). `passive`: Q(x,2)
as above ("learnt") or 0 ("zero"). `ties`: between equals the page found first, last or at random.
ε: each page found is, with chance ε, fetched at once whatever its index. So the share ε of all
first visits explores, by one draw a page and no second queue.

A visit to a page that is held is a step too (`revisit`): its state is the page itself.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import NO_LINKS, links_to
>>> from trapline.core.ports import Found
>>> policy, cards, none = QLearning(alpha=0.5, gamma=0.5), blank_cards(2), np.zeros(0, np.bool_)
>>> for _ in range(2):  # twice the same way: seed 0 leads to page 1
...     policy.start_over()
...     _ = policy.discover(cards, Found(-1, 0.0, links_to([0], [0]), np.array([True])), now_s=0.0)
...     found = policy.discover(cards, Found(0, 0.25, links_to([1], [0]), np.array([True])), now_s=1.0)
...     _ = policy.discover(cards, Found(1, 0.75, NO_LINKS, none), now_s=2.0)
>>> found.scores.tolist()  # of page 1, the second time: .5·0 + .5·.75
[0.375]
>>> policy.table()[-1, 0]  # of the seed: .5·.125 + .5·(.25 + .5·.375)
(0.28125, 0.0)
"""

from __future__ import annotations

import math
from typing import Final

from trapline.core.errors import BadNumber, UnknownName, UnknownPage
from trapline.core.ports import Pages
from trapline.policies.discovery.edge_table import DRAWN, ROWS, STEPS, Edges, row_of
from trapline.policies.discovery.fringe_policy import Numbers
from trapline.policies.discovery.kernel_policy import (
    COLUMNS,
    SCORE,
    SINCE,
    Flags,
    KernelPolicy,
)
from trapline.theory.chance import mix_hash
from trapline.theory.discovery.reward import reward
from trapline.theory.kernel import bare_kernel

_ALPHA: Final = 0  # of the numbers
_GAMMA: Final = 1
_EPSILON: Final = 2
_OF_CHILDREN: Final = 3  # which column of the table S adds up
_LEARNS_PASSIVE: Final = 4
_TIES: Final = 5
_SEED: Final = 6

_ACTIVE: Final = 0  # columns of the table
_PASSIVE: Final = 1

# of a page's memory: on the fringe, its row + 1; held and visited again, −(its row + 1); else 0
_ROW: Final = COLUMNS
_FROM: Final = COLUMNS + 1  # the step after which it came into its state

CHILDREN: Final = {"active": _ACTIVE, "passive": _PASSIVE}
PASSIVE: Final = {"zero": 0.0, "learnt": 1.0}
TIES: Final = {"first": 0.0, "last": 1.0, "random": 2.0}


@bare_kernel
def _left(numbers: Numbers, edges: Edges, row: int, waited: int) -> float:
    """Q(x,2) of a page left `waited` times, before the last of them is learnt from: that needs what
    is done next.
    """
    q = edges.values[row, _PASSIVE]
    if q == 0.0 or waited <= 1:
        return float(q)
    return float(
        q * (1.0 - numbers[_ALPHA] + numbers[_ALPHA] * numbers[_GAMMA]) ** (waited - 1)
    )


@bare_kernel
def _fetched(
    numbers: Numbers, edges: Edges, row: int, waited: int, gain: float
) -> None:
    """Eq.

    (10) for a page that was left `waited` times and then fetched; `gain` is g and the discounted
    rest.
    """
    alpha = numbers[_ALPHA]
    q = edges.values[row, _ACTIVE]
    if waited > 0 and numbers[_LEARNS_PASSIVE] > 0.0:
        left = _left(numbers, edges, row, waited)
        edges.values[row, _PASSIVE] = (1.0 - alpha) * left + alpha * numbers[_GAMMA] * q
    edges.values[row, _ACTIVE] = (1.0 - alpha) * q + alpha * gain


@bare_kernel
def _drawn(numbers: Numbers, edges: Edges) -> float:
    edges.counts[DRAWN] += 1
    return mix_hash(int(numbers[_SEED]), 0, edges.counts[DRAWN])


@bare_kernel
def _since(numbers: Numbers, edges: Edges, now_s: float) -> float:
    """Never after now."""
    if numbers[_TIES] == 0.0:
        return now_s
    if numbers[_TIES] == 1.0:
        return -abs(now_s)
    return min(now_s, 0.0) - _drawn(numbers, edges)


@bare_kernel
def _admit(
    numbers: Numbers, memory: Numbers, edges: Edges, page: int, row: int, now_s: float
) -> None:
    memory[page, SCORE] = edges.values[row, _ACTIVE]
    memory[page, SINCE] = _since(numbers, edges, now_s)
    if numbers[_EPSILON] > 0.0 and _drawn(numbers, edges) < numbers[_EPSILON]:
        memory[page, SCORE] = math.inf
    memory[page, _ROW] = row + 1
    memory[page, _FROM] = edges.counts[STEPS]


@bare_kernel
def _discover(
    numbers: Numbers,
    memory: Numbers,
    edges: Edges,
    page: int,
    relevance: float,
    targets: Pages,
    new: Flags,
    now_s: float,
    pages: Pages,
) -> int:
    first = page >= 0 and memory[page, _ROW] > 0.0
    waited = edges.counts[STEPS] - int(memory[page, _FROM]) if first else 0
    if first:
        edges.counts[STEPS] += 1
    count = 0
    opened = 0.0
    of_children = int(numbers[_OF_CHILDREN])
    for i in range(len(targets)):
        if new[i]:
            row = row_of(edges, page, targets[i])
            opened += edges.values[row, of_children]
            _admit(numbers, memory, edges, targets[i], row, now_s)
            pages[count] = targets[i]
            count += 1
    if first:
        gain = reward(True, False, False, 0.0, relevance) + numbers[_GAMMA] * opened
        _fetched(numbers, edges, int(memory[page, _ROW]) - 1, waited, gain)
        memory[page, _ROW], memory[page, _FROM] = 0.0, edges.counts[STEPS]
    elif page >= 0 and memory[page, _ROW] < 0.0:
        # The visit itself was learnt from by `revisit`; eq. (10) is linear in what it opened.
        edges.values[-int(memory[page, _ROW]) - 1, _ACTIVE] += (
            numbers[_ALPHA] * numbers[_GAMMA] * opened
        )
    return count


@bare_kernel
def _index(numbers: Numbers, memory: Numbers, edges: Edges, page: int) -> float:
    row = int(memory[page, _ROW]) - 1
    if row < 0 or math.isinf(memory[page, SCORE]):
        return float(memory[page, SCORE])
    return float(
        memory[page, SCORE]
        - _left(numbers, edges, row, edges.counts[STEPS] - int(memory[page, _FROM]))
    )


@bare_kernel
def _revisit(
    numbers: Numbers, memory: Numbers, edges: Edges, page: int, gain: float, stays: bool
) -> float:
    row = row_of(edges, page, page)
    waited = edges.counts[STEPS] - int(memory[page, _FROM])
    edges.counts[STEPS] += 1
    if waited > 0 and numbers[_LEARNS_PASSIVE] > 0.0 and stays:
        after = (1.0 - numbers[_ALPHA]) * _left(numbers, edges, row, waited)
        gain += numbers[_GAMMA] * (
            after + numbers[_ALPHA] * numbers[_GAMMA] * edges.values[row, _ACTIVE]
        )
    elif stays:
        gain += numbers[_GAMMA] * edges.values[row, _PASSIVE]
    _fetched(numbers, edges, row, waited, gain)
    memory[page, _ROW], memory[page, _FROM] = -float(row + 1), edges.counts[STEPS]
    return float(edges.values[row, _ACTIVE] - edges.values[row, _PASSIVE])


class QLearning(KernelPolicy):
    columns = COLUMNS + 2
    keeps_edges = True
    learns = True
    discover_kernel = staticmethod(_discover)
    rescore_kernel = staticmethod(_index)

    def __init__(
        self,
        alpha: float = 0.5,
        gamma: float = 0.1,
        epsilon: float = 0.0,
        children: str = "active",
        passive: str = "learnt",
        ties: str = "first",
        seed: float = 0,
    ) -> None:
        if not 0.0 < alpha <= 1.0:
            raise BadNumber("alpha", alpha, "above 0 and at most 1")
        if not 0.0 <= gamma < 1.0:
            raise BadNumber("gamma", gamma, "at least 0 and below 1")
        if not 0.0 <= epsilon <= 1.0:
            raise BadNumber("epsilon", epsilon, "between 0 and 1")
        if not (seed >= 0 and float(seed).is_integer()):
            raise BadNumber("seed", seed, "a whole number, at least 0")
        said = (
            ("children", children, CHILDREN),
            ("passive", passive, PASSIVE),
            ("ties", ties, TIES),
        )
        for what, name, known in said:
            if name not in known:
                raise UnknownName(what, str(name), list(known))
        self.rescores = passive == "learnt"
        super().__init__(
            alpha,
            gamma,
            epsilon,
            CHILDREN[children],
            PASSIVE[passive],
            TIES[ties],
            seed,
        )

    def revisit(
        self, page: int, modified: bool, deleted: bool, before: float, after: float
    ) -> float:
        """A held page was visited again: learn from it; returns its index.

        To be told before what the visit found.
        """
        if not 0 <= page < len(self.memory):
            raise UnknownPage(page, len(self.memory))
        gain = reward(False, modified, deleted, before, after)
        if not 0.0 <= gain < math.inf:
            raise BadNumber("a relevance", gain, "finite and at least 0")
        self.make_room(1)
        return float(
            _revisit(self.numbers, self.memory, self.edges, page, gain, not deleted)
        )

    def table(self) -> dict[tuple[int, int], tuple[float, float]]:
        """(parent, page) → (Q(x,1), Q(x,2)), as learnt so far, for people."""
        rows = int(self.edges.counts[ROWS])
        keys = self.edges.keys[:rows].tolist()
        values = self.edges.values[:rows].tolist()
        return {
            ((key >> 32) - 1, key & 0xFFFFFFFF): (one, two)
            for key, (one, two) in zip(keys, values, strict=True)
        }
