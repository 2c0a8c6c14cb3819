"""talim/service-times: what planning for processing times as they are gains over taking them for
exponential.

`exact` rows: times in phases of a given spread; `ours` is the share of the cost that the best table
saves beside the plan for exponential times, `bound` what a controller would save that sees the
phases. The other rows are played: `adaptive` and `phase-type` learn from nothing in the same
worlds, and after some 50,000 events their costs are counted. μ = 1.

>>> row = exact_row(QUEUES["K=5"], spread=4.0)
>>> round(row["ours"], 4), round(row["bound"], 4)
(0.0096, 0.0151)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.talim.interval_figure import interval_figure
from trapline.laboratory.papers.talim.measured_times import MEASURED
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import Extent, extent_for, part_of, run_jobs
from trapline.laboratory.worlds.queue import Law, QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive, PlanBook
from trapline.policies.fetchers.phase_type import PhaseBook, PhaseType
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.coxian_fits import Moments, fit_moments
from trapline.theory.queueing.phase_queue import PhaseQueue

Floats = NDArray[np.float64]

ID: Final = "talim/service-times"
TITLE: Final = "How many fetchers when processing times are not exponential"
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "exponential plan",
    "phase plan",
    "bound",
    "spread",
    "seeds",
)
POLICIES: Final = ("adaptive", "phase-type")


@dataclass(frozen=True, slots=True)
class QueueSize:
    most: int  # N
    capacity: int  # K
    fetch_rate: float  # λ
    weight: float  # γ

    def queue(
        self,
        spread: float,
    ) -> PhaseQueue:
        return PhaseQueue(
            Coxian.exponential(self.fetch_rate),
            fit_moments(Moments(1.0, spread)),
            self.capacity,
            self.weight,
        )


QUEUES: Final = {
    "K=5": QueueSize(most=16, capacity=5, fetch_rate=0.1, weight=1.4),  # Figure 7
    "K=16": QueueSize(most=64, capacity=16, fetch_rate=0.03, weight=1.0),  # the robot's
}


def _lognormal(
    deviation: float,
    times: int = 20_000,
) -> Floats:
    """Its quantiles, at equal steps."""
    from scipy.stats import norm

    shares = (np.arange(times) + 0.5) / times
    found: Floats = np.exp(deviation * norm.ppf(shares))
    return found


def _pages_and_long_documents() -> Floats:
    """One document in fifty takes fifty times as long."""
    pages = _lognormal(0.5)
    return np.concatenate((pages, 50.0 * pages[::50]))


def law_named(name: str) -> Law:
    """One of LAWS."""
    if name == "exponential":
        return "exponential"
    if name == "never varying":
        return "deterministic"
    if name == "measured":
        return MEASURED
    if name == "long documents":
        return _pages_and_long_documents()
    return _lognormal({"lognormal 0.5": 0.5, "lognormal 1.5": 1.5}[name])


LAWS: Final = (
    "never varying",
    "lognormal 0.5",
    "exponential",
    "measured",
    "lognormal 1.5",
    "long documents",
)


@dataclass(frozen=True, slots=True)
class Sizes:
    queues: tuple[str, ...] = tuple(QUEUES)
    laws: tuple[str, ...] = LAWS
    spreads: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 25.0)
    tails: tuple[float, ...] = (1.2, 2.0, 5.0, 15.0)
    learning: int = 50_000  # events
    counted: int = 200_000


QUICK: Final = Sizes(("K=5",), ("never varying",), (0.5, 4.0), (5.0,), 3_000, 10_000)


@dataclass(frozen=True, slots=True)
class Case:
    """A policy in one world, all seeds: they share the plans that are solved."""

    queue: str
    law: str
    policy: str
    sizes: Sizes
    seeds: int

    @property
    def name(self) -> str:
        return f"{self.policy}, {self.queue}, {self.law}"


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    return run_study(
        QUICK if quick else Sizes(), extent_for(quick, seeds), progress, out
    )


def run_study(
    sizes: Sizes,
    extent: Extent,
    progress: Progress,
    out: Path | None,
) -> Report:
    cases = [
        Case(queue, law, policy, sizes, extent.seeds)
        for queue in sizes.queues
        for law in sizes.laws
        for policy in POLICIES
    ]
    found = run_jobs(play_case, cases, extent.workers, part_of(progress, 0.0, 0.9))
    costs = dict(zip(((c.queue, c.law, c.policy) for c in cases), found, strict=True))
    rows = [
        played_row(queue, law, *(costs[queue, law, policy] for policy in POLICIES))
        for queue in sizes.queues
        for law in sizes.laws
    ]
    rows += [
        exact_row(QUEUES[queue], spread)
        for queue in sizes.queues
        for spread in sizes.spreads
    ]
    rows += [
        tail_row(QUEUES[queue], tail) for queue in sizes.queues for tail in sizes.tails
    ]
    progress(1.0, "exact rows")
    label = "share of the cost that is saved"
    figures = draw_figures(ID, out, lambda: interval_figure(TITLE, label, rows))
    return Report(ID, TITLE, COLUMNS, rows, _remarks(rows), figures)


def play_case(case: Case) -> list[float]:
    """By seed, the cost after learning."""
    size = QUEUES[case.queue]
    law = law_named(case.law)
    told = (size.most, size.capacity, size.weight)
    book = PhaseBook(*told) if case.policy == "phase-type" else PlanBook(*told)
    costs = []
    for seed in range(1, case.seeds + 1):
        world = QueueWorld(
            most=size.most,
            capacity=size.capacity,
            fetch_rate=size.fetch_rate,
            process_rate=1.0,
            process_law=law,
            seed=seed,
        )
        policy = (
            PhaseType(*told, book)
            if isinstance(book, PhaseBook)
            else Adaptive(*told, book)
        )
        world.run(policy, case.sizes.learning)
        seen = world.run(policy, case.sizes.counted)
        costs.append(size.weight * seen.starvation + seen.loss_rate)
    return costs


def played_row(
    queue: str,
    law: str,
    plain: list[float],
    phases: list[float],
) -> Row:
    drawn = law_named(law)
    spread = {"exponential": 1.0, "never varying": 0.0}.get(law)
    if isinstance(drawn, np.ndarray):
        spread = Moments.of_times(drawn).spread
    saved = 1.0 - np.array(phases) / np.array(plain)
    more: Row = {
        "exponential plan": float(np.mean(plain)),
        "phase plan": float(np.mean(phases)),
        "spread": spread,
    }
    return estimate_row(f"{queue}/{law}", saved.tolist(), more=more)


def exact_row(
    size: QueueSize,
    spread: float,
) -> Row:
    queue = size.queue(spread)
    plain = queue.play(queue.exponential.solve(size.most).wakes).cost
    phases = queue.solve(size.most).cost
    return {
        "id": f"exact/K={size.capacity}/spread {spread:g}",
        "paper": None,
        "ours": 1.0 - phases / plain,
        "exponential plan": plain,
        "phase plan": phases,
        "bound": 1.0 - queue.seen_cost(size.most) / plain,
        "spread": spread,
    }


def tail_row(
    size: QueueSize,
    tail: float,
    spread: float = 16.0,
) -> Row:
    """What the third moment saves beside the plan for a law with the same two, exactly."""
    two = size.queue(spread)
    law = fit_moments(Moments(1.0, spread, tail))
    three = PhaseQueue(two.fetching, law, size.capacity, size.weight)
    plan = three.solve(size.most)
    blind = three.play(two.solve(size.most).wakes).cost
    return {
        "id": f"tail {tail:g}/K={size.capacity}/spread {spread:g}",
        "paper": None,
        "ours": 1.0 - plan.cost / blind,
        "exponential plan": three.play(three.exponential.solve(size.most).wakes).cost,
        "phase plan": plan.cost,
        "spread": spread,
    }


def _remarks(rows: list[Row]) -> list[str]:
    played = [row for row in rows if row.get("low") is not None]
    better = [str(row["id"]) for row in played if float(str(row["low"])) > 0.0]
    worse = [str(row["id"]) for row in played if float(str(row["high"])) < 0.0]
    return [
        f"phase-type is cheaper in {len(better)} of {len(played)} worlds "
        f"({', '.join(better) or 'none'}), dearer in {len(worse)} "
        f"({', '.join(worse) or 'none'}); elsewhere the seeds do not decide",
        "`ours` is the share of the cost that is saved; spread = variance by squared mean",
        "exact rows: phases of two moments; what is seen of them cannot save more than `bound`",
        "tail rows: saved by fitting three moments, beside the plan of a fit of two",
    ]
