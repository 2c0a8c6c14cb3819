"""Whatever the rates, the capacity and the weight: the lemmas of `talim`, and what a best plan may
never do.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.static import best_load
from trapline.theory.queueing.switching import improve


def powers_of_ten(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda exponent: 10.0**exponent)


def queues(most_capacity: int) -> st.SearchStrategy[FetcherQueue]:
    """Weights are drawn as multiples of μ, so that every size of queue meets loads below, at and
    above 1.
    """
    return st.builds(
        lambda fetch, process, capacity, weight: FetcherQueue(
            fetch * process, process, capacity, weight * process
        ),
        powers_of_ten(-2.0, 0.5),
        powers_of_ten(-1.0, 1.0),
        st.integers(1, most_capacity),
        powers_of_ten(-2.0, 2.0),
    )


few = settings(max_examples=20, deadline=None)
some = settings(max_examples=40, deadline=None)
small = queues(most_capacity=6)
fetchers = st.integers(1, 8)


# a fixed number of fetchers


@some
@given(queue=queues(most_capacity=60))
def test_lemma_1_the_cost_strictly_falls_to_the_best_load_and_strictly_rises_after_it(
    queue: FetcherQueue,
) -> None:
    for factors in (np.geomspace(1e-3, 1e3, 61), np.exp(np.linspace(-0.1, 0.1, 21))):
        costs = [queue.load_cost(queue.best_load * factor) for factor in factors]
        middle = len(factors) // 2
        assert (np.diff(costs[: middle + 1]) < 0.0).all()
        assert (np.diff(costs[middle:]) > 0.0).all()


@some
@given(queue=queues(most_capacity=200), off=powers_of_ten(-3.0, -0.01))
def test_lemma_1_the_best_load_is_1_at_the_balanced_weight_and_on_its_side_elsewhere(
    queue: FetcherQueue, off: float
) -> None:
    def best(weight: float) -> float:
        return FetcherQueue(
            queue.fetch_rate, queue.process_rate, queue.capacity, weight
        ).best_load

    balanced = queue.process_rate * (queue.capacity + 2) / queue.capacity
    assert queue.balanced_weight == balanced
    assert best(balanced * off) < 1.0 < best(balanced / off)
    assert best(balanced) == pytest.approx(1.0, abs=1e-12)


@some
@given(queue=queues(most_capacity=30))
@example(queue=FetcherQueue(0.1, 1.0, 5, 1.4))
# the best load is below that of one fetcher
@example(queue=FetcherQueue(3.0, 1.0, 2, 0.01))
def test_proposition_1_no_number_of_fetchers_is_cheaper(queue: FetcherQueue) -> None:
    most = math.ceil(3.0 * queue.best_load / queue.load(1)) + 5
    costs = np.array([queue.static_cost(count) for count in range(1, most + 1)])
    best = queue.best_static()
    assert (
        best.cost == costs[best.fetchers - 1] == pytest.approx(costs.min(), rel=1e-12)
    )
    assert (
        best.fetchers == 1 + costs.argmin()
        or np.sum(costs <= costs.min() * (1.0 + 1e-12)) > 1
    )


@some
@given(
    capacity=st.integers(1, 200),
    low=powers_of_ten(-6.0, 6.0),
    factor=st.floats(1.0, 1e3),
)
def test_proposition_2_the_best_load_never_falls_with_the_weight(
    capacity: int, low: float, factor: float
) -> None:
    assert best_load(capacity, low) <= best_load(capacity, low * factor) * (1.0 + 1e-12)


@some
@given(capacity=st.integers(1, 30), load=powers_of_ten(0.0, 4.0))
def test_proposition_2_some_weight_makes_any_load_too_small(
    capacity: int, load: float
) -> None:
    # At this weight the cost still falls at `load`: Σ(K+1−i)ρ^(K+i) ≤ (K+1)²ρ^2K and Σiρ^(i−1) ≥ 1
    # in its derivative.
    assert (
        best_load(capacity, 1.01 * (capacity + 1) ** 2 * load ** (2 * capacity)) > load
    )


@some
@given(capacity=st.integers(1, 3000), weight=powers_of_ten(-6.0, 6.0))
def test_lemma_3_the_best_load_goes_to_1_as_the_queue_grows(
    capacity: int, weight: float
) -> None:
    # The largest power of either side against all of the other: ρ^(K+1) ≤ γK(K+1)/2 and ρ^K ≥
    # 2γ/((K+1)(K+2)).
    assert (
        abs(math.log(best_load(capacity, weight)))
        <= (abs(math.log(weight)) + 2 * math.log(capacity + 2)) / capacity
    )


@few
@given(load=powers_of_ten(-6.0, 2.0), capacity=st.integers(1, 300))
@example(load=1.0, capacity=1000)
@example(load=math.nextafter(1.0, 0.0), capacity=1000)
@example(load=math.nextafter(1.0, 2.0), capacity=1000)
@example(load=50.0, capacity=1000)
@example(load=1e-6, capacity=1000)
@example(load=1e-300, capacity=1000)
@example(load=1e300, capacity=2)
def test_the_cost_of_a_load_is_right_to_twelve_digits(
    load: float, capacity: int
) -> None:
    weight = 1.7
    process = 0.5
    with localcontext() as context:
        context.prec = 40  # only sums of positive terms: nothing is lost
        ratio = Decimal(load)
        total = sum((ratio**i for i in range(capacity + 1)), Decimal(0))
        exact = (Decimal(weight) + Decimal(process) * ratio ** (capacity + 1)) / total
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        found = FetcherQueue(1.0, process, capacity, weight).load_cost(load)
    assert found == pytest.approx(float(exact), rel=1e-12)


# fetchers woken one by one


@few
@given(queue=small, most=fetchers)
def test_a_dynamic_plan_is_never_dearer_than_any_fixed_number(
    queue: FetcherQueue, most: int
) -> None:
    cheapest = min(queue.static_cost(count) for count in range(1, most + 1))
    assert queue.solve(most).cost <= cheapest * (1.0 + 1e-12)


@few
@given(queue=queues(most_capacity=5))
# equal costs on the way
@example(
    queue=FetcherQueue(0.07564616485967708, 1.7490858091148014, 2, 0.22248609106106002)
)
def test_more_fetchers_never_cost_more(queue: FetcherQueue) -> None:
    costs = np.array([queue.solve(most).cost for most in range(1, 10)])
    assert (np.diff(costs) <= 1e-10 * queue.process_rate).all()


@few
@given(queue=small, most=fetchers)
def test_more_places_never_cost_more(queue: FetcherQueue, most: int) -> None:
    # A controller with one place more can act as if it had not, and then loses and starves no more
    # (coupling).
    rates = queue.fetch_rate, queue.process_rate
    costs = [
        FetcherQueue(*rates, capacity, queue.starvation_weight).solve(most).cost
        for capacity in range(1, 9)
    ]
    assert (np.diff(costs) <= 1e-10 * queue.process_rate).all()


@few
@given(
    queue=small,
    most=fetchers,
    factor=powers_of_ten(-3.0, 3.0),
    doublings=st.integers(-12, 12),
)
def test_another_unit_of_time_changes_the_cost_and_nothing_else(
    queue: FetcherQueue, most: int, factor: float, doublings: int
) -> None:
    def scaled(factor: float) -> FetcherQueue:
        rates = queue.rates
        return FetcherQueue(
            rates.fetch * factor,
            rates.process * factor,
            queue.capacity,
            rates.weight * factor,
        )

    plan = queue.solve(most)
    assert scaled(factor).solve(most).cost == pytest.approx(
        factor * plan.cost, rel=1e-7, abs=1e-10 * factor
    )
    # powers of two round nothing: not even a tie may fall otherwise
    again = scaled(2.0**doublings).solve(most)
    assert again.cost == 2.0**doublings * plan.cost
    assert np.array_equal(again.wakes, plan.wakes)


@few
@given(queue=small, most=fetchers)
def test_the_cost_is_starvation_and_loss_and_playing_the_plan_costs_the_same(
    queue: FetcherQueue, most: int
) -> None:
    plan = queue.solve(most)
    assert plan.cost == pytest.approx(
        queue.starvation_weight * plan.starvation + plan.loss_rate, rel=1e-12
    )
    brought = queue.fetch_rate * plan.mean_fetchers
    processed = queue.process_rate * (1.0 - plan.starvation)
    assert brought == pytest.approx(processed + plan.loss_rate, rel=1e-9)
    played = queue.play(plan.wakes)
    assert played.cost == pytest.approx(
        plan.cost, rel=1e-9, abs=1e-13 * queue.process_rate
    )
    assert (
        0
        <= plan.min_fetchers
        <= plan.mean_fetchers * (1.0 + 1e-12)
        <= most * (1.0 + 1e-9)
    )


@few
@given(queue=small, most=fetchers, seed=st.integers(0, 2**31))
@example(
    queue=FetcherQueue(4.657001269382078, 0.13454040299139952, 2, 2.448101456752191),
    most=8,
    seed=1,
)
@example(
    queue=FetcherQueue(0.13495309616460333, 6.373287089189959, 2, 0.05358857329241644),
    most=5,
    seed=1,
)
def test_every_table_to_start_from_leads_to_the_same_cost(
    queue: FetcherQueue, most: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    cost = queue.solve(most).cost
    for share in (0.0, 0.2, 0.5, 0.8, 1.0):
        start = rng.random((2, queue.capacity + 1, most + 1)) < share
        assert improve(queue.rates, start).cost == pytest.approx(
            cost, rel=1e-7, abs=1e-10 * queue.process_rate
        )


@few
@given(queue=small, most=fetchers)
def test_no_table_is_cheaper_and_one_change_of_mind_never_helps(
    queue: FetcherQueue, most: int
) -> None:
    plan = queue.solve(most)
    for event, places, active in np.ndindex(plan.wakes.shape):
        if places * most + active > 12:
            continue
        other = plan.wakes.copy()
        other[event, places, active] ^= True
        assert (
            queue.play(other).cost
            >= plan.cost * (1.0 - 1e-9) - 1e-13 * queue.process_rate
        )


@few
@given(seed=st.integers(0, 2**31), capacity=st.integers(1, 6), most=fetchers)
def test_value_iteration_stops_near_the_exact_cost(
    seed: int, capacity: int, most: int
) -> None:
    # Rates by seed, not by search, which would find λ = μ = γ, K = N = 1: there a state is worth
    # exactly as much as the reference, its value 0 flickers by rounding, and the paper's rule, a
    # change relative to the value, is never met.
    fetch, process, weight = 10.0 ** np.random.default_rng(seed).uniform(
        (-2.0, -1.0, -2.0), (0.5, 1.0, 2.0)
    )
    queue = FetcherQueue(
        float(fetch * process), float(process), capacity, float(weight * process)
    )
    scale = max(queue.process_rate, queue.starvation_weight)
    assert queue.value_iteration(most).cost == pytest.approx(
        queue.solve(most).cost, abs=3e-4 * scale
    )


@some
@given(queue=queues(most_capacity=12), most=st.integers(1, 20))
def test_the_best_plans_seen_are_decreasing_switching_curves(
    queue: FetcherQueue, most: int
) -> None:
    plan = queue.solve(most)
    # gains as small as rounding are no reason to change one's mind
    assume(plan.cost > 1e-6 * queue.process_rate)
    assert plan.is_monotone
    for curve, event, first in (
        (plan.departure_curve, "departure", 0),
        (plan.arrival_curve, "arrival", 1),
    ):
        for active, highest in enumerate(curve.tolist(), first):
            queued = range(1 - first, queue.capacity + 1)
            wakes = [
                plan.wakes[0 if event == "departure" else 1, places, active]
                for places in queued
            ]
            assert wakes == [places <= highest for places in queued]
