"""When our clock is wrong, dates in pages are not for us to judge."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.robot.response.host_dates import FAR_S, SEVERAL, HostDates

YEAR_S = 365.0 * 86_400.0
NOW_S = 1.8e9


def heard(*off_s: float, suspect: bool = False) -> HostDates:
    dates = HostDates(suspect=suspect)
    for host, off in enumerate(off_s):
        dates.note(host, NOW_S + off, NOW_S)
    return dates


def test_a_few_hosts_are_not_enough() -> None:
    assert not heard(*[YEAR_S] * (SEVERAL - 1)).suspect
    assert heard(*[0.0] * (SEVERAL - 1), suspect=True).suspect


@pytest.mark.parametrize("off_s", [YEAR_S, -YEAR_S, 2.0 * FAR_S])
def test_several_contradict_the_clock(off_s: float) -> None:
    assert heard(*[off_s] * SEVERAL).suspect


def test_several_confirm_the_clock() -> None:
    assert not heard(*[1.0] * SEVERAL, suspect=True).suspect


def test_a_host_is_heard_once_and_says_something() -> None:
    dates = HostDates()
    for _ in range(10 * SEVERAL):
        dates.note(7, NOW_S + YEAR_S, NOW_S)
        dates.note(8, math.nan, NOW_S)
    assert not dates.suspect


def test_after_the_clock_was_set_they_are_asked_anew() -> None:
    dates = heard(*[YEAR_S] * SEVERAL)
    dates.start_over()
    assert dates.suspect, "until somebody says otherwise"
    for host in range(SEVERAL):
        dates.note(host, NOW_S, NOW_S)
    assert not dates.suspect


@given(
    st.lists(st.floats(-60.0, 60.0), min_size=3, max_size=40),
    st.lists(st.floats(-50 * YEAR_S, 50 * YEAR_S), max_size=40),
)
def test_a_minority_decides_nothing(honest: list[float], liars: list[float]) -> None:
    said = [*honest, *liars[: len(honest) - 1]]
    assert not heard(*said).suspect
