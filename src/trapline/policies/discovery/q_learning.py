"""q-learning: a lookup table learns what a link leads to (`omeara`, eqs. 9–11).

The local state x of a page of the fringe is the document that it was discovered by, so there is a
row for each link under which a page was ever found. The index (9) is Q(x,1) − Q(x,2): 1 = fetch
it, 2 = leave it. After each step, with g the reward (11) and S the sum over the children that the
visit discovered, eq. (10) says

    fetched:            Q(x,1) := (1−α)·Q(x,1) + α·(g + γ·S)
    left, left again:   Q(x,2) := (1−α)·Q(x,2) + α·γ·Q(x,2) = c·Q(x,2),   c = 1−α+αγ
    left, then fetched: Q(x,2) := (1−α)·Q(x,2) + α·γ·Q(x,1)

The last two go over the whole fringe at every step. Here a page's are made up for when it is
fetched, by the closed form c^(n−1), and its index is worked out when asked for; its score is
Q(x,1), which the index never exceeds.

What the paper leaves open has names. `start`: a new row begins at 0, as in the paper ("zero"),
which needs many traversals of one graph; or at what its kin are worth ("kin"): the state of a link
never followed is taken to be its discoverer alone, and that of a discoverer of which nothing is
known its relevance (of several pages that lead there, the most relevant one). So Q(x,1) begins at
(sum of what its siblings earned + 2m)/(siblings + 2), m that relevance times what such promises
have kept so far; seeds are promised 1. A sibling's lesson moves the waiting rows, a few at a time.
`children`: S = Σ Q(x_j,1)
("active": they will be fetched) or Σ Q(x_j,2) ("passive": to the letter, for at the next step all
but one are left). `passive`: Q(x,2) as above ("learnt") or 0 ("zero"). `ties`: between equals the
page found first, last or at random. ε: each page found is, with chance ε, fetched at once whatever
its index. So the share ε of all first visits explores, by one draw a page and no second queue.

Where the refresh policy of this name decides about held pages (policies/refresh/q_learning.py),
both learn in one table: a first visit is also worth what the page is worth as a held one, and each
visit to a held page is a step, too.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import NO_LINKS, links_to
>>> from trapline.core.ports import Found
>>> policy = QLearning(alpha=0.5, gamma=0.5, start="zero")
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
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.cards import GONE, HELD, Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import (
    NOTHING_TO_SAY,
    Arrays,
    Explanation,
    Found,
    Pages,
    Scores,
)
from trapline.policies.discovery.edge_table import DRAWN, ROWS, STEPS, row_of
from trapline.policies.discovery.kernel_policy import KernelPolicy, Links
from trapline.policies.discovery.link_kin import (
    SIBLINGS,
    note_child,
    note_parent,
    note_worth,
    start_of,
    take_turns,
)
from trapline.policies.q_table import (
    ACTIVE,
    CHILDREN,
    LESSONS,
    LINKED,
    PASSIVES,
    STARTS,
    TIES,
    QMind,
    QSettings,
    QTable,
    check_name,
    check_steps,
    fetch_link,
    passive_value,
)
from trapline.theory.chance import mix_hash
from trapline.theory.discovery.reward import reward
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _draw(mind: QMind) -> float:
    counts = mind.edges.counts
    counts[DRAWN] += 1
    return mix_hash(mind.settings.seed, 0, counts[DRAWN])


@bare_kernel
def _since(mind: QMind, now_s: float) -> float:
    """Never after now."""
    if mind.settings.ties == 0:
        return now_s
    if mind.settings.ties == 1:
        return -abs(now_s)
    return min(now_s, 0.0) - _draw(mind)


@bare_kernel
def _admit(mind: QMind, found: Links, page: int, row: int) -> None:
    pages = mind.pages
    epsilon = mind.settings.epsilon
    pages["row"][page] = row + 1
    if mind.settings.by_kin:
        note_child(pages, found.page, page)
        pages["told"][page] = -1.0
        note_parent(mind, found.page, found.relevance, page)
        if mind.edges.values[row, LESSONS] == 0.0:
            mind.edges.values[row, ACTIVE] = start_of(mind, page)
    pages["score"][page] = mind.edges.values[row, ACTIVE]
    pages["since_s"][page] = _since(mind, found.now_s)
    if epsilon > 0.0 and _draw(mind) < epsilon:
        pages["score"][page] = math.inf
    pages["step"][page] = mind.edges.counts[STEPS]


@bare_kernel
def _learn(mind: QMind, found: Links, waited: int, opened: float) -> None:
    """Eq. (10) for a page of the fringe that was fetched."""
    settings = mind.settings
    page = found.page
    row = int(mind.pages["row"][page]) - 1
    gain = reward(True, False, False, 0.0, found.relevance)
    if settings.both:  # from now on it is held, and was visited just now
        opened += found.relevance * mind.states["leave"][0]
    gain += settings.gamma * opened
    if settings.by_kin:
        if mind.edges.values[row, LESSONS] == 0.0:
            mind.edges.values[row, ACTIVE] = start_of(mind, page)
        note_worth(mind, page, found.relevance)
    fetch_link(mind, row, waited, gain)


@bare_kernel
def _discover(mind: QMind, found: Links, scored: Pages) -> int:
    pages = mind.pages
    edges = mind.edges
    page = found.page
    first = page >= 0 and pages["row"][page] > 0.0
    waited = edges.counts[STEPS] - int(pages["step"][page]) if first else 0
    if first:
        edges.counts[STEPS] += 1
    count = 0
    opened = 0.0
    for i in range(len(found.targets)):
        target = found.targets[i]
        if found.new[i]:
            row = row_of(edges, page, target)
            _admit(mind, found, target, row)
            opened += edges.values[row, mind.settings.of_children]
            scored[count] = target
            count += 1
        elif mind.settings.by_kin and note_parent(mind, page, found.relevance, target):
            scored[count] = target
            count += 1
    if first:
        _learn(mind, found, waited, opened)
        row = int(pages["row"][page]) - 1
        pages["row"][page] = 0.0
        pages["step"][page] = edges.counts[STEPS]
        if mind.settings.by_kin:
            count += take_turns(mind, row, scored[count:])
    return count


@bare_kernel
def _index(mind: QMind, page: int) -> float:
    """Never above the score that was written."""
    pages = mind.pages
    score = pages["score"][page]
    row = int(pages["row"][page]) - 1
    if row < 0 or math.isinf(score):
        return float(score)
    if mind.settings.by_kin and mind.edges.values[row, LESSONS] == 0.0:
        score = min(score, start_of(mind, page))
    waited = mind.edges.counts[STEPS] - int(pages["step"][page])
    return float(score - passive_value(mind, row, waited))


class QLearning(KernelPolicy):
    page_record = LINKED
    keeps_edges = True
    learns = True
    rescores_others = True
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
        start: str = "kin",
        children: str = "active",
        passive: str = "learnt",
        ties: str = "first",
        seed: float = 0,
    ) -> None:
        check_steps(alpha, gamma)
        if not 0.0 <= epsilon <= 1.0:
            raise BadNumber("epsilon", epsilon, "between 0 and 1")
        if not (seed >= 0 and float(seed).is_integer()):
            raise BadNumber("seed", seed, "a whole number, at least 0")
        check_name("start", start, STARTS)
        check_name("children", children, CHILDREN)
        check_name("passive", passive, PASSIVES)
        check_name("ties", ties, TIES)
        self.rescores = passive == "learnt" or start == "kin"
        self.others = SIBLINGS if start == "kin" else 0
        self._table = QTable(
            QSettings(
                float(alpha),
                float(gamma),
                float(epsilon),
                CHILDREN[children],
                PASSIVES[passive],
                STARTS[start],
                TIES[ties],
                int(seed),
            )
        )
        self.shared = self._table

    @property
    def mind(self) -> QMind:
        return self._table.mind

    @mind.setter
    def mind(self, mind: QMind) -> None:
        self._table.mind = mind

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        """Each page once, and none that left the fringe unheard of."""
        scores = super().discover(cards, found, now_s)
        if not self.mind.settings.by_kin:
            return scores
        _, first = np.unique(scores.pages, return_index=True)
        first.sort()
        left = np.isin(cards["state"][scores.pages[first]], (HELD, GONE))
        kept = first[~left]
        return Scores(scores.pages[kept], scores.scores[kept], scores.since_s[kept])

    def move_times(self, by_s: float) -> None:
        if self.mind.settings.ties == TIES["first"]:  # else it is no time
            super().move_times(by_s)

    def table(self) -> dict[tuple[int, int], tuple[float, float]]:
        """(parent, page) → (Q(x,1), Q(x,2)), as learnt so far, for people."""
        rows = int(self.mind.edges.counts[ROWS])
        keys = self.mind.edges.keys[:rows].tolist()
        values = self.mind.edges.values[:rows].tolist()
        return {
            ((key >> 32) - 1, key & 0xFFFFFFFF): (one, two)
            for key, (one, two, _) in zip(keys, values, strict=True)
        }

    def explain(self, page: int) -> Explanation:
        """Its row, or of whom it is kin."""
        pages = self.mind.pages
        row = int(pages["row"][page]) - 1 if 0 <= page < len(pages) else -1
        if row < 0:
            return NOTHING_TO_SAY
        fetch, leave, lessons = self.mind.edges.values[row].tolist()
        values = {"fetch": fetch, "leave": leave, "lessons": lessons}
        values["score"] = self.rescore(page)
        rests = f"{lessons:.0f} visits by this link" if lessons else "links of its kin"
        lines = [
            ("value of a visit", f"{fetch:.3f}, learnt from {rests}"),
            ("value of leaving it", f"{leave:.3f}"),
        ]
        return Explanation(values, lines)

    def state(self) -> Arrays:
        return {**super().state(), "kin": self.mind.kin}

    def restore(self, state: Arrays) -> None:
        """What another version learnt by other rows is left alone."""
        fields = LINKED.itemsize // 8
        if "kin" not in state or np.asarray(state["memory"]).shape[1] != fields:
            return
        super().restore(state)
        self.mind = self.mind._replace(kin=np.array(state["kin"], np.float64))
