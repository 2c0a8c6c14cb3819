"""lspe/learners: all policies for ephemeral sources, their reward against slots as a share of the
bound.

On Table I's four sources (M = 1 and 2) and on 10,000 random ones (M = 5 %), in the mean and in the
stochastic model. `whittle`, `frequency` and `greedy` are told the parameters, `adaptive-whittle`
learns them from its visits; `lspe` is told what its states need, decides on its own how many visits
to make, and is set against the bound for as many.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from trapline.laboratory.papers.lspe.learners_report import Curve, make_report
from trapline.laboratory.papers.lspe.run import run_lspe
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.study.parallel import done_by
from trapline.laboratory.study.report import Progress, Report
from trapline.laboratory.worlds.ephemeral import EphemeralWorld, random_sources
from trapline.laboratory.worlds.ephemeral_table import SOURCES
from trapline.policies.refresh.frequency import Frequency
from trapline.policies.refresh.greedy import Greedy
from trapline.policies.refresh.lspe import LspeOptions
from trapline.policies.refresh.slot_chooser import SlottedChooser
from trapline.policies.refresh.slot_learner import SlottedLearner
from trapline.policies.refresh.whittle import SlottedWhittle
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.source import Sources

Model = Literal["mean", "stochastic"]

MODELS: Final[tuple[Model, ...]] = ("mean", "stochastic")
# from sources, budget, seed
MAKERS: Final[dict[str, Callable[[Sources, int, int], SlottedChooser]]] = {
    "whittle": lambda sources, budget, seed: SlottedWhittle(sources),
    "adaptive-whittle": lambda sources, budget, seed: SlottedLearner(
        len(sources), seed=seed
    ),
    "frequency": lambda sources, budget, seed: Frequency(
        relaxed_bound(sources, budget).rates
    ),
    "greedy": lambda sources, budget, seed: Greedy(sources),
}
POLICIES: Final = (*MAKERS, "lspe")
SHARE: Final = 0.05  # of the random sources that are visited in a slot


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of it to do."""

    seeds: int = 20
    # slots, on Table I
    checkpoints: tuple[int, ...] = (30, 100, 300, 1_000, 3_000, 10_000)
    random_sources: int = 10_000
    random_seeds: int = 2  # so many sources leave little to chance
    # slots; with 5 % a slot, 50 visits a source in the end
    random_checkpoints: tuple[int, ...] = (30, 100, 300, 1_000)
    workers: int = 2  # processes; 0 = work in this one


QUICK: Final = Extent(2, (30, 100, 300), 200, 2, (30, 100), 0)


@dataclass(frozen=True, slots=True)
class Job:
    policy: str
    setting: str
    model: Model
    budget: int
    seed: int
    checkpoints: tuple[int, ...]
    random_sources: int = 0  # 0: Table I

    @property
    def group(self) -> str:
        return f"{self.setting}, {self.model}"


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    extent = QUICK if quick else Extent()
    extent = replace(
        extent,
        seeds=seeds or extent.seeds,
        workers=min(extent.workers, os.cpu_count() or 1),
    )
    return carry_out(extent, progress, out)


def carry_out(extent: Extent, progress: Progress, out: Path | None) -> Report:
    jobs = jobs_of(extent)
    found: dict[Job, Curve] = {}
    progress(0.0, "starting")
    for job, curve in done_by(play, jobs, extent.workers):
        found[job] = curve
        progress(len(found) / len(jobs), f"{job.policy}, {job.group}, seed {job.seed}")
    return make_report([found[job] for job in jobs], out)


def jobs_of(extent: Extent) -> list[Job]:
    jobs = []
    for policy in POLICIES:
        for model in MODELS:
            for budget in (1,) if policy == "lspe" else (1, 2):
                setting = "Table I" if policy == "lspe" else f"Table I, M = {budget}"
                for seed in range(
                    1, 1 + (1 if _certain(policy, model) else extent.seeds)
                ):
                    jobs.append(
                        Job(policy, setting, model, budget, seed, extent.checkpoints)
                    )
    count = extent.random_sources
    budget = max(1, round(SHARE * count))
    for policy in MAKERS:
        for model in MODELS:
            for seed in range(
                1, 1 + (1 if _certain(policy, model) else extent.random_seeds)
            ):
                setting = f"{count:,} random, M = {budget}"
                checkpoints = extent.random_checkpoints
                jobs.append(
                    Job(policy, setting, model, budget, seed, checkpoints, count)
                )
    return jobs


def _certain(policy: str, model: Model) -> bool:
    """Whether nothing in a run is random, so that one says all (random sources: all of the first
    seed's sources).
    """
    return model == "mean" and policy in ("whittle", "frequency", "greedy")


def play(job: Job) -> tuple[Job, Curve]:
    sources = (
        random_sources(job.random_sources, job.seed) if job.random_sources else SOURCES
    )
    world = EphemeralWorld(sources, model=job.model, seed=job.seed)
    slots = job.checkpoints[-1]
    if job.policy == "lspe":
        free = run_lspe(world, LspeOptions(), slots, job.seed)
        rewards = free.rewards
        visits = float(free.active.mean())
    else:
        rewards = run_slots(
            MAKERS[job.policy](sources, job.budget, job.seed), world, job.budget, slots
        ).rewards
        visits = float(job.budget)
    so_far = np.cumsum(rewards)[np.array(job.checkpoints) - 1] / job.checkpoints
    late = float(rewards[-(slots // 10) :].mean())
    bound = relaxed_bound(sources, max(visits, 1e-9)).value
    return job, Curve(
        job.policy,
        job.group,
        job.checkpoints,
        so_far,
        late,
        visits * slots / len(sources),
        bound,
    )
