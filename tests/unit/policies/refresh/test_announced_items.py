"""What feeds and sitemaps announce of a page: the first word raises its price; where contents are
observed, each later date is one more item that waits.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import BY_DUE, HELD, Cards, blank_cards
from trapline.core.errors import BadNumber
from trapline.core.links import SIGNAL, Signals
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.robot.change_signals import ChangeSignals
from trapline.theory.ephemeral.content_price import content_price

DAY_S = 86_400.0


def learnt(policy: AdaptiveWhittle) -> Cards:
    """A page that changes and lists news of relevance 2 at every second visit, a day apart."""
    cards = blank_cards(1)
    for day in range(20):
        some = day % 2 == 1
        age_s = DAY_S if day else math.inf
        seen = a_visit(changed=some, news=2.0 * some, age_s=age_s, now_s=day * DAY_S)
        policy.settle(cards, 0, seen)
        cards["last"][0] = day * DAY_S
    return cards


def test_more_and_younger_items_are_worth_more() -> None:
    policy = AdaptiveWhittle(observed=1.0)
    cards = learnt(policy)
    now_s = 20.0 * DAY_S
    one = policy.announce(cards, 0, [now_s], 1.0, now_s)
    two = policy.announce(cards, 0, [now_s, now_s], 1.0, now_s)
    old = policy.announce(cards, 0, [now_s - DAY_S], 1.0, now_s)
    assert two > one > old > float(cards["worth"][0, 0])


def test_the_news_are_priced_by_the_index_of_what_is_seen() -> None:
    policy = AdaptiveWhittle(observed=1.0)
    cards = learnt(policy)
    found = policy.beliefs(0)
    worth_s = policy.found_worth(0)
    lost = math.log(2.0) / 172_800.0 + 1.0 / worth_s
    item = found.news_rate * worth_s / found.change_rate
    expected = content_price(math.exp(-lost * 3_600.0), found.change_rate / lost)
    now_s = 20.0 * DAY_S
    said = policy.announce(cards, 0, [now_s - 3_600.0], 0.75, now_s)
    fresh = 0.75 * float(cards["worth"][0, 0])
    assert said == pytest.approx(fresh + 0.75 * item * expected)
    # what is not seen is still expected, as far as words do not hold
    ceiling = found.news_rate * worth_s / lost
    assert float(cards["worth"][0, 1]) == pytest.approx(0.25 * ceiling, rel=1e-5)


def test_without_it_the_first_worth_is_added_whatever_is_said_and_nothing_written() -> (
    None
):
    policy = AdaptiveWhittle()
    cards = learnt(policy)
    before = cards.copy()
    assert policy.announce(cards, 0, [1.0, 2.0, 3.0], 0.5, 4.0) == pytest.approx(
        0.5 * float(cards["worth"][0, 0])
    )
    assert cards.tobytes() == before.tobytes()
    assert not policy.observes


def test_observed_is_a_yes_or_a_no() -> None:
    with pytest.raises(BadNumber, match="observed"):
        AdaptiveWhittle(observed=0.5)


def said(*dates_s: float) -> Signals:
    return np.array([(0, date_s) for date_s in dates_s], SIGNAL)


def held() -> Cards:
    cards = blank_cards(1)
    cards["state"] = HELD
    cards["filed"] = BY_DUE
    cards["last"] = 10.0
    return cards


def test_later_dates_are_new_only_to_those_who_count_them() -> None:
    for later, dates_s in ((False, [20.0]), (True, [20.0, 30.0, 40.0])):
        words = ChangeSignals()
        cards = held()
        for signals in (said(5.0, 20.0), said(20.0), said(40.0, 30.0), said(99.0)):
            for page in words.news(cards, signals, now_s=50.0, later=later).tolist():
                words.raised.setdefault(page, 0.0)
        assert words.said[0] == dates_s
        assert words.note_visit(0, 0, changed=True) == 0.0
        assert not words.said


def test_dates_survive_and_move_with_the_clock() -> None:
    words = ChangeSignals()
    words.news(held(), said(20.0, 30.0), now_s=50.0, later=True)
    words.raised[0] = 1.5
    again = ChangeSignals()
    again.load(words.save())
    again.move_times(100.0)
    assert again.said == {0: [120.0, 130.0]} and again.raised == {0: 1.5}


def test_what_an_earlier_version_saved_hears_no_more_of_a_page_until_it_is_visited() -> (
    None
):
    words = ChangeSignals()
    words.raised[0] = 1.5
    old = {name: part for name, part in words.save().items() if name != "said"}
    again = ChangeSignals()
    again.load(old)
    assert not len(again.news(held(), said(40.0), now_s=50.0, later=True))


def test_a_renewed_offer_keeps_what_was_said() -> None:
    """With each visit another page's offer is written anew: words about it are no part of that."""
    policy = AdaptiveWhittle()
    cards = blank_cards(2)
    for page in (0, 1):
        policy.settle(cards, page, a_visit(now_s=0.0, market_price=1e-3))
    cards["filed"] = BY_DUE
    cards["base"][1] = 7.0
    for visit in range(1, 6):
        now_s = 100.0 * visit
        policy.settle(cards, 0, a_visit(age_s=100.0, now_s=now_s, market_price=1e-3))
    assert float(cards["base"][1]) == 7.0
