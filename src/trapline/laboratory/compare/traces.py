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
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, UserMistake, check_rate
from trapline.laboratory.compare.traces_report import (
    ORACLE,
    Floats,
    FreshnessRun,
    make_report,
)
from trapline.laboratory.runs.trace_replay import replay
from trapline.laboratory.study.report import Progress, Report, check_seeds
from trapline.laboratory.study.sweep import MOST_WORKERS, Extent, sweep
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
    def contestants(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.policies, ORACLE)))


@dataclass(frozen=True, slots=True)
class ReplaySetting:
    """The wishes with all that was left open."""

    data: Path
    start_s: float
    days: float
    settle_days: float
    per_page_day: float
    pages: int

    def window(self, seed: int) -> Window:
        return _load_traces(self.data).between(
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
class ReplayedPolicy:
    """A policy on the history that was wished for."""

    name: str
    setting: ReplaySetting


@cache
def _load_traces(path: Path) -> Traces:
    """Read once in each process."""
    return Traces.load(path)


def compare_traces(
    wishes: TracesWishes, progress: Progress, out: Path | None
) -> Report:
    """Raises UnknownName, BadNumber, TraceUnreadable or UserMistake before any work."""
    setting = replay_setting(wishes)
    cases = [ReplayedPolicy(name, setting) for name in wishes.contestants]
    extent = Extent(wishes.seeds, wishes.workers)
    found = sweep(run_case, cases, extent, progress)
    runs = {case.name: found[case] for case in cases}
    return make_report(str(setting), setting.settle_days, runs, out)


def replay_setting(wishes: TracesWishes) -> ReplaySetting:
    check_seeds(wishes.seeds)
    check_rate("per_page_day", wishes.per_page_day, "visits to each page a day")
    for name in wishes.contestants:
        check_contestant(name)
    traces = _load_traces(wishes.data)
    there = (traces.last_s - traces.first_s) / DAY_S
    days = min(DAYS, _whole_days(0.5 * there)) if wishes.days is None else wishes.days
    if not 0.0 < days <= there:
        raise BadNumber(
            "the number of days",
            days,
            f"above 0 and at most {there:.0f}, which the history has",
        )
    settle_days = (
        min(SETTLE_DAYS, _whole_days(0.25 * days))
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
    setting = ReplaySetting(
        wishes.data, start_s, days, settle_days, wishes.per_page_day, wishes.pages
    )
    setting.window(seed=1)  # it refuses a wrong number of pages
    return setting


def _whole_days(days: float) -> float:
    """Whole days, if there are any."""
    return math.floor(days) if days >= 1.0 else days


def check_contestant(name: str) -> None:
    if refresh_class(name).laboratory_only and name not in (ORACLE, "argmax"):
        raise UserMistake(
            f"policy {name!r} must be told more than a history tells; {ORACLE} is told the rates"
        )


def replay_contestant(name: str, window: Window, per_page_day: float) -> RefreshPolicy:
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


def run_case(case: ReplayedPolicy, seed: int) -> FreshnessRun:
    per_page_day = case.setting.per_page_day
    window = case.setting.window(seed)
    policy = replay_contestant(case.name, window, per_page_day)
    run = replay(
        policy,
        window,
        per_page_day=per_page_day,
        settle_days=case.setting.settle_days,
    )
    visits = len(run.log.page) / (window.held * window.days)
    return FreshnessRun(run.freshness, run.daily, visits)
