"""htraa/scale: `posterior` on shuffled pages, 20 polls each, beside the exact argmax of its offers
and the bound.

The paper's three worlds with 512 pages to a million; nobody tells the rates, nor how they are
distributed. `known-rate` runs through the same agenda and is told: what it has and `posterior`
lacks is the price of not knowing. The argmax looks at every page at each poll, at 4,096 pages for a
minute a run; so it has fewer seeds, and is compared with `posterior` seed by seed.

Detections are expected ones: given which page was polled when, Σ(1 − q^τ) leaves nothing else to
chance.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.htraa.scale_report import (
    ARGMAX,
    LEARNER,
    TOLD,
    Course,
    Floats,
    make_report,
)
from trapline.laboratory.runs.drive import Log, visit_ages
from trapline.laboratory.runs.polling import Integers, poll
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.study.parallel import done_by
from trapline.laboratory.study.report import Progress, Report
from trapline.laboratory.worlds.polling import PollingWorld

WORLDS: Final = ((0.3, 1.5), (0.3, 1.0), (0.9, 1.5))  # alpha, beta
# polls a page; what counts is the last stretch
ENDS: Final = (0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 14.0, 18.0, 20.0)


@dataclass(frozen=True, slots=True)
class Extent:
    """How many seeds, by the number of pages."""

    seeds: tuple[tuple[int, int], ...] = ((512, 20), (4_096, 20), (100_000, 5))
    argmax: tuple[int, int] = (4_096, 4)
    # in the first world only: minutes a run
    largest: tuple[int, int] | None = (1_000_000, 2)
    workers: int = 2  # processes; 0 = work in this one


QUICK: Final = Extent(
    seeds=((64, 3), (256, 3)), argmax=(256, 2), largest=None, workers=0
)


@dataclass(frozen=True, slots=True)
class Job:
    policy: str
    world: tuple[float, float]
    pages: int
    seed: int


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    """`seeds` are those of the worlds with a few thousand pages."""
    extent = QUICK if quick else Extent()
    if seeds is not None:
        few = tuple(
            (pages, seeds if pages <= 10_000 else min(seeds, usual))
            for pages, usual in extent.seeds
        )
        extent = replace(
            extent, seeds=few, argmax=(extent.argmax[0], min(seeds, extent.argmax[1]))
        )
    return carry_out(
        replace(extent, workers=min(extent.workers, os.cpu_count() or 1)), progress, out
    )


def carry_out(extent: Extent, progress: Progress, out: Path | None) -> Report:
    jobs = jobs_of(extent)
    found: dict[Job, Course] = {}
    progress(0.0, "starting")
    for job, course in done_by(play, jobs, extent.workers):
        found[job] = course
        progress(
            len(found) / len(jobs),
            f"{job.policy}, {job.pages:,} pages, seed {job.seed}",
        )
    return make_report([found[job] for job in jobs], out)


def jobs_of(extent: Extent) -> list[Job]:
    pages, seeds = extent.argmax
    # the longest first
    jobs = [
        Job(ARGMAX, world, pages, seed)
        for world in WORLDS
        for seed in range(1, seeds + 1)
    ]
    if extent.largest is not None:
        jobs += _several(extent.largest, WORLDS[:1])
    for some in reversed(extent.seeds):
        jobs += _several(some, WORLDS)
    return jobs


def _several(
    some: tuple[int, int], worlds: tuple[tuple[float, float], ...]
) -> list[Job]:
    pages, seeds = some
    return [
        Job(name, world, pages, seed)
        for world in worlds
        for name in (LEARNER, TOLD)
        for seed in range(1, seeds + 1)
    ]


def play(job: Job) -> tuple[Job, Course]:
    world = PollingWorld.zipf(job.pages, *job.world, order="shuffled", seed=job.seed)
    ends = np.round(np.array(ENDS) * job.pages).astype(np.int64)
    policy = make_contestant(job.policy, world, job.seed)
    pages = poll(policy, world, int(ends[-1]), checkpoints=ends, keep_pages=True).pages
    return job, Course(
        job.policy,
        job.world,
        job.pages,
        job.seed,
        ENDS,
        expected_rates(world, pages, ends) / world.bound,
    )


def expected_rates(world: PollingWorld, pages: Integers, ends: Integers) -> Floats:
    """Expected detections a step up to each end from the one before, of polling `pages` (−1 = none)
    at steps 1, 2, …
    """
    step = np.flatnonzero(pages >= 0) + 1
    page = pages[step - 1]
    ages = visit_ages(Log(step.astype(np.float64), page), np.zeros(len(world)))
    found = -np.expm1(ages * np.log1p(-world.probabilities[page]))
    stretch = np.searchsorted(ends, step)
    return np.asarray(
        np.bincount(stretch, found, minlength=len(ends)) / np.diff(ends, prepend=0)
    )
