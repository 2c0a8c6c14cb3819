"""Joint control: without decay it starves least, with it fewer answers wait; its reserves say
what another fetch is worth.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.queueing.joint_control import solve_joint


def test_what_waits_for_nothing_lets_the_reader_starve_hardly_ever() -> None:
    patient = solve_joint(fetch=0.2, decay=0.0, capacity=8, fetchers=16)
    hasty = solve_joint(fetch=0.2, decay=0.1, capacity=8, fetchers=16)
    assert patient.cost == pytest.approx(patient.starvation)
    assert patient.starvation < 0.01 < hasty.starvation
    assert hasty.mean_waiting < 0.5 * patient.mean_waiting


def test_its_cost_is_what_starves_and_what_waits() -> None:
    plan = solve_joint(fetch=0.3, decay=0.05, capacity=6, fetchers=8)
    assert plan.cost == pytest.approx(plan.starvation + 0.05 * plan.mean_waiting)


def test_no_table_of_wake_ups_is_better() -> None:
    """By value iteration of the same equations, with choices of its own."""
    fetch, decay, capacity, fetchers = 0.5, 0.08, 4, 5
    plan = solve_joint(fetch, decay, capacity, fetchers)
    queue, active = np.mgrid[0 : capacity + 1, 0 : fetchers + 1]
    cost = 1.0 * (queue == 0) + decay * np.maximum(queue - 1, 0)
    speed = 1.0 + fetch * fetchers
    value = np.zeros(cost.shape)
    never = 1e9
    value[0, 0] = never  # nobody would ever come back
    for _ in range(4_000):
        wake = np.minimum(
            value, np.pad(value[:, 1:], ((0, 0), (0, 1)), constant_values=never)
        )
        after = np.where(queue > 0, np.roll(wake, 1, axis=0), value)
        rest = np.pad(value[:, :-1], ((0, 0), (1, 0)), constant_values=never)
        kept = np.minimum(rest, value)
        come = np.where(queue < capacity, np.roll(kept, -1, axis=0), value)
        come = np.where(active > 0, come, value)
        rate = fetch * active
        new = value + (cost + (after - value) + rate * (come - value)) / speed
        new[0, 0] = never
        gain = (new - value)[1, 1]
        value = new
    assert gain * speed == pytest.approx(plan.cost, rel=1e-6)


def test_the_reserve_rises_with_the_queue_and_with_fetchers_until_all_is_full() -> None:
    reserves = solve_joint(0.2, 0.02, 8, 12).reserves
    assert reserves[0, 0] == -np.inf and np.isposinf(reserves[:, -1]).all()
    inner = reserves[1:6, 1:8]
    assert (np.diff(inner, axis=0) > 0.0).all() and (np.diff(inner, axis=1) > 0.0).all()
    assert inner.min() < 0.0
    assert reserves[7, 8] > 1.0


def test_a_plan_nearby_leads_to_the_same_plan() -> None:
    near = solve_joint(0.2, 0.02, 8, 12)
    found = solve_joint(0.25, 0.03, 8, 12, near.wakes)
    assert found.cost == pytest.approx(solve_joint(0.25, 0.03, 8, 12).cost, rel=1e-9)


@pytest.mark.parametrize("decay", [-0.1, np.nan, np.inf])
def test_a_decay_that_is_none_is_refused(decay: float) -> None:
    with pytest.raises(BadNumber, match="decay"):
        solve_joint(0.2, decay, 4, 4)
