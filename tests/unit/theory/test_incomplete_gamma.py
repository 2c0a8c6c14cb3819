"""Tails of the Gamma law beside SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from trapline.theory.incomplete_gamma import (
    gamma_above,
    gamma_tails,
    gamma_threshold,
)

SHAPES = [1e-9, 1e-3, 0.3, 1.0, 1.7, 12.0, 300.0, 1e4, 4e5]


@pytest.mark.parametrize("shape", SHAPES)
def test_tails_are_those_of_scipy(shape: float) -> None:
    deviation = np.sqrt(shape)
    x = np.array([1e-300, 1e-9, 0.1, *(shape + deviation * np.arange(-3.0, 9.0))])
    x = x[x > 0.0]
    wanted = special.gammaincc(shape, x)
    assert gamma_tails(np.full(len(x), shape), x) == pytest.approx(
        wanted, rel=1e-8, abs=1e-12
    )


def test_nothing_is_below_0_and_nothing_above_infinity() -> None:
    assert gamma_above(2.0, 0.0) == 1.0
    assert gamma_above(2.0, np.inf) == 0.0
    assert gamma_above(2.0, 1e6) == 0.0


@pytest.mark.parametrize("shape", SHAPES[1:])
@pytest.mark.parametrize("chance", [1e-12, 1e-6, 0.05, 0.5, 0.95, 1.0 - 1e-6])
def test_thresholds_are_those_of_scipy(shape: float, chance: float) -> None:
    wanted = float(special.gammainccinv(shape, chance))
    assert gamma_threshold(shape, chance) == pytest.approx(wanted, rel=1e-7, abs=1e-290)


def test_a_threshold_too_small_to_write_is_0() -> None:
    assert gamma_threshold(1e-9, 0.5) == 0.0
    assert gamma_threshold(3.0, 1.0) == 0.0
