"""compare/polling: any refresh policies in one polling world, with equally many polls and the same
seeds.

A seed gives the world its order, weights and history and the policy its chance, so that all
policies of a seed meet the same pages. How many seeds, if nobody says: as many of 20, 10, 5 and 2
as take some minutes.

>>> wishes = PollingWishes(("uniform", "known-rate"), pages=16, polls=10, seeds=2, workers=0)
>>> [row["id"] for row in compare_polling(wishes, lambda share, what: None, out=None).rows]
['uniform', 'known-rate']
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from trapline.core.errors import UserMistake, check_count
from trapline.laboratory.compare.polling_report import Floats, PollingRun, make_report
from trapline.laboratory.runs.polling import Integers, poll
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.study.report import Progress, Report, check_seeds
from trapline.laboratory.study.sweep import MOST_WORKERS, Extent, sweep
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.traces import PARETO
from trapline.policies.registry import refresh_class

SEEDS: Final = (20, 10, 5, 2)
PATIENCE_S: Final = 600.0  # for which the number of seeds is chosen
MOST_S: Final = 6 * 3600.0  # nobody means to wait longer
POINTS: Final = 12  # of a curve
FIRST: Final = 0.5  # polls a page, of the first of them

# a poll takes, roughly, by the ways of laboratory/runs/polling.py
_LIGHT_S: Final = 1e-6
_CARD_S: Final = 1e-5
_OBJECT_S: Final = 1.5e-4
_LOOK_S: Final = 3e-7  # the argmax looks at one page
_SCAN_S: Final = 5e-8  # a Chooser prices one
_WEIGHTS: Final = 2  # stream of chance, beside those of PollingWorld


@dataclass(frozen=True, slots=True)
class PollingWishes:
    policies: tuple[str, ...]
    pages: int = 512
    order: str = "shuffled"
    alpha: float = 0.3
    beta: float = 1.5
    swaps: int = 0
    switch_every: int | None = None
    irregular: bool = False  # switches; so many polls apart on the average
    weighted: bool = False
    polls: int = 20  # a page
    seeds: int | None = None  # as many as take some minutes
    workers: int = MOST_WORKERS  # processes; 0 = work in this one

    def world(self, seed: int) -> PollingWorld:
        weights = pareto_weights(self.pages, seed) if self.weighted else None
        order = cast("Any", self.order)  # the world says what it may be
        return PollingWorld.zipf(
            self.pages,
            self.alpha,
            self.beta,
            order=order,
            swaps=self.swaps,
            switch_every=self.switch_every,
            irregular=self.irregular,
            weights=weights,
            seed=seed,
        )

    def __str__(self) -> str:
        said = f"{self.pages:,} pages, p = {self.alpha:g}/k^{self.beta:g}, {self.order}"
        said += f", {self.swaps:,} swaps" if self.swaps else ""
        if self.switch_every:
            how = "every" if not self.irregular else "on average every"
            said += f", a switch {how} {self.switch_every:,} polls"
        said += f", Pareto({PARETO:g}) weights" if self.weighted else ""
        return said


@dataclass(frozen=True, slots=True)
class ComparedPolicy:
    """A policy in the world that was wished for."""

    name: str
    wishes: PollingWishes


def pareto_weights(pages: int, seed: int) -> Floats:
    check_count("the number of pages", pages, "they share the polls")
    drawn = 1.0 + np.random.default_rng([seed, _WEIGHTS]).pareto(PARETO, pages)
    return np.asarray(drawn / drawn.max())


def compare_polling(
    wishes: PollingWishes, progress: Progress, out: Path | None
) -> Report:
    """Raises UnknownName, BadNumber or UserMistake before any work."""
    wishes = complete_wishes(wishes)
    cases = [ComparedPolicy(name, wishes) for name in wishes.policies]
    extent = Extent(wishes.seeds or 0, wishes.workers)
    found = sweep(run_case, cases, extent, progress)
    runs = {case.name: found[case] for case in cases}
    return make_report(str(wishes), wishes.weighted, runs, out)


def complete_wishes(wishes: PollingWishes) -> PollingWishes:
    """The wishes with a number of seeds, if they can be met."""
    check_count("the number of polls", wishes.polls, "for each page")
    world = wishes.world(seed=1)
    for name in wishes.policies:
        make_contestant(name, world, seed=1)
    if wishes.seeds is None:
        enough = [seeds for seeds in SEEDS if _seconds(wishes, seeds) <= PATIENCE_S]
        wishes = replace(wishes, seeds=enough[0] if enough else SEEDS[-1])
    check_seeds(wishes.seeds or 0)
    _check_patience(wishes)
    return wishes


def _check_patience(wishes: PollingWishes) -> None:
    seconds = _seconds(wishes, wishes.seeds or 0)
    if seconds > MOST_S:
        slowest = max(
            wishes.policies, key=lambda name: _seconds_a_poll(name, wishes.pages)
        )
        raise UserMistake(
            f"this would take about {seconds / 3600.0:,.0f} hours, most of them for {slowest}: "
            "leave it out, or take fewer --pages, --polls or --seeds"
        )


def _seconds(wishes: PollingWishes, seeds: int) -> float:
    a_poll = sum(_seconds_a_poll(name, wishes.pages) for name in wishes.policies)
    return a_poll * wishes.polls * wishes.pages * seeds / max(1, wishes.workers)


def _seconds_a_poll(name: str, pages: int) -> float:
    found = refresh_class(name)
    if found.takes_turns:
        return _LIGHT_S
    if not found.compiles:
        return _OBJECT_S + _SCAN_S * pages
    return _CARD_S + _LOOK_S * pages if found.chooses else _CARD_S


def checkpoints_of(wishes: PollingWishes) -> Integers:
    """In steps, evenly on a logarithmic scale; the last two have the last tenth of the polls
    between them.
    """
    polls = wishes.polls * wishes.pages
    rising = np.geomspace(
        min(FIRST, 0.5 * wishes.polls) * wishes.pages, 0.9 * polls, POINTS
    )
    return np.unique(np.append(np.maximum(1.0, rising.round()), polls).astype(np.int64))


def run_case(case: ComparedPolicy, seed: int) -> PollingRun:
    wishes = case.wishes
    world = wishes.world(seed)
    checkpoints = checkpoints_of(wishes)
    _load_kernels(case.name)
    policy = make_contestant(case.name, world, seed)
    start_s = time.process_time()
    run = poll(policy, world, int(checkpoints[-1]), checkpoints=checkpoints)
    spent_s = time.process_time() - start_s
    bounds, optima = yardsticks_at(world, checkpoints)
    return PollingRun(
        checkpoints / wishes.pages,
        run.rates,
        bounds,
        optima,
        per_s=float(checkpoints[-1]) / max(spent_s, 1e-9),
    )


@cache
def _load_kernels(policy: str) -> None:
    """Not to be timed: once in each process."""
    world = PollingWorld.zipf(2)
    poll(make_contestant(policy, world), world, 2, checkpoints=[2])


def yardsticks_at(world: PollingWorld, checkpoints: Integers) -> tuple[Floats, Floats]:
    """Bound and formula optimum as they are at each checkpoint: with weights, they move when pages
    switch.
    """
    world.truth()  # back to its start
    found = []
    step = 0
    for end in checkpoints.tolist():
        switches = world.switches(before=end)
        for when in switches[switches >= step].tolist():
            world.switch(float(when))
        step = end
        found.append((world.bound, world.optimum))
    bounds, optima = np.array(found).T
    return bounds, optima
