"""Recall, freshness, quality and performance against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.records import Kind, Ticket
from trapline.laboratory.runs.compiled import run_compiled
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.measures import (
    Holding,
    Performance,
    Quality,
    Tracker,
    quality,
)
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy, make_truth, version
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController


def six_pages() -> Truth:
    """No page changes by itself; page 4 is born at 10 and listed by page 0; page 3 dies at 20; page
    5 is worthless.

    page       0    1    2    3    4    5
    relevance  0.1  0.2  0.4  0.8  0.5  0.0
    """
    return make_truth(
        host=np.zeros(6, np.int32),
        rate=np.zeros(6),
        relevance=np.array([0.1, 0.2, 0.4, 0.8, 0.5, 0.0]),
        born_s=np.array([-1.0, -1.0, -1.0, -1.0, 10.0, -1.0]),
        dies_s=np.array([math.inf, math.inf, math.inf, 20.0, math.inf, math.inf]),
        links=(np.array([0, 2, 2, 2, 2, 2, 2], np.int64), np.array([1, 4], np.int32)),
    )


# Page 0 shows one link (version 1) before second 10, two (version 2) from then on; the others stay
# at version 0.
@pytest.mark.parametrize(
    ("held", "now_s", "recall", "freshness"),
    [
        pytest.param(
            {},
            0.0,
            0.0,
            1.0,
            id="an empty collection lacks all but has nothing out of date",
        ),
        pytest.param({0: 1, 3: 0}, 0.0, 0.9 / 1.5, 1.0, id="all current"),
        pytest.param({0: 1, 1: 0, 2: 0, 3: 0}, 0.0, 1.0, 1.0, id="all there is"),
        pytest.param(
            {0: 1, 3: 0},
            10.0,
            0.8 / 2.0,
            0.8 / 0.9,
            id="page 0 was modified, page 4 is new",
        ),
        pytest.param({0: 2, 3: 0}, 10.0, 0.9 / 2.0, 1.0, id="page 0 was read again"),
        pytest.param(
            {0: 2, 3: 0, 4: 0}, 20.0, 0.6 / 1.2, 0.6 / 1.4, id="page 3 is deleted"
        ),
        pytest.param({0: 2, 4: 0}, 20.0, 0.6 / 1.2, 1.0, id="and was dropped"),
        pytest.param({3: 0}, 20.0, 0.0, 0.0, id="only a dead page"),
        pytest.param({5: 0}, 0.0, 0.0, 1.0, id="only a worthless page"),
        pytest.param(
            {4: 0}, 9.0, 0.0, 0.0, id="a page that is not born yet is not there"
        ),
    ],
)
def test_six_pages_by_hand(
    held: dict[int, int], now_s: float, recall: float, freshness: float
) -> None:
    found = quality(six_pages(), Holding.of(held), now_s)
    assert found.recall == pytest.approx(recall)
    assert found.freshness == pytest.approx(freshness)
    assert found.quality == pytest.approx(min(recall, freshness))


def test_where_there_is_nothing_nothing_lacks() -> None:
    truth = make_truth(
        host=np.zeros(2, np.int32), rate=np.zeros(2), relevance=np.zeros(2)
    )
    assert quality(truth, Holding.of({}), 0.0) == Quality(1.0, 1.0)


def test_a_full_collection_is_not_better_than_perfect_whatever_the_order_of_its_pages() -> (
    None
):
    rng = np.random.default_rng(0)
    truth = make_truth(
        host=np.zeros(999, np.int32), rate=np.zeros(999), relevance=rng.random(999)
    )
    for _ in range(20):
        held = Holding(rng.permutation(999), np.zeros(999, np.int64))
        found = quality(truth, held, 1.0)
        assert found.freshness == 1.0 and 1.0 - 1e-12 < found.recall <= 1.0


def test_performance_is_a_sum_of_steps() -> None:
    performance = Performance()
    assert performance.total == 0.0
    for now_s, m in ((1.0, 0.25), (3.0, 1.0), (3.0, 0.5), (7.0, 0.0), (100.0, 1.0)):
        performance.note(now_s, m)
    assert performance.total == pytest.approx(2 * 0.25 + 4 * 0.5)


def ticket(page: int) -> Ticket:
    return Ticket(0, Kind.PAGE, page, 0, 0.0, 0.0)


def test_a_tracker_samples_what_was_seen_by_then() -> None:
    tracker = Tracker(six_pages(), times=[5.0, 0.5, 10.0, 25.0])
    for now_s, page in ((1.0, 0), (2.0, 3), (5.0, 1), (12.0, 0), (22.0, 3)):
        tracker.watch(now_s, ticket(page))
    end = tracker.finish(30.0)
    assert tracker.times == [0.5, 5.0, 10.0, 25.0, 30.0]
    expected = [
        (0.0, 1.0),
        (1.1 / 1.5, 1.0),
        (1.0 / 2.0, 1.0 / 1.1),
        (0.3 / 1.2, 1.0),
        (0.3 / 1.2, 1.0),
    ]
    assert [(s.recall, s.freshness) for s in tracker.samples] == [
        pytest.approx(pair) for pair in expected
    ]
    assert end == tracker.samples[-1]
    assert dict(
        zip(*(column.tolist() for column in tracker.holding()), strict=True)
    ) == {0: 2, 1: 0}
    by_hand = (10.0 - 5.0) * 1.1 / 1.5 + (25.0 - 10.0) * 0.5 + (30.0 - 25.0) * 0.25
    assert tracker.performance.total == pytest.approx(by_hand)


def world() -> LinkedWeb:
    lively = Shape(
        gap_s=0.5,
        latency_s=0.4,
        change_every_s=(5.0, 500.0),
        life_s=200.0,
        born_share=0.2,
        dies_share=0.2,
    )
    return LinkedWeb.generate(300, hosts=5, seed=3, shape=lively)


def controller(web: LinkedWeb) -> RequestController:
    return new_controller(
        web.truth,
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(per_s=8.0),
        seeds=web.seeds,
    )


def test_a_tracker_remembers_what_every_visit_saw() -> None:
    web = world()
    tracker = Tracker(web.truth)
    log = drive(controller(web), web.truth, room=4, visits=1500, watch=tracker.watch)
    end_s = float(log.issued_s[-1]) + 60.0
    held = tracker.holding()
    assert np.array_equal(held.versions, web.truth.seen[held.pages])
    # Recomputed the long way: page by page, from the definition.
    truth = fresh_copy(web.truth)
    versions = dict(zip(held.pages.tolist(), held.versions.tolist(), strict=True))
    there = {page for page in range(web.pages) if web.alive(page, end_s)}
    both = {
        page
        for page in there & versions.keys()
        if version(truth, page, end_s) == versions[page]
    }
    weight = {
        name: sum(web.relevance[p] for p in pages)
        for name, pages in (("V", there), ("C", versions), ("B", both))
    }
    found = tracker.finish(end_s)
    assert (found.recall, found.freshness) == pytest.approx(
        (weight["B"] / weight["V"], weight["B"] / weight["C"])
    )
    assert 0.05 < found.quality < 0.95


def test_a_compiled_run_is_measured_as_the_same_run_that_was_watched() -> None:
    times = np.linspace(1.0, 150.0, 40).tolist()
    watched_web = world()
    compiled_web = world()
    watched = Tracker(watched_web.truth, times)
    drive(
        controller(watched_web),
        watched_web.truth,
        room=4,
        visits=1200,
        watch=watched.watch,
    )
    replayed = Tracker(compiled_web.truth, times)
    replayed.replay(
        run_compiled(controller(compiled_web), compiled_web.truth, room=4, visits=1200)
    )
    assert watched.finish(1000.0) == replayed.finish(1000.0)
    assert watched.samples == replayed.samples
    assert watched.performance.total == replayed.performance.total > 0.0


def test_looking_disturbs_nobody() -> None:
    web = world()
    before = web.truth.changes.copy()
    tracker = Tracker(web.truth, [10.0])
    tracker.watch(50.0, ticket(0))
    tracker.finish(1000.0)
    assert np.array_equal(web.truth.changes, before)
    assert np.all(web.truth.seen == -1)
