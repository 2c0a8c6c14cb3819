"""The gauge at the response queue: rates, starvation, blocked time, and what it says before
anything happened.
"""

from __future__ import annotations

import json
import math
from random import Random

import pytest

from trapline.core.errors import ClockWentBack
from trapline.core.records import QueueTally
from trapline.robot.queue_gauge import QueueFigures, QueueGauge


def brought(gauge: QueueGauge, now_s: float, queue: int, active: int) -> None:
    gauge.note(now_s, queue, active)
    gauge.count("arrival")


def processed(gauge: QueueGauge, now_s: float, queue: int, active: int) -> None:
    gauge.note(now_s, queue, active)
    gauge.count("departure")


def test_a_tally_by_hand() -> None:
    gauge = QueueGauge(capacity=2)
    gauge.note(100.0, 0, 3)
    brought(gauge, 102.0, 1, 2)  # 2 s: three at work, nothing to process
    brought(gauge, 103.0, 2, 1)  # 1 s: two at work
    brought(gauge, 106.0, 3, 0)  # 3 s: one at work; it finds the queue full
    processed(gauge, 110.0, 2, 4)  # 4 s: nobody at work
    assert gauge.events == 4
    tally = gauge.take(awake=4)
    # the answer was in hand from 102 to 110
    assert tally == QueueTally(
        10.0, 3, 1, 2 * 3 + 1 * 2 + 3 * 1.0, 8.0, 1, 2, 4, 8.0**2, 8.0**3
    )
    assert gauge.events == 0
    gauge.note(111.5, 2, 4)
    # only what came since
    assert gauge.take(awake=2) == QueueTally(1.5, 0, 0, 6.0, 1.5, 0, queue=2, awake=2)


def test_the_queue_of_a_tally_is_never_longer_than_there_are_places() -> None:
    gauge = QueueGauge(capacity=2)
    brought(gauge, 0.0, 5, 0)
    assert gauge.take(awake=1).queue == 2
    assert gauge.figures(awake=1).queue == 2


def test_calls_in_between_change_nothing() -> None:
    plain = QueueGauge(capacity=3)
    often = QueueGauge(capacity=3)
    chance = Random(1)
    now_s = 0.0
    counts = (0, 1)
    plain.note(0.0, *counts)
    often.note(0.0, *counts)
    for _ in range(200):
        wait_s = chance.choice([0.5, 1.0, 2.0])
        for share in (0.25, 0.25, 0.5):
            often.note(now_s + share * wait_s, *counts)
        now_s += wait_s
        counts = (chance.randint(0, 5), chance.randint(0, 4))
        for gauge in (plain, often):
            brought(gauge, now_s, *counts)
    assert plain.take(awake=2) == often.take(awake=2)
    assert plain.figures(2).starvation == pytest.approx(often.figures(2).starvation)
    assert plain.figures(2).blocked_s == pytest.approx(often.figures(2).blocked_s)


def test_rates_are_of_fetchers_at_work_and_of_a_processor_with_something_to_do() -> (
    None
):
    """Eight may work, but there are tickets for two only; the processor is idle three quarters of
    the time.
    """
    gauge = QueueGauge(capacity=4)
    gauge.note(0.0, 0, 2)
    for second in range(0, 4000, 4):
        brought(gauge, second + 3.0, 1, 2)
        processed(gauge, second + 4.0, 0, 2)
        if second % 256 == 0:
            gauge.take(awake=8)
    figures = gauge.figures(awake=8)
    assert figures.fetch_rate == pytest.approx(1 / 8)  # one answer in 4 s, by two
    assert figures.process_rate == pytest.approx(1.0)
    assert (figures.awake, figures.active) == (8, 2)


def test_rates_before_the_first_tally_are_of_what_was_seen_so_far() -> None:
    gauge = QueueGauge(capacity=4)
    gauge.note(0.0, 0, 1)
    brought(gauge, 2.0, 1, 1)
    assert gauge.figures(1).fetch_rate == 0.5
    assert math.isnan(gauge.figures(1).process_rate)
    processed(gauge, 6.0, 0, 1)
    assert gauge.figures(1).process_rate == 0.25


def test_starvation_is_the_share_of_about_the_last_minute() -> None:
    gauge = QueueGauge(capacity=4)
    gauge.note(0.0, 1, 1)
    gauge.note(60.0, 0, 1)
    assert gauge.figures(1).starvation == 0.0
    gauge.note(120.0, 0, 1)
    assert gauge.figures(1).starvation == pytest.approx(
        (1 - math.exp(-1)) / (1 - math.exp(-2))
    )  # what is new counts more
    gauge.note(1000.0, 1, 1)
    assert gauge.figures(1).starvation == pytest.approx(1.0, abs=1e-6)
    for now_s in range(1000, 2000, 2):  # then one second of two
        gauge.note(now_s + 1.0, 0, 1)
        gauge.note(now_s + 2.0, 1, 1)
    assert gauge.figures(1).starvation == pytest.approx(0.5, abs=0.02)


def test_blocked_time_counts_every_fetcher_that_holds_an_answer() -> None:
    gauge = QueueGauge(capacity=2)
    brought(gauge, 0.0, 2, 3)
    assert gauge.figures(3).blocked == 0
    brought(gauge, 1.0, 3, 2)
    brought(gauge, 2.0, 4, 1)  # the first has held its own for 1 s
    processed(gauge, 5.0, 3, 1)  # both for 3 s
    processed(gauge, 6.0, 2, 1)  # one for 1 s more
    gauge.note(50.0, 2, 1)
    gauge.take(awake=1)
    figures = gauge.figures(1)
    # so far, whatever was tallied
    assert (figures.blocked, figures.blocked_s) == (2, 1.0 + 2 * 3.0 + 1.0)


def test_a_clock_that_goes_back_is_not_believed() -> None:
    gauge = QueueGauge(capacity=2)
    gauge.note(5.0, 1, 1)
    gauge.note(5.0, 2, 1)
    with pytest.raises(ClockWentBack):
        gauge.note(4.999, 1, 1)
    # nothing of it was noted
    assert gauge.take(awake=1) == QueueTally(0.0, 0, 0, 0.0, 0.0, 0, queue=2, awake=1)


def test_figures_before_anything_happened() -> None:
    figures = QueueGauge(capacity=16).figures(awake=8)
    assert math.isnan(figures.fetch_rate) and math.isnan(figures.process_rate)
    assert figures.as_dict() == {
        "fetch_rate": None,
        "process_rate": None,
        "awake": 8,
        "active": 0,
        "queue": 0,
        "queue_room": 16,
        "starvation": 1.0,
        "blocked": 0,
        "blocked_s": 0.0,
    }


def test_figures_survive_json() -> None:
    gauge = QueueGauge(capacity=3)
    unknown = gauge.figures(awake=2)
    gauge.note(0.0, 1, 1)
    brought(gauge, 0.7, 2, 1)
    processed(gauge, 1.9, 1, 1)
    known = gauge.figures(awake=2)
    assert (
        QueueFigures.from_dict(json.loads(json.dumps(known.as_dict(), allow_nan=False)))
        == known
    )
    back = QueueFigures.from_dict(
        json.loads(json.dumps(unknown.as_dict(), allow_nan=False))
    )
    assert math.isnan(back.fetch_rate) and math.isnan(back.process_rate)
    assert back.as_dict() == unknown.as_dict()
