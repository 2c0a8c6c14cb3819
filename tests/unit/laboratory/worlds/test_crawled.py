"""Worlds from a crawl: what visits tell of change rates and latencies, and how links
are laid out.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Visit
from trapline.laboratory.worlds.crawled import Visits, crawled_truth, laid_out
from trapline.laboratory.worlds.truth import visit as look


def visited(
    page: int,
    ended_s: float,
    changed: bool = False,
    outcome: Outcome = Outcome.OK,
    host: int = 0,
) -> Visit:
    return Visit(
        0,
        page,
        host,
        Kind.PAGE,
        ended_s - 0.5,
        ended_s,
        1.0,
        outcome,
        200,
        changed,
        0.5,
    )


def rates_of(visits: list[Visit], pages: int = 3) -> list[float]:
    found = Visits()
    for visit in visits:
        found.add(visit)
    return [float(rate) for rate in found.change_rates(pages)]


def test_pages_seen_once_tell_nothing() -> None:
    assert rates_of(
        [visited(0, 10.0, changed=True), visited(1, 20.0, changed=True)]
    ) == [0.0, 0.0, 0.0]


def test_pages_that_never_changed_do_not() -> None:
    assert rates_of([visited(0, 10.0 * n, changed=n == 0) for n in range(5)]) == [
        0.0,
        0.0,
        0.0,
    ]


def test_a_page_that_changes_more_has_a_higher_rate_and_a_stranger_the_common_one() -> (
    None
):
    often = [visited(0, 10.0 * n, changed=n % 4 > 0) for n in range(41)]
    seldom = [visited(1, 10.0 * n, changed=n % 20 == 10) for n in range(41)]
    fast, slow, stranger = rates_of(
        sorted(often + seldom, key=lambda visit: visit.ended_s)
    )
    assert fast > stranger > slow > 0.0
    assert fast == pytest.approx(-math.log(0.25) / 10.0, rel=0.25)
    # one change in twenty visits, and the prior
    assert slow == pytest.approx(-math.log(0.95) / 10.0, rel=0.6)


def test_a_page_of_which_little_is_known_has_about_the_common_rate() -> None:
    known = [visited(0, 10.0 * n, changed=n % 2 > 0) for n in range(41)]
    _, hardly, stranger = rates_of([*known, visited(1, 400.0), visited(1, 400.5)])
    assert 0.9 * stranger < hardly < stranger


def test_pages_that_changed_at_every_visit_have_a_finite_rate() -> None:
    (rate, *_) = rates_of([visited(0, 10.0 * n, changed=True) for n in range(30)])
    assert 0.1 < rate < 10.0


def test_failed_visits_read_nothing() -> None:
    """The change is seen over the whole time since the page was last read."""
    with_failure = [
        visited(0, 0.0),
        visited(0, 50.0, outcome=Outcome.FAILED),
        visited(0, 100.0, changed=True),
    ]
    assert rates_of(with_failure) == rates_of([with_failure[0], with_failure[2]])


def test_robots_txt_is_no_page() -> None:
    found = Visits()
    found.add(Visit(0, -1, 0, Kind.ROBOTS, 1.0, 9.0, 0.0, Outcome.OK, 200, False, 0.0))
    assert found.last == {}
    assert found.latencies(1).tolist() == [0.0]


def test_latencies_are_means_of_hosts_and_of_all_where_nobody_was() -> None:
    found = Visits()
    for host, seconds in ((0, 1.0), (0, 3.0), (2, 5.0)):
        found.add(
            Visit(
                0,
                host,
                host,
                Kind.PAGE,
                10.0,
                10.0 + seconds,
                1.0,
                Outcome.OK,
                200,
                True,
                0.0,
            )
        )
    assert found.latencies(3).tolist() == [2.0, 3.0, 5.0]


def test_gone_is_what_the_last_visit_says() -> None:
    found = Visits()
    for page, outcome in (
        (0, Outcome.OK),
        (0, Outcome.GONE),
        (1, Outcome.GONE),
        (1, Outcome.OK),
        (2, Outcome.SKIPPED),
    ):
        found.add(visited(page, 1.0, outcome=outcome))
    assert found.gone() == [0]


def test_links_are_laid_out_page_by_page() -> None:
    start, clues = laid_out(
        [(1, links_to([0, 3], [0, 1])), (3, links_to([1], [0]))], pages=4
    )
    assert start.tolist() == [0, 0, 2, 2, 3]
    assert clues["page"].tolist() == [0, 3, 1]
    start, clues = laid_out([], pages=2)
    assert (start.tolist(), len(clues)) == ([0, 0, 0], 0)


def test_a_page_that_is_gone_answers_so() -> None:
    truth = crawled_truth(
        host=np.zeros(2, np.int32),
        relevance=np.array([0.5, 0.0]),
        rate=np.zeros(2),
        gone=[1],
        links=[(0, links_to([1], [0]))],
        gap_s=np.ones(1),
        latency_s=np.zeros(1),
    )
    assert look(truth, 0, 0.0) == (Outcome.OK, True, 1)
    assert look(truth, 1, 0.0)[0] == Outcome.GONE
