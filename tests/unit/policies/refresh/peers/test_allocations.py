"""Allocations: each published formula by hand, and that the budget is shared as it says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from trapline.core.cards import HELD, Cards, blank_cards
from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.runs.trace_replay import replay
from trapline.laboratory.worlds.traces import Traces
from trapline.policies.mind import Records
from trapline.policies.refresh.peers.aduana import Aduana
from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.azar import Azar
from trapline.policies.refresh.peers.budget_share import (
    DAY_S,
    PAGE,
    find_price,
    relative_rate,
    unsignalled_rate,
    usual_rate,
)
from trapline.policies.refresh.peers.change_estimates import (
    EVIDENCE,
    bias_reduced_rate,
    likeliest_rate,
    naive_rate,
    note_gap,
)
from trapline.policies.refresh.peers.cho import Cho
from trapline.policies.refresh.peers.google_2025 import Google2025
from trapline.policies.refresh.peers.lambda_crawl import LambdaCrawl
from trapline.policies.refresh.peers.lambda_crawl_poisson import LambdaCrawlPoisson
from trapline.policies.refresh.peers.mwmbl import Mwmbl
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.refresh.uniform import Uniform
from trapline.theory import estimators
from trapline.theory.price import bracket, offer_price

# m, D, the visits that the formula gives them, and λ
BY_HAND = {
    # √(mD)·(2 + 2)/3 − D; the third page has the least m/D and is dropped
    "azar": (Azar(), [1.0, 4.0, 1.0], [1.0, 1.0, 16.0], [1 / 3, 5 / 3, 0.0], 9 / 16),
    # (−1 + √(1 + 8))/2 and (−2 + √(4 + 32))/2
    "lambda-crawl": (LambdaCrawl(), [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], 0.5),
    # y = 1 and y = 2: (m/D)·(1 − 2/e) = (m/D)·(1 − 3/e²)
    "cho": (
        Cho(),
        [1.0, 2.0 * (1 - 2 / math.e) / (1 - 3 / math.e**2)],
        [1.0, 2.0],
        [1.0, 1.0],
        1 - 2 / math.e,
    ),
    "cho, a page not worth it": (
        Cho(),
        [1.0, 0.26],
        [1.0, 1.0],
        [1.0, 0.0],
        1 - 2 / math.e,
    ),
    "aduana": (Aduana(), [5.0, 1.0, 1.0], [1.0, 3.0, 0.0], [0.5, 1.5, 0.0], 2.0),
    # URLs of 25 and 40 characters reach the score 0.02 at −ln 0.5 and −ln 0.2
    "mwmbl": (
        Mwmbl(fades_s=1.0),
        [1 / 25, 1 / 40],
        [0.0, 0.0],
        [1 / math.log(2.0), 1 / math.log(5.0)],
        0.02,
    ),
}


def held_cards(pages: int) -> Cards:
    cards = blank_cards(pages)
    cards["state"] = HELD
    return cards


@pytest.mark.parametrize("name", BY_HAND)
def test_the_formula_by_hand(name: str) -> None:
    policy, importance, rate, visits, price = BY_HAND[name]
    cards = held_cards(len(rate))
    policy.fit(len(rate), 1)
    policy.mind.pages["importance"] = importance
    policy.mind.pages["rate"] = rate
    found = find_price(cards, policy.mind, len(rate), sum(visits))
    assert found == pytest.approx(price, rel=2e-4)
    learnt = policy.mind.learnt
    learnt["price"], learnt["per_s"], learnt["shared"] = found, sum(visits), len(rate)
    mean = sum(visits) / len(rate)
    shares = [relative_rate(policy.mind, page) for page in range(len(rate))]
    assert np.array(shares) * mean == pytest.approx(visits, rel=1e-3, abs=1e-12)


def evidence(gaps: list[tuple[float, bool]]) -> Records:
    seen = np.zeros(1, EVIDENCE)
    for gap_s, changed in gaps:
        note_gap(seen, 0, gap_s, changed)
    return seen


def test_the_likeliest_rate_is_that_of_the_paper_with_its_imaginary_gaps() -> None:
    """The two lengths that stand for all gaps with a change are exact where there are two."""
    gaps = [(3.0, True), (1.0, True), (4.0, False), (2.5, False)]
    imaginary = [(0.5, True), (0.5, False)]
    lengths, changed = zip(*gaps, *imaginary, strict=True)
    exact = estimators.likeliest_rate(lengths, changed)
    found = likeliest_rate(evidence(gaps), 0, 0.5, 5e-4, 7.0)
    assert found == pytest.approx(exact, rel=1e-5)
    assert likeliest_rate(evidence([]), 0, 0.5, 5e-4, 7.0) == pytest.approx(
        2 * math.log(2.0), rel=1e-5
    )


def test_many_gaps_of_all_lengths_are_summed_up_well() -> None:
    chance = np.random.default_rng(3)
    lengths = chance.exponential(20.0, 60)
    changed = chance.random(60) < -np.expm1(-0.03 * lengths)
    gaps = list(zip(lengths.tolist(), changed.tolist(), strict=True))
    exact = estimators.likeliest_rate([*lengths, 0.5, 0.5], [*changed, True, False])
    found = likeliest_rate(evidence(gaps), 0, 0.5, 5e-4, 7.0)
    assert found == pytest.approx(exact, rel=0.02)


def test_rates_stay_within_their_bounds() -> None:
    always = evidence([(0.01, True)] * 50)
    never = evidence([(500.0, False)] * 50)
    assert likeliest_rate(always, 0, 0.5, 5e-4, 7.0) == pytest.approx(7.0, rel=1e-5)
    assert likeliest_rate(never, 0, 0.5, 5e-4, 7.0) == pytest.approx(5e-4, rel=1e-5)


def test_the_other_estimators_by_hand() -> None:
    seen = evidence([(2.0, True), (2.0, False), (2.0, True), (2.0, True)])
    assert naive_rate(seen, 0) == pytest.approx(3 / 8)
    assert bias_reduced_rate(seen, 0) == pytest.approx(math.log(4.5 / 1.5) / 2.0)
    assert bias_reduced_rate(evidence([(2.0, False)] * 5), 0) == pytest.approx(0.05)


def test_a_page_never_visited_again_is_taken_for_one_like_all() -> None:
    policy = Azar()
    cards = held_cards(2)
    for day in range(1, 11):
        seen = a_visit(changed=day % 2 == 0, age_s=DAY_S, now_s=day * DAY_S)
        policy.settle(cards, 0, seen)
    policy.settle(cards, 1, a_visit(now_s=10 * DAY_S))
    usual = math.log(10.5 / 5.5)  # a day
    assert usual_rate(policy.mind) * DAY_S == pytest.approx(usual)
    assert policy.mind.pages["rate"][1] * DAY_S == pytest.approx(usual, rel=1e-5)
    hopeless = LambdaCrawl()
    hopeless.settle(cards, 1, a_visit(now_s=10 * DAY_S))
    assert hopeless.mind.pages["rate"][1] * DAY_S == pytest.approx(2 * math.log(2.0))


def take_turns(policy: Allocation, importance: list[float], visits: int) -> np.ndarray:
    """Visits, on average one a day to each page, to the page that offers most: which pages."""
    cards = held_cards(len(importance))
    for page, relevance in enumerate(importance):
        cards["last"][page] = 0.0
        policy.settle(cards, page, a_visit(relevance=relevance, now_s=0.0))
    pages = range(len(importance))
    visited = []
    for number in range(1, visits + 1):
        now_s = number * DAY_S / len(importance)
        page = int(np.argmax([offer_price(cards, one, now_s) for one in pages]))
        age_s = now_s - float(cards["last"][page])
        cards["last"][page] = now_s
        changed = number % 2 == 0
        told = a_visit(
            changed=changed, relevance=importance[page], age_s=age_s, now_s=now_s
        )
        policy.settle(cards, page, told)
        visited.append(page)
    return np.array(visited)


# once a day, as good as told
DAILY = {"slowest_s": 1.0001 * DAY_S, "fastest_s": DAY_S}


@pytest.mark.parametrize("timing", ["even", "poisson"])
def test_visits_are_shared_as_the_formula_says(timing: str) -> None:
    """m = 1 and 2, D = 1, mean f = 1: f₁(f₁ + 1) : f₂(f₂ + 1) = 1 : 2, f₁ = (√73 − 7)/2."""
    importance = [1.0] * 15 + [2.0] * 15
    visited = take_turns(LambdaCrawl(timing, **DAILY), importance, 2_400)[600:]
    share = np.mean(visited < 15)
    assert share == pytest.approx((math.sqrt(73.0) - 7.0) / 4.0, abs=0.02)


def test_even_visits_are_evenly_spaced_and_others_are_not() -> None:
    importance = [1.0] * 10
    strays = {}
    for timing in ("even", "poisson"):
        visited = take_turns(LambdaCrawl(timing, **DAILY), importance, 1_500)[300:]
        gaps = np.diff(np.flatnonzero(visited == 4))
        strays[timing] = gaps.std() / gaps.mean()
    assert strays["even"] < 0.1
    assert 0.7 < strays["poisson"] < 1.3


def test_chance_follows_the_seed() -> None:
    lives = [
        take_turns(Azar(seed=seed), [1.0, 2.0, 3.0], 200).tolist() for seed in (0, 0, 1)
    ]
    assert lives[0] == lives[1] != lives[2]


def known_page(policy: Allocation) -> Cards:
    """One that changes half a time a day, visited on each of 40 days until today."""
    cards = held_cards(2)
    for day in range(1, 41):
        for page in (0, 1):
            seen = a_visit(changed=day % 3 == 0, age_s=DAY_S, now_s=day * DAY_S)
            policy.settle(cards, page, seen)
            cards["last"][page] = day * DAY_S
    return cards


def test_signalled_pages_are_visited_at_so_many_of_their_signals() -> None:
    """80 visits in 40 days are B = 2 a day; m/Σm = ½; D = (k + ½)/(40 + 10 + ½)."""
    policy = LambdaCrawl(signalled=1)
    assert policy.observes and not LambdaCrawl().observes
    cards = known_page(policy)
    now_s = 50 * DAY_S
    raised = []
    for number in range(1, 201):
        raised.append(policy.announce(cards, 0, [now_s], 0.5, now_s))
        wanted = 1.0 / ((number + 0.5) / 50.5)
        found = policy.announced_share(0, 10 * DAY_S)
        assert found == pytest.approx(min(1.0, wanted), rel=0.03)
    assert set(raised) == {0.0, 1.0} and raised[:40] == [1.0] * 40
    assert 0.2 < np.mean(raised[100:]) < 0.55
    assert relative_rate(policy.mind, 0) == 0.0 < relative_rate(policy.mind, 1)


def test_without_the_rule_signals_count_by_their_trust() -> None:
    policy = LambdaCrawl()
    assert policy.announce(known_page(policy), 0, [5.0], 0.25, 50 * DAY_S) == 0.25


def test_a_signal_advances_the_effective_age() -> None:
    """Trust ¾: n/g = ¼, so y = a·t + k·ln 4, with a = D less what signals account for."""
    policy = Google2025()
    cards = known_page(policy)
    rate = float(policy.mind.pages["rate"][0])
    now_s = 42 * DAY_S
    assert offer_price(cards, 0, now_s) == pytest.approx(
        bracket(rate * 2 * DAY_S, math.inf) / rate, rel=1e-5
    )
    cards["base"][0] = policy.announce(cards, 0, [now_s, now_s], 0.75, now_s)
    left = rate - 0.75 / (40 * DAY_S)
    assert unsignalled_rate(policy.mind, 0) == pytest.approx(left, rel=1e-6)
    aged = left * 2 * DAY_S + 2 * math.log(4.0)
    price = bracket(aged, math.inf) / rate
    assert offer_price(cards, 0, now_s) == pytest.approx(price, rel=1e-5)
    assert offer_price(cards, 0, 1e12) == pytest.approx(1.0 / rate, rel=1e-5)


def test_what_was_announced_is_not_forgotten_when_offers_are_written_anew() -> None:
    policy = Google2025()
    cards = known_page(policy)
    now_s = 42 * DAY_S
    cards["base"][0] = policy.announce(cards, 0, [now_s], 0.75, now_s)
    cards["filed"] = 1
    before = cards[0].tobytes()
    for day in range(43, 60):
        policy.settle(cards, 1, a_visit(age_s=DAY_S, now_s=day * DAY_S))
    assert cards[0].tobytes() == before


def test_a_page_has_64_bytes() -> None:
    assert PAGE.itemsize == 64


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"signalled": 0.5}, "0 or 1"),
        ({"imaginary_s": -1.0}, "at least 0"),
        ({"slowest_s": 1.0}, "slowest_s"),
        ({"fastest_s": 0.0}, "fastest_s"),
    ],
)
def test_options_without_sense_are_refused(
    options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(BadNumber, match=problem):
        LambdaCrawl(**options)
    with pytest.raises(UnknownName, match="timing"):
        Azar(timing="pareto")


WINDOW = Traces.sample().between(start_s=1_700_000_000.0, days=30.0, pages=60, seed=1)
KINDS = [Azar, Cho, Google2025, LambdaCrawl, LambdaCrawlPoisson, Aduana]


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_budget_is_used_on_a_real_history(kind: type[Allocation]) -> None:
    run = replay(kind(), WINDOW, per_page_day=0.2, settle_days=5.0)
    assert len(run.log.page) == pytest.approx(60 * 0.2 * 30, rel=0.01)


def test_lambda_crawl_keeps_pages_fresher_than_turns_do() -> None:
    fresh = {
        kind: replay(kind(), WINDOW, per_page_day=0.2, settle_days=5.0).freshness
        for kind in (LambdaCrawl, Uniform)
    }
    assert fresh[LambdaCrawl] > fresh[Uniform] + 0.01
