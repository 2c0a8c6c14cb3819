"""Fetchers of two speeds: against one speed, against plain value iteration, and against what more
fetchers must do.
"""

from __future__ import annotations

from itertools import product

import pytest

from trapline.core.errors import BadNumber
from trapline.theory.queueing.fetcher_classes import ClassPlan, ClassQueue
from trapline.theory.queueing.fetcher_queue import FetcherQueue

State = tuple[int, int, int]
SPEEDS = (0.15, 0.5)


def queue_of(
    capacity: int = 4, weight: float = 1.4, rates: tuple[float, ...] = SPEEDS
) -> ClassQueue:
    return ClassQueue(
        rates, process_rate=1.0, capacity=capacity, starvation_weight=weight
    )


@pytest.mark.parametrize("capacity", [1, 2, 6])
@pytest.mark.parametrize("weight", [0.05, 1.4, 8.0])
@pytest.mark.parametrize("fetchers", [(3, 4), (6, 1), (5, 0), (0, 5)])
def test_two_equal_speeds_are_one(
    fetchers: tuple[int, int], weight: float, capacity: int
) -> None:
    two = queue_of(capacity, weight, rates=(0.2, 0.2)).solve(fetchers)
    one = FetcherQueue(0.2, 1.0, capacity, weight).solve(sum(fetchers))
    assert two.cost == pytest.approx(one.cost, abs=1e-12)
    assert two.starvation == pytest.approx(one.starvation, abs=1e-9)
    assert two.loss_rate == pytest.approx(one.loss_rate, abs=1e-9)
    assert sum(two.mean_fetchers) == pytest.approx(one.mean_fetchers, abs=1e-9)


@pytest.mark.parametrize("speed", [0, 1])
def test_a_speed_that_nobody_has_leaves_the_queue_of_the_paper(speed: int) -> None:
    numbers = (7, 0) if speed == 0 else (0, 7)
    two = queue_of().solve(numbers)
    one = FetcherQueue(SPEEDS[speed], 1.0, 4, 1.4).solve(7)
    assert two.cost == pytest.approx(one.cost, abs=1e-12)
    assert two.mean_fetchers[1 - speed] == 0.0
    for queue, active in product(range(5), range(8)):
        pair = (active, 0) if speed == 0 else (0, active)
        if queue and active < 7:
            woken = two.wake_at_departure(queue, pair)
            assert (woken == speed) == one.wake(
                queue=queue, active=active, event="departure"
            )
        if active:
            assert two.wake_again(queue, pair, speed) == one.wake(
                queue=queue, active=active, event="arrival"
            )


def after(
    queue: ClassQueue, fetchers: tuple[int, int], state: State
) -> list[tuple[float, list[State]]]:
    """Every event that may come, its rate, and the states that one may then choose."""
    q, first, second = state
    coming: list[tuple[float, list[State]]] = []
    if q:
        wakes = [
            (q - 1, first, second),
            (q - 1, first + 1, second),
            (q - 1, first, second + 1),
        ]
        allowed = [
            to
            for to in wakes
            if to[1] <= fetchers[0] and to[2] <= fetchers[1] and any(to)
        ]
        coming.append((queue.process_rate, allowed))
    more = min(q + 1, queue.capacity)
    if first:
        coming.append(
            (
                queue.fetch_rates[0] * first,
                [(more, first - 1, second), (more, first, second)],
            )
        )
    if second:
        coming.append(
            (
                queue.fetch_rates[1] * second,
                [(more, first, second - 1), (more, first, second)],
            )
        )
    return coming


def iterated_cost(queue: ClassQueue, fetchers: tuple[int, int]) -> float:
    """θ by plain value iteration, state by state."""
    places = product(
        range(queue.capacity + 1), range(fetchers[0] + 1), range(fetchers[1] + 1)
    )
    states = [state for state in places if any(state)]
    events = {state: after(queue, fetchers, state) for state in states}
    step = 0.9 / (
        queue.process_rate
        + sum(r * n for r, n in zip(queue.fetch_rates, fetchers, strict=True))
    )
    h = dict.fromkeys(states, 0.0)
    for _ in range(20_000):
        gain = {}
        for state in states:
            arriving = sum(
                rate * n for rate, n in zip(queue.fetch_rates, state[1:], strict=True)
            )
            cost = queue.starvation_weight * (state[0] == 0) + arriving * (
                state[0] == queue.capacity
            )
            gain[state] = cost + sum(
                r * (min(h[to] for to in tos) - h[state]) for r, tos in events[state]
            )
        low = min(gain.values())
        high = max(gain.values())
        if high - low < 1e-11:
            return (low + high) / 2
        h = {state: h[state] + step * (gain[state] - low) for state in states}
    raise AssertionError("value iteration did not settle")


@pytest.mark.parametrize(
    ("fetchers", "capacity", "weight"),
    [((2, 2), 3, 1.4), ((1, 3), 2, 5.0), ((3, 1), 1, 0.5), ((0, 2), 2, 1.0)],
)
def test_the_cost_is_the_one_of_plain_value_iteration(
    fetchers: tuple[int, int], capacity: int, weight: float
) -> None:
    queue = queue_of(capacity, weight)
    plan = queue.solve(fetchers)
    assert plan.cost == pytest.approx(iterated_cost(queue, fetchers), abs=1e-10)
    assert plan.cost == pytest.approx(
        weight * plan.starvation + plan.loss_rate, abs=1e-14
    )


def test_the_order_of_the_speeds_does_not_matter() -> None:
    plan = queue_of().solve((5, 2))
    mirror = queue_of(rates=(SPEEDS[1], SPEEDS[0])).solve((2, 5))
    assert mirror.cost == pytest.approx(plan.cost, abs=1e-12)
    assert mirror.mean_fetchers == pytest.approx(plan.mean_fetchers[::-1], abs=1e-9)
    assert mirror.wake_at_departure(1, (0, 0)) == 1 - (
        plan.wake_at_departure(1, (0, 0)) or 0
    )


def test_more_fetchers_never_cost_more_and_pages_that_come_are_processed_or_lost() -> (
    None
):
    queue = queue_of()
    cost = {
        numbers: queue.solve(numbers).cost
        for numbers in product(range(5), range(4))
        if any(numbers)
    }
    for (first, second), found in cost.items():
        assert cost.get((first + 1, second), 0.0) <= found + 1e-12
        assert cost.get((first, second + 1), 0.0) <= found + 1e-12
    plan = queue.solve((4, 3))
    brought = sum(
        rate * mean for rate, mean in zip(SPEEDS, plan.mean_fetchers, strict=True)
    )
    assert brought - plan.loss_rate == pytest.approx(1.0 - plan.starvation, abs=1e-12)


def test_the_start_is_the_static_pair_nearest_to_the_best_load() -> None:
    queue = queue_of(weight=1.5)  # γ(K) = 1.5 at K = 4: a load of 1 is best
    assert queue.nearest_level((9, 1)) == (3, 1)
    assert queue.nearest_level((9, 0)) == (7, 0)
    assert queue_of(rates=(50.0, 60.0)).nearest_level((3, 3)) == (1, 0)


@pytest.fixture(scope="module")
def small() -> ClassPlan:
    return queue_of().solve((3, 2))


@pytest.mark.parametrize(("capacity", "weight"), [(4, 1.4), (1, 0.01), (3, 50.0)])
def test_somebody_is_woken_when_nobody_is_left_and_nobody_who_is_at_work(
    capacity: int, weight: float
) -> None:
    plan = queue_of(capacity, weight).solve((3, 2))
    assert plan.wake_at_departure(1, (0, 0)) in {0, 1}
    for queue, first, second in product(range(1, capacity + 1), range(4), range(3)):
        woken = plan.wake_at_departure(queue, (first, second))
        assert woken in {None, 0, 1}
        assert woken != 0 or first < 3
        assert woken != 1 or second < 2


def test_the_tables_say_nothing_where_nothing_can_happen(small: ClassPlan) -> None:
    assert (small.departures[0] == -1).all()
    assert not small.again[0, :, 0, :].any()
    assert not small.again[1, :, :, 0].any()
    assert small.again.any(axis=(1, 2, 3)).all()


@pytest.mark.parametrize(
    ("queue", "active", "speed", "said"),
    [
        (0, (1, 1), None, "the queue before the event is 0"),
        (5, (1, 1), None, "the queue before the event is 5"),
        (1, (4, 1), None, "the active fetchers before the event"),
        (1, (1, -1), None, "the active fetchers before the event"),
        (5, (1, 1), 0, "the queue before the event is 5"),
        (1, (0, 1), 0, "the class of a fetcher"),
        (1, (1, 1), 2, "the class of a fetcher"),
        (1, (1, 1), -1, "the class of a fetcher"),
    ],
)
def test_a_state_that_cannot_be_is_named(
    small: ClassPlan,
    queue: int,
    active: tuple[int, int],
    speed: int | None,
    said: str,
) -> None:
    with pytest.raises(BadNumber, match=said):
        if speed is None:
            small.wake_at_departure(queue, active)
        else:
            small.wake_again(queue, active, speed)


def test_a_wrong_number_is_named() -> None:
    with pytest.raises(BadNumber, match="the fetch rate λ2"):
        queue_of(rates=(0.1, 0.0))
    with pytest.raises(BadNumber, match="the fetch rates"):
        queue_of(rates=())
    with pytest.raises(BadNumber, match="the capacity K"):
        queue_of(capacity=0)
    with pytest.raises(BadNumber, match="the numbers of fetchers"):
        queue_of().solve((3, -1))
    with pytest.raises(BadNumber, match=r"the number of all fetchers"):
        queue_of().solve((0, 0))
