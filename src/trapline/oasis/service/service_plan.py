"""Suggestions: what a federation should hold that it does not, and who should leave what to whom.

Queries that were answered badly are grouped by their rare words. A group lies near an engine if its
words are more frequent there than elsewhere, or stand in its topic: that engine should *shift* to
it. If nobody is near, an engine may that shows hardly anything which others do not hold, too. An
engine is told of one group, the one that gains most, and only if it would lose less: half of what
it alone is good for. What is left is a topic for a *new engine*. Where two engines hold the same,
the one that answers a topic worse should *leave* it *to* the other; what it leaves are
counter-examples for its shift, so that it grows where nobody is.

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
LOST: Final = 0.5  # of what an engine alone is good for, if it shifts
IDLE: Final = 0.5  # of the gain: an engine that is good for less may go anywhere
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
    desk = _Desk(past)
    growing = [desk.suggest(group) for group in _bad_groups(past)]
    found = [_with_leaving(one, leaving) for one in growing if _matters(one)]
    return sorted(found + leaving, key=lambda one: (-one.gain, one.kind, one.words))


def _bad_groups(past: PastService) -> list[list[PastQuery]]:
    """Those that lose most first."""
    bad = [query for query in past.queries if query.words and past.is_bad(query)]
    worst = sorted(bad, key=lambda query: (-past.loss(query), query.text))[:MOST]
    places = group_queries([query.words for query in worst], past.rarity)
    groups = [[worst[place] for place in group] for group in places]
    return sorted(groups, key=lambda group: -sum(map(past.loss, group)))


class _Desk:
    """It hands groups to engines, one each."""

    def __init__(self, past: PastService) -> None:
        self._past = past
        self._free = dict(past.engines)
        self._sole_service = {name: past.sole_service(name) for name in past.engines}
        self._hoped = past.hoped_quality()
        # of one that was never shown nobody knows whether others hold what it does
        self._shown = {name for query in past.queries for name in query.hits}

    def suggest(self, group: Sequence[PastQuery]) -> Suggestion:
        past = self._past
        weights = _weights(past, group)
        gains = sum(map(past.loss, group)) * self._hoped
        engine, reason = self._choose(weights, gains)
        self._free.pop(engine, None)
        asked = sum(query.a_day for query in group)
        answered = past.mean_quality(group)
        return Suggestion(
            kind=SHIFT if engine else NEW_ENGINE,
            engine=engine,
            words=heaviest_words(weights),
            queries=tuple(query.text for query in group[:MOST_EXAMPLES]),
            examples=_opened_pages(group),
            against=(),
            queries_a_day=gains,
            gain=gains / past.a_day,
            reason=f"asked {asked:.3g} times a day, answered to {answered:.0%}; {reason}",
        )

    def _choose(self, weights: Mapping[str, float], gains: float) -> tuple[str, str]:
        """Who should shift, and why; "" = nobody."""
        near = {
            name: self._past.nearness(engine, weights)
            for name, engine in self._free.items()
        }
        willing = [name for name in near if LOST * self._sole_service[name] < gains]
        nearest = max(willing, key=lambda name: (near[name], name), default="")
        if nearest and near[nearest] >= NEAR:
            said = f"{near[nearest]:.0%} of its words are those of {nearest}"
            return nearest, said
        shown = [name for name in willing if name in self._shown]
        idle = min(shown, key=lambda name: (self._sole_service[name], name), default="")
        if idle and self._sole_service[idle] < IDLE * gains:
            return idle, f"{idle} shows hardly anything that others do not hold"
        return "", "no engine is near it"


def _weights(past: PastService, group: Sequence[PastQuery]) -> dict[str, float]:
    """How much each word says of a group: how often it is missed, times how rare it is."""
    found: dict[str, float] = defaultdict(float)
    for query in group:
        for word in set(query.words):
            found[word] += past.loss(query) * past.rarity[word]
    return found


def _opened_pages(group: Sequence[PastQuery]) -> tuple[str, ...]:
    """What is shown to queries that are answered badly is no example, unless people opened it."""
    return heaviest_urls(
        (page.url, query.a_day)
        for query in group
        for page in query.shown
        if page.opened
    )


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
