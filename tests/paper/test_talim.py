"""Every number that `talim` prints against our exact ones: Tables 1 and 2, the captions of Figures
6–8.

C_s and C_d round to the five printed digits, but for ten errata, whose right values are those of
an independent computation. The C_d of Table 1 are what value iteration has when it stops, to all
printed digits in all rows; its N_iter are our counts plus one.
"""

from __future__ import annotations

import pytest

from trapline.laboratory.papers.talim.fig_2_to_5 import (
    best_fetchers,
    endless_fetchers,
    peak_capacity,
)
from trapline.laboratory.papers.talim.printed import (
    CELLS,
    ERRATA,
    FIGURES,
    TABLE_1,
    TABLE_2,
    Cell,
    PolicyFigure,
)

EXACT_COSTS = {"fig-6": 0.20907413, "fig-7": 0.25923960, "fig-8": 0.32211467}  # θ

every_cell = pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.id)
every_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)


def test_there_are_45_cells_with_readable_ids() -> None:
    assert (len(TABLE_1), len(TABLE_2)) == (27, 18)
    ids = [cell.id for cell in CELLS]
    assert len(set(ids)) == 45 and "table-1/λ=0.1,K=5,γ=1.4" in ids
    assert set(ERRATA) < set(ids)


def test_the_weights_printed_as_1_13_are_balanced() -> None:
    rounded = [cell for cell in CELLS if cell.printed_weight == "1.13"]
    assert len(rounded) == 5
    assert all(cell.weight == cell.queue.balanced_weight == 17 / 15 for cell in rounded)


@every_cell
def test_the_static_optimum_is_as_printed(cell: Cell) -> None:
    best = cell.queue.best_static()
    assert best.fetchers == cell.static_fetchers
    assert round(best.cost, 5) == cell.static_cost


@every_cell
def test_the_dynamic_plan_is_as_printed_but_for_the_errata(cell: Cell) -> None:
    plan = cell.queue.solve(cell.fetchers)
    assert plan.min_fetchers == cell.min_fetchers
    assert round(plan.mean_fetchers, 1) == cell.mean_fetchers
    assert plan.is_monotone
    if cell.max_fetchers is not None:
        assert plan.max_fetchers == cell.max_fetchers
    if cell.id in ERRATA:
        assert plan.cost == pytest.approx(ERRATA[cell.id].right, abs=1e-6)
        assert round(plan.cost, 5) != cell.cost
    else:
        assert round(plan.cost, 5) == cell.cost


@pytest.mark.parametrize("cell", TABLE_1, ids=lambda cell: cell.id)
def test_table_1_is_where_value_iteration_stopped(cell: Cell) -> None:
    iterated = cell.queue.value_iteration(cell.fetchers)
    assert round(iterated.cost, 5) == cell.cost
    assert cell.iterations == iterated.iterations + 1
    assert iterated.cost == pytest.approx(
        cell.queue.solve(cell.fetchers).cost, abs=4e-5
    )


def test_the_errata_of_table_2_are_costs_of_other_queues() -> None:
    first, second = (cell for cell in TABLE_2 if cell.id in ERRATA)
    assert first.cost == round(second.queue.solve(second.fetchers).cost, 5)
    assert second.cost == round(second.queue.solve(second.static_fetchers).cost, 5)


@pytest.mark.parametrize("cell", TABLE_2, ids=lambda cell: cell.id)
def test_more_fetchers_than_table_2_was_given_change_nothing(cell: Cell) -> None:
    enough = cell.queue.solve(cell.fetchers)
    more = cell.queue.solve(cell.fetchers + 10)
    assert more.cost == pytest.approx(enough.cost, rel=1e-10)


@every_figure
def test_the_figures_have_the_printed_cost_and_iterations(figure: PolicyFigure) -> None:
    plan = figure.queue.solve(figure.fetchers)
    iterated = figure.queue.value_iteration(
        figure.fetchers, reference=(1, 1, 1), tolerance=1e-5
    )
    assert plan.cost == pytest.approx(EXACT_COSTS[figure.id], abs=1e-8)
    assert round(plan.cost, 5) == round(iterated.cost, 5) == figure.cost
    assert iterated.iterations == figure.iterations
    assert (iterated.wakes == plan.wakes).all()


@every_figure
def test_the_switching_curves_are_those_of_an_independent_computation(
    figure: PolicyFigure,
) -> None:
    plan = figure.queue.solve(figure.fetchers)
    assert tuple(plan.departure_curve) == figure.departure_curve
    assert tuple(plan.arrival_curve) == figure.arrival_curve


@pytest.mark.parametrize("weight", [0.5, 2.0])
@pytest.mark.parametrize("ratio", [5.2, 5.7, 6.0])
def test_a_long_queue_has_the_number_of_equation_16(
    ratio: float, weight: float
) -> None:
    assert best_fetchers(ratio, 5_000, weight) == endless_fetchers(ratio, weight)


@pytest.mark.parametrize(
    ("weight", "found"), [(1.2, 21), (1.5, 9), (2.0, 5), (3.0, 3), (5.0, 2)]
)
def test_where_the_best_load_is_greatest(weight: float, found: int) -> None:
    """K_0 of Lemma 2, which the paper leaves open."""
    assert peak_capacity(weight, most=3 * found + 5) == found
