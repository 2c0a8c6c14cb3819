"""phase-type: what it measures of processing times, what it plans for them, and what that saves."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.records import QueueTally
from trapline.laboratory.worlds.queue import Jump, Law, QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive
from trapline.policies.fetchers.phase_type import PhaseBook, PhaseType, Shape
from trapline.robot.fetcher_controller import FetcherController
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.coxian_fits import Moments, fit_moments
from trapline.theory.queueing.phase_queue import PhaseQueue

MOST = 16
CAPACITY = 5
WEIGHT = 1.4


def world(law: Law, seed: int = 1, jumps: tuple[Jump, ...] = ()) -> QueueWorld:
    return QueueWorld(
        most=MOST,
        capacity=CAPACITY,
        fetch_rate=0.1,
        process_rate=1.0,
        process_law=law,
        jumps=jumps,
        seed=seed,
    )


def learnt(law: Law, events: int = 8_000) -> PhaseType:
    policy = PhaseType(MOST, CAPACITY, WEIGHT)
    world(law).run(policy, events)
    return policy


@pytest.mark.parametrize("spread", [0.3, 1.0, 5.0])
def test_it_plans_for_the_spread_that_is_there(spread: float) -> None:
    policy = learnt(fit_moments(Moments(1.0, spread)))
    assert policy.planned_law is not None
    assert policy.planned_law.spread == pytest.approx(spread, rel=0.45)
    assert policy.planned_ratio == pytest.approx(0.1, rel=0.1)


def test_the_table_is_the_one_of_theory_for_the_law_planned_for() -> None:
    policy = learnt(fit_moments(Moments(1.0, 8.0)), events=3_000)
    law = policy.planned_law
    assert law is not None
    fetching = Coxian.exponential(policy.planned_ratio)
    queue = PhaseQueue(fetching, law, CAPACITY, WEIGHT)
    assert np.array_equal(policy.wakes(), queue.solve(MOST).wakes)
    plain = Adaptive(MOST, CAPACITY, WEIGHT)
    world(law).run(plain, 3_000)
    assert not np.array_equal(policy.wakes(), plain.wakes())


@pytest.mark.parametrize(("spread", "saves"), [(0.1, 0.015), (16.0, 0.03)])
def test_what_it_has_learnt_costs_less_than_the_plan_for_exponential_times(
    spread: float, saves: float
) -> None:
    """Exactly, in the queue that it learnt from."""
    law = fit_moments(Moments(1.0, spread))
    plain = Adaptive(MOST, CAPACITY, WEIGHT)
    world(law).run(plain, 8_000)
    queue = PhaseQueue(Coxian.exponential(0.1), law, CAPACITY, WEIGHT)
    cost = queue.play(learnt(law).wakes()).cost
    assert cost < (1.0 - saves) * queue.play(plain.wakes()).cost


def test_live_the_controller_measures_each_answer() -> None:
    """Every answer takes exactly 20 ms, as the loop tells the controller of it."""
    policy = PhaseType(MOST, CAPACITY, WEIGHT)
    controller = FetcherController(policy, CAPACITY)
    now_s = 0.0
    for _ in range(400):
        controller.target(now_s, 0, 1, "tick")
        now_s += 0.2
        controller.target(now_s, 1, 0, "arrival")
        controller.target(now_s + 0.005, 1, 1, "tick")
        now_s += 0.02
        controller.target(now_s, 0, 1, "departure")
    assert policy.shape.moments.spread < 0.1
    assert policy.shape.moments.mean == pytest.approx(0.02)
    assert policy.planned_law is not None and policy.planned_law.phases == 4


def test_when_the_processor_changes_the_old_times_are_forgotten() -> None:
    jump = Jump(20_000.0, 0.1, 4.0)
    policy = PhaseType(MOST, CAPACITY, WEIGHT)
    place = world("deterministic", jumps=(jump,))
    while place.now_s < jump.at_s + 2_000.0:
        place.run(policy, policy.patience)
    assert policy.processing.changes >= 1
    # two rates in one memory would look like times that vary
    assert policy.shape.moments.spread < 0.05
    assert policy.shape.moments.mean == pytest.approx(0.25, rel=0.02)


def test_too_many_states_are_planned_as_exponential(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = "trapline.policies.fetchers.phase_type"
    monkeypatch.setattr(f"{module}._MOST_STATES", 2 * CAPACITY * MOST - 1)
    book = PhaseBook(MOST, CAPACITY, WEIGHT)
    assert book.table(-230, Shape(20, 5)) is book.plan(-230).wakes
    monkeypatch.setattr(f"{module}._MOST_STATES", 2 * CAPACITY * MOST)
    assert book.table(-231, Shape(20, 5)) is not book.plan(-231).wakes


def test_more_than_the_plan_knows_of_go_to_rest() -> None:
    book = PhaseBook(200, CAPACITY, WEIGHT)
    few = PhaseBook(16, CAPACITY, WEIGHT)
    wakes = book.table(-230, Shape(20, 5))
    assert wakes.shape == (2, CAPACITY + 1, 201)
    assert not wakes[:, :, 60:].any()
    assert wakes[0, 1, 0]
    assert few.table(-230, Shape(20, 5)).shape == (2, CAPACITY + 1, 17)


def test_no_table_is_solved_twice_and_few_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solved: list[Shape] = []
    solve = PhaseBook._solve

    def noting(self: PhaseBook, step: int, shape: Shape) -> np.ndarray:
        solved.append(shape)
        return solve(self, step, shape)

    monkeypatch.setattr(PhaseBook, "_solve", noting)
    book = PhaseBook(4, 2, 1.0)
    first = book.table(-100, Shape(10, 5))
    assert book.table(-100, Shape(10, 5)) is first
    assert len(solved) == 1
    for spread in range(-10, 60):
        book.table(-100, Shape(spread, 6))
    book.table(-100, Shape(10, 5))
    assert len(solved) == 72


@pytest.mark.parametrize(
    "moments",
    [
        Moments(1.0, 0.0, 0.0),
        Moments(1.0, float("inf"), float("nan")),
        Moments(1.0, 1e30, 1e30),
        Moments(1.0, 1e-30, None),
    ],
)
def test_any_moments_have_a_shape_on_the_grid(moments: Moments) -> None:
    law = Shape.near(moments).law
    assert law.mean == pytest.approx(1.0, rel=1e-6)
    assert law.phases in {1, 2, 3, 4}


def test_a_tally_without_squares_is_tolerated() -> None:
    policy = PhaseType(MOST, CAPACITY, WEIGHT)
    policy.learn(QueueTally(1000.0, 970, 950, 9700.0, 950.0, 20))
    assert policy.planned_law is not None
