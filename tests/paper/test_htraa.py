"""The table of `htraa`'s worlds, n = 512, p_k = α/k^β, one poll a step: what each way to share out
the polls earns.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.theory import (
    best_rates,
    detections,
    proportional_rates,
    slotted_bound,
    slotted_price,
)
from trapline.theory.argument_checks import Floats
from trapline.theory.market import market_price
from trapline.theory.polling.allocation import uniform_rates

GOLDEN = 0.6180339887498949
WORLDS = {
    (0.3, 1.5): (0.12266, 0.56023, 0.56111, 0.55865, 0.55885),
    (0.3, 1.0): (0.53038, 0.88049, 0.88147, 0.88137, 0.88146),
    (0.9, 1.5): (0.23212, 0.94514, 0.97702, 0.96840, 0.96877),
}
NUMBER = np.arange(1, 513)

every_world = pytest.mark.parametrize("world", WORLDS, ids=str)


def chances(world: tuple[float, float]) -> Floats:
    alpha, beta = world
    return np.asarray(alpha / NUMBER**beta, np.float64)


@every_world
def test_the_table_to_five_digits(world: tuple[float, float]) -> None:
    p = chances(world)
    uniform, proportional, optimal, _, bound = WORLDS[world]
    assert round(detections(p, uniform_rates(p)), 5) == uniform
    assert round(detections(p, proportional_rates(p)), 5) == proportional
    assert round(detections(p, best_rates(p)), 5) == optimal
    assert round(slotted_bound(p), 5) == bound
    assert 1.0 - np.prod(1.0 - p) == pytest.approx(
        detections(p, best_rates(p)), rel=1e-12
    )


@every_world
def test_the_index_with_known_probabilities(world: tuple[float, float]) -> None:
    """Polling the argmax of the slotted price, from ages as in the long run; q^τ is kept from step
    to step.
    """
    p = chances(world)
    ages = np.ceil((GOLDEN * NUMBER) % 1.0 / best_rates(p))
    unchanged = (1.0 - p) ** ages
    found = np.zeros(70_000)
    for step in range(found.size):
        ages += 1.0
        unchanged *= 1.0 - p
        page = int((unchanged * (1.0 + ages * p)).argmin())
        if step % 500 == 0:
            prices = slotted_price(p, ages)
            assert prices[page] == pytest.approx(prices.max(), rel=1e-9)
        found[step] = 1.0 - unchanged[page]
        ages[page] = 0.0
        unchanged[page] = 1.0
    earned = found[10_000:].mean()
    assert earned == pytest.approx(WORLDS[world][3], abs=8e-5)
    assert 0.994 * slotted_bound(p) < earned < slotted_bound(p)


def at_rest(p: Floats, weights: Floats) -> Floats:
    """Where automata come to rest that know no prices: w·d the same for all pages that can reach
    it.
    """
    hazard = -np.log1p(-p)

    def rates(level: float) -> Floats:
        reached = level < weights
        d = np.where(reached, level, 0.5) / np.where(reached, weights, 1.0)
        return np.where(reached, hazard / -np.log1p(-d), 0.0)

    low, high = market_price(
        lambda level: float(rates(level).sum()), 1.0, 1e-9, float(weights.max())
    )
    more = rates(low)
    less = rates(high)
    return less + (more - less) * (
        (1.0 - less.sum()) / (more.sum() - less.sum()) if low < high else 0.0
    )


@every_world
def test_with_weights_the_automata_rest_in_the_wrong_place(
    world: tuple[float, float],
) -> None:
    """On the average of random weights 2–12 % are lost; of single draws, between nothing and more
    than that.
    """
    p = chances(world)
    losses = []
    for seed in range(20):
        weights = np.random.default_rng(seed).uniform(0.5, 2.0, 512)
        rates = at_rest(p, weights)
        assert rates.sum() == pytest.approx(1.0, abs=1e-12)
        best = detections(p, best_rates(p, weights=weights), weights)
        losses.append(1.0 - detections(p, rates, weights) / best)
    assert min(losses) > 0.0
    assert 0.02 < np.mean(losses) < 0.12


def test_without_weights_they_rest_in_the_right_one() -> None:
    p = chances((0.9, 1.5))
    np.testing.assert_allclose(at_rest(p, np.ones(512)), best_rates(p), rtol=1e-5)
