"""Times in phases under control: against the paper's queue, the general queue, and all tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.coxian_fits import Moments, fit_moments
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.general_queue import GeneralQueue
from trapline.theory.queueing.indexing_times import IndexingTimes
from trapline.theory.queueing.phase_queue import PhaseQueue
from trapline.theory.queueing.phase_states import PhaseStates
from trapline.theory.queueing.switching import level_wakes

EXPONENTIAL = Coxian.exponential(0.1)


def queue_of(
    spread: float,
    capacity: int = 5,
    weight: float = 1.4,
    fetching: Coxian = EXPONENTIAL,
) -> PhaseQueue:
    return PhaseQueue(fetching, fit_moments(Moments(1.0, spread)), capacity, weight)


@pytest.mark.parametrize(("capacity", "fetchers"), [(1, 3), (5, 16), (7, 9)])
def test_one_phase_is_the_queue_of_the_paper(capacity: int, fetchers: int) -> None:
    queue = queue_of(1.0, capacity)
    paper = FetcherQueue(0.1, 1.0, capacity, 1.4)
    plan = queue.solve(fetchers)
    best = paper.solve(fetchers)
    assert plan.cost == pytest.approx(best.cost, abs=1e-12)
    assert queue.seen_cost(fetchers) == pytest.approx(best.cost, abs=1e-12)
    assert queue.static_cost(7) == pytest.approx(paper.static_cost(7), abs=1e-12)
    assert queue.best_static().fetchers == paper.best_static().fetchers
    wakes = level_wakes(capacity, fetchers, 2)
    assert queue.play(wakes).cost == pytest.approx(paper.play(wakes).cost, abs=1e-12)


def test_equal_phases_in_a_row_are_one_time_whether_or_not_they_are_counted() -> None:
    """Phases that always end after the first are one."""
    split = Coxian((1.0, 9.0), (0.0, 0.0))
    queue = PhaseQueue(EXPONENTIAL, split, 4, 1.0)
    paper = FetcherQueue(0.1, 1.0, 4, 1.0)
    assert queue.solve(12).cost == pytest.approx(paper.solve(12).cost, abs=1e-12)


@pytest.mark.parametrize("phases", [2, 5])
@pytest.mark.parametrize("fetchers", [6, 11])
def test_a_fixed_number_costs_what_the_general_queue_says(
    phases: int, fetchers: int
) -> None:
    queue = PhaseQueue(EXPONENTIAL, Coxian.erlang(1.0, phases), 5, 1.4)
    general = GeneralQueue(0.1, IndexingTimes.erlang(1.0, phases), 5, 1.4)
    assert queue.static_cost(fetchers) == pytest.approx(
        general.static_cost(fetchers), abs=1e-11
    )
    two_kinds = IndexingTimes.hyperexponential((0.9, 0.1), (2.0, 0.2))
    moments = [
        sum(c * f / r**n for c, r in ((0.9, 2.0), (0.1, 0.2)))
        for n, f in ((1, 1.0), (2, 2.0), (3, 6.0))
    ]
    law = fit_moments(Moments.of_sums(1.0, *moments))
    mixed = PhaseQueue(EXPONENTIAL, law, 5, 1.4)
    exact = GeneralQueue(0.1, two_kinds, 5, 1.4)
    assert mixed.static_cost(fetchers) == pytest.approx(
        exact.static_cost(fetchers), abs=1e-9
    )


def all_tables(capacity: int, fetchers: int) -> list[np.ndarray]:
    """Every table that may be: a departure from (1, 0) wakes, nobody is woken who is at work."""
    free = [(0, q, r) for q in range(1, capacity + 1) for r in range(fetchers)]
    free = [one for one in free if one != (0, 1, 0)]
    free += [(1, q, r) for q in range(capacity + 1) for r in range(1, fetchers + 1)]
    tables = []
    for choice in product((False, True), repeat=len(free)):
        wakes = np.zeros((2, capacity + 1, fetchers + 1), dtype=bool)
        wakes[0, 1, 0] = True
        for place, wake in zip(free, choice, strict=True):
            wakes[place] = wake
        tables.append(wakes)
    return tables


@pytest.mark.parametrize(("spread", "rate"), [(0.5, 0.7), (20.0, 0.7)])
def test_no_table_is_better(spread: float, rate: float) -> None:
    queue = queue_of(spread, 1, 1.4, Coxian.exponential(rate))
    found = queue.solve(3)
    costs = [queue.play(wakes).cost for wakes in all_tables(1, 3)]
    assert len(costs) == 256
    assert found.cost == pytest.approx(min(costs), abs=1e-12)
    assert queue.seen_cost(3) <= found.cost + 1e-12


@pytest.mark.parametrize("spread", [0.25, 4.0, 25.0])
@pytest.mark.parametrize("weight", [0.4, 1.4])
def test_between_the_plan_for_exponential_times_and_who_sees_phases(
    spread: float, weight: float
) -> None:
    queue = queue_of(spread, 5, weight)
    plain = queue.play(queue.exponential.solve(16).wakes).cost
    plan = queue.solve(16)
    seen = queue.seen_cost(16)
    assert seen < plan.cost < plain
    assert plan.cost < 1.01 * seen
    assert plan.cost == pytest.approx(weight * plan.starvation + plan.loss_rate)
    assert queue.play(plan.wakes).cost == pytest.approx(plan.cost, abs=1e-10)
    brought = 0.1 * plan.mean_fetchers - plan.loss_rate
    assert brought == pytest.approx(1.0 - plan.starvation, abs=1e-9)


def test_a_large_tail_finds_a_way_out_of_the_plan_for_exponential_times() -> None:
    """All changes at once cost more here; some of them cost less."""
    law = fit_moments(Moments(1.0, 16.0, tail=15.0))
    queue = PhaseQueue(EXPONENTIAL, law, 5, 1.4)
    plain = queue.play(queue.exponential.solve(16).wakes).cost
    assert queue.solve(16).cost < 0.96 * plain


def test_fetch_times_in_phases() -> None:
    """A lone fetcher in two legs, by hand: one page, then the next, nothing is ever lost."""
    queue = PhaseQueue(Coxian.erlang(2.0, 2), Coxian.exponential(1e6), 1, 1.0)
    plan = queue.play(level_wakes(1, 1, 1))
    assert plan.starvation == pytest.approx(1.0, abs=1e-5)
    steady = queue_of(1.0, fetching=Coxian.erlang(10.0, 2))
    wild = queue_of(1.0, fetching=fit_moments(Moments(10.0, 16.0)))
    costs = [queue.static_cost(8) for queue in (steady, queue_of(1.0), wild)]
    assert costs == sorted(costs) and costs[0] < 0.99 * costs[2]
    assert steady.seen_cost(8) < steady.solve(8).cost


def test_states_are_counted() -> None:
    states = PhaseStates.all(capacity=3, fetchers=4, stages=2, legs=2)
    ways = 15  # of up to 4 fetchers in 2 legs
    assert len(states.queue) == ways - 1 + 3 * 2 * ways
    assert (states.place[states.queue, states.stage, states.team] >= 0).all()
    with pytest.raises(BadNumber, match="the number of states"):
        PhaseStates.all(capacity=64, fetchers=900, stages=16, legs=1)


def test_wrong_numbers_are_named() -> None:
    with pytest.raises(BadNumber, match="the capacity K"):
        queue_of(1.0, 0)
    with pytest.raises(BadNumber, match="γ"):
        queue_of(1.0, 5, 0.0)
    with pytest.raises(BadNumber, match="the shape of the table"):
        queue_of(1.0).play(level_wakes(4, 3, 2))
    with pytest.raises(BadNumber, match="the number of fetchers"):
        queue_of(1.0).solve(0)
