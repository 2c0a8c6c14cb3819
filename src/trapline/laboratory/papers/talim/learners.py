"""talim/learners: every fetcher policy on the 45 cells of the paper's tables, its cost against
events.

The rates are unknown to those that learn (`adaptive`, `phase-type`, `average-reward`) and to the
peers' rules; `static` and `switching` are told. At each checkpoint the table of wake-ups then in
force is taken, and its *exact* long-run cost at the true rates is divided by the optimum:
simulated costs of .002 are too noisy to compare. Of `average-reward` the greedy table is taken,
without the exploration that it still does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.talim.learners_report import CellCosts, make_report
from trapline.laboratory.papers.talim.printed import CELLS, MU, Cell
from trapline.laboratory.study.report import Progress, Report
from trapline.laboratory.study.sweep import Extent, extent_for, run_jobs
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive, PlanBook
from trapline.policies.fetchers.autoscale import Autoscale
from trapline.policies.fetchers.autothrottle import Autothrottle
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.policies.fetchers.bandwidth import Bandwidth
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.fetchers.phase_type import PhaseBook, PhaseType
from trapline.policies.fetchers.static import Static
from trapline.policies.fetchers.switching import Switching

Bools = NDArray[np.bool_]

CHECKPOINTS: Final = (300, 1_000, 3_000, 10_000, 30_000, 100_000)


@dataclass(frozen=True, slots=True)
class Setup:
    """A cell, a seed, and the plans that all runs of a cell share."""

    cell: Cell
    seed: int
    plans: PlanBook
    phase_plans: PhaseBook

    @property
    def size(self) -> tuple[int, int]:
        return self.cell.fetchers, self.cell.capacity


def _true_rates(setup: Setup) -> dict[str, float]:
    return {
        "fetch_rate": setup.cell.fetch_rate,
        "process_rate": MU,
        "weight": setup.cell.weight / MU,
    }


# What the peers' operators would set: ten threads; eight requests under way; the processor's own
# speed as bandwidth.
MAKERS: Final[dict[str, Callable[[Setup], FetcherPolicy]]] = {
    "switching": lambda s: Switching(
        s.cell.fetchers, s.cell.capacity, **_true_rates(s)
    ),
    "adaptive": lambda s: Adaptive(*s.size, s.plans.weight, s.plans),
    "phase-type": lambda s: PhaseType(*s.size, s.plans.weight, s.phase_plans),
    "static": lambda s: Static(s.cell.fetchers, s.cell.capacity, **_true_rates(s)),
    "bandwidth": lambda s: Bandwidth(*s.size, target=MU),
    "average-reward": lambda s: AverageReward(*s.size, s.plans.weight, seed=s.seed),
    "autoscale": lambda s: Autoscale(*s.size),
    "fixed": lambda s: Fixed(*s.size, min(10, s.cell.fetchers)),
    "autothrottle": lambda s: Autothrottle(*s.size, concurrency=8),
}


@dataclass(frozen=True, slots=True)
class TableSizes:
    """Which cells, and for how many events."""

    cells: tuple[Cell, ...] = CELLS
    checkpoints: tuple[int, ...] = CHECKPOINTS


QUICK: Final = TableSizes(cells=CELLS[18::9], checkpoints=CHECKPOINTS[:4])


@dataclass(frozen=True, slots=True)
class CellCase:
    """A policy on a cell with all its seeds: they share the plans that are solved."""

    cell: Cell
    policy: str
    seeds: int
    checkpoints: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.policy}, {self.cell.id}"


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    sizes = QUICK if quick else TableSizes()
    return run_study(sizes, extent_for(quick, seeds, few=3), progress, out)


def run_study(
    sizes: TableSizes, extent: Extent, progress: Progress, out: Path | None
) -> Report:
    cases = [
        CellCase(cell, policy, extent.seeds, sizes.checkpoints)
        for policy in MAKERS
        for cell in sizes.cells
    ]
    start_s = time.perf_counter()
    costs = run_jobs(run_case, cases, extent.workers, progress)
    seconds = time.perf_counter() - start_s
    return make_report(costs, sizes.checkpoints, seconds, out)


def run_case(case: CellCase) -> CellCosts:
    """One policy on one cell, all seeds."""
    judge = _Judge(case.cell)
    told = (case.cell.fetchers, case.cell.capacity, case.cell.weight / MU)
    plans = PlanBook(*told)
    phase_plans = PhaseBook(*told)
    costs = [
        _costs_of_run(Setup(case.cell, seed, plans, phase_plans), case, judge)
        for seed in range(1, case.seeds + 1)
    ]
    return CellCosts(case.policy, case.cell.id, np.array(costs))


def _costs_of_run(setup: Setup, case: CellCase, judge: _Judge) -> list[float]:
    policy = MAKERS[case.policy](setup)
    most, capacity = setup.size
    world = QueueWorld(
        most=most,
        capacity=capacity,
        fetch_rate=setup.cell.fetch_rate,
        process_rate=MU,
        seed=setup.seed,
    )
    costs = []
    for done, until in zip((0, *case.checkpoints), case.checkpoints, strict=False):
        world.run(policy, until - done)
        costs.append(judge.cost(policy, world))
    return costs


class _Judge:
    """The exact cost of a table in a cell, over the optimum; each table is judged once."""

    def __init__(self, cell: Cell) -> None:
        self._queue = cell.queue
        self._best = cell.queue.solve(cell.fetchers).cost
        self._known: dict[bytes, float] = {}

    def cost(self, policy: FetcherPolicy, world: QueueWorld) -> float:
        # its table may have several closed classes: go on from where it is
        if policy.explores:
            return (
                self._queue.play(policy.learnt_wakes(), world.queue, world.awake).cost
                / self._best
            )
        wakes = policy.wakes()
        key = np.packbits(wakes).tobytes()
        if key not in self._known:
            self._known[key] = self._queue.play(wakes).cost / self._best
        return self._known[key]
