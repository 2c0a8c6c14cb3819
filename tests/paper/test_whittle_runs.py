"""What `whittle` prints, against runs of the shipped controller: rewards in the text,
Figures 2–4.
"""

from __future__ import annotations

import pytest

from trapline.laboratory.papers.whittle.fig_1_to_4 import run_traced
from trapline.laboratory.papers.whittle.table_1 import (
    controller_reward,
    mean_of_first,
    reward_of_one,
    running_means,
    runs_that_print,
)
from trapline.laboratory.worlds.ephemeral_table import (
    BOUNDS,
    GREEDY,
    INDEX,
    INDEX_SLOTS,
    REWARDS,
    SOURCES,
    TABLE_I,
)
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import long_run_reward


def test_one_source_alone_is_as_printed() -> None:
    assert round(reward_of_one(0), 2) == GREEDY
    assert reward_of_one(0) == pytest.approx(179.79096, abs=1e-5)


def test_254_66_is_the_mean_of_the_first_61_slots() -> None:
    assert round(mean_of_first(INDEX_SLOTS), 2) == INDEX
    assert runs_that_print() == [("0", INDEX_SLOTS)]


def test_means_of_the_first_slots_by_where_they_begin() -> None:
    means = running_means(200)
    assert means["0"][INDEX_SLOTS - 1] == pytest.approx(
        mean_of_first(INDEX_SLOTS), rel=1e-12
    )
    assert means["0"][0] == 0.0
    assert means["u"][0] == pytest.approx(SOURCES.gain[:2].max())
    assert means["u*"][0] == pytest.approx(SOURCES.ceiling.max())
    assert means["0"][-1] < means["u"][-1] < REWARDS[1] < means["u*"][-1]


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_the_long_run_and_the_bound(budget: int) -> None:
    exact = long_run_reward(TABLE_I, budget)
    assert exact.value == pytest.approx(REWARDS[budget], abs=1e-5)
    assert controller_reward(budget, exact.period) == pytest.approx(
        exact.value, rel=1e-12
    )
    assert relaxed_bound(TABLE_I, budget).value == pytest.approx(
        BOUNDS[budget], abs=1e-4
    )


def test_figure_2_sources_1_and_2_in_turn() -> None:
    visited = run_traced(1, 60).visited
    assert (visited[10:, 0] != visited[10:, 1]).all() and not visited[:, 2:].any()
    assert (visited[10:-1, 0] != visited[11:, 0]).all()


def test_figure_3_source_1_always_and_an_irregular_cycle_of_seven() -> None:
    visited = run_traced(2, 140).visited[35:]
    assert visited[:, 0].all()
    assert (visited[7:] == visited[:-7]).all()
    assert not any((visited[shift:] == visited[:-shift]).all() for shift in range(1, 7))
    assert visited[:7].sum(axis=0).tolist() == [7, 4, 2, 1]


def test_figure_4_source_1_is_visited_always_there_too() -> None:
    """The paper says “from time to time”: its price after one slot is twice that of the second
    visit.
    """
    trace = run_traced(2, 300, "stochastic", seed=1)
    assert trace.visited[:, 0].all()
    assert 0.2 < trace.shares[2] < 0.35 and 0.08 < trace.shares[3] < 0.16
