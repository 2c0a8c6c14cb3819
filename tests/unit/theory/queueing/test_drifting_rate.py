"""A rate that may drift: what it estimates, when it changes its mind, and when it must not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.theory.queueing.drifting_rate import DriftingRate

Times = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def told(
    times: Times, count: int = 32, rate: DriftingRate | None = None
) -> DriftingRate:
    """After lots of `count` events each, which took these times."""
    rate = DriftingRate() if rate is None else rate
    for time in times.tolist():
        rate.add(count, time)
    return rate


def lots(
    rng: np.random.Generator, number: int, rate: float = 1.0, count: int = 32
) -> Times:
    """Times of `number` lots of exponential events."""
    return rng.gamma(count, 1.0 / rate, number)


def pareto_lots(rng: np.random.Generator, number: int, tail: float) -> Times:
    """The same of events whose times have mean 1 and a heavy tail."""
    least = (tail - 1.0) / tail
    sums: Times = (least * (1.0 - rng.random((number, 32))) ** (-1.0 / tail)).sum(
        axis=1
    )
    return sums


# estimates


def test_nothing_is_known_before_any_time_has_passed() -> None:
    rate = DriftingRate()
    assert math.isnan(rate.rate)
    rate.add(0, 0.0)
    assert math.isnan(rate.rate) and rate.count == 0
    rate.add(3, 0.0)  # at once: a coarse clock
    assert math.isnan(rate.rate) and rate.count == 3
    rate.add(0, 2.0)
    assert rate.rate == 1.5


def test_the_rate_is_all_events_by_all_time() -> None:
    rate = DriftingRate()
    for count, time in [(10, 4.0), (0, 1.0), (7, 2.5), (3, 0.5), (20, 12.0)]:
        rate.add(count, time)
    assert rate.rate == pytest.approx(40 / 20.0)
    assert (rate.count, rate.changes) == (40, 0)


def test_what_is_too_new_can_be_added_for_a_look() -> None:
    rate = told(np.full(50, 16.0))
    assert rate.rate == 2.0
    assert rate.rate_with(100, 0.0) == pytest.approx(1700 / 800)
    assert rate.rate_with(0, 800.0) == pytest.approx(1.0)
    assert (rate.rate, rate.count) == (2.0, 1600)  # it was only a look
    assert DriftingRate().rate_with(3, 2.0) == 1.5


def test_it_grows_ever_more_certain() -> None:
    rng = np.random.default_rng(3)
    errors = [abs(told(lots(rng, 1000)).rate - 1.0) for _ in range(20)]
    assert max(errors) < 4 / math.sqrt(32_000)
    assert np.mean(errors) < 1.2 / math.sqrt(32_000)


# a change


@pytest.mark.parametrize("after", [2.0, 0.5])
# lots: it may have known the old rate for long
@pytest.mark.parametrize("before", [40, 400, 3500])
@pytest.mark.parametrize("seed", range(4))
def test_a_rate_that_doubles_or_halves_is_noticed_within_hundreds(
    after: float, before: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rate = told(lots(rng, before))
    assert rate.changes == 0
    told(lots(rng, 10, after), rate=rate)  # 320 events
    assert rate.changes >= 1
    assert rate.rate == pytest.approx(after, rel=0.35)
    told(lots(rng, 90, after), rate=rate)
    assert rate.rate == pytest.approx(after, rel=0.1)
    assert rate.count <= 32 * 110  # the old rate is forgotten


def test_a_small_drift_is_noticed_in_time() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        rate = told(lots(rng, 3000))
        assert rate.changes == 0
        told(lots(rng, 400, 1.1), rate=rate)
        assert rate.changes >= 1
        assert rate.rate == pytest.approx(1.1, rel=0.05)


def test_one_change_is_no_reason_to_doubt_the_next() -> None:
    rng = np.random.default_rng(5)
    rate = DriftingRate()
    for number, value in enumerate([1.0, 3.0, 1.0, 3.0, 0.5, 2.0]):
        told(lots(rng, 60, value), rate=rate)
        assert rate.changes >= number
        assert rate.rate == pytest.approx(value, rel=0.15)


def test_a_handful_of_events_contradicts_nobody() -> None:
    rate = told(np.full(50, 32.0))
    for _ in range(15):
        rate.add(1, 1e-6)  # a burst
    assert rate.changes == 0
    for _ in range(25):
        rate.add(1, 1e-6)
    assert rate.changes == 1


# no change


def test_exponential_times_raise_no_false_alarm() -> None:
    rng = np.random.default_rng(1)
    # 200 runs of 10,000 events
    alarms = sum(told(lots(rng, 312)).changes for _ in range(200))
    assert alarms <= 1


def test_poisson_counts_raise_no_false_alarm() -> None:
    rng = np.random.default_rng(2)
    alarms = 0
    for _ in range(60):
        rate = DriftingRate()
        for count in rng.poisson(16, 625).tolist():
            rate.add(count, 16.0)
        alarms += rate.changes
    assert alarms <= 1


def test_heavy_tails_raise_few_alarms() -> None:
    """The variance is finite, but shows itself late."""
    rng = np.random.default_rng(3)
    rates = [told(pareto_lots(rng, 312, tail=2.2)) for _ in range(60)]
    assert sum(rate.changes for rate in rates) < 30  # in 600,000 events
    assert np.median([rate.rate for rate in rates]) == pytest.approx(1.0, rel=0.05)


def test_a_scatter_that_it_has_got_used_to_raises_fewer_alarms() -> None:
    """Lots that take all or nothing, for ever: 16 times the variance of exponential ones."""
    rng = np.random.default_rng(4)
    rate = DriftingRate()
    for _ in range(4):
        told(32.0 * rng.choice([0.05, 4.0], p=[0.76, 0.24], size=1000), rate=rate)
    seen = rate.changes
    told(32.0 * rng.choice([0.05, 4.0], p=[0.76, 0.24], size=1000), rate=rate)
    assert rate.changes - seen <= 2


# memory


def test_memory_is_bounded() -> None:
    rng = np.random.default_rng(6)
    rate = DriftingRate()
    longest = 0
    for time in lots(rng, 20_000).tolist():
        rate.add(32, time)
        longest = max(longest, len(rate._blocks))
    assert longest <= 30
    assert 1e5 <= rate.count <= 2.1e5  # of 640,000 events


def test_memory_is_bounded_while_nothing_happens() -> None:
    rate = told(np.ones(100))
    for _ in range(20_000):
        rate.add(0, 1.0)
    assert len(rate._blocks) <= 40
    assert rate.rate < 0.1


def test_totals_stay_those_of_the_blocks() -> None:
    rng = np.random.default_rng(7)
    rate = DriftingRate()
    for value in (1.0, 4.0, 0.3):
        told(lots(rng, 200, value), rate=rate)
        blocks = rate._blocks
        assert rate.count == sum(block.count for block in blocks)
        assert rate.rate == pytest.approx(
            rate.count / sum(block.time for block in blocks)
        )
        sizes = [block.doublings for block in blocks]
        assert sizes == sorted(sizes, reverse=True)
        assert all(sizes.count(size) <= 3 for size in sizes)
