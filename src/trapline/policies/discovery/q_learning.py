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
>>> policy = QLearning(alpha=0.5, gamma=0.5)
>>> cards = blank_cards(2)
>>> new = np.array([True])
>>> for _ in range(2):  # twice the same way: seed 0 leads to page 1
...     policy.start_over()
...     _ = policy.discover(cards, Found(-1, 0.0, links_to([0], [0]), new), now_s=0.0)
...     scores = policy.discover(cards, Found(0, 0.25, links_to([1], [0]), new), now_s=1.0)
...     _ = policy.discover(cards, Found(1, 0.75, NO_LINKS, new[:0]), now_s=2.0)
>>> scores.scores.tolist()  # of page 1, the second time: .5·0 + .5·.75
[0.375]
>>> policy.table()[-1, 0]  # of the seed: .5·.125 + .5·(.25 + .5·.375)
(0.28125, 0.0)
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber, UnknownName, UnknownPage
from trapline.core.ports import Pages
from trapline.policies.discovery.edge_table import DRAWN, ROWS, STEPS, row_of
from trapline.policies.discovery.kernel_policy import (
    SCORED,
    KernelPolicy,
    Links,
    Mind,
)
from trapline.theory.chance import mix_hash
from trapline.theory.discovery.reward import reward
from trapline.theory.kernel import bare_kernel

_ACTIVE: Final = 0  # columns of the table
_PASSIVE: Final = 1


class Settings(NamedTuple):
    alpha: float
    gamma: float
    epsilon: float
    of_children: int  # which column of the table S adds up
    learns_passive: bool
    ties: int
    seed: int


CHILDREN: Final = {"active": _ACTIVE, "passive": _PASSIVE}
PASSIVE: Final = {"zero": False, "learnt": True}
TIES: Final = {"first": 0, "last": 1, "random": 2}


@bare_kernel
def _passive_value(mind: Mind, row: int, waited: int) -> float:
    """Q(x,2) of a page left `waited` times, before the last of them is learnt from.

    That needs what is done next.
    """
    q = mind.edges.values[row, _PASSIVE]
    if q == 0.0 or waited <= 1:
        return float(q)
    alpha = mind.settings.alpha
    return float(q * (1.0 - alpha + alpha * mind.settings.gamma) ** (waited - 1))


@bare_kernel
def _fetch(mind: Mind, row: int, waited: int, gain: float) -> None:
    """Eq. (10) for a page left `waited` times, then fetched; `gain`: g and the discounted rest."""
    alpha = mind.settings.alpha
    values = mind.edges.values
    q = values[row, _ACTIVE]
    if waited > 0 and mind.settings.learns_passive:
        left = _passive_value(mind, row, waited)
        values[row, _PASSIVE] = (1.0 - alpha) * left + alpha * mind.settings.gamma * q
    values[row, _ACTIVE] = (1.0 - alpha) * q + alpha * gain


@bare_kernel
def _draw(mind: Mind) -> float:
    counts = mind.edges.counts
    counts[DRAWN] += 1
    return mix_hash(mind.settings.seed, 0, counts[DRAWN])


@bare_kernel
def _since(mind: Mind, now_s: float) -> float:
    """Never after now."""
    if mind.settings.ties == 0:
        return now_s
    if mind.settings.ties == 1:
        return -abs(now_s)
    return min(now_s, 0.0) - _draw(mind)


@bare_kernel
def _admit(mind: Mind, page: int, row: int, now_s: float) -> None:
    pages = mind.pages
    epsilon = mind.settings.epsilon
    pages["score"][page] = mind.edges.values[row, _ACTIVE]
    pages["since_s"][page] = _since(mind, now_s)
    if epsilon > 0.0 and _draw(mind) < epsilon:
        pages["score"][page] = math.inf
    pages["row"][page] = row + 1
    pages["step"][page] = mind.edges.counts[STEPS]


@bare_kernel
def _discover(mind: Mind, found: Links, scored: Pages) -> int:
    pages = mind.pages
    edges = mind.edges
    settings = mind.settings
    page = found.page
    first = page >= 0 and pages["row"][page] > 0.0
    waited = edges.counts[STEPS] - int(pages["step"][page]) if first else 0
    if first:
        edges.counts[STEPS] += 1
    count = 0
    opened = 0.0
    for i in range(len(found.targets)):
        if found.new[i]:
            target = found.targets[i]
            row = row_of(edges, page, target)
            opened += edges.values[row, settings.of_children]
            _admit(mind, target, row, found.now_s)
            scored[count] = target
            count += 1
    if first:
        gain = reward(True, False, False, 0.0, found.relevance)
        gain += settings.gamma * opened
        _fetch(mind, int(pages["row"][page]) - 1, waited, gain)
        pages["row"][page] = 0.0
        pages["step"][page] = edges.counts[STEPS]
    elif page >= 0 and pages["row"][page] < 0.0:
        # The visit itself was learnt from by `revisit`; eq. (10) is linear in what it opened.
        row = -int(pages["row"][page]) - 1
        edges.values[row, _ACTIVE] += settings.alpha * settings.gamma * opened
    return count


@bare_kernel
def _index(mind: Mind, page: int) -> float:
    pages = mind.pages
    score = pages["score"][page]
    row = int(pages["row"][page]) - 1
    if row < 0 or math.isinf(score):
        return float(score)
    waited = mind.edges.counts[STEPS] - int(pages["step"][page])
    return float(score - _passive_value(mind, row, waited))


@bare_kernel
def _revisit(mind: Mind, page: int, gain: float, stays: bool) -> float:
    pages = mind.pages
    edges = mind.edges
    settings = mind.settings
    row = row_of(edges, page, page)
    waited = edges.counts[STEPS] - int(pages["step"][page])
    edges.counts[STEPS] += 1
    active = edges.values[row, _ACTIVE]
    if waited > 0 and settings.learns_passive and stays:
        after = (1.0 - settings.alpha) * _passive_value(mind, row, waited)
        gain += settings.gamma * (after + settings.alpha * settings.gamma * active)
    elif stays:
        gain += settings.gamma * edges.values[row, _PASSIVE]
    _fetch(mind, row, waited, gain)
    pages["row"][page] = -float(row + 1)
    pages["step"][page] = edges.counts[STEPS]
    return float(edges.values[row, _ACTIVE] - edges.values[row, _PASSIVE])


class QLearning(KernelPolicy):
    # its row: on the fringe, the row + 1; held and visited again, −(the row + 1); else 0;
    # and the step after which it came into its state
    page_record = np.dtype([*SCORED, ("row", np.float64), ("step", np.float64)])
    keeps_edges = True
    learns = True
    discover_kernel = staticmethod(_discover)
    rescore_kernel = staticmethod(_index)

    @classmethod
    def example(cls, relevance: ArrayLike, seed: int = 0) -> Self:
        return cls(seed=seed)

    def __init__(
        self,
        alpha: float = 0.5,
        gamma: float = 0.1,
        epsilon: float = 0.0,
        *,
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
        settings = Settings(
            float(alpha),
            float(gamma),
            float(epsilon),
            CHILDREN[children],
            PASSIVE[passive],
            TIES[ties],
            int(seed),
        )
        super().__init__(settings)

    def move_times(self, by_s: float) -> None:
        if self.mind.settings.ties == TIES["first"]:  # else it is no time
            super().move_times(by_s)

    def revisit(
        self, page: int, modified: bool, deleted: bool, before: float, after: float
    ) -> float:
        """A held page was visited again: learn from it; returns its index.

        To be told before what the visit found.
        """
        if not 0 <= page < len(self.mind.pages):
            raise UnknownPage(page, len(self.mind.pages))
        gain = reward(False, modified, deleted, before, after)
        if not 0.0 <= gain < math.inf:
            raise BadNumber("a relevance", gain, "finite and at least 0")
        self.make_room(1)
        return float(_revisit(self.mind, page, gain, not deleted))

    def table(self) -> dict[tuple[int, int], tuple[float, float]]:
        """(parent, page) → (Q(x,1), Q(x,2)), as learnt so far, for people."""
        rows = int(self.mind.edges.counts[ROWS])
        keys = self.mind.edges.keys[:rows].tolist()
        values = self.mind.edges.values[:rows].tolist()
        return {
            ((key >> 32) - 1, key & 0xFFFFFFFF): (one, two)
            for key, (one, two) in zip(keys, values, strict=True)
        }
