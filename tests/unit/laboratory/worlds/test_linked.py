"""The linked web: what lives can be reached, degrees have heavy tails, neighbours are alike, and
news is listed.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.runs.compiled import run_compiled
from trapline.laboratory.runs.drive import Log, drive, new_controller
from trapline.laboratory.worlds import documents, prose, vocabulary
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy, links_born, version
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.topic.topic import Topic

AGES = 1e15  # seconds: never, for our purposes


@pytest.fixture(scope="module")
def web() -> LinkedWeb:
    return LinkedWeb.generate(20_000, hosts=100, seed=5)


def ends(web: LinkedWeb) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """All links: from, to."""
    return np.repeat(
        np.arange(web.pages), np.diff(web.truth.link_start)
    ), web.truth.link_to


def reached(web: LinkedWeb, now_s: float) -> set[int]:
    """What a robot can find that visits everything it hears of, all at one instant."""
    met = set(web.seeds)
    queue = deque(web.seeds)
    while queue:
        if web.alive(page := queue.popleft(), now_s):
            fresh = set(web.links(page, now_s).tolist()) - met
            met |= fresh
            queue.extend(fresh)
    return {page for page in met if web.alive(page, now_s)}


def living(web: LinkedWeb, now_s: float) -> set[int]:
    return {page for page in range(web.pages) if web.alive(page, now_s)}


@pytest.mark.parametrize(
    ("pages", "hosts", "shape"),
    [
        (2000, 8, Shape()),
        (2000, 1, Shape(seeds=3)),
        (500, 200, Shape(seeds=1)),
        (40, 40, Shape()),
        (1, 1, Shape()),
        (800, 20, Shape(born_share=0.5, dies_share=0.8, at_home=1.0, on_subject=1.0)),
        (
            300,
            6,
            Shape(born_share=1.0, dies_share=1.0, hub_share=0.0, topical_share=1.0),
        ),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_whatever_lives_can_be_reached_at_that_instant(
    pages: int, hosts: int, shape: Shape, seed: int
) -> None:
    web = LinkedWeb.generate(pages, hosts, seed=seed, shape=shape)
    assert web.pages == pages and web.hosts == hosts and 1 <= len(web.seeds) <= 3
    assert web.seeds == [web.front_page(host) for host in range(len(web.seeds))]
    for now_s in (0.0, 1000.0, 3000.0, 3600.0):
        assert reached(web, now_s) == living(web, now_s)


def test_the_same_arguments_give_the_same_web_and_another_seed_another() -> None:
    one, same, other = (LinkedWeb.generate(500, seed=seed) for seed in (7, 7, 8))
    for name in Truth._fields:
        assert np.array_equal(getattr(one.truth, name), getattr(same.truth, name)), name
    assert np.array_equal(one.subject, same.subject) and np.array_equal(
        one.hubs, same.hubs
    )
    assert not np.array_equal(one.truth.link_to, other.truth.link_to)
    assert not np.array_equal(one.truth.rate, other.truth.rate)


def test_links_are_distinct_lead_elsewhere_and_stand_in_order_of_birth(
    web: LinkedWeb,
) -> None:
    source, target = ends(web)
    assert web.truth.link_start[0] == 0 and web.truth.link_start[-1] == len(target)
    assert not np.any(source == target)
    assert len(np.unique(source * web.pages + target)) == len(source)
    same_page = source[1:] == source[:-1]
    assert np.all(np.diff(web.truth.born_s[target])[same_page] >= 0.0)
    assert target.min() >= 0 and target.max() < web.pages


def tail_exponent(degrees: NDArray[np.int64], share: float = 0.02) -> float:
    """Hill's estimate from the largest `share` of the numbers."""
    largest = np.sort(degrees)[-round(share * len(degrees)) :].astype(float)
    return 1.0 + 1.0 / float(np.mean(np.log(largest / largest[0])))


def test_degrees_and_hosts_have_heavy_tails(web: LinkedWeb) -> None:
    source, target = ends(web)
    for degrees in (
        np.bincount(source, minlength=web.pages),
        np.bincount(target, minlength=web.pages),
    ):
        assert 5.0 < degrees.mean() < 12.0
        assert degrees.max() > 25 * degrees.mean()
        assert 1.8 < tail_exponent(degrees) < 3.4
        # the first per cent
        assert np.sort(degrees)[-web.pages // 100 :].sum() > 0.1 * degrees.sum()
    sizes = np.bincount(web.host, minlength=web.hosts)
    assert sizes.min() >= 10 and sizes.max() > 10 * np.median(sizes)


def test_a_minority_is_on_topic_and_carries_most_of_the_relevance(
    web: LinkedWeb,
) -> None:
    relevance = web.relevance
    on_topic = web.subject == 0
    assert relevance.min() >= 0.0 and relevance.max() <= 1.0
    assert np.mean(on_topic) == pytest.approx(0.22)
    assert 0.18 < np.mean(relevance > 0.5) < 0.25
    assert 0.55 < np.mean(relevance < 0.05) < 0.75
    assert 0.05 < np.mean((relevance > 0.1) & (relevance < 0.5)) < 0.25
    assert relevance[on_topic].sum() > 0.65 * relevance.sum()
    assert set(web.subject.tolist()) == set(range(1 + len(vocabulary.OTHERS)))


def test_pages_link_to_their_host_their_subject_and_their_like(web: LinkedWeb) -> None:
    source, target = ends(web)
    usual = ~np.isin(source, web.hubs)
    source = source[usual]
    target = target[usual]
    on_topic = web.subject == 0
    assert 0.6 < np.mean(web.host[source] == web.host[target]) < 0.85
    assert np.mean(web.subject[source] == web.subject[target]) > 0.55
    assert np.mean(on_topic[target[on_topic[source]]]) > 0.65
    assert np.mean(on_topic[target[~on_topic[source]]]) < 0.15
    assert np.corrcoef(web.relevance[source], web.relevance[target])[0, 1] > 0.4
    between = (web.relevance > 0.2) & ~on_topic
    aside = (web.relevance < 0.05) & ~on_topic
    assert np.mean(on_topic[target[between[source]]]) > 1.5 * np.mean(
        on_topic[target[aside[source]]]
    )


def test_hubs_are_few_have_no_relevance_and_list_what_has(web: LinkedWeb) -> None:
    assert len(web.hubs) == round(0.03 * web.pages)
    assert web.relevance[web.hubs].max() <= 0.1
    assert np.all(web.subject[web.hubs] != 0)
    source, target = ends(web)
    listed = np.isin(source, web.hubs)
    out = np.bincount(source, minlength=web.pages)
    assert out[web.hubs].min() >= 10 and out[web.hubs].mean() > 5 * out.mean()
    assert np.mean(web.relevance[target[listed]] > 0.5) > 0.6
    assert np.mean(web.relevance[target[~listed]] > 0.5) < 0.35


def test_front_pages_list_a_part_of_their_host(web: LinkedWeb) -> None:
    for host in range(web.hosts):
        front = web.front_page(host)
        own = {
            page
            for page in web.links(front, math.inf).tolist()
            if web.host[page] == host
        }
        assert web.host[front] == host
        assert 3 <= len(own) < np.count_nonzero(web.host == host)


def test_rates_are_log_uniform_and_lists_change_faster(web: LinkedWeb) -> None:
    lists = np.isin(np.arange(web.pages), web.hubs) | (np.arange(web.pages) < web.hosts)
    decades = np.log10(1.0 / web.truth.rate)
    assert decades.min() >= 1.0 and decades.max() <= 5.0
    counts, _ = np.histogram(decades[~lists], bins=8, range=(1.0, 5.0))
    expected = np.count_nonzero(~lists) / 8
    assert np.all(np.abs(counts - expected) < 4.5 * math.sqrt(expected))
    assert decades[lists].max() <= 2.2


def test_shares_of_pages_are_born_and_die_in_the_given_time(web: LinkedWeb) -> None:
    born_s = web.truth.born_s
    dies_s = web.truth.dies_s
    late = born_s >= 0.0
    dying = np.isfinite(dies_s)
    assert np.count_nonzero(late) == round(0.1 * web.pages)
    assert np.count_nonzero(dying) == round(0.05 * web.pages)
    assert np.count_nonzero(late & dying) > 0
    assert np.all(born_s[~late] == -1.0) and born_s.max() < 3600.0
    assert np.all(born_s < dies_s) and dies_s[dying].max() < 3600.0
    stays = [*range(web.hosts), *web.hubs.tolist()]
    assert not np.any(late[stays]) and not np.any(dying[stays])


def test_a_birth_is_told_by_its_listers_and_by_nobody_else() -> None:
    web = LinkedWeb.generate(
        600, hosts=4, seed=2, shape=Shape(change_every_s=(AGES, AGES), dies_share=0.0)
    )
    births = np.sort(web.truth.born_s[web.truth.born_s >= 0.0])
    listers_in_front = 0
    for born_s in births.tolist():
        page = int(np.flatnonzero(web.truth.born_s == born_s)[0])
        before = [
            version(web.truth, other, born_s - 1e-6) for other in range(web.pages)
        ]
        after = [version(web.truth, other, born_s) for other in range(web.pages)]
        listers = {
            other for other in range(web.pages) if page in web.links(other, born_s)
        }
        assert {
            other for other in range(web.pages) if after[other] != before[other]
        } == listers
        assert 1 <= len(listers) <= 2
        assert all(
            web.changed_s(other, born_s + 0.5) == born_s
            for other in listers
            if after[other] > 0
        )
        listers_in_front += int(web.host[page]) in listers
    assert listers_in_front > 0.3 * len(births)


def test_the_time_of_the_last_change_moves_exactly_when_the_version_does() -> None:
    web = LinkedWeb.generate(
        200, hosts=3, seed=4, shape=Shape(change_every_s=(20.0, 5000.0), born_share=0.3)
    )
    moved = 0
    for page in range(web.pages):
        start_s = max(float(web.truth.born_s[page]), 0.0)
        known = web.version(page, start_s)
        changed_s = web.changed_s(page, start_s)
        for now_s in np.arange(start_s + 150.0, 4000.0, 150.0).tolist():
            found = web.version(page, now_s)
            when_s = web.changed_s(page, now_s)
            assert when_s <= now_s
            assert (when_s > changed_s) == (found > known)
            if found > known:
                assert (
                    when_s > now_s - 150.0
                    and version(fresh_copy(web.truth), page, when_s) == found
                )
                moved += 1
            known = found
            changed_s = when_s
    assert moved > 1000


def test_an_earlier_question_gets_the_later_answer_but_never_a_later_time() -> None:
    web = LinkedWeb.generate(
        100, hosts=2, shape=Shape(change_every_s=(1.0, 2.0), born_share=0.0)
    )
    later = web.version(50, 100.0)
    assert web.version(50, 10.0) == later > 20
    assert web.changed_s(50, 10.0) == 10.0


def test_what_is_handed_out_is_the_askers_own() -> None:
    web = LinkedWeb.generate(100, hosts=2)
    links = web.links(0, 0.0)
    links[:] = 0
    assert web.links(0, 0.0).any()
    assert len(web.links(0, 0.0)) == links_born(web.truth, 0, 0.0)


def test_two_threads_may_ask_at_once() -> None:
    web = LinkedWeb.generate(
        50, hosts=2, shape=Shape(change_every_s=(0.01, 0.1), born_share=0.0)
    )
    went_back: list[int] = []

    def ask() -> None:
        known = [0] * web.pages
        for step in range(200):
            for page in range(web.pages):
                found = web.version(page, step * 0.5)
                went_back.extend([page] if found < known[page] else [])
                known[page] = found

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    truth = fresh_copy(web.truth)
    assert went_back == []
    assert [web.version(p, 99.5) for p in range(web.pages)] == [
        version(truth, p, 99.5) for p in range(web.pages)
    ]


def test_a_large_web_is_made_in_seconds_and_a_small_one_at_once() -> None:
    LinkedWeb.generate(10, hosts=2)
    began = time.process_time()
    small = LinkedWeb.generate()
    between = time.process_time()
    large = LinkedWeb.generate(140_000, hosts=1000)
    assert small.pages == 2000 and large.pages == 140_000
    # 0.02 s; of the processor, so that a busy machine does not matter
    assert between - began < 0.2
    assert time.process_time() - between < 5.0


def test_the_words_of_a_page_tell_its_relevance_and_its_address_leads_back() -> None:
    web = LinkedWeb.generate(400, hosts=4, seed=1)
    topic = Topic.from_text(web.topic)
    read = []
    for page in range(web.pages):
        subject = int(web.subject[page])
        relevance = float(web.relevance[page])
        text = prose.paragraphs(
            subject, relevance, page, web.version(page, 0.0), web.seed
        )
        read.append(topic.relevance(documents.title(web, page), " ".join(text)))
        assert (
            documents.page_of(web, int(web.host[page]), documents.path(web, page))
            == page
        )
    assert np.corrcoef(read, web.relevance)[0, 1] > 0.8
    assert np.mean(np.array(read)[web.hubs]) < 0.3
    assert np.mean(np.array(read)[web.subject == 0]) > 0.6


@pytest.mark.parametrize("room", [1, 16])
def test_object_and_compiled_runs_make_the_same_visits(room: int) -> None:
    def run(compiled: bool) -> Log:
        shape = Shape(
            gap_s=0.3, latency_s=0.2, change_every_s=(5.0, 500.0), life_s=200.0
        )
        web = LinkedWeb.generate(800, hosts=12, seed=9, shape=shape)
        budget = Budget(per_s=20.0, burst=3.0)
        controller = new_controller(
            web.truth,
            discovery=BreadthFirst(),
            refresh=Uniform(),
            budget=budget,
            seeds=web.seeds,
        )
        return (run_compiled if compiled else drive)(
            controller, web.truth, room=room, visits=4000
        )

    one = run(compiled=False)
    two = run(compiled=True)
    assert len(one.page) == 4000 and len(np.unique(one.page)) > 700
    assert np.array_equal(one.page, two.page) and np.array_equal(
        one.issued_s, two.issued_s
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"born_share": 1.1},
        {"at_home": -0.1},
        {"change_every_s": (5.0, 1.0)},
        {"life_s": 0.0},
        {"seeds": 0},
    ],
)
def test_impossible_numbers_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadNumber, match=next(iter(wrong))):
        Shape(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("hosts", [0, 11])
def test_every_host_needs_a_page(hosts: int) -> None:
    with pytest.raises(BadNumber, match="number of hosts"):
        LinkedWeb.generate(10, hosts=hosts)
