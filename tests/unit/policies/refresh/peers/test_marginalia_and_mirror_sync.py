"""marginalia and mirror-sync: their published numbers by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import HELD, Cards, blank_cards
from trapline.core.errors import BadNumber
from trapline.policies.refresh.peers.marginalia import Marginalia, skip_share
from trapline.policies.refresh.peers.mirror_sync import MirrorSync, next_rate, slope
from trapline.policies.refresh.refresh_policy import RefreshPolicy, a_visit

UNIT = 1e-6


def held_cards(policy: RefreshPolicy, pages: int, worth: float = 1.0) -> Cards:
    cards = blank_cards(pages)
    cards["state"] = HELD
    for page in range(pages):
        policy.settle(cards, page, a_visit(relevance=worth, now_s=0.0))
    return cards


@pytest.mark.parametrize(
    ("share", "passed", "skipped"),
    [
        (0.0, 1_000.0, 0.0),
        (0.3, 1_000.0, 0.3),
        (0.9, 1_000.0, 0.5),
        (0.3, 1_001.0, 0.5),
        (0.9, 10_000.0, 0.9),
        (1.0, 10_000.0, 0.99),
        (0.3, 10_001.0, 0.75),
        (1.0, 10_001.0, 0.99),
    ],
)
def test_the_share_that_is_skipped_is_clamped_by_the_size_of_the_site(
    share: float, passed: float, skipped: float
) -> None:
    assert skip_share(share, passed) == skipped


def test_nothing_is_skipped_before_25_pages_and_half_the_pages_after() -> None:
    policy = Marginalia()
    cards = held_cards(policy, 2_000)
    crawls = []
    for page in range(400):
        policy.settle(cards, page, a_visit(changed=False, age_s=9.0, now_s=9.0))
        crawls.append(UNIT / float(cards["rate"][page, 0]))
    assert crawls[:24] == pytest.approx([1.0] * 24)
    # skipped k times with probability ½^(k+1): 1 on average
    assert np.mean(crawls[24:]) == pytest.approx(2.0, abs=0.3)
    assert np.mean(np.array(crawls[24:]) < 1.5) == pytest.approx(0.5, abs=0.1)


def test_where_everything_changes_nothing_is_skipped() -> None:
    policy = Marginalia()
    cards = held_cards(policy, 200)
    for page in range(200):
        policy.settle(cards, page, a_visit(changed=True, age_s=9.0, now_s=9.0))
    assert cards["rate"][:, 0].tolist() == [pytest.approx(UNIT)] * 200


def test_a_crawl_of_a_site_ends_when_all_its_pages_were_passed() -> None:
    policy = Marginalia()
    cards = held_cards(policy, 30)
    for page in range(26):
        policy.settle(cards, page, a_visit(changed=False, age_s=9.0, now_s=9.0))
    policy.mind.sites["skipped"] = 3.0
    policy.settle(cards, 26, a_visit(changed=True, age_s=9.0, now_s=9.0))
    site = policy.mind.sites[0]
    assert (site["fetched"], site["unchanged"], site["skipped"]) == (0.0, 0.0, 0.0)
    assert site["pages"] == 30.0


def test_the_slope_and_the_step_by_hand() -> None:
    assert slope(2.0, 0.05, 0.5, hit=False, stale=True) == pytest.approx(-80.0)
    assert slope(2.0, 0.05, 0.5, hit=True, stale=True) == 0.0
    assert next_rate(0.5, -80.0, 0.013, 0.0) == pytest.approx(1 / (2 - 1.04))
    assert next_rate(0.5, -1e6, 0.013, 0.0) == 15.0
    assert next_rate(0.5, 0.0, 0.013, 1e6) == 0.0625


def rate_of(policy: MirrorSync, page: int) -> float:
    return float(policy.mind.pages["rate"][page])


def test_a_probe_splits_an_interval_and_gives_a_slope() -> None:
    """With probes in every interval: U from the draw, then 1 − U; g = −1/(1·1) if only the end was
    stale.
    """
    policy = MirrorSync(probes=1.0, step=0.25)
    cards = held_cards(policy, 2)
    at = float(policy.mind.pages["probe"][0])
    assert 0.0 < at < 1.0
    assert cards["rate"][0, 0] == pytest.approx(UNIT / at)
    policy.settle(cards, 0, a_visit(changed=False, age_s=1.0, now_s=1.0))
    assert cards["rate"][0, 0] == pytest.approx(UNIT / (1.0 - at))
    # the second visit of two pages ends a round: page 0 alone has an estimate, and keeps its rate
    policy.settle(cards, 0, a_visit(changed=True, age_s=1.0, now_s=2.0))
    assert rate_of(policy, 0) == pytest.approx(1.0)


def test_rates_move_to_where_visits_help_and_their_sum_stays() -> None:
    """Page 0 turns stale between probe and end, page 1 never changes: 1/r' = 1 − 0.25 + ν and
    1 + ν, and 1/(0.75 + ν) + 1/(1 + ν) = 2 at ν² − 0.25ν·(−3) …
    """
    policy = MirrorSync(probes=1.0, step=0.25)
    cards = held_cards(policy, 2)
    policy.mind.learnt["known"] = 4.0  # so that the round has four visits
    policy.mind.learnt["importance"] = 4.0
    for now_s, page, changed in ((1.0, 0, False), (2.0, 1, False), (3.0, 0, True)):
        policy.settle(cards, page, a_visit(changed=changed, age_s=1.0, now_s=now_s))
    policy.settle(cards, 1, a_visit(changed=False, age_s=1.0, now_s=4.0))
    # (0.75 + ν) + (1 + ν) = 2·(0.75 + ν)(1 + ν): 2ν² + 1.5ν − 0.25 = 0
    shift = (-1.5 + math.sqrt(1.5**2 + 8 * 0.25)) / 4.0
    assert rate_of(policy, 0) == pytest.approx(1.0 / (0.75 + shift))
    assert rate_of(policy, 1) == pytest.approx(1.0 / (1.0 + shift))
    assert rate_of(policy, 0) + rate_of(policy, 1) == pytest.approx(2.0)


def test_one_interval_in_twenty_is_probed() -> None:
    policy = MirrorSync()
    cards = held_cards(policy, 1)
    probed = 0
    for now_s in range(1, 4_001):
        probed += policy.mind.pages["probe"][0] > 0.0
        policy.settle(cards, 0, a_visit(age_s=1.0, now_s=float(now_s)))
    # an interval with a probe takes two visits
    assert probed / 4_000 == pytest.approx(2 * 0.05 / 1.05, abs=0.02)


@pytest.mark.parametrize("options", [{"probes": 0.0}, {"probes": 1.5}, {"step": -1.0}])
def test_options_without_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(BadNumber):
        MirrorSync(**options)
    with pytest.raises(BadNumber):
        Marginalia(after=0.5)
