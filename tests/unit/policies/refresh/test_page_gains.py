"""What policies say of all pages at once: as of one page, and as the laboratory finds it."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.laboratory.papers.foundations.agenda import host_of_pages
from trapline.laboratory.runs.drive import drive, hold_each, new_controller
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.robot.agenda.agenda import Budget
from trapline.theory.freshness import freshness_earned
from trapline.theory.planning.budget_curve import Rooms, budget_curve, no_fringe

PAGES = 300
HOSTS = 8
ROUNDS = 24


def taught(policy: Posterior) -> Posterior:
    """Three pages on two hosts, of which one changes often, one never, and one is new."""
    cards = blank_cards(3)
    cards["host"] = (0, 0, 1)
    for page in range(3):
        policy.settle(cards, page, a_visit(relevance=0.5))
    for hour in range(1, 9):
        for page in range(2):
            seen = a_visit(
                changed=page == 0,
                relevance=0.5,
                news=float(page == 0),
                age_s=3600.0,
                now_s=3600.0 * hour,
            )
            policy.settle(cards, page, seen)
    return policy


@pytest.mark.parametrize("kind", [Posterior, AdaptiveWhittle])
def test_all_pages_at_once_are_as_each_by_itself(kind: type[Posterior]) -> None:
    policy = taught(kind())
    hosts = np.array([0, 0, 1])
    gains = policy.page_gains(np.arange(3), hosts)
    for page in range(3):
        mean = float(gains.weights[page] @ gains.rates)
        assert mean == pytest.approx(policy.change_rate(page, int(hosts[page])).mean)
    assert gains.relevance.tolist() == [0.5, 0.5, 0.5]
    assert policy.learnt_pages() == 2


def test_pages_and_hosts_never_met_are_believed_to_be_as_others() -> None:
    policy = taught(AdaptiveWhittle())
    gains = policy.page_gains(np.array([2, 77]), np.array([1, 9]))
    assert gains.weights[0] == pytest.approx(gains.weights[1])
    assert gains.news[0] == pytest.approx(gains.news[1])


def test_nothing_is_asked_of_nobody() -> None:
    gains = Posterior().page_gains(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert gains.weights.shape[0] == 0


@pytest.mark.parametrize("kind", [Posterior, AdaptiveWhittle])
def test_bands_hold_the_mean_and_narrow_with_visits(kind: type[Posterior]) -> None:
    policy = taught(kind())
    for page, host in ((0, 0), (1, 0), (2, 1)):
        for rate in policy.learnt_rates(page, host):
            assert 0.0 <= rate.low < rate.high
            assert rate.low < rate.mean
    known = policy.learnt_rates(0, 0)[0]
    unknown = policy.learnt_rates(2, 1)[0]
    assert known.high / known.low < unknown.high / unknown.low


@pytest.mark.parametrize("gap_s", [0.0, 4.0], ids=["no gaps", "gaps"])
def test_freshness_is_predicted_as_the_laboratory_measures_it(gap_s: float) -> None:
    """To two hundredths, from nothing but what visits have taught (found: four thousandths)."""
    chance = np.random.default_rng(1)
    host = host_of_pages(PAGES, HOSTS)
    relevance = chance.uniform(0.2, 1.0, PAGES)
    rate = 10.0 ** chance.uniform(-2.0, 1.0, PAGES) / PAGES
    truth = make_truth(host=host, rate=rate, relevance=relevance, gap_s=gap_s, seed=1)
    policy = Posterior(fastest_s=PAGES / 100.0, slowest_s=1000.0 * PAGES)
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=policy,
        budget=Budget(per_s=1.0),
        seeds=[0],
    )
    hold_each(controller, truth, range(PAGES), 0.0)
    visits = ROUNDS * PAGES
    log = drive(controller, truth, room=1, visits=visits, until_s=float(visits))
    end_s = float(log.issued_s[-1])
    measured = freshness_earned(
        rate,
        relevance,
        np.zeros(PAGES),
        log.issued_s,
        log.page,
        window=(0.5 * end_s, end_s),
    )
    gains = policy.page_gains(np.arange(PAGES), host.astype(np.int64))
    room = np.full(HOSTS, 1.0 / gap_s if gap_s else np.inf)
    rooms = Rooms(room, np.arange(HOSTS), np.full(HOSTS, np.inf))
    curve = budget_curve(gains, host.astype(np.int64), no_fringe(), rooms)
    predicted = curve.at(len(log.issued_s) / end_s).fresh
    total = relevance.sum()
    assert predicted / total == pytest.approx(measured / total, abs=0.02)
