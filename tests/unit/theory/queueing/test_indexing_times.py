"""Indexing times of any law: against the M/M/1/K formulas, the embedded chain solved as equations,
and a simulation.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, stats

from trapline.core.errors import BadNumber
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.general_queue import GeneralQueue
from trapline.theory.queueing.indexing_times import IndexingTimes
from trapline.theory.queueing.static import empty_and_full

LAWS = {
    "exponential": IndexingTimes.exponential(1.25),
    "deterministic": IndexingTimes.deterministic(0.8),
    "erlang": IndexingTimes.erlang(0.8, 3),
    "hyperexponential": IndexingTimes.hyperexponential((0.2, 0.8), (0.5, 2.0)),
    "gamma": IndexingTimes.from_moments(0.8, 0.3),
    "wild gamma": IndexingTimes.from_moments(0.8, 300.0),
    "sampled": IndexingTimes.from_samples([0.0, 0.1, 0.1, 3.0]),
}
EVERY_LAW = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())


def queue_of(
    law: IndexingTimes, load: float, capacity: int, weight: float = 1.4
) -> GeneralQueue:
    """One fetcher brings the whole load."""
    return GeneralQueue(load / law.mean, law, capacity, weight)


@pytest.mark.parametrize("capacity", [1, 2, 5, 40, 1000])
@pytest.mark.parametrize("load", [1e-4, 0.3, 0.97, 1.0, 1.2, 7.0])
def test_exponential_times_are_the_queue_of_the_paper(
    load: float, capacity: int
) -> None:
    general = queue_of(IndexingTimes.exponential(2.0), load, capacity)
    empty, full = empty_and_full(load, capacity)
    assert general.starvation(1) == pytest.approx(empty, rel=1e-12)
    assert general.loss_rate(1) == pytest.approx(
        2.0 * load * full, rel=1e-12, abs=1e-300
    )
    assert general.static_cost(1) == pytest.approx(
        FetcherQueue(1.0, 2.0, capacity, 1.4).load_cost(load), rel=1e-12
    )


@pytest.mark.parametrize("weight", [0.05, 0.4, 1.4, 30.0])
@pytest.mark.parametrize("fetch_rate", [0.001, 0.1, 3.0])
def test_exponential_times_have_the_best_number_of_the_paper(
    fetch_rate: float, weight: float
) -> None:
    found = GeneralQueue(
        fetch_rate, IndexingTimes.exponential(1.0), 5, weight
    ).best_static()
    known = FetcherQueue(fetch_rate, 1.0, 5, weight).best_static()
    assert found.fetchers == known.fetchers
    assert found.cost == pytest.approx(known.cost, rel=1e-12)


@pytest.mark.parametrize("shape", [0.4, 1.0, 3.0])
def test_arrivals_during_a_gamma_time_are_the_integral_over_it(shape: float) -> None:
    law = IndexingTimes.from_moments(0.8, 0.64 / shape)
    gamma = stats.gamma(shape, scale=0.8 / shape)
    for count, chance in enumerate(law.arrivals(2.0, 6)):

        def at(time: float, count: int = count) -> float:
            return float(stats.poisson.pmf(count, 2.0 * time) * gamma.pdf(time))

        wanted = sum(
            integrate.quad(at, *ends, epsabs=1e-12)[0]
            for ends in [(0.0, 1.0), (1.0, math.inf)]
        )
        assert chance == pytest.approx(wanted, rel=1e-7)


def test_arrivals_during_steady_and_measured_times_are_poisson_and_its_mixture() -> (
    None
):
    j = np.arange(9)
    steady = IndexingTimes.deterministic(0.8).arrivals(2.0, 8)
    assert steady == pytest.approx(stats.poisson.pmf(j, 1.6), rel=1e-13)
    measured = IndexingTimes.from_samples([0.1, 3.0, 0.1, 0.0]).arrivals(2.0, 8)
    mixture = (
        0.5 * stats.poisson.pmf(j, 0.2)
        + 0.25 * stats.poisson.pmf(j, 6.0)
        + 0.25 * (j == 0)
    )
    assert measured == pytest.approx(mixture, rel=1e-13)


def test_many_measured_times_are_all_looked_at() -> None:
    times = np.linspace(0.1, 2.0, 2500)
    law = IndexingTimes.from_samples(times)
    assert law.arrivals(2.0, 3) == pytest.approx(
        [np.mean(stats.poisson.pmf(j, 2.0 * times)) for j in range(4)]
    )
    assert law.surplus(2.0, 1) == pytest.approx(
        (2.0 * times - 1.0 + np.exp(-2.0 * times)).mean()
    )


@EVERY_LAW
def test_arrivals_add_up_to_one_and_to_their_mean(law: IndexingTimes) -> None:
    exactly = law.arrivals(3.0, 30)
    more = law.more_arrivals(3.0, 30)
    assert exactly.cumsum() + more == pytest.approx(1.0, rel=1e-13)
    assert more.sum() + law.surplus(3.0, 31) == pytest.approx(3.0 * law.mean, rel=1e-12)


@pytest.mark.parametrize(
    "name", ["exponential", "deterministic", "erlang", "hyperexponential", "gamma"]
)
def test_moments_are_those_of_a_sample(name: str) -> None:
    known = {
        "exponential": 0.64,
        "deterministic": 0.0,
        "erlang": 0.64 / 3,
        "hyperexponential": 1.36,
        "gamma": 0.3,
    }
    assert LAWS[name].mean == pytest.approx(0.8, rel=1e-15)
    assert LAWS[name].variance == pytest.approx(known[name], rel=1e-14)


def test_measured_times_have_the_moments_of_the_measurements() -> None:
    times = [0.3, 1.0, 1.0, 2.5]
    assert IndexingTimes.from_samples(times).mean == pytest.approx(np.mean(times))
    assert IndexingTimes.from_samples(np.array(times)).variance == pytest.approx(
        np.var(times)
    )


@EVERY_LAW
@pytest.mark.parametrize("load", [0.2, 1.0, 2.5])
@pytest.mark.parametrize("capacity", [2, 3, 8])
def test_the_chain_at_departures_solved_as_equations_agrees(
    law: IndexingTimes, load: float, capacity: int
) -> None:
    queue = queue_of(law, load, capacity)
    chances = law.arrivals(queue.fetch_rate, capacity)
    moves = np.zeros((capacity, capacity))
    for left in range(capacity):
        start = max(left, 1) - 1
        for arrived, chance in enumerate(chances[: capacity - start]):
            moves[left, start + arrived] = chance
        moves[left, -1] += 1.0 - moves[left].sum()
    equations = np.vstack((moves.T - np.eye(capacity), np.ones(capacity)))
    nobody = np.linalg.lstsq(equations, np.append(np.zeros(capacity), 1.0))[0][0]
    assert queue.starvation(1) == pytest.approx(nobody / (nobody + load), rel=1e-10)
    assert queue.loss_rate(1) == pytest.approx(
        queue.fetch_rate * (1.0 - 1.0 / (nobody + load)), abs=1e-10
    )


def simulated(
    draw: Callable[[], float], rate: float, capacity: int, chance: random.Random
) -> tuple[float, float]:
    """The share of time without a page and the rate of losses, one page after the other."""
    now = busy = 0.0
    ends: deque[float] = deque()  # when the pages that are there will leave
    lost = 0
    pages = 150_000
    for _ in range(pages):
        now += chance.expovariate(rate)
        while ends and ends[0] <= now:
            ends.popleft()
        if len(ends) == capacity:
            lost += 1
            continue
        work = draw()
        busy += work
        ends.append((ends[-1] if ends else now) + work)
    return 1.0 - busy / now, lost / now


@pytest.mark.parametrize(("load", "capacity"), [(0.7, 2), (0.95, 4), (1.3, 3)])
def test_a_simulation_with_steady_times_agrees(load: float, capacity: int) -> None:
    queue = queue_of(IndexingTimes.deterministic(1.0), load, capacity)
    starvation, loss_rate = simulated(lambda: 1.0, load, capacity, random.Random(7))
    assert queue.starvation(1) == pytest.approx(starvation, abs=0.006)
    assert queue.loss_rate(1) == pytest.approx(loss_rate, abs=0.006)
    exponential = queue_of(IndexingTimes.exponential(1.0), load, capacity)
    # so the simulation can tell them apart
    assert abs(exponential.starvation(1) - starvation) > 0.02


def test_a_simulation_with_very_different_times_agrees() -> None:
    chance = random.Random(11)
    queue = queue_of(
        IndexingTimes.hyperexponential((0.9, 0.1), (3.0, 1.0 / 7.0)), 0.9, 4
    )
    starvation, loss_rate = simulated(
        lambda: chance.expovariate(3.0 if chance.random() < 0.9 else 1.0 / 7.0),
        queue.fetch_rate,
        4,
        chance,
    )
    assert queue.starvation(1) == pytest.approx(starvation, abs=0.012)
    assert queue.loss_rate(1) == pytest.approx(loss_rate, abs=0.012)


@EVERY_LAW
@pytest.mark.parametrize("load", [1e-9, 0.3, 1.0, 4.0, 1e5])
def test_without_a_waiting_place_only_the_mean_matters(
    law: IndexingTimes, load: float
) -> None:
    queue = queue_of(law, load, capacity=1)
    assert queue.starvation(1) == pytest.approx(1.0 / (1.0 + load), rel=1e-12)
    assert queue.loss_rate(1) == pytest.approx(
        queue.fetch_rate * load / (1.0 + load), rel=1e-12
    )


@EVERY_LAW
@pytest.mark.parametrize("load", [0.1, 0.9, 1.1, 6.0])
def test_what_is_not_lost_keeps_the_processor_busy(
    law: IndexingTimes, load: float
) -> None:
    queue = queue_of(law, load, capacity=12)
    indexed = queue.fetch_rate - queue.loss_rate(1)
    assert queue.starvation(1) == pytest.approx(1.0 - indexed * law.mean, abs=1e-12)


@pytest.mark.parametrize("load", [1e-12, 1e-6, 1e-3])
def test_rare_losses_keep_their_digits(load: float) -> None:
    queue = queue_of(IndexingTimes.deterministic(1.0), load, capacity=2)
    # e^(−ρ) + ρ − 1, where that is all rounding
    excess = load**2 / 2 - load**3 / 6 + load**4 / 24 - load**5 / 120
    assert queue.loss_rate(1) == pytest.approx(
        load * excess / (1.0 + excess), rel=1e-12
    )


@EVERY_LAW
@pytest.mark.parametrize(("load", "capacity"), [(50.0, 1000), (1e4, 2), (1e4, 50)])
def test_a_flood_is_lost_but_for_what_can_be_indexed(
    law: IndexingTimes, load: float, capacity: int
) -> None:
    queue = queue_of(law, load, capacity)
    surplus = queue.fetch_rate - (1.0 - queue.starvation(1)) / law.mean
    assert 0.0 <= queue.starvation(1) <= 1.0 / (1.0 + load)
    assert queue.loss_rate(1) == pytest.approx(surplus, rel=1e-12)


def test_nearly_steady_times_are_steady_but_for_their_variance() -> None:
    # E(A−n)⁺ has the second derivative P(A = n−1) in the mean m; whole shapes near 1e8 once lost
    # eight digits.
    steady = IndexingTimes.deterministic(1.0)
    for variance in [1e-7, 1e-8, 1e-9, 1e-300]:
        wanted = (
            steady.surplus(5.0, 5) + 0.5 * 25.0 * variance * steady.arrivals(5.0, 4)[4]
        )
        assert IndexingTimes.from_moments(1.0, variance).surplus(
            5.0, 5
        ) == pytest.approx(wanted, rel=3e-13)
    assert IndexingTimes.from_moments(1.0, 0.0) == steady


@EVERY_LAW
@pytest.mark.parametrize(
    ("fetch_rate", "capacity", "weight"),
    [(0.02, 6, 1.0), (0.05, 3, 20.0), (0.3, 2, 0.1), (9, 4, 1)],
)
def test_the_best_number_is_the_best_of_all(
    law: IndexingTimes, fetch_rate: float, capacity: int, weight: float
) -> None:
    queue = GeneralQueue(fetch_rate, law, capacity, weight)
    best = queue.best_static()
    # from here on more is lost than that
    beyond = math.ceil((best.cost + 1.0 / law.mean) / fetch_rate) + 1
    costs = [queue.static_cost(count) for count in range(1, beyond + 1)]
    assert best.cost == min(costs)
    assert best.fetchers == 1 + costs.index(min(costs))


@pytest.mark.parametrize("capacity", [2, 5, 15])
@pytest.mark.parametrize("weight", [0.1, 1.4, 10.0])
@pytest.mark.parametrize("fetch_rate", [0.03, 0.4])
def test_less_variable_times_never_cost_more(
    fetch_rate: float, weight: float, capacity: int
) -> None:
    laws = [
        IndexingTimes.deterministic(1.0),
        IndexingTimes.erlang(1.0, 10),
        IndexingTimes.erlang(1.0, 2),
        IndexingTimes.exponential(1.0),
        IndexingTimes.hyperexponential((0.5, 0.5), (2.0, 2.0 / 3.0)),
        IndexingTimes.hyperexponential((0.9, 0.1), (9.0, 1.0 / 9.0)),
    ]
    costs = [
        GeneralQueue(fetch_rate, law, capacity, weight).best_static().cost
        for law in laws
    ]
    assert [law.mean for law in laws] == pytest.approx([1.0] * len(laws))
    assert costs == sorted(costs)
    assert costs[0] < 0.99 * costs[-1]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: IndexingTimes.from_samples([]), "the list of indexing times"),
        (
            lambda: IndexingTimes.from_samples([1.0, -2.0]),
            r"one of the indexing times is -2\.0",
        ),
        (
            lambda: IndexingTimes.from_samples([1.0, math.nan]),
            "one of the indexing times is nan",
        ),
        (lambda: IndexingTimes.from_samples([0.0, 0.0]), "the mean indexing time"),
        (
            lambda: IndexingTimes.from_samples(["soon"]),  # type: ignore[list-item]
            "the list of indexing times",
        ),
        (lambda: IndexingTimes.exponential(0.0), "the indexing rate"),
        (
            lambda: IndexingTimes.deterministic(math.inf),
            "one of the mean indexing times is inf",
        ),
        (lambda: IndexingTimes.erlang(1.0, 0), "the number of phases"),
        (
            lambda: IndexingTimes.hyperexponential((0.5, 0.4), (1.0, 2.0)),
            r"the sum of the chances is 0\.9",
        ),
        (
            lambda: IndexingTimes.hyperexponential((1.5, -0.5), (1.0, 2.0)),
            r"one of the chances is -0\.5",
        ),
        (
            lambda: IndexingTimes.hyperexponential((1.0,), (1.0, 2.0)),
            "the number of chances is 1",
        ),
        (lambda: IndexingTimes.from_moments(1.0, -1.0), "the variance"),
        (lambda: IndexingTimes.from_moments(1.0, 1e30), "the shape"),
        (lambda: IndexingTimes.from_moments(math.nan, 1.0), "the mean indexing time"),
        (lambda: LAWS["erlang"].arrivals(-1.0, 3), "the rate of arrivals"),
        (lambda: LAWS["erlang"].arrivals(1.0, -1), "the largest number of arrivals"),
        (lambda: GeneralQueue(0.0, LAWS["erlang"], 3, 1.0), "the fetch rate λ"),
        (lambda: GeneralQueue(0.1, LAWS["erlang"], 0, 1.0), "the capacity K"),
        (
            lambda: GeneralQueue(0.1, LAWS["erlang"], 3, math.nan),
            "the starvation weight γ",
        ),
        (
            lambda: GeneralQueue(0.1, LAWS["erlang"], 3, 1.0).static_cost(0),
            "the number of fetchers N",
        ),
    ],
)
def test_a_wrong_number_is_named(make: Callable[[], object], said: str) -> None:
    with pytest.raises(BadNumber, match=said):
        make()
