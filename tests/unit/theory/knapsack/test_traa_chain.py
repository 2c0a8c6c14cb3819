"""The automaton's chain: its matrix, its law, and what the paper's proof says of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.theory.knapsack.traa_chain import MODES, Floats, TraaChain

BEST = 0.75  # of falling(.9) against falling(.3)


def falling(top: float, x: Floats) -> Floats:
    return top * (1.0 - x)


def chain_of(resolution: int, mode: str = "reward-inaction") -> TraaChain:
    return TraaChain.of(
        resolution, lambda x: falling(0.9, x), lambda x: falling(0.3, x), mode=mode
    )


def matrix_of(chain: TraaChain) -> Floats:
    """H of (4)–(8)."""
    matrix = np.diag(chain.up[:-1], 1) + np.diag(chain.down[1:], -1)
    return matrix + np.diag(1.0 - matrix.sum(axis=1))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("resolution", [2, 9, 40])
def test_the_law_is_the_eigenvector_of_the_matrix(resolution: int, mode: str) -> None:
    chain = chain_of(resolution, mode)
    matrix = matrix_of(chain)
    assert (matrix >= 0.0).all()
    assert chain.law @ matrix == pytest.approx(chain.law, abs=1e-14)
    assert chain.law.sum() == pytest.approx(1.0)


def test_the_ways_are_those_of_equations_4_and_5() -> None:
    chain = chain_of(4)
    q = np.array([0.2, 0.4, 0.6, 0.8])
    r = 1.0 - q
    assert chain.down[1:] == pytest.approx((r * 0.3 * (1 - r) * q)[1:])
    assert chain.up[:-1] == pytest.approx((q * 0.9 * (1 - q) * r)[:-1])
    assert chain.down[0] == chain.up[-1] == 0.0


@pytest.mark.parametrize("mode", MODES)
def test_theorem_1_the_law_gathers_at_the_optimum_as_one_by_root_n(mode: str) -> None:
    coarse, fine = (chain_of(resolution, mode) for resolution in (400, 6400))
    assert coarse.mean_share == pytest.approx(BEST, abs=0.01)
    assert fine.mean_share == pytest.approx(BEST, abs=0.001)
    assert coarse.share_sd / fine.share_sd == pytest.approx(4.0, rel=0.02)


def test_the_papers_bound_holds_but_does_not_vanish() -> None:
    """M of (17) goes to 1, and N·U at a given distance from the optimum grows."""
    outside = []
    for resolution in (400, 1600, 6400):
        chain = chain_of(resolution)
        bound = chain.state_bound(BEST)
        assert (chain.law <= bound * (1.0 + 1e-9)).all()
        assert abs(1.0 - chain.steepness(BEST)) < 1.0 / resolution
        outside.append(resolution * bound[int(0.65 * resolution)])
    assert outside[0] < outside[1] < outside[2]
    exact = [
        chain_of(resolution).law[: int(0.65 * resolution)].sum()
        for resolution in (400, 1600)
    ]
    assert exact[1] < exact[0] * 1e-2, "what it bounds does vanish"


def test_states_without_return_have_no_mass() -> None:
    """A material that is always worth 1 below a share of a half: nothing leads down there."""
    chain = TraaChain.of(
        9,
        lambda x: np.where(x < 0.5, 1.0, 0.5),
        lambda x: 0.5 + 0.0 * x,
        mode="inaction-penalty",
    )
    assert not chain.law[:3].any()
    assert chain.law[3:].sum() == pytest.approx(1.0)
    assert chain.law @ matrix_of(chain) == pytest.approx(chain.law)


def test_many_states_overflow_nothing() -> None:
    chain = chain_of(200_000)
    assert math.isfinite(chain.share_sd)
    assert chain.law.sum() == pytest.approx(1.0)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(BadNumber, match="the resolution N is 1"):
        chain_of(1)
    with pytest.raises(UnknownName, match="no mode named 'both'"):
        chain_of(5, "both")
    with pytest.raises(BadNumber, match=r"a unit value is 1\.6"):
        TraaChain.of(5, lambda x: 1.5 + x, lambda x: x)
    with pytest.raises(BadNumber, match="where the automaton began"):
        _ = TraaChain.of(5, lambda x: 0.0 * x, lambda x: 0.0 * x).law
