"""adaptive-whittle: what visits teach is what the offer says, and the offer is the sum of two
gains.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import BY_DUE, Cards, blank_cards
from trapline.core.errors import BadNumber
from trapline.core.records import Outcome
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.theory.price import offer_price, visit_price

HALF_LIFE_S = 1000.0


def settled(
    policy: AdaptiveWhittle,
    visits: list[tuple[bool, float]],
    relevance: float = 1.0,
    gap_s: float = 100.0,
) -> Cards:
    """A page visited every `gap_s`: (changed, news) of each visit after the first."""
    cards = blank_cards(1)
    policy.settle(cards, 0, a_visit(Outcome.OK, True, relevance, 9.0, math.inf, 0.0))
    for number, (changed, news) in enumerate(visits, 1):
        policy.settle(
            cards,
            0,
            a_visit(Outcome.OK, changed, relevance, news, gap_s, number * gap_s),
        )
        cards["last"][0] = number * gap_s
    return cards


def test_the_news_of_the_first_visit_teach_no_rate() -> None:
    policy = AdaptiveWhittle()
    settled(policy, [])
    assert policy.beliefs(0).news_seen == 0.0
    assert policy.beliefs(0).watched_s == 0.0


def test_the_price_is_the_sum_of_both_gains() -> None:
    policy = AdaptiveWhittle(interest_half_life_s=HALF_LIFE_S, horizon_s=1e5)
    cards = settled(policy, [(True, 2.0), (False, 0.0), (True, 1.0)], relevance=0.5)
    found = policy.beliefs(0)
    worth_s = policy.found_worth(0)
    lost = math.log(2) / HALF_LIFE_S + 1.0 / worth_s
    news = visit_price(400.0, lost, found.news_rate * worth_s / lost)
    cards["worth"][0, 0], fresh_worth = 0.0, cards["worth"][0, 0]
    assert offer_price(cards, 0, 300.0 + 400.0) == pytest.approx(news, rel=1e-5)
    cards["worth"][0] = fresh_worth, 0.0
    only_fresh = offer_price(cards, 0, 700.0)
    assert only_fresh > 0.0
    again = AdaptiveWhittle(interest_half_life_s=HALF_LIFE_S, horizon_s=1e5)
    fresh = settled(again, [(True, 2.0), (False, 0.0), (True, 1.0)], relevance=0.5)
    assert offer_price(fresh, 0, 700.0) == pytest.approx(only_fresh + news, rel=1e-5)


def test_a_hub_that_lists_more_is_dearer_and_one_that_lists_nothing_hardly_worth_a_visit() -> (
    None
):
    prices = []
    for news in (0.0, 0.5, 5.0):
        cards = settled(AdaptiveWhittle(), [(False, news)] * 5, relevance=0.0)
        prices.append(offer_price(cards, 0, 2000.0))
    assert prices[0] < 0.1 * prices[1] < 0.02 * prices[2]


def test_news_rate_and_its_uncertainty() -> None:
    policy = AdaptiveWhittle()
    settled(policy, [(False, 3.0)] * 1000, gap_s=100.0)
    found = policy.beliefs(0)
    assert found.news_rate == pytest.approx(0.03, rel=1e-3)
    assert found.news_rate_sd == pytest.approx(math.sqrt(3000.0) / 1e5, rel=1e-2)
    assert found.watched_s == pytest.approx(1e5)


def test_a_page_that_always_changes_is_believed_fast_and_one_that_never_does_slow() -> (
    None
):
    fast = AdaptiveWhittle()
    slow = AdaptiveWhittle()
    settled(fast, [(True, 0.0)] * 50)
    settled(slow, [(False, 0.0)] * 50)
    assert fast.beliefs(0).change_rate > 0.01
    assert slow.beliefs(0).change_rate < 0.001
    assert fast.beliefs(0).change_rate_sd > 0.0


def test_the_worth_of_freshness_stays_finite_however_rarely_it_changes() -> None:
    policy = AdaptiveWhittle()
    cards = settled(policy, [(False, 0.0)] * 2000)
    assert np.isfinite(cards["worth"][0]).all() and (cards["worth"][0] > 0.0).all()
    assert cards["shape"][0, 0] > 0.0


def test_what_a_page_found_is_worth_is_learnt_from_all_pages_and_from_its_host_the_more() -> (
    None
):
    policy = AdaptiveWhittle(horizon_s=1e6)
    cards = blank_cards(60)
    cards["host"][30:] = 1
    ignorant = policy.found_worth(-1)
    grid_s = 1.0 / (np.exp(np.linspace(math.log(1.0 / 3e7), math.log(0.1), 48)) + 1e-6)
    assert ignorant == pytest.approx(grid_s.mean(), rel=1e-6)
    for number in range(1, 41):
        for page in range(60):  # host 0 changes all the time, host 1 never does
            age_s = math.inf if number == 1 else 1000.0
            cards["last"][page] = 1000.0 * number
            cards["filed"][page] = BY_DUE
            policy.settle(
                cards,
                page,
                a_visit(Outcome.OK, page < 30, 0.5, 0.0, age_s, 1000.0 * number),
            )
    assert policy.found_worth(0) < policy.found_worth(-1) < policy.found_worth(1)
    # 30 pages of its own against 20 like any other; its own are worth nothing next to those
    assert policy.found_worth(0) == pytest.approx(
        20 / 50 * policy.found_worth(-1), rel=0.02
    )
    assert policy.found_worth(77) == policy.found_worth(-1)  # a host that nobody knows
    # what it lists is worth as much as such a page
    assert cards["worth"][0, 1] < cards["worth"][59, 1]


def test_a_page_of_which_nothing_is_known_is_expected_to_list_what_others_do() -> None:
    policy = AdaptiveWhittle()
    cards = blank_cards(12)
    before = policy.beliefs(11).news_rate
    for number in range(1, 101):
        for page in range(10):
            policy.settle(
                cards, page, a_visit(Outcome.OK, False, 0.5, 0.5, 100.0, 100.0 * number)
            )
    # all that it lists at first was new
    policy.settle(cards, 11, a_visit(Outcome.OK, True, 0.5, 7.0, math.inf, 1e4))
    assert policy.beliefs(11).news_rate == pytest.approx(0.005, rel=1e-2)
    assert before < 1e-3 * 0.005 * 20.0
    quiet = policy.beliefs(0)
    lively = policy.beliefs(11)
    assert lively.news_rate_sd > 5.0 * quiet.news_rate_sd


@pytest.mark.parametrize("name", ["interest_half_life_s", "horizon_s"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_times_must_be_above_nothing(name: str, value: float) -> None:
    with pytest.raises(BadNumber, match=name):
        AdaptiveWhittle(**{name: value})


def test_a_rate_at_its_cap_is_said_and_a_lower_cap_tells_it_apart() -> None:
    """Rates end at one change every `fastest_s`; nobody is to take the end for what was learnt."""
    always = [(True, 0.0)] * 12
    capped = AdaptiveWhittle()
    settled(capped, always, gap_s=20.0)
    said = dict(capped.explain(0, 0).lines)["rate at its cap"]
    assert "faster than every 10 s" in said and "fastest_s" in said
    told_apart = AdaptiveWhittle(fastest_s=0.1)
    settled(told_apart, always, gap_s=20.0)
    assert told_apart.change_rate(0).mean > 2.0 * capped.change_rate(0).mean
    rests = AdaptiveWhittle()
    settled(rests, [*always, (False, 0.0)], gap_s=20.0)
    assert "rate at its cap" not in dict(rests.explain(0, 0).lines)
