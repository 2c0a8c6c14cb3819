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
>>> policy = Value()
>>> cards = blank_cards(4)
>>> seeds = Found(-1, 1.0, links_to([0], [0]), np.array([True]))
>>> _ = policy.discover(cards, seeds, now_s=0.0)
>>> links = links_to([1, 2], [0, 0])
>>> links["anchor"] = 0.0, 0.8
>>> scores = policy.discover(cards, Found(0, 0.6, links, np.array([True, True])), now_s=1.0)
>>> bool(scores.scores[1] > scores.scores[0])
True
"""

from __future__ import annotations

import math
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, Cards
from trapline.core.errors import BadNumber
from trapline.core.links import Links
from trapline.core.ports import (
    MAILED,
    SEEDS,
    Arrays,
    Explanation,
    Found,
    Pages,
    Scores,
)
from trapline.core.records import Outcome
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy, Floats
from trapline.policies.discovery.features import (
    FEATURES,
    GROUPS_A_PAGE,
    KNOWN,
    Known,
    first_weights,
    foreign_features,
    hand,
    note_links,
    note_outcome,
    write_features,
)
from trapline.policies.discovery.group_means import (
    Groups,
    new_groups,
    restored_groups,
    roomy,
    saved_groups,
)
from trapline.policies.mind import Records, as_records, as_table
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
# What is learnt on the whole: pages fetched, their relevance; discount; pages heard of; the page
# that was last scored in turn. Saved as a row of floats in this order.
TALLY: Final = np.dtype(
    [
        (name, np.float64)
        for name in ("fetched", "relevance", "gamma", "heard", "cursor")
    ]
)


class Mind(NamedTuple):
    known: Known  # what links show of each page
    groups: Groups
    tally: Records  # one
    weights: Floats  # θ
    spread: Floats  # P
    # features of a page, of the page that teaches, gain of the lesson
    desk: Floats
    by_best_mean: bool  # Horn's ratio is the target


class Lesson(NamedTuple):
    """What a visit found, as the kernel sees it."""

    page: int
    relevance: float
    teaches: bool
    links: Links
    new: NDArray[np.bool_]
    elsewhere: float  # the best that other shards are expected to find


@bare_kernel
def _score(mind: Mind, page: int, x: Floats) -> float:
    """The score of a page; its features go to `x`."""
    fetched = mind.tally["fetched"][0]
    usual = (mind.tally["relevance"][0] + 0.1) / (fetched + 1.0)
    write_features(mind.known, mind.groups, page, usual, x)
    learnt = 0.0
    for i in range(_SIZE):
        learnt += mind.weights[i] * x[i]
    if mind.known["parent"][page] == SEEDS:  # a seed: somebody has vouched for it
        return _MOST
    share = _TRUST * fetched / (fetched + _PAGES)
    return float(share * min(max(learnt, _LEAST), _MOST) + (1.0 - share) * hand(x))


@bare_kernel
def _score_all(mind: Mind, pages: Pages, scores: Floats) -> None:
    for i in range(len(pages)):
        scores[i] = _score(mind, pages[i], mind.desk[0])


@bare_kernel
def _next_waiting(cards: Cards, mind: Mind, pages: Pages) -> int:
    """The next pages of the fringe, in turn; returns how many."""
    tally = mind.tally
    found = 0
    heard = int(tally["heard"][0])
    for _ in range(min(_LOOKS, heard)):
        page = int(tally["cursor"][0]) % heard
        tally["cursor"][0] = page + 1.0
        if cards["state"][page] == FRINGE and mind.known["links"][page] > 0.0:
            pages[found] = page
            found += 1
            if found == len(pages):
                break
    return found


@bare_kernel
def _learn(mind: Mind, y: float) -> None:
    """One step of recursive least squares on the features in desk[1].

    gain = Px/(1 + xᵀPx), θ += gain·(y − θ·x), P −= gain·(Px)ᵀ
    """
    x = mind.desk[1]
    gain = mind.desk[2]
    scale = 1.0
    error = y
    for i in range(_SIZE):
        total = 0.0
        for j in range(_SIZE):
            total += mind.spread[i, j] * x[j]
        gain[i] = total
        scale += x[i] * total
        error -= mind.weights[i] * x[i]
    for i in range(_SIZE):
        mind.weights[i] += gain[i] / scale * error
        for j in range(_SIZE):
            mind.spread[i, j] -= gain[i] * gain[j] / scale


@bare_kernel
def _note_fetched(mind: Mind, page: int, relevance: float) -> bool:
    """Note what a page fetched for the first time is worth; its features go to desk[1].

    False = it teaches nothing.
    """
    known = mind.known
    # held before this policy heard of it
    if known["fetched"][page] or known["links"][page] == 0.0:
        return False
    _score(mind, page, mind.desk[1])
    mind.tally["fetched"][0] += 1.0
    mind.tally["relevance"][0] += relevance
    note_outcome(known, mind.groups, page, relevance)
    return bool(known["parent"][page] != SEEDS)  # seeds show no clues


@bare_kernel
def _best_new(scores: Floats, new: NDArray[np.bool_]) -> float:
    best = 0.0
    found = False
    for i in range(len(new)):
        if new[i] and (not found or scores[i] > best):
            best = scores[i]
            found = True
    return best


@bare_kernel
def best_mean(
    relevance: float, scores: Floats, new: NDArray[np.bool_], elsewhere: float
) -> float:
    """Horn's ratio: the largest mean of a page and the most promising of what it opened.

    `elsewhere`: the best of what other shards will fetch; 0 = nothing. Whoever is above a mean
    raises it, so that it is found by going through the children a few times (Dinkelbach), however
    many they are.

    >>> new = np.array([True, True, True])
    >>> scores = np.array([0.9, 0.1, 0.6])
    >>> best_mean(0.0, scores, new, 0.0), best_mean(0.0, scores, ~new, 0.4)
    (0.5, 0.2)
    """
    best = relevance
    while True:
        total = relevance
        count = 1.0
        if elsewhere > best:
            total += min(elsewhere, 1.0)
            count += 1.0
        for i in range(len(new)):
            if new[i] and scores[i] > best:
                total += min(scores[i], 1.0)
                count += 1.0
        mean = total / count
        if not mean > best:
            return best
        best = mean


@bare_kernel
def _target(mind: Mind, lesson: Lesson, scores: Floats) -> float:
    """What the features of the page just fetched are to predict."""
    if mind.by_best_mean:
        return best_mean(lesson.relevance, scores, lesson.new, lesson.elsewhere)
    opened = max(_best_new(scores, lesson.new), lesson.elsewhere)
    best = mind.tally["gamma"][0] * opened
    return float(max(lesson.relevance, best))


@bare_kernel
def _note_mailed(cards: Cards, mind: Mind, pages: Pages) -> None:
    """What a parent at home would have said of its links, where no better one is known."""
    for page in pages:
        if mind.known["parent"][page] == MAILED:
            mind.known["depth"][page] = cards["depth"][page]
            mind.known["abroad"][page] = 1.0


@bare_kernel
def _discover(
    cards: Cards, mind: Mind, lesson: Lesson, pages: Pages, scores: Floats
) -> int:
    """What a visit teaches; writes pages and their scores, those of the links first.

    Returns how many they are.
    """
    links = lesson.links
    tally = mind.tally
    count = len(links)
    for i in range(count):
        pages[i] = links["page"][i]
        tally["heard"][0] = max(tally["heard"][0], pages[i] + 1.0)
    teaches = lesson.teaches
    if teaches:
        teaches = _note_fetched(mind, lesson.page, lesson.relevance)
    note_links(mind.known, links, lesson.page, lesson.relevance)
    if lesson.page == MAILED:
        _note_mailed(cards, mind, pages[:count])
    _score_all(mind, pages[:count], scores[:count])
    if teaches:
        _learn(mind, _target(mind, lesson, scores))
        waiting = _next_waiting(cards, mind, pages[count:])
        _score_all(mind, pages[count : count + waiting], scores[count:])
        count += waiting
    return count


class Value(DiscoveryPolicy):
    learns = True
    rescores_others = True
    rescores = True
    by_best_mean: ClassVar[bool] = False

    def __init__(self, explores: float = 0.15, gamma: float = 0.5) -> None:
        if not 0.0 <= gamma < 1.0:
            raise BadNumber("gamma", gamma, "at least 0, less than 1")
        if not 0.0 <= explores < math.inf:
            raise BadNumber("explores", explores, "a finite number, at least 0")
        self.explores = explores
        tally = np.zeros(1, TALLY)
        tally["gamma"] = gamma
        self.mind = Mind(
            known=np.zeros(0, KNOWN),
            groups=new_groups(),
            tally=tally,
            weights=first_weights(),
            spread=np.eye(_SIZE),
            desk=np.zeros((3, _SIZE)),
            by_best_mean=self.by_best_mean,
        )

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        self._fit(len(cards))
        groups = roomy(self.mind.groups, GROUPS_A_PAGE)
        self.mind = self.mind._replace(groups=groups)
        pages = np.empty(len(found.links) + _TURNS, np.int64)
        scores = np.empty(len(pages))
        since_s = np.empty(len(pages))
        since_s.fill(now_s)
        relevance = float(found.relevance) if found.page != SEEDS else 1.0
        teaches = found.page >= 0 and found.outcome is not Outcome.MOVED
        elsewhere = float(found.elsewhere)
        lesson = Lesson(
            found.page, relevance, teaches, found.links, found.new, elsewhere
        )
        count = _discover(cards, self.mind, lesson, pages, scores)
        if found.page == SEEDS:
            scores[:] = _MOST  # somebody has vouched for seeds
        return Scores(pages[:count], scores[:count], since_s[:count])

    def appraise(self, page: int, relevance: float, links: Links) -> float:
        """By what a link shows of itself: of its target's like nothing is known here."""
        if not len(links) or page >= len(self.mind.known):
            return 0.0
        tally = self.mind.tally
        fetched = float(tally["fetched"][0])
        usual = (float(tally["relevance"][0]) + 0.1) / (fetched + 1.0)
        x = foreign_features(self.mind.known, page, links, relevance, usual)
        learnt = np.clip(x @ self.mind.weights, _LEAST, _MOST)
        by_hand = x @ first_weights()
        share = _TRUST * fetched / (fetched + _PAGES)
        return float(np.max(share * learnt + (1.0 - share) * by_hand))

    def rescore(self, page: int) -> float:
        if page >= len(self.mind.known):
            return _MOST
        return float(_score(self.mind, page, self.mind.desk[0]))

    def explain(self, page: int) -> Explanation:
        """What speaks for a fringe page; what was learnt of it and what the hand-set rule says."""
        x = np.zeros(_SIZE)
        score = float(_score(self.mind, page, x))
        learnt = float(np.clip(self.mind.weights @ x, _LEAST, _MOST))
        values = dict(zip(FEATURES, x.tolist(), strict=True))
        values |= {"learnt": learnt, "by hand": hand(x), "score": score}
        return Explanation(values, _lines(values))

    def state(self) -> Arrays:
        mind = self.mind
        learnt = {
            "known": mind.known,
            "numbers": as_table(mind.tally)[0],
            "weights": mind.weights,
            "spread": mind.spread,
        }
        return {**learnt, **saved_groups(mind.groups)}

    def restore(self, state: Arrays) -> None:
        """What another version learnt by other features is left alone."""
        own = self.mind
        if state["weights"].shape != own.weights.shape or state["known"].dtype != KNOWN:
            return
        tally = as_records(np.asarray(state["numbers"])[None], TALLY)
        tally["gamma"] = own.tally["gamma"]
        self.mind = own._replace(
            known=np.array(state["known"]),
            groups=restored_groups(state),
            tally=tally,
            weights=np.array(state["weights"], np.float64),
            spread=np.array(state["spread"], np.float64),
        )

    def _fit(self, pages: int) -> None:
        known = self.mind.known
        if len(known) < pages:
            grown = np.zeros(max(pages, 2 * len(known)), KNOWN)
            grown[: len(known)] = known
            self.mind = self.mind._replace(known=grown)


def _lines(values: dict[str, float]) -> list[tuple[str, str]]:
    learnt = f"{values['learnt']:.3f} learnt, {values['by hand']:.3f} by hand"
    words = ("anchor", "address", "context")
    alike = ("siblings", "same path", "directory", "host", "words")
    return [
        ("promised relevance", f"{values['score']:.3f}: {learnt}"),
        ("best parent", f"relevance {values['parent']:.2f}"),
        (
            "likeness to the topic",
            ", ".join(f"{name} {values[name]:.2f}" for name in words),
        ),
        ("its like were", ", ".join(f"{name} {values[name]:.2f}" for name in alike)),
    ]
