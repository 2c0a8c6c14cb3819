"""A broker's days: the same queries in the same world, query by query, under several conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.federated_search import BrokerHabits, PretendBroker
from trapline.laboratory.study.report import Progress
from trapline.laboratory.study.sweep import Extent, sweep
from trapline.laboratory.worlds.federation.federation_world import (
    FederationShape,
    FederationWorld,
    Moment,
)

Floats = NDArray[np.float64]
DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class LifeCase:
    name: str
    shape: FederationShape
    habits: BrokerHabits
    queries: int  # evenly over the time of the world


@dataclass(frozen=True, slots=True)
class LifeResult:
    """A column a query; a row a seed, once they are put together."""

    share: Floats  # of the central ten
    messages: Floats  # to other engines, lessons counted
    liars: Floats  # that were asked, lessons apart
    engines: Floats  # honest ones that are alive
    covered: Floats  # share of the living pages that one of them holds


def run_life(case: LifeCase, seed: int) -> LifeResult:
    world = FederationWorld.generate(case.shape, seed)
    # of its own seed: the queries do not depend on who is asked
    broker = PretendBroker(
        world,
        case.habits,
        np.random.default_rng((seed, 1)),
    )
    stream = world.queries()
    rows = []
    for number in range(case.queries):
        now_s = case.shape.life.length_s * number / case.queries
        moment = world.at(now_s)
        searched = broker.search(stream.ask(now_s), moment)
        honest = [e for e in moment.answering if e < case.shape.engines]
        rows.append(
            (
                searched.share,
                len(searched.asked) - 1 + len(searched.lesson),
                sum(engine >= case.shape.engines for engine in searched.asked),
                len(honest),
                covered_share(world, moment),
            )
        )
    return LifeResult(*np.array(rows, np.float64).T)


def covered_share(world: FederationWorld, moment: Moment) -> float:
    lives = world.web.truth.pages
    alive = (lives["born_s"] <= moment.now_s) & (moment.now_s < lives["dies_s"])
    return float(moment.everything.sum() / alive.sum())


def sweep_lives(
    cases: list[LifeCase], extent: Extent, progress: Progress
) -> dict[str, LifeResult]:
    found = sweep(
        run_life,
        cases,
        extent,
        progress,
    )
    return {case.name: _join(results) for case, results in found.items()}


def _join(results: list[LifeResult]) -> LifeResult:
    return LifeResult(
        np.array([one.share for one in results]),
        np.array([one.messages for one in results]),
        np.array([one.liars for one in results]),
        np.array([one.engines for one in results]),
        np.array([one.covered for one in results]),
    )


def mean_between(
    numbers: Floats,
    first: int,
    last: int | None = None,
) -> Floats:
    """Seed by seed, from one query to another."""
    return np.asarray(numbers[:, first:last].mean(axis=1))


def in_bins(numbers: Floats, bins: int) -> Floats:
    """Means of as many queries after another, seed by seed.

    >>> in_bins(np.array([[1.0, 3.0, 5.0, 7.0]]), bins=2)
    array([[2., 6.]])
    """
    whole = numbers.shape[1] // bins * bins
    return np.asarray(
        numbers[:, :whole]
        .reshape(
            len(numbers),
            bins,
            -1,
        )
        .mean(axis=2)
    )
