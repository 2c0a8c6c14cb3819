"""Times in phases: their moments by hand and by chance, and the laws that fit measured moments."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.fixed import Fixed
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.coxian_fits import Moments, fit_moments
from trapline.theory.queueing.drifting_shape import DriftingShape


def test_moments_by_hand() -> None:
    # 1/4 and 1/2·(2/3) more: T = A + B·C
    law = Coxian((4.0, 2.0), (0.5, 0.0))
    assert law.mean == pytest.approx(0.25 + 0.5 * 0.5)
    # E A² + 2·E A·E BC + E (BC)²
    assert law.moment(2) == pytest.approx(2 / 16 + 2 * 0.25 * 0.25 + 0.5 * 2 / 4)
    assert Coxian.erlang(mean=3.0, phases=5).moment(2) == pytest.approx(9.0 * 1.2)


@pytest.mark.parametrize("mean", [1e-3, 1.0, 40.0])
@pytest.mark.parametrize(
    "spread", [0.0625, 0.0651, 0.2, 0.25, 0.34, 0.5, 0.51, 0.99, 1.0, 1.5, 9.0, 300.0]
)
def test_two_moments_are_met(spread: float, mean: float) -> None:
    law = fit_moments(Moments(mean, spread))
    assert law.mean == pytest.approx(mean, rel=1e-9)
    assert law.spread == pytest.approx(spread, rel=1e-7)
    assert law.phases == (2 if spread > 1.0 else math.ceil(1.0 / spread - 1e-9))


@pytest.mark.parametrize("tail", [1.03, 1.5, 2.0, 6.0, 50.0])
@pytest.mark.parametrize("spread", [1.1, 2.0, 15.0, 200.0])
def test_three_moments_are_met(spread: float, tail: float) -> None:
    law = fit_moments(Moments(2.0, spread, tail))
    found = law.mean * law.moment(3) / law.moment(2) ** 2 / 1.5
    assert law.mean == pytest.approx(2.0, rel=1e-9)
    assert law.spread == pytest.approx(spread, rel=1e-6)
    assert found == pytest.approx(tail, rel=1e-6)


def test_what_phases_cannot_have_is_met_as_nearly_as_they_can() -> None:
    assert fit_moments(Moments(1.0, 0.0), most_phases=4).spread == pytest.approx(0.25)
    assert fit_moments(Moments(1.0, 0.0), most_phases=1).phases == 1
    assert fit_moments(Moments(1.0, 9.0, tail=0.7)).spread == pytest.approx(9.0)


@pytest.mark.parametrize("spread", [0.3, 6.0])
def test_the_world_draws_the_law(spread: float) -> None:
    law = fit_moments(Moments(5.0, spread))
    world = QueueWorld(
        most=1, capacity=1, fetch_rate=3.0, process_rate=1.0, process_law=law, seed=3
    )
    policy = Fixed(1, 1)
    shape = DriftingShape()
    policy.learn = lambda tally: shape.add(  # type: ignore[method-assign]
        tally.departures, (tally.busy_s, tally.busy_squares, tally.busy_cubes)
    )
    world.run(policy, 100_000)
    assert shape.moments.mean == pytest.approx(1.0, rel=0.05)  # the rate sets the mean
    assert shape.moments.spread == pytest.approx(spread, rel=0.2)


def test_a_sample_is_a_law() -> None:
    found = Moments.of_times(np.array([1.0, 3.0]))
    assert (found.mean, found.spread) == (2.0, 0.25)
    assert found.tail == pytest.approx(2.0 * 14.0 / 25.0 / 1.5)


def test_little_is_believed_of_few_times() -> None:
    shape = DriftingShape()
    assert (shape.moments.spread, shape.moments.tail) == (1.0, 1.0)
    shape.add(16, (16.0, 16.0, 16.0))
    assert 0.4 < shape.moments.spread < 0.6
    for _ in range(400):
        shape.add(1000, (1000.0, 1000.0, 1000.0))
    assert shape.moments.spread < 0.01
    for _ in range(80):  # it forgets: now half of them take no time
        shape.add(1000, (1000.0, 2000.0, 4000.0))
    assert shape.moments.spread == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Coxian((), ()),
        lambda: Coxian((1.0,), (0.5,)),
        lambda: Coxian((1.0, 0.0), (0.5, 0.0)),
        lambda: Coxian((1.0, 1.0), (1.5, 0.0)),
        lambda: Coxian((1.0, 1.0), (0.0,)),
        lambda: fit_moments(Moments(1.0, -0.1)),
        lambda: fit_moments(Moments(0.0, 1.0)),
        lambda: Moments.of_times([]),
        lambda: Moments.of_times([1.0, -1.0]),
    ],
)
def test_wrong_numbers_are_named(wrong: object) -> None:
    with pytest.raises(BadNumber):
        wrong()  # type: ignore[operator]
