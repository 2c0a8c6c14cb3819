"""What contenders detect as polls go by: many seeds, as a share of what no schedule exceeds
(`world.bound`).

The share at a checkpoint is that of the polls since the checkpoint before it. Checkpoints on a
logarithmic axis are ten a decade, so that it is the last fifth of the polls that counts, not the
slow beginning.

>>> checkpoints(1_000, 10_000)
(1000, 1300, 1600, 2000, 2500, 3200, 4000, 5000, 6300, 7900, 10000)
>>> fast = Contender("H-TRAA", "htraa", Setting(pages=8), checkpoints=(50, 100))
>>> found = run_all([fast], seeds=2, workers=0, progress=lambda share, what: None)
>>> found["H-TRAA"].shares.shape
(2, 2)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.polling import poll
from trapline.laboratory.study.contest import Job, contest
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import Progress
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.policies.registry import refresh_class

Floats = NDArray[np.float64]
Order = Literal["sorted", "shuffled"]

SEEDS: Final = 20
QUICK_SEEDS: Final = 2
_A_DECADE: Final = 10  # checkpoints


@dataclass(frozen=True, slots=True)
class Setting:
    """A world of the paper's, up to the seed."""

    pages: int = 512
    alpha: float = 0.9
    beta: float = 1.5
    order: Order = "sorted"
    swaps: int = 0
    switch_every: int | None = None

    def world(self, seed: int) -> PollingWorld:
        return PollingWorld.zipf(
            self.pages,
            self.alpha,
            self.beta,
            order=self.order,
            swaps=self.swaps,
            switch_every=self.switch_every,
            seed=seed,
        )


@dataclass(frozen=True, slots=True)
class Contender:
    name: str  # in tables and pictures
    policy: str  # in the registry
    setting: Setting
    checkpoints: tuple[int, ...]
    # none: as laboratory/study/contestants.py makes it
    options: tuple[tuple[str, float | str], ...] = ()

    def ready(self, world: PollingWorld, seed: int) -> Any:
        if self.options:
            automaton: Any = refresh_class(self.policy)
            return automaton.for_pages(len(world), seed=seed, **dict(self.options))
        return make_contestant(self.policy, world, seed)


@dataclass(frozen=True, slots=True)
class Course:
    name: str
    polls: tuple[int, ...]
    shares: Floats  # [seed, checkpoint] of the bound

    def at(self, polls: int) -> Floats:
        """Of each seed, at the checkpoint nearest to so many polls."""
        nearest = np.abs(np.log(np.array(self.polls) / polls)).argmin()
        return np.asarray(self.shares[:, nearest])

    def estimates(self) -> list[Estimate]:
        """Over the seeds, at each checkpoint."""
        return [Estimate.of(column.tolist()) for column in self.shares.T]


def checkpoints(first: int, last: int) -> tuple[int, ...]:
    """Ten a decade, to two digits."""
    steps = np.arange(
        round(_A_DECADE * np.log10(first)), round(_A_DECADE * np.log10(last)) + 1
    )
    return tuple(int(float(f"{10.0 ** (step / _A_DECADE):.1e}")) for step in steps)


def run_all(
    contenders: Sequence[Contender], seeds: int, workers: int, progress: Progress
) -> dict[str, Course]:
    """All contenders meet the same worlds: seed by seed their differences are those of the
    policies.
    """
    found = contest(
        play, contenders, range(1, seeds + 1), workers, progress, cost=_cost
    )
    return {
        one.name: Course(one.name, one.checkpoints, np.array(found[one]))
        for one in contenders
    }


def play(job: Job[Contender]) -> tuple[Job[Contender], Floats]:
    world = job.contender.setting.world(job.seed)
    noted = job.contender.checkpoints
    run = poll(
        job.contender.ready(world, job.seed), world, noted[-1], checkpoints=noted
    )
    return job, run.rates / world.bound


def seeds_for(quick: bool, wanted: int | None) -> int:
    return wanted or (QUICK_SEEDS if quick else SEEDS)


def workers_for(quick: bool) -> int:
    """Processes; a quick run would only wait for them to start."""
    return 0 if quick else min(2, os.cpu_count() or 1)


def _cost(contender: Contender) -> float:
    return contender.checkpoints[-1] * (
        20.0 if contender.policy == "posterior" else 1.0
    )
