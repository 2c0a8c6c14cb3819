"""Areas: shares against all shares, worths against the joint optimum, the bound below both."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.laboratory.papers.talim.area_world import AreaWorld
from trapline.theory.queueing.areas.joint import JointAreas
from trapline.theory.queueing.areas.rents import best_rent
from trapline.theory.queueing.areas.shares import (
    best_shares,
    level_worths,
    static_cost,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue

QUICK = FetcherQueue(0.2, 1.0, 2, 1.4)
SLOW = FetcherQueue(0.2, 0.5, 2, 0.7)
FAR = FetcherQueue(0.07, 1.0, 4, 2.0)


@pytest.mark.parametrize("fetchers", [1, 4, 9, 40])
def test_no_other_shares_cost_less(fetchers: int) -> None:
    areas = [QUICK, SLOW, FAR]
    shares = best_shares(areas, fetchers)
    assert sum(shares) <= fetchers
    found = sum(map(static_cost, areas, shares))
    for other in product(range(min(fetchers, 20) + 1), repeat=3):
        if sum(other) <= fetchers:
            assert found <= sum(map(static_cost, areas, other)) + 1e-12


def test_with_enough_fetchers_each_area_has_its_own_best() -> None:
    areas = [QUICK, SLOW, FAR]
    assert best_shares(areas, 1000) == [area.best_static().fetchers for area in areas]


@pytest.mark.parametrize("area", [QUICK, FAR])
def test_one_area_is_the_queue_of_the_paper(area: FetcherQueue) -> None:
    assert JointAreas([area], 6).solve() == pytest.approx(area.solve(6).cost, abs=1e-9)


@pytest.mark.parametrize("fetchers", [2, 5])
def test_the_bound_lies_below_the_optimum_and_worths_come_near_it(
    fetchers: int,
) -> None:
    areas = [QUICK, SLOW]
    joint = JointAreas(areas, fetchers)
    least = joint.solve()
    rent = best_rent(areas, fetchers)
    fixed = sum(map(static_cost, areas, best_shares(areas, fetchers)))
    assert rent.bound <= least + 1e-9
    assert least - 1e-9 <= joint.play(rent.worths) < 1.03 * least
    assert least < 0.97 * fixed


def test_the_best_rent_gives_the_greatest_bound() -> None:
    from trapline.theory.queueing.areas.rents import _bound_and_wanted

    areas = [QUICK, SLOW]
    found = best_rent(areas, 5)
    assert found.rent > 0.0
    for factor in (0.0, 0.9, 1.1):
        bound, _ = _bound_and_wanted(areas, 5, factor * found.rent)
        assert bound <= found.bound + 1e-6
    assert best_rent([QUICK], 30).rent == 0.0


def test_one_more_is_worth_less_the_more_there_are() -> None:
    for worth in best_rent([QUICK, SLOW, FAR], 8).worths:
        inside = worth[:, :-1]
        assert (np.diff(inside, axis=1) <= 1e-9).all()
        assert (worth[:, -1] == -math.inf).all()
        assert inside[0, 0] > inside[0, 1] > inside[-1, 1]


def test_the_world_costs_what_the_joint_control_says() -> None:
    areas = [QUICK, SLOW]
    worths = best_rent(areas, 4).worths
    exact = JointAreas(areas, 4).play(worths)
    costs = []
    for seed in range(1, 9):
        world = AreaWorld(areas, 4, seed)
        world.run(worths, 1_000)
        costs.append(world.run(worths, 30_000).cost)
    error = float(np.std(costs, ddof=1)) / math.sqrt(len(costs))
    assert error < 0.01 * exact
    assert abs(float(np.mean(costs)) - exact) < 4.0 * error


def test_levels_in_the_world_are_fixed_numbers() -> None:
    areas = [QUICK, FAR]
    world = AreaWorld(areas, 12, seed=2)
    worths = level_worths(areas, [4, 8], 12)
    world.run(worths, 1_000)
    seen = world.run(worths, 200_000)
    exact = QUICK.static_cost(4) + FAR.static_cost(8)
    assert seen.mean_fetchers == pytest.approx(12.0, abs=0.01)
    assert seen.cost == pytest.approx(exact, rel=0.03)


def test_wrong_numbers_are_named() -> None:
    with pytest.raises(BadNumber, match="the number of areas"):
        best_shares([], 3)
    with pytest.raises(BadNumber, match="the number of fetchers"):
        best_rent([QUICK], 0)
    with pytest.raises(BadNumber, match="the number of states"):
        JointAreas([FAR] * 4, 30)
    with pytest.raises(BadNumber, match="the number of tables"):
        AreaWorld([QUICK], 3).run([], 10)
