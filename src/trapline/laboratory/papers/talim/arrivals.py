"""talim/arrivals: arrivals of other laws than the paper's, in theory and in simulation.

Each of the fetchers takes times in phases of a given spread, or one stream of pages is paced.
`ours` is simulated, `exact` computed; their difference is chance. `best table` is the least cost of
a table solved for the law, `plan for exponential` what the paper's plan costs there.

>>> exact_plan(spread=4.0, fetchers=12).cost < 0.30
True
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from trapline.laboratory.papers.talim.interval_figure import interval_figure
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import Extent, extent_for, sweep
from trapline.laboratory.worlds.queue import Law, QueueWorld
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.fetchers.switching import Switching
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.coxian_fits import Moments, fit_moments
from trapline.theory.queueing.indexing_times import IndexingTimes
from trapline.theory.queueing.phase_queue import PhaseQueue
from trapline.theory.queueing.renewal_queue import RenewalQueue
from trapline.theory.queueing.switching import Plan

ID: Final = "talim/arrivals"
TITLE: Final = "How many fetchers when arrivals are not Poisson"
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "exact",
    "best table",
    "seeds",
)
CAPACITY: Final = 5
WEIGHT: Final = 1.4
RATE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Case:
    """`spread` of fetch times; `control` "fixed", "switching" or "paced"."""

    spread: float
    fetchers: int
    control: str
    events: int

    @property
    def name(self) -> str:
        return f"{self.control}/N={self.fetchers}/spread {self.spread:g}"


def cases_for(quick: bool) -> list[Case]:
    if quick:
        return [Case(0.5, 10, "fixed", 20_000), Case(0.0, 1, "paced", 20_000)]
    events = 400_000
    spreads = (0.25, 0.5, 1.0, 4.0, 16.0)
    return [
        *(Case(spread, 10, "fixed", events) for spread in spreads),
        *(Case(spread, 12, "switching", events) for spread in spreads if spread >= 0.5),
        *(Case(spread, 1, "paced", events) for spread in (0.0, 0.25, 1.0)),
    ]


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    return run_study(cases_for(quick), extent_for(quick, seeds), progress, out)


def run_study(
    cases: list[Case],
    extent: Extent,
    progress: Progress,
    out: Path | None,
) -> Report:
    found = sweep(simulated_cost, cases, extent, progress)
    rows = [_row(case, costs) for case, costs in found.items()]
    label = "cost a unit of time"
    figures = draw_figures(ID, out, lambda: interval_figure(TITLE, label, rows))
    outside = [row["id"] for row in rows if not _agrees(row)]
    remarks = [
        f"exact within the 95 % interval in {len(rows) - len(outside)} of {len(rows)} rows",
        "fixed: N fetchers always at work; switching: the paper's plan for exponential times; "
        "paced: one stream of pages, never two at once",
    ]
    return Report(ID, TITLE, COLUMNS, rows, remarks, figures)


def _agrees(row: Row) -> bool:
    low, exact, high = (float(str(row[name])) for name in ("low", "exact", "high"))
    return low <= exact <= high


def _row(
    case: Case,
    costs: list[float],
) -> Row:
    more: Row = {"exact": exact_cost(case)}
    if case.control == "switching":
        more["best table"] = _queue(case.spread).solve(case.fetchers).cost
    return estimate_row(case.name, costs, more=more)


def _queue(spread: float) -> PhaseQueue:
    fetching = fit_moments(Moments(1.0 / RATE, spread))
    return PhaseQueue(fetching, Coxian.exponential(1.0), CAPACITY, WEIGHT)


def exact_plan(
    spread: float,
    fetchers: int,
) -> Plan:
    """What the plan for exponential times costs where fetch times have another spread."""
    queue = _queue(spread)
    return queue.play(_paper_plan(fetchers).plan.wakes)


@cache
def _paper_plan(fetchers: int) -> Switching:
    return Switching(
        fetchers, CAPACITY, fetch_rate=RATE, process_rate=1.0, weight=WEIGHT
    )


def exact_cost(case: Case) -> float:
    if case.control == "fixed":
        return _queue(case.spread).static_cost(case.fetchers)
    if case.control == "switching":
        return exact_plan(case.spread, case.fetchers).cost
    times = IndexingTimes.from_moments(1.0, case.spread)
    return RenewalQueue(times, 1.0, CAPACITY, WEIGHT).cost(pace=1.0)


def simulated_cost(
    case: Case,
    seed: int,
) -> float:
    paced = case.control == "paced"
    world = QueueWorld(
        most=case.fetchers,
        capacity=CAPACITY,
        fetch_rate=1.0 if paced else RATE,
        process_rate=1.0,
        fetch_law=_law(case.spread),
        seed=seed,
    )
    policy: FetcherPolicy = Fixed(case.fetchers, CAPACITY)
    if case.control == "switching":
        policy = _paper_plan(case.fetchers)
    world.run(policy, case.events // 20)
    seen = world.run(policy, case.events)
    return WEIGHT * seen.starvation + seen.loss_rate


def _law(spread: float) -> Law:
    """In phases, as the exact queue has it; what never varies needs none."""
    if spread == 0.0:
        return "deterministic"
    return fit_moments(Moments(1.0, spread))
