"""compare/traces: refresh policies on one history of real changes, replayed
(laboratory/runs/trace_replay.py).

The window is the end of the history; a seed draws pages and importance. Policies run in their live
defaults (nutch-adaptive begins with the interval that the budget allows). `known-rate` is always
among them, as the oracle: it is told each page's own mean rate of change over the window.

>>> wishes = TracesWishes(("uniform",), days=20.0, per_page_day=0.5, pages=50, seeds=2, workers=0)
>>> [row["id"] for row in compare_traces(wishes, lambda share, what: None, out=None).rows]
['uniform', 'known-rate']
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, UserMistake, check_rate
from trapline.laboratory.compare.entrants import MOST_WORKERS
from trapline.laboratory.compare.traces_report import ORACLE, Floats, Kept, make_report
from trapline.laboratory.runs.trace_replay import replay
from trapline.laboratory.study.parallel import done_by
from trapline.laboratory.study.report import Progress, Report, check_seeds
from trapline.laboratory.worlds.traces import DAY_S, SAMPLE, Traces, Window
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.registry import refresh_class

DAYS: Final = 365.0
SETTLE_DAYS: Final = 90.0

# changes in the window, of a page that has none: a rate must be above 0
_NEVER: Final = 1e-3


@dataclass(frozen=True, slots=True)
class TracesWishes:
    policies: tuple[str, ...]
    data: Path = SAMPLE
    days: float | None = None  # DAYS, or half of a shorter history
    per_page_day: float = 0.05
    pages: int = 2_000
    seeds: int = 10
    settle_days: float | None = None  # SETTLE_DAYS, or a quarter of a shorter window
    workers: int = MOST_WORKERS  # processes; 0 = work in this one

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.policies, ORACLE)))


@dataclass(frozen=True, slots=True)
class Extent:
    """The wishes with all that was left open."""

    data: Path
    start_s: float
    days: float
    settle_days: float
    per_page_day: float
    pages: int

    def window(self, seed: int) -> Window:
        return _traces(self.data).between(
            self.start_s, self.days, self.pages, seed=seed
        )

    def __str__(self) -> str:
        return (
            f"{self.data.name.partition('.')[0]}, its last {self.days:g} days, the first "
            f"{self.settle_days:g} to "
            f"settle; {self.window(1).held:,} pages at first, {self.per_page_day:g} visits a "
            "page and day"
        )


@dataclass(frozen=True, slots=True)
class Job:
    extent: Extent
    policy: str
    seed: int


@cache
def _traces(path: Path) -> Traces:
    """Read once in each process."""
    return Traces.load(path)


def compare_traces(
    wishes: TracesWishes, progress: Progress, out: Path | None
) -> Report:
    """Raises UnknownName, BadNumber, TraceUnreadable or UserMistake before any work."""
    extent = extent_of(wishes)
    jobs = [
        Job(extent, policy, seed)
        for seed in range(1, wishes.seeds + 1)
        for policy in wishes.entrants
    ]
    found: dict[tuple[str, int], Kept] = {}
    progress(0.0, "starting")
    for kept in done_by(play, jobs, min(wishes.workers, os.cpu_count() or 1)):
        found[kept.policy, kept.seed] = kept
        progress(len(found) / len(jobs), f"{kept.policy}, seed {kept.seed}")
    runs = {
        name: [found[name, seed] for seed in range(1, wishes.seeds + 1)]
        for name in wishes.entrants
    }
    return make_report(str(extent), extent.settle_days, runs, out)


def extent_of(wishes: TracesWishes) -> Extent:
    check_seeds(wishes.seeds)
    check_rate("per_page_day", wishes.per_page_day, "visits to each page a day")
    for name in wishes.entrants:
        check_entrant(name)
    traces = _traces(wishes.data)
    there = (traces.last_s - traces.first_s) / DAY_S
    days = min(DAYS, _some(0.5 * there)) if wishes.days is None else wishes.days
    if not 0.0 < days <= there:
        raise BadNumber(
            "the number of days",
            days,
            f"above 0 and at most {there:.0f}, which the history has",
        )
    settle_days = (
        min(SETTLE_DAYS, _some(0.25 * days))
        if wishes.settle_days is None
        else wishes.settle_days
    )
    if not 0.0 <= settle_days < days:
        raise BadNumber(
            "settle_days",
            settle_days,
            f"at least 0 and below the window's {days:g} days",
        )
    start_s = traces.last_s - days * DAY_S
    extent = Extent(
        wishes.data, start_s, days, settle_days, wishes.per_page_day, wishes.pages
    )
    extent.window(seed=1)  # it has things to say about pages
    return extent


def _some(days: float) -> float:
    """Whole days, if there are any."""
    return math.floor(days) if days >= 1.0 else days


def check_entrant(name: str) -> None:
    if refresh_class(name).laboratory_only and name not in (ORACLE, "argmax"):
        raise UserMistake(
            f"policy {name!r} must be told more than a history tells; {ORACLE} is told the rates"
        )


def entrant(name: str, window: Window, per_page_day: float) -> RefreshPolicy:
    """The policy of that name as it would run live; the oracle, told the rates."""
    if name == ORACLE:
        rates = window_rates(window)
        return KnownRate(rates, window.importance / rates)
    if name == "nutch-adaptive":
        # with its usual 30 days it might not use the budget
        return NutchAdaptive(DAY_S / per_page_day)
    made: RefreshPolicy = (
        Argmax(Posterior()) if name == "argmax" else refresh_class(name)()
    )
    return made


def window_rates(window: Window) -> Floats:
    """Changes a second of each page while it lives in the window.

    Its death is one: it is to be found gone. (Rates of the days that count alone would leave a page
    alone that changed before them and not again: stale to the end.)
    """
    end_s = window.days * DAY_S
    changes = np.diff(window.event_start) + (window.dies_s < end_s)
    life_s = np.minimum(end_s, window.dies_s) - np.maximum(0.0, window.born_s)
    return np.asarray(np.maximum(_NEVER, changes) / np.maximum(1.0, life_s))


def play(job: Job) -> Kept:
    extent = job.extent
    window = job.extent.window(job.seed)
    policy = entrant(job.policy, window, extent.per_page_day)
    run = replay(
        policy, window, per_page_day=extent.per_page_day, settle_days=extent.settle_days
    )
    return Kept(
        job.policy,
        job.seed,
        run.freshness,
        run.daily,
        len(run.log.page) / (window.held * window.days),
    )
