"""When our clock is wrong, dates in pages are not for us to judge."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.robot.response.desk import Desk
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


EXPIRED = "unavailable_after: Thu, 01 Jan 1970 00:00:05 GMT"  # the desk reads at 10 s


def test_a_date_in_the_past_counts_only_by_a_clock_that_is_trusted() -> None:
    desk = Desk()
    desk.processor.dates.suspect = True
    assert desk.read(robots_tag=EXPIRED).page is not None
    desk.processor.dates.suspect = False
    assert desk.read(robots_tag=EXPIRED).gone


def test_answers_tell_the_time() -> None:
    """Also those of hosts that say nothing else of interest."""
    desk = Desk()
    for host in range(SEVERAL):
        desk.read(404, url=f"http://{host}.example.org/", date_s=YEAR_S)
    assert desk.processor.dates.suspect


def test_a_sitemap_announces_nothing_to_a_wrong_clock() -> None:
    body = (
        b"<urlset><url><loc>http://example.org/b</loc>"
        b"<lastmod>1970-01-01T00:00:08Z</lastmod></url></urlset>"
    )
    desk = Desk()
    answer: Any = {"body": body, "content_type": "application/xml"}
    assert len(desk.read(**answer).observation.signals) == 1
    desk.processor.dates.suspect = True
    found = desk.read(**answer).observation
    assert len(found.signals) == 0
    assert len(found.links) == 1, "the page itself is no less there"
