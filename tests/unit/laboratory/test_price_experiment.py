"""whittle/price: the agenda finds the bound's price by itself, and finds it again when the budget doubles."""

from __future__ import annotations

import pytest

from trapline.laboratory.experiments.registry import run_experiment
from trapline.laboratory.papers.whittle.price import Extent, play


@pytest.mark.parametrize("seed", [1, 2])
def test_the_mean_price_paid_is_the_bounds_price(seed: int) -> None:
    paid = play(Extent(sources=1000, visits=30_000), seed)
    assert paid.before == pytest.approx(1.0, abs=0.02)
    assert paid.after == pytest.approx(1.0, abs=0.02)


def test_the_quick_form_says_what_is_wanted() -> None:
    report = run_experiment("whittle/price", quick=True)
    assert [row["wanted"] for row in report.rows] == [1.02, 1.02]
    assert "wanted 2%" in report.remarks[0]
