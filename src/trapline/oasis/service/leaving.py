"""What engines should leave to each other: topics that both hold and one answers better."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from trapline.oasis.service.past_queries import Overlap, PastQuery
from trapline.oasis.service.past_service import PastService
from trapline.oasis.service.suggestion import (
    LEAVE_TO,
    MOST_EXAMPLES,
    Suggestion,
    heaviest_urls,
    heaviest_words,
)

MUCH: Final = 0.25  # overlap of two engines that is worth a word
LEADS: Final = 0.6  # share of what two engines show that makes a query the one's


def suggest_leaving(past: PastService, overlaps: Sequence[Overlap]) -> list[Suggestion]:
    """For each pair that holds much in common, what each should leave to the other."""
    found: list[Suggestion] = []
    for pair in sorted(overlaps, key=lambda pair: (-pair.share, pair.one, pair.other)):
        if pair.share >= MUCH and {pair.one, pair.other} <= past.engines.keys():
            for leaver, keeper in ((pair.one, pair.other), (pair.other, pair.one)):
                queries = _led_by(past, keeper, leaver)
                if queries:
                    found.append(
                        _leave(
                            past,
                            pair,
                            leaver,
                            keeper,
                            queries,
                        )
                    )
    return found


def _led_by(past: PastService, keeper: str, leaver: str) -> list[PastQuery]:
    """The queries that both answer, the keeper better."""
    larger = max((keeper, leaver), key=lambda name: (past.engines[name].pages, name))
    both = (query for query in past.queries if query.hits.get(leaver))
    return [
        query
        for query in both
        if _leads(
            query,
            keeper,
            leaver,
            wins=keeper == larger,
        )
    ]


def _leads(
    query: PastQuery,
    one: str,
    other: str,
    *,
    wins: bool,
) -> bool:
    """`wins` says who leads where both show as much: both cannot leave it."""
    ours = query.hits.get(one, 0)
    both = ours + query.hits.get(other, 0)
    return ours > LEADS * both or (2 * ours == both and wins)


def _leave(
    past: PastService, pair: Overlap, leaver: str, keeper: str, queries: list[PastQuery]
) -> Suggestion:
    pages = pair.share * min(past.engines[name].pages for name in (leaver, keeper))
    return Suggestion(
        kind=LEAVE_TO,
        engine=leaver,
        words=heaviest_words(_weights(past, queries)),
        queries=tuple(query.text for query in queries[:MOST_EXAMPLES]),
        examples=(),
        against=heaviest_urls(
            (page.url, query.a_day)
            for query in queries
            for page in query.shown
            if page.engine == leaver
        ),
        queries_a_day=0.0,
        gain=0.0,
        reason=f"{pair.share:.0%} of the smaller one is in both, and {keeper} shows as much of it "
        f"or more: up to {pages:,.0f} pages become free",
        other=keeper,
    )


def _weights(past: PastService, queries: Sequence[PastQuery]) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    for query in queries:
        for word in set(query.words):
            weights[word] += query.a_day * past.rarity[word]
    return weights
