"""Suggestions: what a federation should hold that it does not, and who should leave what to whom.

Queries that were answered badly are grouped by their rare words. A group lies near an engine if its
words are more frequent there than elsewhere, or stand in its topic: that engine should *shift* to
it. A group near nobody is a topic for a *new engine*. Where two engines hold the same, the one that
answers a topic worse should *leave* it *to* the other; what it leaves are counter-examples for its
shift, so that it grows where nobody is.

The gain is what the group loses now, counted in queries a day, times how well queries are answered
that are answered well: what a fitting engine may hope for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from trapline.oasis.service.leaving import suggest_leaving
from trapline.oasis.service.past_queries import Overlap, PastQuery, PlannedEngine
from trapline.oasis.service.past_service import PastService
from trapline.oasis.service.query_groups import MOST, group_queries
from trapline.oasis.service.suggestion import (
    MOST_EXAMPLES,
    NEW_ENGINE,
    SHIFT,
    Suggestion,
    heaviest_urls,
    heaviest_words,
)

NEAR: Final = 0.35  # of a group's words that are an engine's own: it may shift there
LEAST_A_DAY: Final = 0.1  # queries that a suggestion is worth
LEAST_SHARE: Final = 0.002  # and of all queries


def plan_service(
    queries: Sequence[PastQuery],
    engines: Sequence[PlannedEngine],
    overlaps: Sequence[Overlap] = (),
) -> list[Suggestion]:
    """What to do, what gains most first."""
    past = PastService(queries, engines)
    leaving = suggest_leaving(past, overlaps)
    growing = [_suggest(past, group) for group in _bad_groups(past)]
    found = [_with_leaving(one, leaving) for one in growing if _matters(one)]
    return sorted(found + leaving, key=lambda one: (-one.gain, one.kind, one.words))


def _bad_groups(past: PastService) -> list[list[PastQuery]]:
    bad = [query for query in past.queries if query.words and past.is_bad(query)]
    worst = sorted(bad, key=lambda query: (-past.loss(query), query.text))[:MOST]
    groups = group_queries([query.words for query in worst], past.rarity)
    return [[worst[place] for place in group] for group in groups]


def _suggest(past: PastService, group: Sequence[PastQuery]) -> Suggestion:
    weights = _weights(past, group)
    near = _nearest(past, weights)
    gains = sum(map(past.loss, group)) * past.hoped_quality()
    return Suggestion(
        kind=SHIFT if near else NEW_ENGINE,
        engine=near.name if near else "",
        words=heaviest_words(weights),
        queries=tuple(query.text for query in group[:MOST_EXAMPLES]),
        # what is shown to queries that are answered badly is no example, unless people opened it
        examples=heaviest_urls(
            (page.url, query.a_day)
            for query in group
            for page in query.shown
            if page.opened
        ),
        against=(),
        queries_a_day=gains,
        gain=gains / past.a_day,
        reason=_reason(past, group, near, weights),
    )


def _weights(past: PastService, group: Sequence[PastQuery]) -> dict[str, float]:
    """How much each word says of a group: how often it is missed, times how rare it is."""
    found: dict[str, float] = defaultdict(float)
    for query in group:
        for word in set(query.words):
            found[word] += past.loss(query) * past.rarity[word]
    return found


def _nearest(past: PastService, weights: Mapping[str, float]) -> PlannedEngine | None:
    """None = no engine is near."""
    near = [
        (past.nearness(engine, weights), engine.name)
        for engine in past.engines.values()
    ]
    nearness, name = max(near, default=(0.0, ""))
    return past.engines[name] if nearness >= NEAR else None


def _reason(
    past: PastService,
    group: Sequence[PastQuery],
    near: PlannedEngine | None,
    weights: Mapping[str, float],
) -> str:
    asked = sum(query.a_day for query in group)
    said = f"asked {asked:.3g} times a day, answered to {past.mean_quality(group):.0%}"
    if near is None:
        return f"{said}; no engine is near it"
    share = past.nearness(near, weights)
    return f"{said}; {share:.0%} of its words are those of {near.name}"


def _matters(one: Suggestion) -> bool:
    return one.queries_a_day >= LEAST_A_DAY and one.gain >= LEAST_SHARE


def _with_leaving(one: Suggestion, leaving: Sequence[Suggestion]) -> Suggestion:
    """What an engine leaves to others are counter-examples for where it goes."""
    if one.kind != SHIFT:
        return one
    mine = [left for left in leaving if left.engine == one.engine]
    urls = dict.fromkeys(url for left in mine for url in left.against)
    kept = [url for url in urls if url not in one.examples]
    return replace(one, against=tuple(kept[:MOST_EXAMPLES]))
