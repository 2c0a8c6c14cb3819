"""Posteriors of a change rate (Gamma, grid, evidence) against exact ones; offers that touch the
price curve.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats

from trapline.core.errors import BadNumber
from trapline.theory.change_rate.evidence import (
    CHANGES,
    COLUMNS,
    EXPOSURE,
    LOG_GAP,
    UNCHANGED,
    remember,
    weigh,
)
from trapline.theory.change_rate.gamma import GammaRate, gamma_update
from trapline.theory.change_rate.grid import GridRate, rate_grid
from trapline.theory.change_rate.tangent import (
    age_at_price,
    posterior_price,
    touching,
    touching_at,
)
from trapline.theory.price import visit_price

Floats = NDArray[np.float64]

RATES = rate_grid(fastest=1.0, slowest=1e4, count=48)
EVEN = np.full(48, 1.0 / 48)


def exact_moments(a: float, b: float, gap: float) -> tuple[float, float]:
    """Mean and variance of D given that something changed within the gap."""

    def density(rate: float) -> float:
        return float(stats.gamma.pdf(rate, a, scale=1.0 / b)) * -math.expm1(-rate * gap)

    most = stats.gamma.ppf(1 - 1e-12, a, scale=1.0 / b)
    total, first, second = (
        integrate.quad(
            lambda rate, power=power: rate**power * density(rate), 0.0, most, limit=200
        )[0]
        for power in (0, 1, 2)
    )
    return first / total, second / total - (first / total) ** 2


@pytest.mark.parametrize(("a", "b"), [(2.0, 10.0), (1.1, 3.0), (20.0, 5.0)])
@pytest.mark.parametrize("gap", [0.01, 1.0, 50.0])
def test_a_change_seen_keeps_mean_and_variance_of_the_exact_posterior(
    a: float, b: float, gap: float
) -> None:
    mean, variance = exact_moments(a, b, gap)
    found_a, found_b = gamma_update(a, b, gap, True)
    assert found_a / found_b == pytest.approx(mean, rel=1e-5)
    assert found_a / found_b**2 == pytest.approx(variance, rel=1e-4)


def test_no_change_seen_lowers_the_rate_and_is_exact() -> None:
    assert gamma_update(2.0, 10.0, 5.0, False) == (2.0, 15.0)


def test_a_change_within_no_time_counts_as_one_more() -> None:
    near = gamma_update(2.0, 10.0, 1e-4, True)
    limit = gamma_update(2.0, 10.0, 0.0, True)
    assert limit == (3.0, 10.0)
    assert near == pytest.approx(limit, rel=1e-3)


def test_a_change_after_very_long_says_nothing() -> None:
    assert gamma_update(2.0, 10.0, 1e12, True) == pytest.approx((2.0, 10.0), rel=1e-6)


@pytest.mark.parametrize("rate", [0.02, 0.5])
def test_visits_at_even_gaps_find_the_rate(rate: float) -> None:
    """Expected numbers of changed and unchanged visits, mixed evenly."""
    a = 2.0
    b = 2.0
    gap = 3.0
    owed = 0.0
    for _ in range(4000):
        owed += -math.expm1(-rate * gap)
        changed = owed >= 1.0
        owed -= changed
        a, b = gamma_update(a, b, gap, changed)
    assert a / b == pytest.approx(rate, rel=0.03)


# GammaRate: the same with checks, forgetting and a price


def test_an_update_without_forgetting_is_the_kernel() -> None:
    page = GammaRate(2.0, 10.0).update(5.0, True)
    assert (page.shape, page.scale) == gamma_update(2.0, 10.0, 5.0, True)


def test_what_was_known_fades_at_the_same_mean_rate() -> None:
    page = GammaRate(6.0, 30.0)
    # one half-life of memory, no time
    faded = page.update(gap=1e-9, changed=False, memory=1e-9 / math.log(2.0))
    assert (faded.shape, faded.scale) == pytest.approx((3.0, 15.0))
    assert faded.mean == pytest.approx(page.mean)
    kept = math.exp(-5.0 / 20.0)
    assert page.update(5.0, False, memory=20.0) == GammaRate(
        kept * 6.0, kept * 30.0 + 5.0
    )


def test_a_page_that_forgets_follows_a_switch() -> None:
    forgets = remembers = GammaRate(2.0, 20.0)
    for visit in range(400):
        changed = visit < 200 or visit % 20 == 0  # always, then one in twenty
        forgets = forgets.update(1.0, changed, memory=40.0)
        remembers = remembers.update(1.0, changed)
    assert forgets.mean == pytest.approx(0.05, rel=0.3)
    assert remembers.mean > 3.0 * forgets.mean


@pytest.mark.parametrize("shape", [1.5, 4.0, 60.0])
@pytest.mark.parametrize("freshness", [False, True])
def test_the_price_is_the_mean_over_the_posterior(
    shape: float, freshness: bool
) -> None:
    page = GammaRate(shape, 10.0)
    age = 7.0

    def part(rate: float) -> float:
        worth = 1.0 / rate if freshness else 1.0
        return float(stats.gamma.pdf(rate, shape, scale=0.1)) * float(
            visit_price(age, rate, worth)
        )

    expected = integrate.quad(part, 1e-12, 60.0, limit=500)[0]
    assert page.price(age, freshness) == pytest.approx(expected, rel=1e-5)


def test_what_makes_no_gamma_is_refused() -> None:
    for shape, scale in (
        (0.0, 1.0),
        (1.0, 0.0),
        (-1.0, 1.0),
        (math.nan, 1.0),
        (1.0, math.inf),
    ):
        with pytest.raises(BadNumber, match=r"the shape|the scale"):
            GammaRate(shape, scale)
    for gap in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(BadNumber, match="the gap"):
            GammaRate(2.0, 1.0).update(gap, True)
    with pytest.raises(BadNumber, match="the shape"):
        GammaRate(1.0, 1.0).price(1.0, freshness=True)


# the exact posterior on a grid


@pytest.mark.parametrize(
    ("fastest", "slowest", "count"),
    [
        (0.0, 1.0, 5),
        (1.0, math.inf, 5),
        (2.0, 1.0, 5),
        (1.0, 1.0, 5),
        (1.0, 2.0, 0),
        (math.nan, 2.0, 5),
    ],
)
def test_grids_without_sense_are_refused(
    fastest: float, slowest: float, count: int
) -> None:
    with pytest.raises(BadNumber):
        rate_grid(fastest, slowest, count)


def test_a_grid_falls_in_equal_ratios() -> None:
    assert 1.0 / RATES[[0, -1]] == pytest.approx([1.0, 1e4])
    assert RATES[1:] / RATES[:-1] == pytest.approx(np.full(47, RATES[1] / RATES[0]))
    assert RATES[1] < RATES[0]


def test_bayes_rule_by_hand() -> None:
    page = GridRate(np.array([0.5, 0.1]), prior=np.array([1.0, 3.0]))
    page.update(2.0, True)
    page.update(3.0, False)
    by_hand = np.array(
        [
            0.25 * -math.expm1(-1.0) * math.exp(-1.5),
            0.75 * -math.expm1(-0.2) * math.exp(-0.3),
        ]
    )
    assert page.weights == pytest.approx(by_hand / by_hand.sum())
    assert page.mean == pytest.approx(page.weights @ [0.5, 0.1])
    assert page.price(4.0) == pytest.approx(
        page.weights @ visit_price(4.0, np.array([0.5, 0.1]), np.ones(2))
    )


def test_with_a_hazard_the_rate_is_learnt_again_after_a_switch() -> None:
    """Without one, 1,000 visits in the old ways outweigh 60 in the new ones."""
    forgets = GridRate(RATES, hazard=1e-3)
    remembers = GridRate(RATES)
    chance = np.random.default_rng(1)
    for gap, rate, visits in ((2.0, 0.5, 1000), (2.0, 0.005, 60)):
        for _ in range(visits):
            changed = bool(chance.random() < -math.expm1(-rate * gap))
            forgets.update(gap, changed)
            remembers.update(gap, changed)
    assert forgets.mean < 0.02
    assert remembers.mean > 0.2


def test_what_no_rate_on_the_grid_can_do_teaches_nothing() -> None:
    page = GridRate(np.array([1.0, 0.5]))
    page.update(1e6, changed=False)
    assert page.weights.tolist() == [0.5, 0.5]


def test_priors_hazards_and_gaps_without_sense_are_refused() -> None:
    for prior in ([1.0], [0.0, 0.0], [1.0, -1.0], [math.nan, 1.0]):
        with pytest.raises(BadNumber, match="the prior"):
            GridRate(RATES[:2], prior=np.array(prior))
    for hazard in (-1.0, math.inf, math.nan):
        with pytest.raises(BadNumber, match="the hazard"):
            GridRate(RATES, hazard=hazard)
    page = GridRate(RATES)
    for gap in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(BadNumber, match="the gap"):
            page.update(gap, True)
    assert page.weights.tolist() == page.prior.tolist()


# evidence: four numbers in place of all visits


def posterior_of(evidence: Floats, prior: Floats = EVEN) -> Floats:
    weights = np.full(len(RATES), math.nan)
    weigh(RATES, prior, evidence, weights)
    return weights


def both_ways(
    visits: list[tuple[float, bool]], most: float = 1e9
) -> tuple[Floats, GridRate]:
    """(evidence, exact posterior) of the same visits."""
    evidence = np.zeros(COLUMNS)
    exact = GridRate(RATES)
    for gap, changed in visits:
        remember(evidence, gap, changed, most)
        exact.update(gap, changed)
    return evidence, exact


def visits_at(
    rate: float, decades: float, count: int, seed: int
) -> list[tuple[float, bool]]:
    """Gaps around 50, spread evenly over so many decades."""
    chance = np.random.default_rng(seed)
    gaps = 50.0 * 10.0 ** chance.uniform(-decades / 2, decades / 2, count)
    return [
        (float(gap), bool(chance.random() < -math.expm1(-rate * gap))) for gap in gaps
    ]


def test_nothing_seen_leaves_the_prior() -> None:
    prior = RATES / RATES.sum()
    assert posterior_of(np.zeros(COLUMNS), prior) == pytest.approx(prior)


@pytest.mark.parametrize("rate", [0.5, 0.02, 0.001])
@pytest.mark.parametrize("count", [1, 20, 300])
def test_after_equal_gaps_it_is_the_exact_posterior(rate: float, count: int) -> None:
    evidence, exact = both_ways(visits_at(rate, 0.0, count, seed=4))
    assert posterior_of(evidence) == pytest.approx(exact.weights, rel=1e-9, abs=1e-12)


def test_unequal_gaps_without_a_change_are_exact_too() -> None:
    evidence, exact = both_ways(
        [(gap, False) for gap in (3.0, 0.1, 900.0, 40.0)] + [(70.0, True)]
    )
    assert posterior_of(evidence) == pytest.approx(exact.weights, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("rate", "decades", "off"),
    [(0.002, 1.0, 0.03), (0.02, 1.0, 0.05), (0.002, 2.0, 0.09), (0.02, 2.0, 0.12)],
)
def test_after_gaps_over_decades_the_mean_is_close(
    rate: float, decades: float, off: float
) -> None:
    """Seen over 40 seeds: at most .021, .040, .075, .101 off (in the logarithm), after
    200 visits.
    """
    for seed in range(8):
        evidence, exact = both_ways(visits_at(rate, decades, 200, seed))
        mean = float(posterior_of(evidence) @ RATES)
        assert abs(math.log(mean / exact.mean)) < off


def test_a_page_that_changes_within_most_gaps_is_taken_for_too_slow() -> None:
    """What is lost: changes seen after the shortest gaps tell most of it, and the mean gap hides
    them.
    """
    for seed in range(8):
        evidence, exact = both_ways(visits_at(0.2, 1.0, 200, seed))
        assert 0.6 < float(posterior_of(evidence) @ RATES) / exact.mean < 1.0


def test_so_many_visits_are_remembered_and_no_more() -> None:
    evidence = np.zeros(COLUMNS)
    for visit in range(200):
        remember(evidence, 2.0, visit % 4 == 0, 20.0)
        assert evidence[CHANGES] + evidence[UNCHANGED] == pytest.approx(
            min(visit + 1, 20)
        )
    assert evidence[CHANGES] == pytest.approx(5.0, abs=1.0)
    assert evidence[EXPOSURE] == pytest.approx(2.0 * evidence[UNCHANGED])
    assert evidence[LOG_GAP] == pytest.approx(math.log(2.0))


def test_new_ways_are_known_after_a_few_memories() -> None:
    evidence = np.zeros(COLUMNS)
    for _ in range(500):
        remember(evidence, 10.0, True, 20.0)
    fast = float(posterior_of(evidence) @ RATES)
    for _ in range(80):
        remember(evidence, 10.0, False, 20.0)
    slow = float(posterior_of(evidence) @ RATES)
    assert fast > 0.2
    assert slow < 0.01


@pytest.mark.parametrize("gap", [1e-12, 1e-3, 1.0, 1e9, 1e30])
@pytest.mark.parametrize("exposure", [0.0, 1e-12, 1e9, 1e300])
@pytest.mark.parametrize("changes", [0, 1, 50])
def test_weights_add_up_whatever_was_seen(
    gap: float, exposure: float, changes: int
) -> None:
    evidence = np.zeros(COLUMNS)
    for _ in range(changes):
        remember(evidence, gap, True, 50.0)
    if exposure:
        remember(evidence, exposure, False, 50.0)
    for prior in (EVEN, RATES / RATES.sum(), np.eye(48)[0], np.eye(48)[47]):
        weights = posterior_of(evidence, prior)
        assert (weights >= 0.0).all()
        assert weights.sum() == pytest.approx(1.0)


def test_a_rate_that_the_prior_rules_out_stays_so() -> None:
    """Also where the visits speak for it with all their might."""
    prior = np.where(np.arange(48) < 40, 0.0, 1.0)
    evidence = np.zeros(COLUMNS)
    for _ in range(50):
        remember(evidence, 1e-3, True, 50.0)
    weights = posterior_of(evidence, prior)
    assert not weights[:40].any()
    assert np.argmax(weights) == 40


# offers that touch the price curve


def bell(place: int, width: float) -> Floats:
    weights = np.exp(-0.5 * ((np.arange(48) - place) / width) ** 2)
    return np.asarray(weights / weights.sum())


POSTERIORS = {
    "narrow": bell(20, 0.3),
    "wide": EVEN,
    "bimodal": 0.5 * bell(6, 1.0) + 0.5 * bell(40, 1.0),
    "fastest": np.eye(48)[0],
    "slowest": np.eye(48)[47],
}
every_posterior = pytest.mark.parametrize("name", POSTERIORS)
both_objectives = pytest.mark.parametrize("freshness", [False, True])


def exact_price(weights: Floats, age: float, freshness: bool) -> float:
    return float(
        weights @ visit_price(age, RATES, 1.0 / RATES if freshness else np.ones(48))
    )


def offered(worth: float, rate: float, age: float) -> float:
    u = rate * age
    return worth * (u / (1.0 + u)) ** 2


@every_posterior
@both_objectives
@pytest.mark.parametrize("age", [1e-2, 1.0, 50.0, 3e3, 1e5])
def test_price_and_elasticity_are_those_of_the_sum(
    name: str, freshness: bool, age: float
) -> None:
    weights = POSTERIORS[name]
    price, elasticity = posterior_price(RATES, weights, age, freshness)
    # weights below 1e-7 are left out
    assert price == pytest.approx(exact_price(weights, age, freshness), rel=1e-4)
    step = 1e-4
    up, down = (
        exact_price(weights, age * math.exp(sign * step), freshness) for sign in (1, -1)
    )
    assert elasticity == pytest.approx(
        math.log(up / down) / (2.0 * step), rel=1e-3, abs=1e-6
    )
    assert 0.0 <= elasticity <= 2.0


@every_posterior
@both_objectives
@pytest.mark.parametrize("share", [1e-4, 0.1, 0.5, 0.9])
def test_the_offer_has_the_value_and_the_slope_of_the_curve(
    name: str, freshness: bool, share: float
) -> None:
    weights = POSTERIORS[name]
    most = float(weights @ (1.0 / RATES)) if freshness else 1.0
    for guess in (1e-3, 30.0, 1e7):
        age = age_at_price(RATES, weights, share * most, guess, freshness)
        assert exact_price(weights, age, freshness) == pytest.approx(
            share * most, rel=0.011
        )
        near = touching(
            RATES, weights, share * most, guess, freshness
        )  # touches where V is within 5 % of the price: a wide plateau, maybe
        assert offered(*near, age) == pytest.approx(
            exact_price(weights, age, freshness), rel=0.05
        )
        worth, rate = touching_at(RATES, weights, age, freshness)
        assert offered(worth, rate, age) == pytest.approx(
            exact_price(weights, age, freshness), rel=1e-4
        )
        slope = (
            offered(worth, rate, age * 1.001) / offered(worth, rate, age / 1.001) - 1.0
        ) / 0.002
        curve = exact_price(weights, age * 1.001, freshness) / exact_price(
            weights, age / 1.001, freshness
        )
        assert slope == pytest.approx((curve - 1.0) / 0.002, rel=2e-3, abs=1e-4)


@every_posterior
@both_objectives
def test_where_the_price_is_never_reached_the_curve_is_flat(
    name: str, freshness: bool
) -> None:
    weights = POSTERIORS[name]
    most = float(weights @ (1.0 / RATES)) if freshness else 1.0
    for guess in (1e-9, 1.0, 1e9):
        age = age_at_price(RATES, weights, 2.0 * most, guess, freshness)
        assert exact_price(weights, age, freshness) == pytest.approx(most, rel=1e-3)
        worth, rate = touching(RATES, weights, 2.0 * most, guess, freshness)
        # it never asks for more than the page is worth
        assert worth == pytest.approx(most, rel=2e-3)
        assert 0.0 < rate < math.inf


def test_a_price_of_next_to_nothing_is_reached_next_to_at_once() -> None:
    worth, rate = touching(RATES, EVEN, 1e-30, 5.0, False)
    assert 0.0 < worth < math.inf
    assert 0.0 < rate < math.inf
