"""Whatever the sources: what a price is, what no policy exceeds, and what may never happen."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import average_reward
from trapline.theory.ephemeral.source import EphemeralSource, Sources


def powers_of_ten(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda exponent: 10.0**exponent)


def sources_of(
    low_decay: float, high_decay: float
) -> st.SearchStrategy[EphemeralSource]:
    return st.builds(
        EphemeralSource,
        arrival_rate=powers_of_ten(-2.0, 3.0),
        utility=powers_of_ten(-2.0, 2.0),
        decay=powers_of_ten(low_decay, high_decay),
        cost=powers_of_ten(-1.0, 1.0),
        period=powers_of_ten(-0.5, 0.5),
    )


def lists(
    least: int, most: int, low_decay: float = -1.0, unit: bool = False
) -> st.SearchStrategy[list[EphemeralSource]]:
    numbers = st.tuples(
        powers_of_ten(-1.0, 2.0),
        powers_of_ten(-1.0, 1.0),
        powers_of_ten(low_decay, 0.5),
        st.just(1.0) if unit else powers_of_ten(-0.5, 0.5),
    )
    return st.lists(
        numbers.map(lambda found: EphemeralSource(*found)),
        min_size=least,
        max_size=most,
    )


any_source = sources_of(-9.0, 1.5)
some = settings(max_examples=30, deadline=None)
few = settings(max_examples=15, deadline=None)


@some
@given(source=any_source, age=st.integers(1, 10**7), more=st.integers(1, 10**5))
def test_prices_and_contents_never_fall_with_age(
    source: EphemeralSource, age: int, more: int
) -> None:
    fading = source.decay * source.period
    assert source.price(age) <= source.price(age + more) <= source.ceiling / source.cost
    assert source.content(age) <= source.content(age + more) <= source.ceiling
    if age * fading < 15.0 and more * fading > 1e-8:
        assert source.price(age) < source.price(age + more)


@some
@given(source=any_source, age=st.integers(1, 10**6))
def test_the_state_form_on_the_grid_is_the_age_form(
    source: EphemeralSource, age: int
) -> None:
    assert source.price_at(source.content(age)) == pytest.approx(
        source.price(age), rel=1e-12
    )


@some
@given(source=any_source, age=st.integers(1, 1000), share=st.floats(0.0, 1.0))
def test_off_the_grid_the_state_form_lies_on_the_line_between_two_ages(
    source: EphemeralSource, age: int, share: float
) -> None:
    ages = np.array([age - 1.0, float(age)])
    weights = np.array([1.0 - share, share])
    if age * source.decay * source.period < 20.0:
        expected = weights @ source.price(ages)
        assert source.price_at(weights @ source.content(ages)) == pytest.approx(
            expected, rel=1e-6, abs=1e-300
        )


def better_to_visit(
    source: EphemeralSource, content: float, subsidy: float, most: int = 3000
) -> bool:
    """By brute force over all ways to go on from `content`: wait n slots, then visit every k-th
    slot for ever.

    The subsidy is paid for every slot of waiting. β is the best long-run reward; what is gained
    until the first visit, above β a slot, decides.
    """
    ages = np.arange(1.0, most)
    paid = subsidy * source.cost
    beta = max(float(np.max((source.content(ages) + paid * (ages - 1.0)) / ages)), paid)
    waits = np.arange(1.0, most)
    survival = np.exp(-source.decay * source.period * waits)
    gains = survival * content + source.content(waits) + (paid - beta) * waits
    return content >= float(gains.max())


@few
@given(source=sources_of(-1.5, 0.5), share=st.floats(0.01, 0.9))
def test_the_price_is_the_subsidy_at_which_waiting_and_visiting_are_equal(
    source: EphemeralSource, share: float
) -> None:
    content = share * source.ceiling
    low = 0.0
    high = 2.0 * source.ceiling / source.cost
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (
            (middle, high)
            if better_to_visit(source, content, middle)
            else (low, middle)
        )
    assert source.price_at(content) == pytest.approx(
        low, rel=1e-6, abs=1e-9 * source.ceiling / source.cost
    )


def corners(sources: list[EphemeralSource], budget: float) -> float:
    """The dual at all prices where it may have its least value."""
    ages = np.arange(1.0, 700.0)
    prices = np.concatenate(
        [
            [0.0],
            *(
                np.append(source.price(ages), source.price(math.inf))
                for source in sources
            ),
        ]
    )
    duals = budget * prices
    for source in sources:
        duals += np.maximum(
            0.0,
            ((source.content(ages) - prices[:, None] * source.cost) / ages).max(axis=1),
        )
    return float(duals.min())


@few
@given(sources=lists(1, 3), share=st.floats(0.01, 1.2))
def test_the_bound_is_that_of_brute_force_and_its_rates_use_the_budget(
    sources: list[EphemeralSource], share: float
) -> None:
    total = sum(source.cost for source in sources)
    found = relaxed_bound(sources, share * total)
    assert found.value == pytest.approx(corners(sources, share * total), rel=1e-10)
    spent = found.rates @ [source.cost for source in sources]
    assert spent == pytest.approx(min(1.0, share) * total, rel=1e-9)


@few
@given(sources=lists(1, 6, low_decay=-3.0), share=st.floats(0.05, 1.0))
def test_the_index_policy_never_earns_more_than_the_bound(
    sources: list[EphemeralSource], share: float
) -> None:
    budget = round(share * sum(source.cost for source in sources), 3) + 0.001
    # Started at age 1 with nothing saved, a policy can only have collected less than in a cycle of
    # its own …
    slots = 300
    earned = average_reward(sources, budget, slots=slots)
    # … but for what the sources held at the start, which is their gain.
    start = sum(source.gain for source in sources) / slots
    assert earned <= relaxed_bound(sources, budget).value + start


@few
@given(sources=lists(3, 8, unit=True))
def test_the_index_policy_comes_close_to_the_bound(
    sources: list[EphemeralSource],
) -> None:
    budget = len(sources) // 2
    assert (
        average_reward(sources, budget, slots=400, skip=200)
        > 0.9 * relaxed_bound(sources, budget).value
    )


@some
@given(
    sources=lists(1, 6, low_decay=-4.0),
    first=st.floats(0.01, 2.0),
    second=st.floats(0.01, 2.0),
)
def test_more_budget_is_worth_less_and_less(
    sources: list[EphemeralSource], first: float, second: float
) -> None:
    low, middle, high = (
        relaxed_bound(sources, m) for m in (first, 0.5 * (first + second), second)
    )
    assert middle.value >= 0.5 * (low.value + high.value) * (1.0 - 1e-12)
    if first < second:
        assert low.price >= high.price
        assert low.value <= high.value * (1.0 + 1e-12)
        # The price is what one more unit is worth.
        assert high.value <= low.value * (1.0 + 1e-12) + low.price * (
            second - first
        ) * (1.0 + 1e-9)


@some
@given(
    sources=lists(1, 5, low_decay=-4.0),
    budget=st.floats(0.05, 3.0),
    factor=powers_of_ten(-3.0, 3.0),
)
def test_units_do_not_matter(
    sources: list[EphemeralSource], budget: float, factor: float
) -> None:
    many = Sources.of(sources)
    plain = relaxed_bound(many, budget)
    richer = Sources(many.arrival_rate, many.utility * factor, many.decay, many.cost)
    assert relaxed_bound(richer, budget).value == pytest.approx(
        factor * plain.value, rel=1e-9
    )
    dearer = Sources(many.arrival_rate, many.utility, many.decay, many.cost * factor)
    found = relaxed_bound(dearer, budget * factor)
    assert found.value == pytest.approx(plain.value, rel=1e-9)
    assert found.price == pytest.approx(plain.price / factor, rel=1e-9)
    slower = Sources(
        many.arrival_rate / factor,
        many.utility,
        many.decay / factor,
        many.cost,
        period=factor,
    )
    assert relaxed_bound(slower, budget).value == pytest.approx(plain.value, rel=1e-9)
