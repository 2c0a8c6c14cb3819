"""Bids: what a shard asks for at 17 prices, beside what its pages are worth by the formula."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome
from trapline.laboratory.runs.compiled import hold_all
from trapline.laboratory.runs.drive import new_controller
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.never import Never
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.bidding import FEW, bid_of
from trapline.robot.page_intervals import Interval
from trapline.robot.request_controller import RequestController
from trapline.theory.clearing import clear
from trapline.theory.price import due_after

Floats = np.ndarray


def known(
    pages: int, hosts: int, gap_s: float, seed: int = 1
) -> tuple[RequestController, Floats, Floats, Floats]:
    """A shard that holds its pages, their rates, worths and hosts."""
    rng = np.random.default_rng(seed)
    rate = 10.0 ** rng.uniform(-4.0, -2.0, pages)
    worth = rng.uniform(0.5, 2.0, pages) / rate
    host = np.sort(rng.integers(0, hosts, pages)).astype(np.int32)
    host = np.unique(host, return_inverse=True)[1].astype(np.int32)
    truth = make_truth(host=host, rate=rate, gap_s=gap_s)
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=KnownRate(rate, worth),
        budget=Budget(per_s=1.0),
        seeds=[],
    )
    hold_all(controller, truth, np.zeros(pages) - 10.0)
    controller.agenda.books.till["market"][0] = 50.0
    return controller, rate, worth, host


def wanted(prices: Floats, rate: Floats, worth: Floats) -> Floats:
    """[page, price] visits a second: 1/V⁻¹."""
    ages = due_after(prices[None, :], rate[:, None], worth[:, None])
    return np.where(np.isinf(ages), 0.0, 1.0 / np.maximum(ages, 1e-3))


def test_demand_is_the_sum_of_one_over_the_ages_at_which_offers_reach_a_price() -> None:
    controller, rate, worth, _ = known(300, 10, gap_s=0.0)
    bid = bid_of(controller, 0, now_s=0.0)
    expected = wanted(np.array(bid.prices), rate, worth).sum(axis=0)
    assert bid.prices[8] == 50.0
    assert np.allclose(bid.per_s, expected, rtol=1e-6)


def test_a_host_takes_no_more_than_its_gap_allows() -> None:
    controller, rate, worth, host = known(300, 6, gap_s=4.0)
    bid = bid_of(controller, 0, now_s=0.0)
    each = wanted(np.array(bid.prices), rate, worth)
    expected = sum(
        np.minimum(each[host == one].sum(axis=0), 0.25) for one in np.unique(host)
    )
    assert np.allclose(bid.per_s, expected, rtol=1e-6)
    assert bid.per_s[0] == pytest.approx(6 * 0.25)  # cheap: all hosts are saturated
    assert bid.per_s[-1] < bid.per_s[0]


def test_answers_that_take_long_count_as_gaps_do() -> None:
    controller, *_ = known(300, 1, gap_s=1.0)
    quick = bid_of(controller, 0, now_s=0.0).per_s[0]
    [ticket] = controller.issue(0.0, room=1)
    controller.land(ticket, 3.0)
    controller.settle(Observation(ticket, Outcome.OK, True, 1.0), 3.0)
    slow = bid_of(controller, 0, now_s=3.0).per_s[0]
    assert quick == pytest.approx(1.0)
    assert slow == pytest.approx(1.0 / 4.0)


@pytest.mark.parametrize("hosts", [1, 40, 2_000])
@pytest.mark.parametrize("gap_s", [0.0, 20.0])
def test_a_sample_says_about_what_all_say(hosts: int, gap_s: float) -> None:
    """One sample may be off by a third; the samples of a minute are right together."""
    pages = 12 * FEW
    controller, rate, worth, host = known(pages, hosts, gap_s)
    bids = [bid_of(controller, 0, now_s) for now_s in np.arange(30.0)]
    each = wanted(np.array(bids[0].prices), rate, worth)
    most = 1.0 / gap_s if gap_s else math.inf
    expected = np.zeros(len(bids[0].prices))
    for one in np.unique(host):
        expected += np.minimum(each[host == one].sum(axis=0), most)
    middle = slice(2, 13)  # of dearer prices hardly a page is left
    asked = np.array([bid.per_s for bid in bids])[:, middle]
    ratios = asked / expected[middle]
    assert (np.abs(ratios - 1.0) < 0.5).all()
    assert np.allclose(ratios.mean(axis=0), 1.0, atol=0.12)


def fringe(pages: int) -> RequestController:
    controller = RequestController(
        discovery=Value(), refresh=Never(), budget=Budget(per_s=1.0)
    )
    controller.add_own_host(gap_s=0.0)
    controller.admit(links_to(range(pages), [0] * pages), 0.0)
    return controller


def test_fringe_pages_are_wanted_as_long_as_they_last() -> None:
    few = bid_of(fringe(60), 0, 0.0)
    many = bid_of(fringe(600), 0, 0.0)
    assert many.per_s[0] == pytest.approx(10.0 * few.per_s[0])
    assert few.per_s[0] > 0.0
    assert few.per_s[-1] == 0.0  # nobody promises so much


def test_a_shard_that_has_paid_nothing_bids_around_what_its_fringe_is_worth() -> None:
    controller = fringe(10)
    bid = bid_of(controller, 0, 0.0)
    at = np.array(bid.per_s)
    assert 0 < np.count_nonzero(at) < len(at)


@pytest.mark.parametrize("market", [5e-324, 1e-300, 1e-30])
def test_a_shard_whose_visits_are_worth_nothing_does_not_spoil_the_market(
    market: float,
) -> None:
    poor, *_ = known(30, 3, gap_s=0.0)
    poor.agenda.books.till["market"][0] = market
    rich, *_ = known(30, 3, gap_s=0.0)
    said = [bid_of(poor, 0, 0.0), bid_of(rich, 1, 0.0)]
    rates = clear(said, 0.01).per_s
    assert rates[0] > 0.0 and rates[1] > 0.0
    assert math.isclose(sum(rates.values()), 0.01, rel_tol=1e-6)


def test_an_address_takes_one_visit_at_a_time_however_many_hosts_it_has() -> None:
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(),
        url=lambda page: f"http://h/{page}",
        gap_s=lambda host, delay_s: 2.0,
    )
    pages = list(range(4_000 // 8))
    controller.admit(links_to(pages, [page % 10 for page in pages]), 0.0)
    for host in range(10):
        controller.locate(host, "192.0.2.1", 0.0)
    assert max(bid_of(controller, 0, 0.0).per_s) == pytest.approx(0.5)


def test_hosts_that_may_not_be_visited_want_nothing() -> None:
    controller = fringe(60)
    controller.pause(0, 0.0, paused=True)
    assert max(bid_of(controller, 0, 0.0).per_s) == 0.0


def test_intervals_that_people_set_bound_what_pages_want() -> None:
    controller, *_ = known(10, 2, gap_s=0.0)
    before = bid_of(controller, 0, 0.0).per_s
    controller.bound_intervals(dict.fromkeys(range(10), Interval(least_s=1e5)), 0.0)
    assert max(bid_of(controller, 0, 0.0).per_s) <= 10 / 1e5 * (1.0 + 1e-9)
    assert min(before[:6]) > 10 / 1e5
    controller.bound_intervals(dict.fromkeys(range(10), Interval(most_s=2.0)), 0.0)
    assert min(bid_of(controller, 0, 0.0).per_s) == pytest.approx(5.0)


def test_demand_never_rises_with_the_price() -> None:
    for pages in (100, 12 * FEW):
        controller, *_ = known(pages, 30, gap_s=3.0)
        for now_s in range(5):
            assert (np.diff(bid_of(controller, 0, float(now_s)).per_s) <= 1e-12).all()
