"""foundations/agenda: what the agenda's approximation costs, beside the exact argmax and the bound.

Two worlds of pure revisiting with known rates, one visit every half second: 20,000 pages on 200
hosts of Zipf(1) sizes, change rates log-uniform over three decades (the middle page changes once a
*round*, the time in which every page could be visited once). In the one no host owes a gap; in the
other each owes 20 s, so that the ten largest can use but a part of what their pages are worth. Both
objectives are one measure: detections are freshness with each page weighed by its rate, because a
visit finds a change exactly when one has ended the page's freshness.

A run starts near stationarity, or it would measure the start for many rounds (slow pages live for
thirty): each page is as old as at a random instant of the bound's optimal schedule, the phases
evenly spread. From there the argmax is stationary at once (on saturated hosts, in one run of eight
rounds, its freshness kept within .1 % of the bound from the start), so three fifths of a round are
enough; pricing every page at each choice, it has no time for more. The agenda starts without any
idea of prices and is measured twice: over those same visits, and, as it is cheap, over rounds 5 to
20 (detections: 15 to 60), when it has found its prices. The latter is what it earns; the former
shows what learning them costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.foundations.agenda_report import (
    AgendaOutcome,
    make_report,
)
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import Log, new_controller, visit_ages
from trapline.laboratory.study.report import Progress, Report
from trapline.laboratory.study.sweep import MOST_WORKERS, Extent, sweep
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.known_rate import KnownRate
from trapline.robot.agenda.agenda import Budget
from trapline.theory.freshness import FreshnessBound, freshness_bound, freshness_earned
from trapline.theory.price import visit_price

Floats = NDArray[np.float64]

PER_S: Final = 2.0  # one visit every half second
DECADES: Final = 3.0
GAPS_S: Final = {"no-gaps": 0.0, "saturated-hosts": 20.0}
# how much longer the agenda takes to settle: slow pages matter
OBJECTIVES: Final = {"freshness": 1, "detections": 3}
GOLDEN: Final = 0.6180339887498949  # its multiples fill the unit interval evenly


@dataclass(frozen=True, slots=True)
class AgendaSizes:
    """How large and how long; times in rounds."""

    pages: int = 20_000
    hosts: int = 200
    compared: tuple[float, float] = (0.15, 0.75)
    # of the freshness runs; the others take their time
    settled: tuple[float, float] = (5.0, 20.0)


QUICK: Final = AgendaSizes(pages=4_000)


@dataclass(frozen=True, slots=True)
class AgendaCase:
    sizes: AgendaSizes
    world: str
    objective: str

    @property
    def name(self) -> str:
        return f"{self.world}, {self.objective}"

    @property
    def round_s(self) -> float:
        return self.sizes.pages / PER_S

    @property
    def settled(self) -> tuple[float, float]:
        start, end = self.sizes.settled
        return OBJECTIVES[self.objective] * start, OBJECTIVES[self.objective] * end


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    """Even the quick form takes long enough for processes of its own."""
    extent = Extent(seeds or (6 if quick else 20), MOST_WORKERS)
    return run_study(QUICK if quick else AgendaSizes(), extent, progress, out)


def run_study(
    sizes: AgendaSizes, extent: Extent, progress: Progress, out: Path | None
) -> Report:
    """The detection runs, an extra, have half as many seeds."""
    half = range(1, max(2, extent.seeds // 2) + 1)
    cases = [
        AgendaCase(sizes, world, objective)
        for objective, world in product(OBJECTIVES, GAPS_S)
    ]
    found = sweep(
        run_case,
        cases,
        extent,
        progress,
        cost=lambda case: OBJECTIVES[case.objective],
        seeds_of=lambda case: (
            extent.all_seeds if case.objective == "freshness" else half
        ),
    )
    groups = {(case.world, case.objective): found[case] for case in cases}
    return make_report(groups, out)


def host_of_pages(pages: int, hosts: int) -> NDArray[np.int32]:
    """Hosts of Zipf(1) sizes; what rounding leaves over goes to the largest.

    >>> np.bincount(host_of_pages(100, 4)).tolist()
    [48, 24, 16, 12]
    """
    share = 1.0 / np.arange(1, hosts + 1)
    sizes = np.maximum(1, np.round(pages * share / share.sum())).astype(np.int64)
    sizes[0] += pages - sizes.sum()
    return np.repeat(np.arange(hosts, dtype=np.int32), sizes)


def make_world(case: AgendaCase, seed: int) -> Truth:
    pages = case.sizes.pages
    rng = np.random.default_rng(seed)
    rate = 10.0 ** rng.uniform(-DECADES / 2, DECADES / 2, pages) / case.round_s
    host = host_of_pages(pages, case.sizes.hosts)
    return make_truth(host=host, rate=rate, gap_s=GAPS_S[case.world], seed=seed)


def stationary_start(truth: Truth, bound: FreshnessBound, seed: int) -> Floats:
    """Last visits as at a random instant of the bound's schedule; pages that it never visits are
    long out of date.
    """
    order = np.lexsort((bound.rates, truth.host))
    phase = np.empty(len(order))
    phase[order] = (
        GOLDEN * np.arange(len(order)) + np.random.default_rng([seed, 1]).uniform()
    ) % 1.0
    visited = bound.rates > 0.0
    return -np.where(
        visited, phase / np.where(visited, bound.rates, 1.0), 40.0 / truth.rate
    )


def run_case(case: AgendaCase, seed: int) -> AgendaOutcome:
    """One world through both choosers from the same start."""
    truth = make_world(case, seed)
    pages = case.sizes.pages
    weight = np.ones(pages) if case.objective == "freshness" else truth.rate.copy()
    bound = freshness_bound(truth.rate, weight, PER_S, truth.host, truth.gap_s)
    last_s = stationary_start(truth, bound, seed)
    known = KnownRate(truth.rate, weight / truth.rate)
    compared = case.sizes.compared
    longest = max(case.settled[1], compared[1])
    exact = _run_controller(make_world(case, seed), Argmax(known), last_s, compared[1])
    agenda = _run_controller(make_world(case, seed), known, last_s, longest)

    def reward(log: Log, rounds: tuple[float, float]) -> float:
        start_s, end_s = (number * case.round_s for number in rounds)
        return freshness_earned(
            truth.rate, weight, last_s, log.issued_s, log.page, window=(start_s, end_s)
        )

    def mean_price(log: Log, rounds: tuple[float, float]) -> float:
        prices = visit_price(
            visit_ages(log, last_s),
            truth.rate[log.page],
            (weight / truth.rate)[log.page],
        )
        return float(prices[log.issued_s >= rounds[0] * case.round_s].mean())

    return AgendaOutcome(
        bound=bound.value,
        argmax=reward(exact, compared),
        agenda=reward(agenda, case.settled),
        agenda_at_first=reward(agenda, compared),
        bound_price=_bound_price(truth, weight, bound),
        argmax_price=mean_price(exact, compared),
        agenda_price=mean_price(agenda, case.settled),
    )


def _run_controller(
    truth: Truth, refresh: KnownRate | Argmax, last_s: Floats, rounds: float
) -> Log:
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=PER_S),
        seeds=[],
    )
    hold_all(controller, truth, last_s)
    return run_compiled(controller, truth, room=1, visits=round(rounds * len(last_s)))


def _bound_price(truth: Truth, weight: Floats, bound: FreshnessBound) -> float:
    """What the bound's schedule pays a visit: the market price, more where a host's gap is what is
    scarce.
    """
    bought = bound.rates > 0.0
    rate = truth.rate[bought]
    often = bound.rates[bought]
    return float(
        often @ visit_price(1.0 / often, rate, weight[bought] / rate) / often.sum()
    )
