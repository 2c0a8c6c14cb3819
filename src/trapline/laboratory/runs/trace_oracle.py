"""The oracle of a replay: visits of one who is told how many changes each page has in the days to
come.

It is told each page's changes in windows of 30 days, as they go, the coming ones among them; its
death is one, to be found gone. A window without any counts a tenth of a change, so that no page is
left alone for ever. Between the ends of a window changes are taken to come evenly. A visit is
priced by V = (m/D)·φ(Y): Y = the changes told since the page's last visit, D = the rate of the
window at hand (theory/price.py). Each day's visits are the dearest of the morning, exactly.

No policy can know as much. What it does not know is when in a window a change comes.

>>> from trapline.laboratory.worlds.traces import Traces
>>> window = Traces.sample().between(start_s=1_700_000_000.0, days=20.0, pages=50, seed=1)
>>> log = oracle_visits(window, per_page_day=0.5)
>>> bool((log.issued_s >= window.born_s[log.page]).all())
True
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.drive import Log
from trapline.laboratory.worlds.traces import DAY_S, Window

Floats = NDArray[np.float64]

TOLD_DAYS: Final = 30.0
LEAST: Final = 0.1  # changes in a window
GONE: Final = np.inf  # the last visit to a page that was found gone


def oracle_visits(window: Window, per_page_day: float) -> Log:
    told = told_changes(window)
    last = np.maximum(window.born_s / DAY_S, 0.0)
    born = np.where(window.born_s < 0.0, 0.0, last)
    dies = window.dies_s / DAY_S
    days = []
    pages = []
    owed = 0.0
    for day in range(math.ceil(window.days)):
        held = np.flatnonzero((born <= day) & (last < GONE))
        living = int((dies[held] > day).sum())
        owed += living * per_page_day * min(1.0, window.days - day)
        count = min(int(owed), len(held))
        owed -= count
        if count == 0:
            continue
        prices = _prices(told, window.importance, last, held, float(day))
        chosen = held[np.argsort(-prices, kind="stable")[:count]]
        when = day + (np.arange(count) + 0.5) / count * min(1.0, window.days - day)
        last[chosen] = np.where(dies[chosen] <= when, GONE, when)
        days.append(when)
        pages.append(chosen)
    return Log(
        np.concatenate([np.zeros(0), *days]) * DAY_S,
        np.concatenate([np.zeros(0, np.int64), *pages]),
    )


def told_changes(window: Window) -> Floats:
    """[page, end of a window]: changes told so far."""
    count = math.ceil(window.days / TOLD_DAYS)
    told = np.zeros((len(window.page), count))
    page = np.repeat(np.arange(len(window.page)), np.diff(window.event_start))
    np.add.at(told, (page, _window_at(window.event_s, count)), 1.0)
    dies = np.flatnonzero(window.dies_s < window.days * DAY_S)
    np.add.at(told, (dies, _window_at(window.dies_s[dies], count)), 1.0)
    sums = np.cumsum(np.maximum(told, LEAST), axis=1)
    return np.hstack((np.zeros((len(told), 1)), sums))


def _window_at(when_s: Floats, count: int) -> NDArray[np.int64]:
    places = (when_s / (TOLD_DAYS * DAY_S)).astype(np.int64)
    return np.minimum(places, count - 1)


def _prices(
    told: Floats, importance: Floats, last: Floats, held: NDArray[np.int64], day: float
) -> Floats:
    now = int(day / TOLD_DAYS)
    rate = (told[held, now + 1] - told[held, now]) / TOLD_DAYS
    come = told[held, now] + rate * (day - now * TOLD_DAYS)
    before = np.minimum(last[held] / TOLD_DAYS, told.shape[1] - 1.001)
    low = before.astype(np.int64)
    seen = told[held, low] + (before - low) * (told[held, low + 1] - told[held, low])
    y = np.maximum(0.0, come - seen)
    share = 1.0 - (1.0 + y) * np.exp(-y)
    return np.asarray(importance[held] / rate * share)
