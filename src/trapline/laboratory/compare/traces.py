"""compare/traces: refresh policies on one history of real changes, replayed
(laboratory/runs/trace_replay.py).

A seed draws pages, of all that ever lived, and their importance; or with `days`, of those that live
when the last days of the history begin. Policies run in their live defaults (nutch-adaptive begins
with the interval that the budget allows). Two yardsticks are always among them: `uniform`, and the
oracle, which is told each page's changes in windows of 30 days, as they go
(laboratory/runs/trace_oracle.py). `known-rate` is told each page's own mean rate of change.

>>> names = ("known-rate",)
>>> wishes = TracesWishes(names, days=20.0, per_page_day=0.5, pages=50, seeds=2, workers=0)
>>> [row["id"] for row in compare_traces(wishes, lambda share, what: None, out=None).rows]
['known-rate', 'uniform', 'oracle-30-days']
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
    UNIFORM,
    Floats,
    FreshnessRun,
    make_report,
)
from trapline.laboratory.runs.trace_oracle import oracle_visits
from trapline.laboratory.runs.trace_replay import Replay, judge_visits, replay
from trapline.laboratory.study.report import Progress, Report, check_seeds
from trapline.laboratory.study.sweep import MOST_WORKERS, Extent, sweep
from trapline.laboratory.worlds.traces import DAY_S, SAMPLE, Traces, Window
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.peers.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.registry import refresh_class

SETTLE_DAYS: Final = 365.0
# policies that are told more than a live robot, and can be: the rates, or exactly which is dearest
_TOLD: Final = ("known-rate", "argmax")

# changes in the window, of a page that has none: a rate must be above 0
_NEVER: Final = 1e-3


@dataclass(frozen=True, slots=True)
class TracesWishes:
    policies: tuple[str, ...]
    data: Path = SAMPLE
    days: float | None = None  # the last ones; else the whole history
    per_page_day: float = 0.05
    pages: int = 2_000
    seeds: int = 10
    settle_days: float | None = None  # SETTLE_DAYS, or a quarter of a shorter window
    workers: int = MOST_WORKERS  # processes; 0 = work in this one

    @property
    def contestants(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.policies, UNIFORM)))


@dataclass(frozen=True, slots=True)
class ReplaySetting:
    """The wishes with all that was left open."""

    data: Path
    days: float | None  # the last ones; None = all
    settle_days: float
    per_page_day: float
    pages: int

    @property
    def history(self) -> str:
        return self.data.name.partition(".")[0]

    def window(self, seed: int) -> Window:
        traces = load_traces(self.data)
        if self.days is None:
            return traces.whole(self.pages, seed)
        start_s = traces.last_s - self.days * DAY_S
        return traces.between(start_s, self.days, self.pages, seed=seed)

    def __str__(self) -> str:
        window = self.window(1)
        which = "all" if self.days is None else "its last"
        return (
            f"{self.history}, {which} {window.days:,.0f} days, the first {self.settle_days:g} to "
            f"settle; {len(window.page):,} pages, {window.held:,} of them at first, "
            f"{self.per_page_day:g} visits a day for each that lives"
        )


@dataclass(frozen=True, slots=True)
class ReplayedPolicy:
    """A policy, or the oracle, on the history that was wished for."""

    name: str
    setting: ReplaySetting


@cache
def load_traces(path: Path) -> Traces:
    """Read once in each process."""
    return Traces.load(path)


def compare_traces(
    wishes: TracesWishes, progress: Progress, out: Path | None
) -> Report:
    """Raises UnknownName, BadNumber, TraceUnreadable or UserMistake before any work."""
    setting = replay_setting(wishes)
    names = (*wishes.contestants, ORACLE)
    cases = [ReplayedPolicy(name, setting) for name in names]
    extent = Extent(wishes.seeds, wishes.workers)
    found = sweep(run_case, cases, extent, progress)
    runs = {case.name: found[case] for case in cases}
    return make_report(str(setting), setting.settle_days, runs, out)


def replay_setting(wishes: TracesWishes) -> ReplaySetting:
    check_seeds(wishes.seeds)
    check_rate("per_page_day", wishes.per_page_day, "visits to each page a day")
    for name in wishes.contestants:
        check_contestant(name)
    there = load_traces(wishes.data).days
    if wishes.days is not None and not 0.0 < wishes.days <= there:
        raise BadNumber(
            "the number of days",
            wishes.days,
            f"above 0 and at most {there:.0f}, which the history has",
        )
    days = there if wishes.days is None else wishes.days
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
    setting = ReplaySetting(
        wishes.data, wishes.days, settle_days, wishes.per_page_day, wishes.pages
    )
    setting.window(seed=1)  # it refuses a wrong number of pages
    return setting


def _whole_days(days: float) -> float:
    """Whole days, if there are any."""
    return math.floor(days) if days >= 1.0 else days


def check_contestant(name: str) -> None:
    if refresh_class(name).laboratory_only and name not in _TOLD:
        raise UserMistake(
            f"policy {name!r} must be told more than a history tells; known-rate is told the rates"
        )


def replay_contestant(name: str, window: Window, per_page_day: float) -> RefreshPolicy:
    """The policy of that name as it would run live; known-rate, told the rates."""
    if name == "known-rate":
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
    setting = case.setting
    window = setting.window(seed)
    run = _replay_case(case.name, setting, window)
    visits = len(run.log.page) / page_days(window)
    return FreshnessRun(run.freshness, run.daily, visits)


def _replay_case(name: str, setting: ReplaySetting, window: Window) -> Replay:
    per_page_day = setting.per_page_day
    if name == ORACLE:
        log = oracle_visits(window, per_page_day)
        return judge_visits(window, log, setting.settle_days)
    return replay(
        replay_contestant(name, window, per_page_day),
        window,
        per_page_day=per_page_day,
        settle_days=setting.settle_days,
    )


def page_days(window: Window) -> float:
    """Days for which pages live in the window, of all of them together."""
    ends_s = np.minimum(window.days * DAY_S, window.dies_s)
    return float((ends_s - np.maximum(0.0, window.born_s)).sum() / DAY_S)
