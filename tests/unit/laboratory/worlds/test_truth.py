"""The truth of a world: one history, whoever asks; Poisson changes; births, deaths, latencies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.records import Outcome
from trapline.laboratory.worlds.truth import (
    Truth,
    fresh_copy,
    latency,
    links_born,
    make_truth,
    version,
    visit,
)

NEVER = math.inf


def still_world(
    born_s: list[float], links: list[list[int]], dies_s: list[float] | None = None
) -> Truth:
    """Pages that never change by themselves."""
    start = np.cumsum([0, *map(len, links)]).astype(np.int64)
    targets = np.array([target for row in links for target in row], np.int32)
    return make_truth(
        host=np.zeros(len(links), np.int32),
        rate=np.zeros(len(links)),
        born_s=np.array(born_s),
        dies_s=None if dies_s is None else np.array(dies_s),
        links=(start, targets),
    )


def busy_world(pages: int, rate: float, seed: int = 0) -> Truth:
    return make_truth(
        host=np.zeros(pages, np.int32), rate=np.full(pages, rate), seed=seed
    )


def versions(truth: Truth, now_s: float) -> list[int]:
    return [version(truth, page, now_s) for page in range(len(truth.host))]


def test_history_does_not_depend_on_when_and_in_which_order_it_is_asked_for() -> None:
    patient = busy_world(50, 0.3, seed=4)
    nosy = busy_world(50, 0.3, seed=4)
    rng = np.random.default_rng(1)
    for now_s in (10.0, 40.0, 41.0, 300.0):
        for page in rng.integers(0, 50, 200).tolist():
            visit(nosy, page, now_s)
        assert versions(nosy, now_s) == versions(fresh_copy(patient), now_s)
    assert versions(nosy, 300.0) == versions(patient, 300.0)
    assert np.array_equal(nosy.pages["last_change"], patient.pages["last_change"])


def test_a_copy_starts_anew_and_shares_no_memory_of_visits() -> None:
    truth = busy_world(5, 1.0)
    before = versions(fresh_copy(truth), 3.0)
    visit(truth, 0, 1000.0)
    copy = fresh_copy(truth)
    assert copy.seen.tolist() == [-1] * 5
    assert versions(copy, 3.0) == before
    assert truth.seen[0] > before[0]


def test_another_seed_is_another_history_and_pages_are_strangers() -> None:
    one, two = (
        np.array(versions(busy_world(4000, 1.0, seed), 20.0)) for seed in (0, 1)
    )
    within = 4.0 / math.sqrt(4000)
    assert abs(np.corrcoef(one, two)[0, 1]) < within
    assert abs(np.corrcoef(one[:-1], one[1:])[0, 1]) < within


@pytest.mark.parametrize("rate", [0.02, 0.5, 3.0])
def test_changes_are_a_poisson_process_of_the_given_rate(rate: float) -> None:
    pages = 2000
    time_s = 100.0
    truth = busy_world(pages, rate, seed=11)
    born_s = float(truth.born_s[0])
    counts = np.array(versions(truth, born_s + time_s))
    expected = rate * time_s
    assert abs(counts.mean() - expected) < 4.0 * math.sqrt(expected / pages)
    # A Poisson count has the variance of its mean; the sample variance's error is √(2/n +
    # 1/(n·mean)) of it.
    assert abs(counts.var() / expected - 1.0) < 4.0 * math.sqrt(
        2.0 / pages + 1.0 / (pages * expected)
    )
    quiet = np.mean(
        np.array(versions(busy_world(pages, rate, seed=12), born_s + 1.0 / rate)) == 0
    )
    assert abs(quiet - math.exp(-1.0)) < 4.0 * math.sqrt(
        math.exp(-1.0) * (1.0 - math.exp(-1.0)) / pages
    )


def test_the_second_half_of_the_time_is_like_the_first() -> None:
    truth = busy_world(2000, 0.5, seed=2)
    half = np.array(versions(truth, 99.0))
    rest = np.array(versions(truth, 199.0)) - half
    assert abs(rest.mean() - half.mean()) < 4.0 * math.sqrt(2 * 50.0 / 2000)
    assert abs(np.corrcoef(half, rest)[0, 1]) < 4.0 / math.sqrt(2000)


def test_a_page_grows_by_one_version_when_a_page_that_it_lists_is_born() -> None:
    truth = still_world(
        born_s=[-1.0, -1.0, 5.0, 5.0, 9.0], links=[[1, 2, 3, 4], [4], [], [], []]
    )
    shown = [
        (links_born(truth, 0, t), version(truth, 0, t), version(truth, 1, t))
        for t in (0.0, 4.9, 5.0, 8.9, 9.0)
    ]
    assert shown == [(1, 1, 0), (1, 1, 0), (3, 3, 0), (3, 3, 0), (4, 4, 1)]


def test_a_visit_says_what_changed_since_the_last_one() -> None:
    truth = still_world(born_s=[-1.0, 5.0], links=[[1], []])
    ok = int(Outcome.OK)
    seen = [visit(truth, 0, t) for t in (0.0, 1.0, 5.0, 6.0)]
    assert seen == [(ok, True, 0), (ok, False, 0), (ok, True, 1), (ok, False, 1)]


def test_a_page_is_gone_before_its_birth_and_from_its_death_on() -> None:
    truth = still_world(born_s=[2.0], dies_s=[7.0], links=[[]])
    outcomes = [visit(truth, 0, t)[0] for t in (1.9, 2.0, 6.9, 7.0, 100.0)]
    assert [Outcome(outcome).name for outcome in outcomes] == [
        "GONE",
        "OK",
        "OK",
        "GONE",
        "GONE",
    ]


def test_a_failed_visit_sees_nothing() -> None:
    truth = still_world(born_s=[2.0], links=[[]])
    assert visit(truth, 0, 1.0) == (int(Outcome.GONE), False, 0)
    assert truth.seen[0] == -1
    assert visit(truth, 0, 3.0) == (int(Outcome.OK), True, 0)


def test_latency_is_exponential_and_belongs_to_the_ticket() -> None:
    took = np.array([latency(0.5, 3, 0, ticket) for ticket in range(4000)])
    assert took[:9].tolist() == [latency(0.5, 3, 0, ticket) for ticket in range(9)]
    assert abs(took.mean() - 0.5) < 4.0 * 0.5 / math.sqrt(4000)
    assert abs(np.mean(took > 0.5) - math.exp(-1.0)) < 0.03
    assert latency(0.5, 3, 1, 7) != latency(0.5, 3, 0, 7) != latency(0.5, 4, 0, 7)
    assert latency(0.0, 3, 0, 7) == 0.0
