"""whittle/price: the agenda finds the bound's price by itself, and finds it again when the budget
doubles.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.laboratory.papers.whittle.price import SLOT_S, PriceCase, run_case
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import new_controller, visit_ages
from trapline.laboratory.study.registry import run_experiment
from trapline.laboratory.worlds.ephemeral import random_sources
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.whittle import Whittle
from trapline.robot.agenda.agenda import Budget
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.source import Sources


@pytest.mark.parametrize("seed", [1, 2])
def test_the_mean_price_paid_is_the_bounds_price(seed: int) -> None:
    paid = run_case(PriceCase(sources=1000, visits=30_000), seed)
    assert paid.before == pytest.approx(1.0, abs=0.02)
    assert paid.after == pytest.approx(1.0, abs=0.02)


def test_the_quick_form_says_what_is_wanted() -> None:
    report = run_experiment("whittle/price", quick=True)
    assert [row["wanted"] for row in report.rows] == [1.02, 1.02]
    assert "wanted 2%" in report.remarks[0]


def test_a_budget_in_units_of_cost_buys_what_is_worth_its_cost() -> None:
    """Eq. 5: where a visit costs more, the price is per unit of cost.

    The budget is spent in those units.
    """
    sources = random_sources(300, 3, SLOT_S)
    costs = np.where(np.arange(300) % 2, 4.0, 1.0)
    dear = Sources(
        sources.arrival_rate, sources.utility, sources.decay, costs, sources.period
    )
    truth = make_truth(host=np.arange(300, dtype=np.int32), rate=np.ones(300))
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=Whittle(dear),
        budget=Budget(per_s=20.0),
        seeds=[],
    )
    last_s = np.full(300, -5.0)
    hold_all(controller, truth, last_s)
    log = run_compiled(controller, truth, room=1, visits=20_000)
    late = log.issued_s > 0.5 * log.issued_s[-1]
    spent = costs[log.page[late]].sum() / (log.issued_s[-1] * 0.5)
    assert spent == pytest.approx(20.0, rel=0.01)
    bound = relaxed_bound(dear, 20.0 * dear.period)
    ceiling = dear.ceiling[log.page]
    decay = dear.decay[log.page]
    brought = ceiling * -np.expm1(-decay * visit_ages(log, last_s))
    earned = brought[late].sum() / (log.issued_s[-1] * 0.5)
    assert earned == pytest.approx(bound.value / dear.period, rel=0.02)
