"""Ranking: two looks at the pages that answer, then copies are folded.

Copies are folded here and not in the index: what says the same under another title can be found by
that title.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import tantivy

from trapline.search.hits import Factor
from trapline.search.query_language import Asked
from trapline.search.questions import Sort
from trapline.search.ranking.asked_of import AskedOf
from trapline.search.ranking.second_look import (
    DEPTH,
    Candidates,
    factors_of,
    second_look,
)
from trapline.search.ranking.word_queries import View

_NAMED: Final = (
    0.8  # likeness of title and query from which on the query names the page
)


class Ranked(NamedTuple):
    page: int
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    total: int  # documents that answer, copies included
    pages: list[Ranked]
    complete: bool  # whether no further pages are to be had
    # the pages whose score is that of the first look; those by date have none at all
    looked_at_once: frozenset[int] = frozenset()


def rank(
    view: View,
    asked: Asked,
    sort: Sort,
    depth: int,
) -> Ranking:
    """The first `depth` pages, or somewhat fewer where copies are folded."""
    question = AskedOf(asked, view)
    if sort is Sort.CHANGED or not asked.words:
        return _rank_by_date(question, depth)
    result: Any = view.searcher.search(question.matching(), max(depth, DEPTH))
    found = Candidates.found_by(question, result)
    scores, titles = second_look(found.best(DEPTH))
    best = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
    rest = zip(
        found.pages[DEPTH:],
        found.scores[DEPTH:],
        strict=True,
    )
    order = [Ranked(*scored) for scored in (*best, *rest)]
    named = {page for page, likeness in titles.items() if likeness >= _NAMED}
    ranking = _ranking(found, result.count, order, named)
    return replace(ranking, looked_at_once=frozenset(found.pages[DEPTH:]))


def explain(
    view: View, asked: Asked, ranking: Ranking, shown: Sequence[Ranked]
) -> dict[int, tuple[Factor, ...]]:
    """The factors of the scores of some pages."""
    once = ranking.looked_at_once
    factors: dict[int, tuple[Factor, ...]] = {
        page: (Factor("first look", score, score),)
        for page, score in shown
        if page in once
    }
    twice = [page for page, score in shown if page not in once and score]
    if twice:
        only = tantivy.Query.term_set_query(
            view.schema,
            "page",
            twice,
        )
        result = view.searcher.search(
            only,
            len(twice),
            count=False,
        )
        factors |= factors_of(Candidates.found_by(AskedOf(asked, view), result))
    return factors


def _rank_by_date(question: AskedOf, depth: int) -> Ranking:
    """The newest change first; all words must be there, since order does not tell how well a page
    answers.
    """
    query = question.matching(all_words=True)
    searcher = question.view.searcher
    result: Any = searcher.search(
        query,
        depth,
        order_by_field="changed_s",
    )
    found = Candidates.found_by(question, result)
    order = [Ranked(page, 0.0) for page in found.pages]
    ranking = _ranking(found, result.count, order, set())
    places = {ranked: place for place, ranked in enumerate(order)}
    ranking.pages.sort(key=places.__getitem__)  # an original stands at its own date
    return ranking


def _ranking(
    found: Candidates,
    total: int,
    order: list[Ranked],
    named: set[int],
) -> Ranking:
    complete = len(found.pages) == total
    return Ranking(
        total,
        _fold(found, order, named),
        complete,
    )


def _fold(found: Candidates, order: list[Ranked], named: set[int]) -> list[Ranked]:
    """One of those that say the same, and others that the query names by another title.

    The best takes the place, or its original if that has the same title: a mirror must not push out
    what it mirrors.
    """
    originals = found.values("original")
    titles = found.values("title_mark")
    by_page = {ranked.page: ranked for ranked in order}
    shown: dict[float, set[float]] = {}
    kept = []
    for ranked in order:
        page = ranked.page
        before = shown.setdefault(originals[page], set())
        if not before or (page in named and titles[page] not in before):
            original = by_page.get(int(originals[page]), ranked)
            same_title = titles[original.page] == titles[page]
            kept.append(original if same_title else ranked)
            before.add(titles[page])
    return kept
