"""lspe/learners: all policies for ephemeral sources, their reward against slots as a share of the
bound.

On Table I's four sources (M = 1 and 2) and on 10,000 random ones (M = 5 %), in the mean and in the
stochastic model. `whittle`, `frequency` and `greedy` are told the parameters, `adaptive-whittle`
learns them from its visits; `lspe`, as published, is told what its states need, decides on its own
how many visits to make, and is set against the bound for as many. `lspe, from rewards` is told
nothing and keeps the budget: the policy that runs live under the name `lspe`; beside it the same
with the gradient (9) as printed, and with thresholds that stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np

from trapline.laboratory.papers.lspe.learners_report import LearnerRun, make_report
from trapline.laboratory.papers.lspe.run import run_lspe
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.study.report import Progress, Report
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.ephemeral import EphemeralWorld, random_sources
from trapline.laboratory.worlds.ephemeral_table import SOURCES
from trapline.policies.refresh.slots.frequency import Frequency
from trapline.policies.refresh.slots.greedy import Greedy
from trapline.policies.refresh.slots.lspe import LspeOptions
from trapline.policies.refresh.slots.lspe_from_rewards import LspeFromRewards
from trapline.policies.refresh.slots.slot_chooser import SlottedChooser
from trapline.policies.refresh.slots.slot_learner import SlottedLearner
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
    "lspe, from rewards": lambda sources, budget, seed: LspeFromRewards.for_sources(
        len(sources), seed=seed
    ),
    "lspe, from rewards, (9)": lambda sources, budget, seed: (
        LspeFromRewards.for_sources(len(sources), seed=seed, score="value")
    ),
    "lspe, from rewards, still": lambda sources, budget, seed: (
        LspeFromRewards.for_sources(len(sources), seed=seed, actor_gain=0.0)
    ),
    "frequency": lambda sources, budget, seed: Frequency(
        relaxed_bound(sources, budget).rates
    ),
    "greedy": lambda sources, budget, seed: Greedy(sources),
}
# what they show is seen there
ON_TABLE: Final = ("lspe, from rewards, (9)", "lspe, from rewards, still")
POLICIES: Final = (*MAKERS, "lspe")
SHARE: Final = 0.05  # of the random sources that are visited in a slot


@dataclass(frozen=True, slots=True)
class LearnerSizes:
    """How long, and on how many random sources."""

    # slots, on Table I
    checkpoints: tuple[int, ...] = (30, 100, 300, 1_000, 3_000, 10_000)
    random_sources: int = 10_000
    random_seeds: int = 2  # so many sources leave little to chance
    # slots; with 5 % a slot, 50 visits a source in the end
    random_checkpoints: tuple[int, ...] = (30, 100, 300, 1_000)


QUICK: Final = LearnerSizes((30, 100, 300), 200, 2, (30, 100))


@dataclass(frozen=True, slots=True)
class LearnerCase:
    policy: str
    setting: str
    model: Model
    budget: int
    checkpoints: tuple[int, ...]
    seeds: int
    random_sources: int = 0  # 0: Table I

    @property
    def name(self) -> str:
        return f"{self.policy}, {self.group}"

    @property
    def group(self) -> str:
        return f"{self.setting}, {self.model}"

    @property
    def all_seeds(self) -> range:
        """Where nothing is random, one run says all."""
        return range(1, 2 if is_certain(self.policy, self.model) else self.seeds + 1)


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    extent = extent_for(quick, seeds)
    cases = cases_of(QUICK if quick else LearnerSizes(), extent.seeds)
    found = sweep(
        run_case, cases, extent, progress, seeds_of=lambda case: case.all_seeds
    )
    return make_report([one for case in cases for one in found[case]], out)


def cases_of(sizes: LearnerSizes, seeds: int) -> list[LearnerCase]:
    """On random sources there are fewer seeds, and no `lspe`."""
    on_table = [
        LearnerCase(policy, setting, model, budget, sizes.checkpoints, seeds)
        for policy in POLICIES
        for model in MODELS
        for setting, budget in _table_settings(policy)
    ]
    count = sizes.random_sources
    budget = max(1, round(SHARE * count))
    on_random = [
        LearnerCase(
            policy,
            f"{count:,} random, M = {budget}",
            model,
            budget,
            sizes.random_checkpoints,
            sizes.random_seeds,
            count,
        )
        for policy in MAKERS
        if policy not in ON_TABLE
        for model in MODELS
    ]
    return on_table + on_random


def _table_settings(policy: str) -> list[tuple[str, int]]:
    """Name and budget; `lspe` holds no budget."""
    if policy == "lspe":
        return [("Table I", 1)]
    return [(f"Table I, M = {budget}", budget) for budget in (1, 2)]


def is_certain(policy: str, model: Model) -> bool:
    """Whether nothing in a run is random, so that one says all (random sources: all of the first
    seed's sources).
    """
    return model == "mean" and policy in ("whittle", "frequency", "greedy")


def run_case(case: LearnerCase, seed: int) -> LearnerRun:
    sources = (
        random_sources(case.random_sources, seed) if case.random_sources else SOURCES
    )
    world = EphemeralWorld(sources, model=case.model, seed=seed)
    slots = case.checkpoints[-1]
    if case.policy == "lspe":
        free = run_lspe(world, LspeOptions(), slots, seed)
        rewards = free.rewards
        visits = float(free.active.mean())
    else:
        policy = MAKERS[case.policy](sources, case.budget, seed)
        rewards = run_slots(policy, world, case.budget, slots).rewards
        visits = float(case.budget)
    return LearnerRun(
        case.policy,
        case.group,
        case.checkpoints,
        np.cumsum(rewards)[np.array(case.checkpoints) - 1] / case.checkpoints,
        late=float(rewards[-(slots // 10) :].mean()),
        visits=visits * slots / len(sources),
        bound=relaxed_bound(sources, max(visits, 1e-9)).value,
    )
