"""value: what a fringe page is worth, by features, learnt online: the neuro-dynamic goal of `omeara`.

Q(x, 1) of eq. (10) as a function of features (features.py), so that it works on a web never seen before:

    score = s·clip(θ·x, −.2, 1) + (1 − s)·hand(x),   s = .9·n/(n + 1000) after n pages

θ by recursive least squares (no forgetting, begun at the hand's weights) on the target

    y = max(r, γ·max score of the children newly found),

reward (11) of a first retrieval or the discounted worth of the best that it opened; a maximum, not eq. (10)'s sum, so
that no value blows up. A host never visited adds `explores` to the scores of its pages (as 1/√(1 + visits)): without
it a learner locks into the first good host. Scores grow old as more is learnt: with each visit a few pages that wait
are scored anew, in turn, and so is the page that is about to be bought.

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

from trapline.core.cards import FRINGE, Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays, Found, Pages, Scores
from trapline.core.records import Outcome
from trapline.policies.discovery.discoverer import FringePolicy, Numbers, scores_of
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
)  # fmt: skip
from trapline.policies.discovery.groups import Groups, new_groups, restored_groups, roomy, saved_groups
from trapline.theory.kernel import bare_kernel

_SIZE: Final = len(FEATURES)
_LEAST, _MOST = -0.2, 1.0  # of what is learnt
_TRUST, _PAGES = 0.9, 1000.0  # what is learnt counts so much in the end, and half of that after so many pages
_TURNS, _LOOKS = 32, 256  # pages scored anew with each visit; how many are looked at for them, at most
_MET, _SUM, _GAMMA, _HEARD, _CURSOR = range(5)  # numbers: pages fetched, their relevance; discount; pages heard of


@bare_kernel
def _score(
    known: Known, groups: Groups, numbers: Numbers, weights: Numbers, page: int, x: Numbers
) -> float:  # fmt: skip
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
    known: Known, groups: Groups, numbers: Numbers, weights: Numbers, pages: Pages, x: Numbers, scores: Numbers
) -> None:  # fmt: skip
    for i in range(len(pages)):
        scores[i] = _score(known, groups, numbers, weights, pages[i], x)


@bare_kernel
def _next_waiting(cards: Cards, known: Known, numbers: Numbers, pages: Pages) -> int:
    """The next pages of the fringe, in turn; returns how many."""
    found, heard = 0, int(numbers[_HEARD])
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
def _learn(weights: Numbers, spread: Numbers, x: Numbers, y: float, gain: Numbers) -> None:
    """One step of recursive least squares: gain = Px/(1 + xᵀPx), θ += gain·(y − θ·x), P −= gain·(Px)ᵀ."""
    scale, error = 1.0, y
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
        self._x, self._taught, self._gain = np.zeros(_SIZE), np.zeros(_SIZE), np.zeros(_SIZE)
        self._turns = np.zeros(_TURNS, np.int64)

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        self._fit(len(cards))
        pages = found.links["page"].astype(np.int64)
        self.numbers[_HEARD] = max(self.numbers[_HEARD], pages.max(initial=-1) + 1.0)
        if found.page < 0:
            note_links(self.known, found.links, -1, 1.0)
            return scores_of(pages, _MOST, now_s)
        taught = found.outcome is not Outcome.MOVED and self._turned_out(found.page, found.relevance)
        note_links(self.known, found.links, found.page, found.relevance)
        scores = self._scores(pages)
        if taught:
            _learn(self.weights, self.spread, self._taught, self._target(found, scores), self._gain)
            waiting = self._turns[: _next_waiting(cards, self.known, self.numbers, self._turns)]
            pages, scores = np.concatenate((pages, waiting)), np.concatenate((scores, self._scores(waiting)))
        return scores_of(pages, scores, now_s)

    def rescore(self, page: int) -> float:
        if page >= len(self.known):
            return _MOST
        return float(_score(*self._parts(), page, self._x))

    def clues(self, page: int) -> dict[str, float]:
        """What speaks for a fringe page, by name; and what was learnt and is said by hand of it."""
        score = _score(*self._parts(), page, self._x)
        learnt = float(np.clip(self.weights @ self._x, _LEAST, _MOST))
        named = dict(zip(FEATURES, self._x.tolist(), strict=True))
        return {**named, "learnt": learnt, "by hand": hand(self._x), "score": score}

    def state(self) -> Arrays:
        learnt = {"known": self.known, "numbers": self.numbers, "weights": self.weights, "spread": self.spread}
        return {**learnt, **saved_groups(self.groups)}

    def restore(self, state: Arrays) -> None:
        """What another version learnt by other features is left alone."""
        if state["weights"].shape != self.weights.shape or state["known"].dtype != KNOWN:
            return
        gamma = self.numbers[_GAMMA]
        self.known = np.array(state["known"])
        self.numbers, self.weights, self.spread = (
            np.array(state[name], np.float64) for name in ("numbers", "weights", "spread")
        )
        self.numbers[_GAMMA] = gamma
        self.groups = restored_groups(state)

    def _scores(self, pages: Pages) -> Numbers:
        scores = np.empty(len(pages))
        _score_all(*self._parts(), pages, self._x, scores)
        return scores

    def _turned_out(self, page: int, relevance: float) -> bool:
        """Note what a page fetched for the first time is worth; its features as they were go to `_taught`."""
        if self.known["fetched"][page] or self.known["links"][page] == 0.0:  # held before this policy heard of it
            return False
        _score(*self._parts(), page, self._taught)
        self.numbers[_MET] += 1.0
        self.numbers[_SUM] += relevance
        self.groups = roomy(self.groups, GROUPS_A_PAGE)
        note_outcome(self.known, self.groups, page, relevance)
        return bool(self.known["parent"][page] >= 0)  # seeds show no clues

    def _target(self, found: Found, scores: Numbers) -> float:
        opened = scores[found.new].max() if found.new.any() else 0.0
        return float(max(found.relevance, self.numbers[_GAMMA] * opened))

    def _parts(self) -> tuple[Known, Groups, Numbers, Numbers]:
        return self.known, self.groups, self.numbers, self.weights

    def _fit(self, pages: int) -> None:
        if len(self.known) < pages:
            grown = np.zeros(max(pages, 2 * len(self.known)), KNOWN)
            grown[: len(self.known)] = self.known
            self.known = grown
