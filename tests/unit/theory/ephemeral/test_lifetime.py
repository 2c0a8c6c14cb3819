"""Sources that drop what is too old: contents, prices, bounds, cycles, and the paper's factor."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.policies.refresh.whittle import Whittle
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import long_run_reward
from trapline.theory.ephemeral.observed import ObservedIndex
from trapline.theory.ephemeral.source import EphemeralSource, Sources

AGES = np.arange(1.0, 40.0)


def dropping(lifetime: float, decay: float = 0.35) -> EphemeralSource:
    return EphemeralSource(250.0, 0.7, decay, cost=2.0, lifetime=lifetime)


@pytest.mark.parametrize("lifetime", [1.0, 2.0, 7.0])
def test_nothing_is_gained_by_waiting_beyond_the_lifetime(lifetime: float) -> None:
    source, endless = dropping(lifetime), dropping(np.inf)
    young = lifetime >= AGES
    assert source.content(AGES)[young] == pytest.approx(endless.content(AGES)[young])
    assert source.content(AGES)[~young] == pytest.approx(source.ceiling)
    kept = 1.0 - endless.survival**lifetime
    assert source.ceiling == pytest.approx(endless.ceiling * kept)
    assert source.gain == endless.gain


@pytest.mark.parametrize("lifetime", [1.0, 2.0, 7.0, np.inf])
def test_the_price_is_that_at_which_one_slot_more_is_as_good(lifetime: float) -> None:
    """(x_k − γC)/k = (x_(k+1) − γC)/(k+1); found by trying prices for the best age."""
    source = dropping(lifetime)
    held = source.content(AGES)
    for age, price in zip(AGES[:-1], source.price(AGES[:-1]), strict=True):
        if age < lifetime:
            gains = (held - price * source.cost) / AGES
            assert gains[int(age) - 1] == pytest.approx(gains[int(age)])
        else:
            assert price == pytest.approx(held[int(age) - 1] / source.cost)
    prices = source.price(np.arange(0.0, 60.0))
    assert all(one <= other for one, other in pairwise(prices.tolist()))
    for price in np.linspace(0.01, 1.2, 60) * source.ceiling / source.cost:
        gains = (held - price * source.cost) / AGES
        due = source.due_age(price)
        if gains.max() <= 0.0:
            assert due == np.inf or due > AGES[-1]
        else:
            assert gains[int(due) - 1] == pytest.approx(gains.max(), rel=1e-9)


def test_contents_on_the_way_have_the_prices_of_their_ages() -> None:
    source = dropping(5.0)
    assert source.price_at(source.content(AGES)) == pytest.approx(source.price(AGES))


MANY = Sources(
    np.full(5, 250.0),
    np.array([1.0, 0.7, 0.2, 0.08, 0.5]),
    np.array([0.7, 0.35, 0.7, 0.21, 0.02]),
    lifetime=np.array([1.0, 4.0, np.inf, 20.0, 3.0]),
)


@pytest.mark.parametrize("budget", [0.3, 1.0, 2.0, 3.7])
def test_the_bound_is_the_least_of_the_dual(budget: float) -> None:
    ages = np.arange(1.0, 400.0)[:, None]
    held = MANY.content(ages)
    prices = np.linspace(0.0, MANY.worth.max(), 20_001)

    def dual(price: float) -> float:
        gains = ((held - price * MANY.cost) / ages).max(axis=0)
        return float(price * budget + np.maximum(gains, 0.0).sum())

    found = relaxed_bound(MANY, budget)
    least = min(dual(price) for price in prices[::20])
    near = prices[np.abs(prices - found.price) < 40.0]
    least = min(least, *(dual(price) for price in near[::4]), dual(found.price))
    assert found.value == pytest.approx(least, rel=1e-6)
    assert float(found.rates.sum()) == pytest.approx(budget)
    assert (found.ages[np.isfinite(found.ages)] <= 400).all()


@pytest.mark.parametrize("budget", [1.0, 2.0])
def test_the_index_policy_comes_near_the_bound(budget: float) -> None:
    bound = relaxed_bound(MANY, budget).value
    ours = long_run_reward(MANY, budget).value
    assert 0.94 * bound < ours <= bound * (1.0 + 1e-12)


def test_the_papers_factor_makes_all_prices_of_a_source_too_low_alike() -> None:
    unvisited = replace(
        MANY, utility=MANY.utility * MANY.kept, lifetime=np.full(1, np.inf)
    )
    assert unvisited.price(3.0) == pytest.approx(
        MANY.kept * replace(MANY, lifetime=np.full(1, np.inf)).price(3.0)
    )


def test_a_part_keeps_its_columns() -> None:
    part = MANY.part(np.array([1, 3]))
    assert part.lifetime.tolist() == [4.0, 20.0]
    assert part.price(9.0) == pytest.approx(MANY.price(9.0)[[1, 3]])


@pytest.mark.parametrize("lifetime", [0.0, 2.5, -1.0, np.nan])
def test_lifetimes_are_whole_slots(lifetime: float) -> None:
    with pytest.raises(BadNumber, match="lifetime of items M"):
        _ = dropping(lifetime).ceiling


@pytest.mark.parametrize(
    "make",
    [lambda: Whittle(MANY), lambda: ObservedIndex(dropping(3.0))],
    ids=["offers", "seen contents"],
)
def test_what_cannot_drop_content_says_so(make: Any) -> None:
    with pytest.raises(BadNumber, match="lifetime of items M"):
        make()
