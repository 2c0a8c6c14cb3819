"""Relevance that moves with content: little by little, rarely far; the same whoever asks; measured
as held.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import new_controller
from trapline.laboratory.runs.measures import Holding, Tracker, quality
from trapline.laboratory.worlds import documents
from trapline.laboratory.worlds.drift import drift
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import (
    Truth,
    fresh_copy,
    make_truth,
    relevance_at,
    relevance_of,
    version,
)
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.posterior import Posterior
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.topic.topic import Topic

STARTS = np.linspace(0.0, 1.0, 51).tolist()


def courses(
    speed: float, changes: int = 400, pages: int = 500, on_topic: float = 0.22
) -> np.ndarray:
    rng = np.random.default_rng(2)
    start = np.where(
        rng.random(pages) < on_topic,
        rng.beta(5.0, 2.0, pages),
        rng.uniform(0.0, 0.1, pages),
    )
    return np.array(
        [
            [drift(start[p], speed, 3, p, k) for k in range(changes)]
            for p in range(pages)
        ]
    )


def test_without_drift_or_changes_relevance_stays() -> None:
    assert [drift(r, 0.0, 1, 2, 99) for r in STARTS] == STARTS
    assert [drift(r, 1.0, 1, 2, 0) for r in STARTS] == STARTS
    still = LinkedWeb.generate(200, hosts=3, seed=1)
    found = [still.relevance_at(page, 3000.0) for page in range(200)]
    assert found == still.relevance.tolist() and still.truth.drift[0] == 0.0


def test_moves_are_small_mostly_and_rarely_a_page_joins_or_leaves_the_topic() -> None:
    course = courses(speed=1.0)
    steps = np.abs(np.diff(course, axis=1))
    assert course.min() >= 0.0 and course.max() <= 1.0
    assert np.mean(steps > 0.0) > 0.9 and np.quantile(steps, 0.99) < 0.03
    assert 0.0005 < np.mean(steps > 0.3) < 0.01
    on_topic = course > 0.5
    joined = on_topic[:, -1] & ~on_topic[:, 0]
    left = on_topic[:, 0] & ~on_topic[:, -1]
    assert joined.any() and left.any() and np.mean(joined | left) < 0.15
    assert np.mean(on_topic[:, 100:]) == pytest.approx(
        np.mean(on_topic[:, 0]), abs=0.05
    )


def test_half_the_drift_moves_less() -> None:
    away = [
        np.abs(course - course[:, :1]).mean()
        for course in map(courses, (0.25, 0.5, 1.0))
    ]
    assert 0.0 < away[0] < away[1] < away[2]


def lively(seed: int = 3) -> LinkedWeb:
    shape = Shape(
        change_every_s=(2.0, 50.0),
        life_s=200.0,
        born_share=0.2,
        dies_share=0.1,
        drift=1.0,
        latency_s=0.1,
    )
    return LinkedWeb.generate(300, hosts=5, seed=seed, shape=shape)


def controlled(truth: Truth, refresh: Posterior, seeds: list[int]) -> RequestController:
    return new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=30.0),
        seeds=seeds,
    )


def test_relevance_is_the_same_whoever_asks_and_in_whatever_order() -> None:
    web = lively()
    nosy = fresh_copy(web.truth)
    patient = fresh_copy(web.truth)
    for now_s in (10.0, 100.0, 400.0):
        asked = [relevance_at(nosy, page, now_s) for page in range(300)]
    assert (
        asked
        == [relevance_at(patient, page, 400.0) for page in reversed(range(300))][::-1]
    )
    assert asked == [
        relevance_of(patient, page, version(patient, page, 400.0))
        for page in range(300)
    ]
    assert np.mean(np.array(asked) != web.relevance) > 0.9
    first = fresh_copy(web.truth)
    newborn = [
        relevance_at(first, page, float(first.born_s[page])) for page in range(300)
    ]
    assert newborn == web.relevance.tolist()


def two_pages() -> Truth:
    """Both change at second 10; page 0 links to page 1, which was there from the start."""
    events = np.array([10.0, 10.0])
    links = (np.array([0, 1, 1]), np.array([1], np.int32))
    return make_truth(
        host=np.zeros(2, np.int32),
        rate=np.zeros(2),
        relevance=np.array([0.5, 0.25]),
        links=links,
        events=(np.array([0, 1, 2]), events),
        drift=1.0,
        seed=6,
    )


def test_what_is_there_counts_as_it_is_and_what_is_held_as_it_was() -> None:
    later = [drift(0.5, 1.0, 6, 0, 1), drift(0.25, 1.0, 6, 1, 1)]
    assert later[0] != 0.5 and later[1] != 0.25
    # page 0 as it was (version 1: it showed a link already), page 1 as it is
    held = Holding.of({0: 1, 1: 1})
    found = quality(two_pages(), held, now_s=20.0)
    assert found.recall == pytest.approx(later[1] / sum(later))
    assert found.freshness == pytest.approx(later[1] / (0.5 + later[1]))
    before = quality(two_pages(), Holding.of({0: 1}), now_s=5.0)
    assert (before.recall, before.freshness) == pytest.approx((0.5 / 0.75, 1.0))


def test_a_compiled_run_learns_the_relevance_of_what_it_read() -> None:
    web = lively()
    policy = Posterior()
    run_compiled(
        controlled(web.truth, policy, web.seeds), web.truth, room=4, visits=3000
    )
    read = np.flatnonzero((web.truth.seen >= 0) & np.isinf(web.truth.dies_s))
    expected = [
        relevance_of(web.truth, page, int(web.truth.seen[page]))
        for page in read.tolist()
    ]
    assert len(read) > 200
    assert policy.mind.pages["relevance"][read].tolist() == expected
    assert np.mean(np.array(expected) != web.relevance[read]) > 0.8


def test_pages_that_are_held_from_the_start_are_held_as_they_were_then() -> None:
    truth = make_truth(
        host=np.zeros(50, np.int32),
        rate=np.full(50, 0.5),
        relevance=np.full(50, 0.6),
        drift=1.0,
    )
    policy = Posterior()
    hold_all(controlled(truth, policy, []), truth, np.full(50, 30.0), 30.0)
    patient = fresh_copy(truth)
    assert policy.mind.pages["relevance"][:50].tolist() == [
        relevance_at(patient, page, 30.0) for page in range(50)
    ]


def test_a_tracker_and_the_definition_agree_where_relevance_drifts() -> None:
    web = lively()
    tracker = Tracker(web.truth)
    patient = fresh_copy(web.truth)
    tracker.replay(
        run_compiled(
            controlled(web.truth, Posterior(), web.seeds),
            web.truth,
            room=4,
            visits=2000,
        )
    )
    held = tracker.holding()
    end_s = 500.0
    worth = {
        page: relevance_of(patient, page, number)
        for page, number in zip(
            held.pages.tolist(), held.versions.tolist(), strict=True
        )
    }
    there = {
        page: relevance_at(patient, page, end_s)
        for page in range(300)
        if web.alive(page, end_s)
    }
    number = dict(zip(held.pages.tolist(), held.versions.tolist(), strict=True))
    both = sum(
        worth[page]
        for page in worth
        if page in there and version(patient, page, end_s) == number[page]
    )
    found = tracker.finish(end_s)
    assert found.recall == pytest.approx(both / sum(there.values()))
    assert found.freshness == pytest.approx(both / sum(worth.values()))


def test_the_words_of_a_page_drift_with_its_relevance() -> None:
    web = LinkedWeb.generate(
        200,
        hosts=3,
        seed=4,
        shape=Shape(change_every_s=(1.0, 2.0), born_share=0.0, drift=1.0),
    )
    topic = Topic.from_text(web.topic)
    now_s = 2000.0
    read = []
    told = []
    for page in range(web.pages):
        if web.alive(page, now_s):
            read.append(
                topic.relevance(
                    "", documents.html(web, page, now_s, lambda host: f"http://{host}/")
                )
            )
            told.append((web.relevance_at(page, now_s), web.relevance[page]))
    now, then = (np.corrcoef(read, column)[0, 1] for column in np.array(told).T)
    assert now > 0.6 and now > then + 0.03
