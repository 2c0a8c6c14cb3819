"""How much policies detect as polls go by, as a share of what no schedule exceeds in
the long run (`world.bound`).

The share at a checkpoint is that of the polls since the checkpoint before. Checkpoints on a
logarithmic axis are ten a decade: what counts is the last fifth of the polls, not the slow
beginning.

>>> checkpoints(1_000, 10_000)
(1000, 1300, 1600, 2000, 2500, 3200, 4000, 5000, 6300, 7900, 10000)
>>> fast = PollingCase("H-TRAA", "htraa", PollingSetting(pages=8), checkpoints=(50, 100))
>>> found = sweep_courses([fast], Extent(seeds=2), lambda share, what: None)
>>> found["H-TRAA"].shares.shape
(2, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.polling import poll
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import Progress
from trapline.laboratory.study.sweep import Extent, sweep
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.policies.registry import refresh_class

Floats = NDArray[np.float64]
Order = Literal["sorted", "shuffled"]

_A_DECADE: Final = 10  # checkpoints


@dataclass(frozen=True, slots=True)
class PollingSetting:
    """A polling world of the paper `htraa`, up to the seed."""

    pages: int = 512
    alpha: float = 0.9
    beta: float = 1.5
    order: Order = "sorted"
    swaps: int = 0
    switch_every: int | None = None
    irregular: bool = False  # switches; so many polls apart on the average

    def world(self, seed: int) -> PollingWorld:
        return PollingWorld.zipf(
            self.pages,
            self.alpha,
            self.beta,
            order=self.order,
            swaps=self.swaps,
            switch_every=self.switch_every,
            irregular=self.irregular,
            seed=seed,
        )


@dataclass(frozen=True, slots=True)
class PollingCase:
    """A policy in a polling world, and when to look at what it has detected."""

    name: str  # in tables and pictures
    policy: str  # in the registry
    setting: PollingSetting
    checkpoints: tuple[int, ...]
    # none: as laboratory/study/contestants.py makes it
    options: tuple[tuple[str, float | str], ...] = ()

    def make_policy(self, world: PollingWorld, seed: int) -> Any:
        if self.options:
            automaton: Any = refresh_class(self.policy)
            return automaton.for_pages(len(world), seed=seed, **dict(self.options))
        return make_contestant(self.policy, world, seed)


@dataclass(frozen=True, slots=True)
class Course:
    """What one case detected, seed by seed and checkpoint by checkpoint."""

    name: str
    polls: tuple[int, ...]
    shares: Floats  # [seed, checkpoint] of the bound

    def at(self, polls: int) -> Floats:
        """Of each seed, at the checkpoint nearest to so many polls."""
        nearest = np.abs(np.log(np.array(self.polls) / polls)).argmin()
        return np.asarray(self.shares[:, nearest])

    def estimates(self) -> list[Estimate]:
        """Over the seeds, at each checkpoint."""
        return Estimate.of_columns(self.shares)


def checkpoints(first: int, last: int) -> tuple[int, ...]:
    """Ten a decade, to two digits."""
    steps = np.arange(
        round(_A_DECADE * np.log10(first)), round(_A_DECADE * np.log10(last)) + 1
    )
    return tuple(int(float(f"{10.0 ** (step / _A_DECADE):.1e}")) for step in steps)


def sweep_courses(
    cases: Sequence[PollingCase], extent: Extent, progress: Progress
) -> dict[str, Course]:
    """The course of each case, by its name."""
    found = sweep(run_case, cases, extent, progress, cost=_cost)
    return {
        case.name: Course(case.name, case.checkpoints, np.array(shares))
        for case, shares in found.items()
    }


def run_case(case: PollingCase, seed: int) -> Floats:
    """The share of the bound up to each checkpoint from the one before."""
    world = case.setting.world(seed)
    policy = case.make_policy(world, seed)
    run = poll(policy, world, case.checkpoints[-1], checkpoints=case.checkpoints)
    return run.rates / world.bound


def _cost(case: PollingCase) -> float:
    return case.checkpoints[-1] * (20.0 if case.policy == "posterior" else 1.0)
