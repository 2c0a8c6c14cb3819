"""Estimators of a change rate: by hand, by a general optimiser of the likelihood, and how biased
they are.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize

from trapline.core.errors import BadNumber
from trapline.theory import bias_reduced_rate, likeliest_rate
from trapline.theory.argument_checks import Floats
from trapline.theory.estimators import naive_rate

visits = st.lists(
    st.tuples(st.floats(-4.0, 4.0), st.booleans()), min_size=1, max_size=12
)


def log_likelihood(rate: float, gaps: Floats, changed: NDArray[np.bool_]) -> float:
    return float(np.where(changed, np.log(-np.expm1(-rate * gaps)), -rate * gaps).sum())


def test_by_hand() -> None:
    seen = [True, False, True, False, False]
    assert naive_rate(seen, 0.5) == pytest.approx(0.8, rel=1e-15)
    assert bias_reduced_rate(seen, 0.5) == pytest.approx(
        -2.0 * math.log(3.5 / 5.5), rel=1e-15
    )
    assert bias_reduced_rate([False] * 7, 3.0) == 0.0
    assert bias_reduced_rate([True] * 7, 3.0) == pytest.approx(
        math.log(15.0) / 3.0, rel=1e-15
    )


@pytest.mark.parametrize("changes", range(1, 10))
def test_with_equal_gaps_the_likeliest_rate_is_known(changes: int) -> None:
    changed = np.arange(10) < changes
    assert likeliest_rate(np.full(10, 0.3), changed) == pytest.approx(
        -math.log(1.0 - changes / 10) / 0.3, rel=1e-13
    )


def test_nothing_seen_and_nothing_but_changes() -> None:
    assert likeliest_rate([1.0, 2.0], [False, False]) == 0.0
    assert likeliest_rate([1.0, 2.0], [True, True]) == math.inf


@settings(max_examples=150, deadline=None)
@given(visits=visits)
def test_it_is_the_root_whatever_the_gaps(visits: list[tuple[float, bool]]) -> None:
    gaps = 10.0 ** np.array([gap for gap, _ in visits])
    changed = np.array([seen for _, seen in visits])
    rate = likeliest_rate(gaps, changed)
    if not changed.any() or changed.all():
        assert rate == (math.inf if changed.all() else 0.0)
        return
    with np.errstate(over="ignore"):
        left = (gaps[changed] / np.expm1(rate * gaps[changed])).sum()
    assert math.log(left) == pytest.approx(
        math.log(gaps[~changed].sum()), rel=1e-9, abs=1e-9
    )


def test_no_other_rate_is_likelier() -> None:
    rng = np.random.default_rng(6)
    gaps = rng.uniform(0.1, 8.0, 40)
    changed = rng.random(40) < -np.expm1(-0.4 * gaps)
    best = likeliest_rate(gaps, changed)
    found = optimize.minimize_scalar(
        lambda rate: -log_likelihood(float(rate), gaps, changed),
        bounds=(1e-3, 5.0),
        method="bounded",
    )
    assert best == pytest.approx(float(found.x), abs=1e-4)
    for other in (0.99 * best, 1.01 * best, float(found.x)):
        assert (
            log_likelihood(other, gaps, changed)
            <= log_likelihood(best, gaps, changed) + 1e-12
        )


def test_a_quiet_gap_of_almost_nothing() -> None:
    """The root is where e^(−D) is about 1e-200."""
    assert likeliest_rate([1.0, 1e-200], [True, False]) == pytest.approx(
        200.0 * math.log(10.0), rel=1e-12
    )


def test_the_bias_of_each() -> None:
    """Rate 1, ten visits a time unit apart: the naive estimate is far too low, the reduced one
    nearly right.
    """
    rng = np.random.default_rng(8)
    seen = rng.random((4000, 10)) < -math.expm1(-1.0)
    naive = np.mean([naive_rate(one, 1.0) for one in seen])
    reduced = np.mean([bias_reduced_rate(one, 1.0) for one in seen])
    assert naive == pytest.approx(-math.expm1(-1.0), abs=0.01)
    assert reduced == pytest.approx(1.0, abs=0.03)


def test_what_is_refused() -> None:
    for gap in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(BadNumber, match="gap"):
            naive_rate([True], gap)
        with pytest.raises(BadNumber, match="gap"):
            bias_reduced_rate([True], gap)
        with pytest.raises(BadNumber, match="gap"):
            likeliest_rate([1.0, gap], [True, False])
    with pytest.raises(BadNumber, match="gaps"):
        likeliest_rate([1.0, 2.0], [True])
    with pytest.raises(BadNumber, match="number of visits"):
        naive_rate([], 1.0)
    with pytest.raises(BadNumber, match="what a visit found"):
        bias_reduced_rate([0.5], 1.0)
