"""Replay: a refresh policy on a window of real change histories, and how fresh it kept the pages.

The protocol: pages that live when the window opens are held as they are then. There are
`per_page_day` visits a day for each of them, evenly spaced, and no more when pages are born: a new
page is known and held from its birth on (a feed announces it, and its first visit is not charged).
One bit a visit: changed or not; a page that died is found gone. Time is continuous, visits take
none.

*Freshness* is that of O'Meara & Patel, eq. 2, over time: of all importance-weighted time for which
pages are held, the share for which what is held is what there is. So a page counts as out of date
from its death until it is found gone. It is exact, from the visits and the listed changes; nothing
is sampled.

>>> from trapline.laboratory.worlds.traces import Traces
>>> from trapline.policies.refresh.uniform import Uniform
>>> window = Traces.sample().between(start_s=1_700_000_000.0, days=20.0, pages=50, seed=1)
>>> run = replay(Uniform(), window, per_page_day=0.5, settle_days=4.0)
>>> len(run.daily), 0.5 < run.freshness < 1.0
(20, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_rate
from trapline.laboratory.runs.compiled import runner
from trapline.laboratory.runs.drive import Log, hold_each, new_controller
from trapline.laboratory.worlds.traces import DAY_S, Window
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.robot.agenda.agenda import Budget

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Replay:
    freshness: float  # after the days to settle
    daily: Floats  # freshness of each day, the last of them perhaps not a whole one
    log: Log


def replay(
    policy: RefreshPolicy,
    window: Window,
    *,
    per_page_day: float = 0.05,
    settle_days: float = 0.0,
) -> Replay:
    """Run a policy through the window; its first `settle_days` do not count."""
    check_rate("per_page_day", per_page_day, "visits to each page a day")
    if not 0.0 <= settle_days < window.days:
        raise BadNumber(
            "settle_days",
            settle_days,
            f"at least 0 and below the window's {window.days} days",
        )
    log = _visits(policy, window, window.held * per_page_day / DAY_S)
    edges = np.append(np.arange(math.ceil(window.days)), window.days) * DAY_S
    daily = freshness_between(window, log, edges)
    [settled] = freshness_between(
        window, log, np.array([settle_days, window.days]) * DAY_S
    ).tolist()
    return Replay(settled, daily, log)


def _visits(policy: RefreshPolicy, window: Window, per_s: float) -> Log:
    """From birth to birth, so that the policy meets everything in order of time."""
    truth = window.truth()
    end_s = window.days * DAY_S
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=policy,
        budget=Budget(per_s=per_s),
        seeds=[],
    )
    run = runner(controller)
    hold_each(controller, truth, range(window.held), 0.0)
    logs = []
    now_s = 0.0
    for until_s, born in [*_births(window), (end_s, [])]:
        logs.append(
            run(
                truth,
                room=1,
                visits=math.ceil((until_s - now_s) * per_s) + 1,
                start_s=now_s,
                until_s=until_s,
            )
        )
        if born:
            hold_each(controller, truth, born, until_s)
        now_s = until_s
    return Log(
        np.concatenate([log.issued_s for log in logs]),
        np.concatenate([log.page for log in logs]),
    )


def _births(window: Window) -> list[tuple[float, list[int]]]:
    """(when, pages) in order of time: the window has its new pages in order of birth."""
    pages = range(window.held, len(window.page))
    return [
        (when_s, list(born))
        for when_s, born in groupby(pages, lambda page: float(window.born_s[page]))
    ]


def freshness_between(window: Window, log: Log, edges_s: Floats) -> Floats:
    """Freshness from each edge to the next: importance × time up to date over importance × time
    held.
    """
    page = np.append(np.arange(len(window.page)), log.page)
    since_s = np.append(window.born_s, log.issued_s)
    order = np.lexsort((since_s, page))
    page = page[order]
    since_s = since_s[order]
    until_s = np.where(
        np.append(page[1:] == page[:-1], False), np.append(since_s[1:], np.inf), np.inf
    )
    # else this visit found it gone, and it is held no more
    there = since_s < window.dies_s[page]
    page = page[there]
    since_s = since_s[there]
    until_s = until_s[there]
    stale_s = np.minimum(
        until_s, np.minimum(window.dies_s[page], _next_changes(window, page, since_s))
    )
    weight = window.importance[page]
    fresh, held = (
        _time_within(edges_s, since_s, end_s, weight) for end_s in (stale_s, until_s)
    )
    return fresh / held


def _next_changes(window: Window, page: NDArray[np.int64], since_s: Floats) -> Floats:
    """Of each visit (in order of pages), when what it saw first changed; ∞ = it did not."""
    starts = np.searchsorted(page, np.arange(len(window.page) + 1))
    found = np.full(len(page), np.inf)
    for one in range(len(window.page)):
        events = np.append(
            window.event_s[window.event_start[one] : window.event_start[one + 1]],
            np.inf,
        )
        visits = slice(starts[one], starts[one + 1])
        found[visits] = events[np.searchsorted(events, since_s[visits], side="right")]
    return found


def _time_within(
    edges_s: Floats, since_s: Floats, until_s: Floats, weight: Floats
) -> Floats:
    """Between each edge and the next, weighted seconds that lie in the intervals."""
    return np.diff(
        _time_since(edges_s, since_s, weight) - _time_since(edges_s, until_s, weight)
    )


def _time_since(edges_s: Floats, since_s: Floats, weight: Floats) -> Floats:
    """Σ weight·(edge − since) over all that began by the edge."""
    order = np.argsort(since_s)
    began = np.searchsorted(since_s[order], edges_s, side="right")
    weights: Floats = np.append(0.0, np.cumsum(weight[order]))[began]
    moments: Floats = np.append(
        0.0, np.cumsum(np.where(np.isfinite(since_s), weight * since_s, 0.0)[order])
    )[began]
    return edges_s * weights - moments
