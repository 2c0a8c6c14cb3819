"""The pace against sites with limits of many kinds: it settles below the limit, near it, and hardly
ever is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Protocol

import pytest

from trapline.politeness.learnt_pace import (
    LONGEST_S,
    LearntPace,
    pack_paces,
    unpack_paces,
)

LIMIT = 7.0


class Site(Protocol):
    def accepts(self, now_s: float) -> bool: ...


class Window:
    """At most so many in any `width_s` seconds."""

    def __init__(self, most: int, width_s: float = 1.0) -> None:
        self.most = most
        self.width_s = width_s
        self.taken: deque[float] = deque()

    def accepts(self, now_s: float) -> bool:
        while self.taken and self.taken[0] <= now_s - self.width_s:
            self.taken.popleft()
        if len(self.taken) >= self.most:
            return False
        self.taken.append(now_s)
        return True


class Calendar:
    """At most so many in each second of the clock."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.second = -1
        self.taken = 0

    def accepts(self, now_s: float) -> bool:
        if int(now_s) != self.second:
            self.second = int(now_s)
            self.taken = 0
        self.taken += 1
        return self.taken <= self.most


class Bucket:
    """So many a second, saved up to `burst`; nginx's limit_req is this.

    `strict`: also refused requests cost.
    """

    def __init__(self, per_s: float, burst: float, *, strict: bool = False) -> None:
        self.per_s = per_s
        self.burst = burst
        self.strict = strict
        self.level = burst
        self.last_s = 0.0

    def accepts(self, now_s: float) -> bool:
        self.level = min(self.burst, self.level + (now_s - self.last_s) * self.per_s)
        self.last_s = now_s
        if self.level >= 1.0:
            self.level -= 1.0
            return True
        if self.strict:
            self.level = max(self.level - 1.0, -self.burst)
        return False


SITES: dict[str, Callable[[], Site]] = {
    "any second": lambda: Window(7),
    "second of the clock": lambda: Calendar(7),
    "any minute": lambda: Window(420, 60.0),
    "one after the other": lambda: Bucket(LIMIT, 1.0),
    "small bucket": lambda: Bucket(LIMIT, 7.0),
    "bucket": lambda: Bucket(LIMIT, 20.0),
    "strict bucket": lambda: Bucket(LIMIT, 7.0, strict=True),
}


def visited(
    site: Site,
    pace: LearntPace,
    seconds: float,
    *,
    retry_after_s: float = 0.0,
    since_s: float = 0.0,
) -> list[tuple[float, bool]]:
    """(when, accepted) of visits one after the other, as fast as the pace allows."""
    draw = Random(0)
    now_s = since_s
    log = []
    while now_s < seconds:
        ended_s = now_s + draw.uniform(0.002, 0.01)
        accepted = site.accepts((now_s + ended_s) / 2.0)
        log.append((now_s, accepted))
        if accepted:
            pace.note_accepted(now_s, ended_s)
            now_s = ended_s + pace.gap_s
        else:
            now_s = max(
                pace.note_refused(now_s, ended_s, retry_after_s), ended_s + pace.gap_s
            )
    return log


@pytest.mark.parametrize("retry_after_s", [0.0, 1.0])
@pytest.mark.parametrize("name", SITES)
def test_the_pace_settles_at_the_limit(name: str, retry_after_s: float) -> None:
    """Ten minutes, of which the last eight are judged."""
    log = visited(SITES[name](), LearntPace(0.0), 600.0, retry_after_s=retry_after_s)
    settled = [accepted for now_s, accepted in log if now_s > 120.0]
    rate = sum(settled) / 480.0
    assert 0.8 * LIMIT <= rate <= LIMIT
    assert settled.count(False) < 0.01 * len(settled)


@pytest.mark.parametrize("name", sorted(set(SITES) - {"any minute"}))
def test_it_is_found_within_seconds(name: str) -> None:
    log = visited(SITES[name](), LearntPace(0.0), 20.0, retry_after_s=1.0)
    late = [accepted for now_s, accepted in log if now_s > 13.0]
    assert 0.8 * LIMIT <= sum(late) / 7.0 <= 1.05 * LIMIT
    assert all(late)


def test_what_was_accepted_in_the_last_second_is_counted_whenever_that_began() -> None:
    pace = LearntPace(0.0)
    for started_s in (0.0, 0.5, 0.6, 0.7, 1.1, 1.15, 1.2):
        pace.note_accepted(started_s, started_s + 0.001)
    pace.note_refused(1.21, 1.211, 0.0)
    assert 0.8 * 6.0 <= 1.0 / pace.interval_s <= 6.0


def test_one_slow_answer_does_not_make_the_visits_after_it_come_too_soon() -> None:
    """The first answer of all often takes a hundred times as long as the others."""
    site = Window(7)
    pace = LearntPace(0.0)
    assert site.accepts(0.0)
    pace.note_accepted(0.0, 0.5)
    log = visited(site, pace, 30.0, retry_after_s=1.0, since_s=0.5)
    late = [accepted for now_s, accepted in log if now_s > 5.0]
    assert 0.8 * LIMIT <= sum(late) / 25.0 <= LIMIT
    assert all(late)


def test_a_limit_that_falls_is_found_again() -> None:
    class Falling(Window):
        def accepts(self, now_s: float) -> bool:
            self.most = 7 if now_s < 100.0 else 2
            return super().accepts(now_s)

    log = visited(Falling(7), LearntPace(0.0), 600.0)
    late = [accepted for now_s, accepted in log if now_s > 300.0]
    assert 0.7 * 2.0 <= sum(late) / 300.0 <= 2.0
    assert late.count(False) <= 0.01 * len(late)


def test_a_limit_that_is_lifted_is_noticed_in_the_end() -> None:
    class Lifted(Window):
        def accepts(self, now_s: float) -> bool:
            self.most = 7 if now_s < 100.0 else 10**9
            return super().accepts(now_s)

    pace = LearntPace(0.02)
    visited(Lifted(7), pace, 3_600.0)
    assert pace.gap_s == 0.02
    assert pace.interval_s == 0.0


def test_never_faster_than_manners_ask_for() -> None:
    log = visited(Window(1_000), LearntPace(0.5), 60.0)
    starts = [now_s for now_s, _ in log]
    assert min(later - earlier for earlier, later in pairwise(starts)) >= 0.5


def test_an_error_never_speeds_us_up_and_errors_in_a_row_postpone_the_host() -> None:
    pace = LearntPace(0.0)
    visited(Window(7), pace, 30.0)
    before = pace.gap_s
    until = [pace.note_trouble(100.0) for _ in range(20)]
    assert pace.gap_s >= before
    assert until[0] == until[1] == float("-inf")
    assert until[2] == 110.0
    assert sorted(until[2:]) == until[2:]
    assert until[-1] == 100.0 + LONGEST_S
    pace.note_accepted(4_000.0, 4_000.1)
    assert pace.note_trouble(4_001.0) == float("-inf"), (
        "one answer without complaint, and all is forgiven"
    )


def test_refusals_in_a_row_are_waited_out_longer_and_longer() -> None:
    pace = LearntPace(1.0)
    waits = [pace.note_refused(0.0, 0.0, 0.0) for _ in range(6)]
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    assert pace.note_refused(0.0, 0.0, 500.0) == 500.0, (
        "the host's own word counts more"
    )


def test_what_is_learnt_survives_a_restart() -> None:
    pace = LearntPace(0.0)
    site = Window(7)
    visited(site, pace, 30.0)
    again = unpack_paces(pack_paces({5: pace}))[5]
    assert again == pace
    for one in (pace, again):
        one.note_accepted(31.0, 31.01)
    assert again == pace
