"""value: what a fringe page is worth, by features, learnt online: the neuro-dynamic goal of
`omeara`.

Q(x, 1) of eq. (10) as a function of features (features.py), so that it works on a web never seen
before:

    score = s·clip(θ·x, −.2, 1) + (1 − s)·hand(x),   s = .9·n/(n + 1000) after n pages

θ by recursive least squares (no forgetting, begun at the hand's weights) on the target

    y = max(r, γ·max score of the children newly found),

reward (11) of a first retrieval or the discounted worth of the best that it opened; a maximum, not
eq. (10)'s sum, so that no value blows up. A host never visited adds `explores` to the scores of its
pages (as 1/√(1 + visits)): without it a learner locks into the first good host. Scores grow old as
more is learnt: with each visit a few pages that wait are scored anew, in turn, and so is the page
that is about to be bought.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.links import links_to
>>> policy, cards = Value(), blank_cards(4)
>>> _ = policy.discover(cards, Found(-1, 1.0, links_to([0], [0]), np.array([True])), now_s=0.0)
>>> links = links_to([1, 2], [0, 0])
>>> links["anchor"] = 0.0, 0.8
>>> scores = policy.discover(cards, Found(0, 0.6, links, np.array([True, True])), now_s=1.0)
>>> bool(scores.scores[1] > scores.scores[0])
True
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, Cards
from trapline.core.errors import BadNumber
from trapline.core.links import Links
from trapline.core.ports import Arrays, Found, Pages, Scores
from trapline.core.records import Outcome
from trapline.policies.discovery.features import (
    FEATURES,
    GROUPS_A_PAGE,
    KNOWN,
    Known,
    first_weights,
    hand,
    note_links,
    note_outcome,
    write_features,
)
from trapline.policies.discovery.fringe_policy import FringePolicy, Numbers
from trapline.policies.discovery.group_means import (
    Groups,
    new_groups,
    restored_groups,
    roomy,
    saved_groups,
)
from trapline.theory.kernel import bare_kernel

_SIZE: Final = len(FEATURES)
# of what is learnt
_LEAST = -0.2
_MOST = 1.0
# what is learnt counts so much in the end, and half of that after so many pages
_TRUST = 0.9
_PAGES = 1000.0
# pages scored anew with each visit; how many are looked at for them, at most
_TURNS = 32
_LOOKS = 256
# numbers: pages fetched, their relevance; discount; pages heard of
_MET, _SUM, _GAMMA, _HEARD, _CURSOR = range(5)


@bare_kernel
def _score(
    known: Known,
    groups: Groups,
    numbers: Numbers,
    weights: Numbers,
    page: int,
    x: Numbers,
) -> float:
    usual = (numbers[_SUM] + 0.1) / (numbers[_MET] + 1.0)
    write_features(known, groups, page, usual, x)
    learnt = 0.0
    for i in range(_SIZE):
        learnt += weights[i] * x[i]
    if known["parent"][page] < 0:  # a seed: somebody has vouched for it
        return _MOST
    share = _TRUST * numbers[_MET] / (numbers[_MET] + _PAGES)
    return float(share * min(max(learnt, _LEAST), _MOST) + (1.0 - share) * hand(x))


@bare_kernel
def _score_all(
    known: Known,
    groups: Groups,
    numbers: Numbers,
    weights: Numbers,
    pages: Pages,
    x: Numbers,
    scores: Numbers,
) -> None:
    for i in range(len(pages)):
        scores[i] = _score(known, groups, numbers, weights, pages[i], x)


@bare_kernel
def _next_waiting(cards: Cards, known: Known, numbers: Numbers, pages: Pages) -> int:
    """The next pages of the fringe, in turn; returns how many."""
    found = 0
    heard = int(numbers[_HEARD])
    for _ in range(min(_LOOKS, heard)):
        page = int(numbers[_CURSOR]) % heard
        numbers[_CURSOR] = page + 1.0
        if cards["state"][page] == FRINGE and known["links"][page] > 0.0:
            pages[found] = page
            found += 1
            if found == len(pages):
                break
    return found


@bare_kernel
def _learn(
    weights: Numbers, spread: Numbers, x: Numbers, y: float, gain: Numbers
) -> None:
    """One step of recursive least squares: gain = Px/(1 + xᵀPx), θ += gain·(y − θ·x), P −=
    gain·(Px)ᵀ.
    """
    scale = 1.0
    error = y
    for i in range(_SIZE):
        total = 0.0
        for j in range(_SIZE):
            total += spread[i, j] * x[j]
        gain[i] = total
        scale += x[i] * total
        error -= weights[i] * x[i]
    for i in range(_SIZE):
        weights[i] += gain[i] / scale * error
        for j in range(_SIZE):
            spread[i, j] -= gain[i] * gain[j] / scale


@bare_kernel
def _turned_out(
    known: Known,
    groups: Groups,
    numbers: Numbers,
    weights: Numbers,
    page: int,
    relevance: float,
    x: Numbers,
) -> bool:
    """Note what a page fetched for the first time is worth; its features as they were go to `x`."""
    # held before this policy heard of it
    if known["fetched"][page] or known["links"][page] == 0.0:
        return False
    _score(known, groups, numbers, weights, page, x)
    numbers[_MET] += 1.0
    numbers[_SUM] += relevance
    note_outcome(known, groups, page, relevance)
    return bool(known["parent"][page] >= 0)  # seeds show no clues


@bare_kernel
def _best_new(scores: Numbers, new: NDArray[np.bool_]) -> float:
    best = 0.0
    found = False
    for i in range(len(new)):
        if new[i] and (not found or scores[i] > best):
            best = scores[i]
            found = True
    return best


@bare_kernel
def _discover(
    cards: Cards,
    known: Known,
    groups: Groups,
    numbers: Numbers,
    weights: Numbers,
    spread: Numbers,
    desk: Numbers,
    page: int,
    relevance: float,
    taught: bool,
    links: Links,
    new: NDArray[np.bool_],
    pages: Pages,
    scores: Numbers,
) -> int:
    """What a visit teaches; writes pages and their scores, those of the links first, and returns
    how many.
    """
    count = len(links)
    x = desk[0]
    for i in range(count):
        pages[i] = links["page"][i]
        numbers[_HEARD] = max(numbers[_HEARD], pages[i] + 1.0)
    if taught:
        taught = _turned_out(known, groups, numbers, weights, page, relevance, desk[1])
    note_links(known, links, page, relevance)
    _score_all(known, groups, numbers, weights, pages[:count], x, scores[:count])
    if taught:
        target = max(relevance, numbers[_GAMMA] * _best_new(scores, new))
        _learn(weights, spread, desk[1], target, desk[2])
        waiting = _next_waiting(cards, known, numbers, pages[count:])
        _score_all(
            known,
            groups,
            numbers,
            weights,
            pages[count : count + waiting],
            x,
            scores[count:],
        )
        count += waiting
    return count


class Value(FringePolicy):
    learns = True
    rescores = True

    def __init__(self, explores: float = 0.15, gamma: float = 0.5) -> None:
        super().__init__()
        if not 0.0 <= gamma < 1.0:
            raise BadNumber("gamma", gamma, "at least 0, less than 1")
        if not 0.0 <= explores < math.inf:
            raise BadNumber("explores", explores, "a finite number, at least 0")
        self.explores = explores
        self.known: Known = np.zeros(0, KNOWN)
        self.groups = new_groups()
        self.numbers = np.array([0.0, 0.0, gamma, 0.0, 0.0])
        self.weights = first_weights()
        self.spread = np.eye(_SIZE)
        # features of a page, of the page that teaches, gain of the lesson
        self._desk = np.zeros((3, _SIZE))

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        self._fit(len(cards))
        self.groups = roomy(self.groups, GROUPS_A_PAGE)
        pages = np.empty(len(found.links) + _TURNS, np.int64)
        scores = np.empty(len(pages))
        since_s = np.empty(len(pages))
        since_s.fill(now_s)
        relevance = float(found.relevance) if found.page >= 0 else 1.0
        taught = found.page >= 0 and found.outcome is not Outcome.MOVED
        count = _discover(
            cards,
            *self._parts(),
            self.spread,
            self._desk,
            found.page,
            relevance,
            taught,
            found.links,
            found.new,
            pages,
            scores,
        )
        if found.page < 0:
            scores[:] = _MOST  # somebody has vouched for seeds
        return Scores(pages[:count], scores[:count], since_s[:count])

    def rescore(self, page: int) -> float:
        if page >= len(self.known):
            return _MOST
        return float(_score(*self._parts(), page, self._desk[0]))

    def clues(self, page: int) -> dict[str, float]:
        """What speaks for a fringe page, by name; and what was learnt and is said by hand of it."""
        score = _score(*self._parts(), page, self._desk[0])
        learnt = float(np.clip(self.weights @ self._desk[0], _LEAST, _MOST))
        named = dict(zip(FEATURES, self._desk[0].tolist(), strict=True))
        return {
            **named,
            "learnt": learnt,
            "by hand": hand(self._desk[0]),
            "score": score,
        }

    def state(self) -> Arrays:
        learnt = {
            "known": self.known,
            "numbers": self.numbers,
            "weights": self.weights,
            "spread": self.spread,
        }
        return {**learnt, **saved_groups(self.groups)}

    def restore(self, state: Arrays) -> None:
        """What another version learnt by other features is left alone."""
        if (
            state["weights"].shape != self.weights.shape
            or state["known"].dtype != KNOWN
        ):
            return
        gamma = self.numbers[_GAMMA]
        self.known = np.array(state["known"])
        self.numbers, self.weights, self.spread = (
            np.array(state[name], np.float64)
            for name in ("numbers", "weights", "spread")
        )
        self.numbers[_GAMMA] = gamma
        self.groups = restored_groups(state)

    def _parts(self) -> tuple[Known, Groups, Numbers, Numbers]:
        return self.known, self.groups, self.numbers, self.weights

    def _fit(self, pages: int) -> None:
        if len(self.known) < pages:
            grown = np.zeros(max(pages, 2 * len(self.known)), KNOWN)
            grown[: len(self.known)] = self.known
            self.known = grown
