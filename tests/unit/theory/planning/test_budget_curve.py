"""The budget curve is the bound where rates are known, and keeps to the gaps of hosts."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.theory.freshness import freshness_bound
from trapline.theory.planning.budget_curve import (
    PLANNED_S,
    FringePages,
    Rooms,
    budget_curve,
    no_fringe,
)
from trapline.theory.planning.page_gains import PageGains, mean_survival

PAGES = 400
HOSTS = 8
CHANCE = np.random.default_rng(3)
RATE = np.geomspace(1e-1, 1e-6, 24)[CHANCE.integers(0, 24, PAGES)]
RELEVANCE = CHANCE.uniform(0.05, 1.0, PAGES)
HOST = np.minimum(CHANCE.geometric(0.4, PAGES), HOSTS) - 1
GAINS = PageGains.of_rates(RATE, RELEVANCE)


def rooms(gap_s: float) -> Rooms:
    room = np.full(HOSTS, 1.0 / gap_s if gap_s else np.inf)
    return Rooms(room, np.arange(HOSTS), np.full(HOSTS, np.inf))


@pytest.mark.parametrize("gap_s", [0.0, 20.0, 100.0])
@pytest.mark.parametrize("budget", [0.01, 0.05, 0.2, 1.0])
def test_with_known_rates_it_is_the_bound(gap_s: float, budget: float) -> None:
    curve = budget_curve(GAINS, HOST, no_fringe(), rooms(gap_s))
    spend = curve.at(budget)
    gaps_s = np.full(HOSTS, gap_s)
    bound = freshness_bound(RATE, RELEVANCE, budget, HOST.astype(np.int32), gaps_s)
    assert spend.fresh == pytest.approx(bound.value, rel=0.003)
    if spend.visits == budget:
        assert spend.price == pytest.approx(bound.price, rel=0.1)


def test_more_budget_buys_no_less() -> None:
    curve = budget_curve(GAINS, HOST, no_fringe(), rooms(20.0))
    spends = [curve.at(budget) for budget in np.geomspace(1e-4, 1e2, 60)]
    fresh = [spend.fresh for spend in spends]
    assert fresh == sorted(fresh)
    assert spends[-1].visits == pytest.approx(HOSTS / 20.0, rel=0.01)


def test_a_host_asks_for_no_more_than_its_gap_allows() -> None:
    """And its own price is that at which it asks for just so much."""
    curve = budget_curve(GAINS, HOST, no_fringe(), rooms(20.0))
    own = curve.host_price
    crowded = int(own.argmax())
    assert own[crowded] > 0.0
    assert curve.wanted_at(float(own[crowded]))[crowded] == pytest.approx(
        1.0 / 20.0, rel=0.05
    )
    assert curve.wanted_at(0.5 * own[crowded])[crowded] > 1.0 / 20.0


def test_hosts_on_one_address_share_its_room() -> None:
    together = Rooms(np.full(HOSTS, np.inf), np.zeros(HOSTS, np.int64), np.array([0.1]))
    curve = budget_curve(GAINS, HOST, no_fringe(), together)
    assert curve.at(100.0).visits == pytest.approx(0.1, rel=0.01)


def test_a_host_that_may_not_be_visited_goes_out_of_date() -> None:
    room = np.full(HOSTS, np.inf)
    room[0] = 0.0
    shut = Rooms(room, np.arange(HOSTS), np.full(HOSTS, np.inf))
    fresh = budget_curve(GAINS, HOST, no_fringe(), shut).at(1e3).fresh
    assert fresh <= RELEVANCE[HOST != 0].sum() * 1.001


def test_the_fringe_is_bought_from_the_dearest_on() -> None:
    worth = float((RELEVANCE / RATE).max())
    fringe = FringePages(
        price=worth * np.array([4.0, 2.0, 1e-9]),
        relevance=np.array([0.5, 0.25, 0.125]),
        host=np.zeros(3, np.int64),
        cost=np.ones(3),
    )
    curve = budget_curve(GAINS, HOST, fringe, rooms(0.0))
    assert curve.at(1.0 / PLANNED_S).finds == pytest.approx(0.5, abs=0.05)
    assert curve.at(2.0 / PLANNED_S).finds == pytest.approx(0.75, abs=0.05)
    assert curve.at(1e3).finds == pytest.approx(0.875)


def test_a_sample_stands_for_all() -> None:
    twice = PageGains.of_rates(np.tile(RATE, 2), np.tile(RELEVANCE, 2))
    whole = budget_curve(twice, np.tile(HOST, 2), no_fringe(), rooms(20.0)).at(0.1)
    half = budget_curve(GAINS, HOST, no_fringe(), rooms(20.0), 2.0).at(0.1)
    assert half.fresh == pytest.approx(whole.fresh, rel=1e-4)


def test_news_count_as_far_as_interest_lasts() -> None:
    """One page that never changes, and lists news."""
    one = np.ones(1)
    gains = PageGains(np.array([1e-9]), np.ones((1, 1)), 0.0 * one, 2.0 * one, one, one)
    spend = budget_curve(
        gains, np.zeros(1, np.int64), no_fringe(), Rooms.without_bound(1)
    )
    every_s = np.array([4.0])
    expected = 2.0 * float(mean_survival(every_s)[0])
    assert spend.at(0.25).news == pytest.approx(expected, rel=0.03)
