"""Interval rules: the waits of a life that was worked out by hand from each published rule."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.core.errors import BadNumber
from trapline.core.records import Outcome
from trapline.policies.refresh.peers.fixed_interval import FixedInterval
from trapline.policies.refresh.peers.interval_rule import DAY_S
from trapline.policies.refresh.peers.news_crawl import NewsCrawl
from trapline.policies.refresh.peers.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.peers.nutch_default import NutchDefault
from trapline.policies.refresh.peers.stormcrawler_adaptive import StormCrawlerAdaptive
from trapline.policies.refresh.refresh_policy import RefreshPolicy, a_visit

HOUR_S = 3600.0


def waits_s(
    policy: RefreshPolicy, found: str, relevance: float = 1.0, page: int = 0
) -> list[float]:
    """How long it waits after each visit, the first and then "+" = changed, "-" = not; each visit
    is made when it is due.
    """
    cards = blank_cards(page + 1)
    now_s = 0.0
    waits = []
    for number, sign in enumerate("+" + found):
        age_s = now_s - float(cards["last"][page]) if number else math.inf
        seen = a_visit(Outcome.OK, sign == "+", relevance, age_s=age_s, now_s=now_s)
        cards["last"][page] = now_s
        policy.settle(cards, page, seen)
        assert cards["base"][page] == math.inf
        due_s = float(cards["not_before"][page])
        waits.append(due_s - now_s)
        now_s = due_s
    return waits


def test_nutch_default_waits_30_days_whatever_it_finds() -> None:
    assert waits_s(NutchDefault(), "+-+") == [30 * DAY_S] * 4


def test_nutch_default_waits_half_as_long_again_for_what_is_gone_up_to_90_days() -> (
    None
):
    policy = NutchDefault()
    cards = blank_cards(1)
    waits = []
    for _ in range(4):
        policy.settle(cards, 0, a_visit(Outcome.GONE, now_s=0.0))
        waits.append(float(cards["not_before"][0]) / DAY_S)
    assert waits == [45.0, 67.5, 90.0, 90.0]
    assert cards["base"][0] == -math.inf, "what is gone is not offered"
    assert policy.hears_of_losses


def test_nutch_adaptive_by_hand() -> None:
    """I: 30·0.8 = 24, ·0.8 = 19.2; unchanged 26.88, δ = 19.2: wait 26.88 − 5.76; then I = 37.632
    < δ = 40.32, so I = 40.32: wait 40.32 − 12.096.
    """
    found = np.array(waits_s(NutchAdaptive(), "+--")) / DAY_S
    assert found == pytest.approx([24.0, 19.2, 21.12, 28.224])


def test_nutch_adaptive_stays_between_a_minute_and_a_year() -> None:
    assert waits_s(NutchAdaptive(61.0), "+")[-1] == 60.0
    far = waits_s(NutchAdaptive(300 * DAY_S), "-")  # 240, then 336 − 0.3·240
    assert far[-1] / DAY_S == pytest.approx(336.0 - 72.0)
    assert NutchAdaptive().mind.most_s == 365 * DAY_S


def test_stormcrawler_by_hand() -> None:
    """A day; unchanged 36 h; changed (36 + 1)/2; unchanged 27.75; then up to 14 days."""
    found = np.array(waits_s(StormCrawlerAdaptive(), "-+-" + "-" * 8)) / HOUR_S
    assert found[:4] == pytest.approx([24.0, 36.0, 18.5, 27.75])
    assert found[-1] == 14 * 24.0


def test_stormcrawler_halves_its_way_to_an_hour() -> None:
    found = np.array(waits_s(StormCrawlerAdaptive(), "+" * 20)) / HOUR_S
    assert found[1:3] == pytest.approx([12.5, 6.75])
    assert 1.0 <= found[-1] < 1.001


def test_news_crawl_by_hand() -> None:
    """0.8·24 + 0.2·1.5 = 19.5; ·1.5 = 29.25; at most 90 days."""
    found = np.array(waits_s(NewsCrawl(), "+-" + "-" * 20)) / HOUR_S
    assert found[:3] == pytest.approx([24.0, 19.5, 29.25])
    assert found[-1] == 90 * 24.0


def test_a_fixed_interval_strays_within_its_jitter_only() -> None:
    assert waits_s(FixedInterval(), "+-+") == [DAY_S] * 4
    found = np.array(waits_s(FixedInterval(100.0, jitter=0.25), "+-" * 200))
    assert 75.0 < found.min() < 77.0 and 123.0 < found.max() < 125.0
    assert found.mean() == pytest.approx(100.0, abs=2.0)
    other = waits_s(FixedInterval(100.0, jitter=0.25, seed=1), "+-" * 200)
    assert found.tolist() != other


def test_a_fixed_interval_leaves_irrelevant_pages_if_told_so() -> None:
    assert waits_s(FixedInterval(only_relevant=1), "", relevance=0.0) == [math.inf]
    assert waits_s(FixedInterval(only_relevant=1), "", relevance=0.1) == [DAY_S]
    assert waits_s(FixedInterval(), "", relevance=0.0) == [DAY_S]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (StormCrawlerAdaptive, {"least_s": 0.0}),
        (StormCrawlerAdaptive, {"shorter": 1.0}),
        (NewsCrawl, {"longer": math.nan}),
        (NewsCrawl, {"most_s": 5.0}),
        (NutchDefault, {"interval_s": -1.0}),
        (FixedInterval, {"interval_s": 0.0}),
        (FixedInterval, {"jitter": 1.0}),
        (FixedInterval, {"only_relevant": 0.5}),
    ],
)
def test_intervals_without_sense_are_refused(
    kind: type[RefreshPolicy], options: dict[str, float]
) -> None:
    with pytest.raises(BadNumber):
        kind(**options)
