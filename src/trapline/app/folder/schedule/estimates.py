"""Recall and freshness of a live collection, of which nobody knows the truth.

Freshness is the share of the held relevance that is as the Web has it now. Each held page has a
chance of it: by what is believed of its change rate, and by the time since it was last seen.

Recall is the share of the relevance there is that is held as it is now: F·H/(H + E), as the
laboratory counts it (laboratory/runs/measures.py). H is what is held, F of it fresh, E what the
pages of the fringe promise, by their scores and by what scores have lately kept. Pages to which no
link has led yet are not counted, so that true recall is lower while a crawl is young.

Bands hold the value nine times in ten: they count the chance of each page, how well promises are
known, and that all beliefs may be wrong together, above all while few pages were seen twice.

Pages that were deleted and not visited since count as held, so that true freshness may be a little
lower.

Both are made from the schedule that the robot last saved and from the visits since.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from trapline.app.folder.dashboard_figures import Estimate
from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.core.cards import FRINGE, HELD
from trapline.core.records import Kind, Outcome, Visit
from trapline.theory.planning.page_gains import Floats
from trapline.theory.planning.shares_now import (
    Promise,
    ShareBand,
    common_error,
    fresh_chances,
    fresh_share,
    held_share,
)

_FRESHNESS: Final = (
    "share of the held relevance that is as the Web has it now, from learnt change rates "
    "and the time since each visit"
)
_RECALL: Final = (
    "share of the relevance on held and known pages that is held as it is now; pages that "
    "no link has led to yet are not counted"
)


class Estimates(NamedTuple):
    freshness: Estimate
    recall: Estimate
    held: float  # relevance


def join_estimates(found: Sequence[Estimates]) -> Estimates | None:
    """Of several shards as of one collection: freshness is a share of what is held, recall of what
    there is. Bands are joined as if all were wrong together.

    >>> one = Estimates(Estimate(0.5, 0.4, 0.6, "a"), Estimate(0.25, 0.2, 0.3, "b"), 10.0)
    >>> two = Estimates(Estimate(1.0, 1.0, 1.0, "a"), Estimate(1.0, 1.0, 1.0, "b"), 10.0)
    >>> both = join_estimates([one, two])
    >>> both.freshness.value, both.recall.value, both.held
    (0.75, 0.5, 20.0)
    """
    if not found:
        return None
    held = [one.held for one in found]
    there = [
        one.held * one.freshness.value / max(one.recall.value, 1e-9) for one in found
    ]
    return Estimates(
        _mean([one.freshness for one in found], held),
        _mean([one.recall for one in found], there),
        sum(held),
    )


def _mean(found: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    total = sum(weights) or 1.0
    value, low, high = (
        sum(w * getattr(one, name) for one, w in zip(found, weights, strict=True))
        / total
        for name in ("value", "low", "high")
    )
    return Estimate(value, low, high, found[0].meaning)


class _Holding(NamedTuple):
    """Held pages, each with the relevance that it stands for."""

    chances: Floats
    relevance: Floats


def estimate_shares(
    schedule: SavedSchedule, visits: Sequence[Visit], now_s: float, fringe: int
) -> Estimates | None:
    """`visits` are all since the schedule was saved, and perhaps more; `fringe` counts it now.

    None = nothing relevant is held.
    """
    seen = _last_seen(visits)
    holding = _holding(schedule, seen, now_s)
    held = float(holding.relevance.sum())
    if held <= 0.0:
        return None
    error = common_error(schedule.policy.learnt_pages())
    fresh = ShareBand(
        fresh_share(*holding).value,
        fresh_share(*_holding(schedule, seen, now_s, error)).low,
        fresh_share(*_holding(schedule, seen, now_s, 1.0 / error)).high,
    )
    recall = held_share(fresh, held, _promise(schedule, fringe))
    return Estimates(_estimate(fresh, _FRESHNESS), _estimate(recall, _RECALL), held)


def _estimate(band: ShareBand, meaning: str) -> Estimate:
    return Estimate(band.value, band.low, band.high, meaning)


def _last_seen(visits: Sequence[Visit]) -> dict[int, Visit]:
    """The newest visit to each page that found a document there."""
    found: dict[int, Visit] = {}
    for visit in sorted(visits, key=lambda visit: visit.ended_s):
        if visit.kind is Kind.PAGE and visit.outcome <= Outcome.UNCHANGED:
            found[visit.page] = visit
    return found


def _holding(
    schedule: SavedSchedule, seen: dict[int, Visit], now_s: float, error: float = 1.0
) -> _Holding:
    """As it is if all pages change `error` times as often as is believed."""
    pages = schedule.pages
    last_s = schedule.cards["last"][pages].copy()
    for row in np.flatnonzero(np.isin(pages, list(seen))).tolist():
        last_s[row] = max(last_s[row], seen[int(pages[row])].ended_s)
    gains = schedule.gains
    rates = error * gains.rates
    chances = fresh_chances(rates, gains.weights, _ages(last_s, now_s))
    new = [visit for visit in seen.values() if not _is_held(schedule, visit.page)]
    more = _new_pages(schedule, new, now_s, error)
    return _Holding(
        np.concatenate((chances, more.chances)),
        np.concatenate((schedule.stands_for * gains.relevance, more.relevance)),
    )


def _new_pages(
    schedule: SavedSchedule, visits: list[Visit], now_s: float, error: float
) -> _Holding:
    """Pages held since the schedule was saved: believed to be as others of their host."""
    pages = np.array([visit.page for visit in visits], np.int64)
    hosts = np.array([visit.host for visit in visits], np.int64)
    ended_s = np.array([visit.ended_s for visit in visits])
    gains = schedule.policy.page_gains(pages, hosts)
    return _Holding(
        fresh_chances(error * gains.rates, gains.weights, _ages(ended_s, now_s)),
        np.array([visit.relevance for visit in visits]),
    )


def _is_held(schedule: SavedSchedule, page: int) -> bool:
    cards = schedule.cards
    return page < len(cards) and bool(cards["state"][page] == HELD)


def _ages(last_s: Floats, now_s: float) -> Floats:
    return np.maximum(now_s - last_s, 0.0)


def _promise(schedule: SavedSchedule, fringe: int) -> Promise:
    """Of the fringe as it is now, if its pages promise on average what those that were saved do."""
    cards = schedule.cards
    offered = cards[(cards["state"] == FRINGE) & np.isfinite(cards["base"])]
    scores = offered["base"].astype(np.float64) / offered["cost"]
    mean = float(np.clip(scores, 0.0, 1.0).mean()) if len(scores) else 1.0
    promised = schedule.tally("promised")
    return Promise(promised, schedule.tally("kept"), mean * fringe)
