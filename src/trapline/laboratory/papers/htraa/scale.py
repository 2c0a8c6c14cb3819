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

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.htraa.scale_report import (
    ARGMAX,
    LEARNER,
    TOLD,
    Floats,
    ScaleRun,
    make_report,
)
from trapline.laboratory.runs.drive import Log, visit_ages
from trapline.laboratory.runs.polling import Integers, poll
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.study.report import Progress, Report
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.polling import PollingWorld

WORLDS: Final = ((0.3, 1.5), (0.3, 1.0), (0.9, 1.5))  # alpha, beta
# polls a page; what counts is the last stretch
ENDS: Final = (0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 14.0, 18.0, 20.0)


@dataclass(frozen=True, slots=True)
class SeedsBySize:
    """How many seeds, by the number of pages."""

    usual: tuple[tuple[int, int], ...] = ((512, 20), (4_096, 20), (100_000, 5))
    argmax: tuple[int, int] = (4_096, 4)
    # in the first world only: minutes a run
    largest: tuple[int, int] | None = (1_000_000, 2)

    def with_seeds(self, seeds: int) -> SeedsBySize:
        """So many in the worlds with a few thousand pages; at most so many in the others."""
        usual = tuple(
            (pages, seeds if pages <= 10_000 else min(seeds, count))
            for pages, count in self.usual
        )
        pages, count = self.argmax
        return replace(self, usual=usual, argmax=(pages, min(seeds, count)))


QUICK: Final = SeedsBySize(usual=((64, 3), (256, 3)), argmax=(256, 2), largest=None)


@dataclass(frozen=True, slots=True)
class ScaleCase:
    policy: str
    world: tuple[float, float]
    pages: int
    seeds: int

    @property
    def name(self) -> str:
        return f"{self.policy}, {self.pages:,} pages"

    @property
    def all_seeds(self) -> range:
        return range(1, self.seeds + 1)

    @property
    def cost(self) -> float:
        """The argmax looks at every page at each poll: it takes longest."""
        return math.inf if self.policy == ARGMAX else self.pages


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    """`seeds` are those of the worlds with a few thousand pages."""
    counts = QUICK if quick else SeedsBySize()
    if seeds is not None:
        counts = counts.with_seeds(seeds)
    cases = cases_of(counts)
    found = sweep(
        run_case,
        cases,
        extent_for(quick, seeds),
        progress,
        cost=lambda case: case.cost,
        seeds_of=lambda case: case.all_seeds,
    )
    return make_report([one for case in cases for one in found[case]], out)


def cases_of(counts: SeedsBySize) -> list[ScaleCase]:
    argmax = [ScaleCase(ARGMAX, world, *counts.argmax) for world in WORLDS]
    largest = [] if counts.largest is None else _cases(counts.largest, WORLDS[:1])
    usual = [case for one in reversed(counts.usual) for case in _cases(one, WORLDS)]
    return argmax + largest + usual


def _cases(
    size: tuple[int, int], worlds: tuple[tuple[float, float], ...]
) -> list[ScaleCase]:
    """`size`: pages and seeds."""
    return [
        ScaleCase(name, world, *size) for world in worlds for name in (LEARNER, TOLD)
    ]


def run_case(case: ScaleCase, seed: int) -> ScaleRun:
    world = PollingWorld.zipf(case.pages, *case.world, order="shuffled", seed=seed)
    ends = np.round(np.array(ENDS) * case.pages).astype(np.int64)
    policy = make_contestant(case.policy, world, seed)
    pages = poll(policy, world, int(ends[-1]), checkpoints=ends, keep_pages=True).pages
    shares = expected_rates(world, pages, ends) / world.bound
    return ScaleRun(case.policy, case.world, case.pages, seed, ENDS, shares)


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
