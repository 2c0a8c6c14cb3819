"""The automata in a world of materials: they meet the states that their chain predicts."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.runs.unit_values import fill
from trapline.laboratory.worlds.knapsack.unit_values import FAMILIES, UnitValueWorld
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.automata.lakg import Lakg
from trapline.policies.refresh.automata.traa import Traa
from trapline.theory.knapsack.equality_knapsack import Floats
from trapline.theory.knapsack.traa_chain import MODES, TraaChain

TWO = UnitValueWorld(lambda x: np.array([0.9, 0.3]) * (1.0 - x), materials=2)


@pytest.mark.parametrize("mode", MODES)
def test_a_twofold_automaton_keeps_to_the_law_of_its_chain(mode: str) -> None:
    policy = Traa.for_pages(2, resolution=20, mode=mode, seed=3)
    fill(policy, TWO, 5_000, seed=1)
    met = fill(policy, TWO, 400_000, seed=2, resolution=20)
    chain = TraaChain.of(
        20, lambda x: 0.9 * (1.0 - x), lambda x: 0.3 * (1.0 - x), mode=mode
    )
    share = met[1:-1] / met.sum()
    assert 0.5 * np.abs(share - chain.law).sum() < 0.08
    assert share @ chain.shares == pytest.approx(chain.mean_share, abs=0.015)
    other = TraaChain.of(20, lambda x: 0.3 * (1.0 - x), lambda x: 0.9 * (1.0 - x))
    assert 0.5 * np.abs(share - other.law).sum() > 0.5, "the test can fail"


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", [HTraa, Lakg])
def test_automata_fill_a_knapsack_from_noisy_zeros_and_ones(
    kind: type[HTraa | Lakg], family: str
) -> None:
    world = UnitValueWorld.family(family, materials=8, seed=2)
    policy = kind.for_pages(8, seed=1)
    assert world.uniform_share < 0.95
    fill(policy, world, 60_000, seed=1)
    assert world.share_of_best(policy.shares()) > 0.97


def test_a_capacity_only_scales_the_amounts() -> None:
    def values(x: Floats) -> Floats:
        return np.array([0.9, 0.3]) * (1.0 - x / 5.0)

    wide = UnitValueWorld(values, materials=2, capacity=5.0)
    assert wide.best.amounts == pytest.approx(5.0 * TWO.best.amounts)
    assert wide.table == pytest.approx(TWO.table)


def test_bad_worlds_and_automata_are_named() -> None:
    with pytest.raises(UnknownName, match="no family of unit values named 'square'"):
        UnitValueWorld.family("square", 4, 1)
    with pytest.raises(BadNumber, match="a probability that never rises"):
        UnitValueWorld(lambda x: 1.5 - x, materials=2)
    with pytest.raises(BadNumber, match="materials of the automaton is 4"):
        fill(HTraa.for_pages(4), TWO, 10, seed=1)
