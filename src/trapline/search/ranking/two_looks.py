"""Ranking: two looks at the pages that answer, then copies are folded.

Copies are folded here and not in the index: what says the same under another title can be found by
that title.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import tantivy

from trapline.search.hits import Factor
from trapline.search.index_documents import SIMHASH
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


class RankedRow(NamedTuple):
    """A page that answers, before copies are folded: what folding must know of it."""

    page: int
    score: float
    original: int  # the page that says the same and came first
    title: int  # equal where titles are
    is_named: bool = False  # by its title, in the query
    simhash: int = 0  # of its text, without a sign; 0 = unknown
    changed_s: float = 0.0  # only in an order by date
    is_twice: bool = True  # whether it was looked at twice


class RankedRows(NamedTuple):
    total: int  # documents that answer
    rows: list[RankedRow]


@dataclass(frozen=True, slots=True)
class Ranking:
    total: int  # documents that answer, copies included
    pages: list[Ranked]
    complete: bool  # whether no further pages are to be had
    # the pages whose score is that of the first look; those by date have none at all
    looked_at_once: frozenset[int] = frozenset()
    # pages of other shards that say the same, by page; those of its own the store counts
    alike: Mapping[int, int] = field(default_factory=dict)


def rank(
    view: View,
    asked: Asked,
    sort: Sort,
    depth: int,
) -> Ranking:
    """The first `depth` pages, or somewhat fewer where copies are folded."""
    return fold_rows(
        rank_rows(view, asked, sort, depth),
        by_date=is_by_date(asked, sort),
    )


def is_by_date(asked: Asked, sort: Sort) -> bool:
    return sort is Sort.CHANGED or not asked.words


def rank_rows(
    view: View,
    asked: Asked,
    sort: Sort,
    depth: int,
    *,
    with_texts: bool = False,
) -> RankedRows:
    """The same before copies are folded; `with_texts` what it takes to know those of others."""
    question = AskedOf(asked, view)
    if is_by_date(asked, sort):
        return _rows_by_date(question, depth, with_texts=with_texts)
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
    rows = _rows(found, order, named, with_texts=with_texts)
    once = [row._replace(is_twice=False) for row in rows[DEPTH:]]
    return RankedRows(result.count, [*rows[:DEPTH], *once])


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


def fold_rows(
    found: RankedRows,
    *,
    by_date: bool,
) -> Ranking:
    """One of those that say the same, and others that the query names by another title.

    The best takes the place, or its original if that has the same title: a mirror must not push out
    what it mirrors. In an order by date an original stands at its own date.
    """
    rows = found.rows
    by_page = {row.page: row for row in rows}
    shown: dict[int, set[int]] = {}
    kept = []
    for row in rows:
        before = shown.setdefault(row.original, set())
        if not before or (row.is_named and row.title not in before):
            original = by_page.get(row.original, row)
            kept.append(original if original.title == row.title else row)
            before.add(row.title)
    if by_date:
        places = {row.page: place for place, row in enumerate(rows)}
        kept.sort(key=lambda row: places[row.page])
    return Ranking(
        found.total,
        [Ranked(row.page, row.score) for row in kept],
        len(rows) == found.total,
        frozenset(row.page for row in rows if not row.is_twice),
    )


def _rows_by_date(
    question: AskedOf,
    depth: int,
    *,
    with_texts: bool,
) -> RankedRows:
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
    rows = _rows(found, order, set(), with_texts=with_texts)
    if with_texts:
        dates = found.values("changed_s")
        rows = [row._replace(changed_s=dates[row.page]) for row in rows]
    return RankedRows(result.count, rows)


def _rows(
    found: Candidates,
    order: list[Ranked],
    named: set[int],
    *,
    with_texts: bool,
) -> list[RankedRow]:
    originals = found.whole_values("original")
    titles = found.whole_values("title_mark")
    simhashes = found.whole_values(SIMHASH) if with_texts else {}
    return [
        RankedRow(
            page,
            score,
            originals[page],
            titles[page],
            page in named,
            simhashes.get(page, 0),
        )
        for page, score in order
    ]
