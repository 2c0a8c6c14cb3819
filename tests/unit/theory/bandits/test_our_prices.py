"""Every price of the project against exact indices of small arms: the formulas are not used to make
the arms, only what a page holds and how it grows older.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike

from trapline.core.cards import blank_cards
from trapline.core.links import links_to
from trapline.core.ports import Found
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.q_states import learn_visit, new_states
from trapline.theory.age import best_age_rates
from trapline.theory.bandits.markov_decisions import Floats
from trapline.theory.bandits.restless_arm import (
    LEAVE,
    VISIT,
    RestlessArm,
    advantage,
    aging_arm,
    whittle_index,
)
from trapline.theory.change_rate.gamma import GammaRate
from trapline.theory.discovery.horn import horn_order
from trapline.theory.ephemeral.content_price import content_price
from trapline.theory.ephemeral.observed import ObservedIndex
from trapline.theory.ephemeral.source import EphemeralSource
from trapline.theory.polling.whole_steps import slotted_price
from trapline.theory.price import bracket, visit_price

AGES = np.arange(1, 61)
SLOT = 0.02  # seconds; short beside the changes
# the last age goes on for good, which is no page's way
INNER = slice(0, -1)


def exact(visited: ArrayLike, left: ArrayLike = 0.0) -> Floats:
    found = whittle_index(aging_arm(visited, left))
    assert found.indexable
    prices: Floats = found.prices[INNER]
    return prices


def changed(rate: float, slot: float) -> Floats:
    """The chance that a page has changed, by age."""
    return np.asarray(-np.expm1(-rate * slot * AGES), np.float64)


def lag_of(rate: float, slot: float) -> Floats:
    """What whole slots add to the bracket: q·y·e^(−y)."""
    fading = rate * slot
    y = fading * AGES
    return np.asarray((1.0 + math.expm1(-fading) / fading) * y * np.exp(-y))[INNER]


@pytest.mark.parametrize("slot", [SLOT, 0.3])
def test_the_visit_price_of_detections(slot: float) -> None:
    ours = visit_price(AGES * slot, 2.0, 0.7)[INNER]
    slots = 0.7 * lag_of(2.0, slot)
    np.testing.assert_allclose(exact(0.7 * changed(2.0, slot)), ours + slots, atol=1e-9)
    assert slots.max() < (0.006 if slot == SLOT else 0.1)


def test_the_visit_price_of_freshness() -> None:
    """Fresh for (1 − e^(−Dh))/D of the slot after a visit, and for less of those that follow."""
    rate, importance = 1.5, 0.4
    after = importance * -math.expm1(-rate * SLOT) / rate
    stale = after * np.exp(-rate * SLOT * AGES)
    ours = visit_price(AGES * SLOT, rate, importance / rate)[INNER]
    slots = importance / rate * lag_of(rate, SLOT)
    found = exact(np.full(AGES.size, after), stale)
    np.testing.assert_allclose(found, ours + slots, atol=1e-9)


def test_prices_of_two_gains_of_a_page_add() -> None:
    quick, slow = 3.0 * changed(4.0, SLOT), changed(0.5, SLOT)
    ours = visit_price(AGES * SLOT, 4.0, 3.0) + visit_price(AGES * SLOT, 0.5, 1.0)
    slots = 3.0 * lag_of(4.0, SLOT) + lag_of(0.5, SLOT)
    np.testing.assert_allclose(exact(quick + slow), ours[INNER] + slots, atol=1e-9)


def test_the_price_of_an_unknown_rate() -> None:
    """Averaged over a posterior, as the chance of a change is; slots err by their length."""
    belief = GammaRate(shape=2.5, scale=1.25)
    chance = 1.0 - (1.0 + AGES * SLOT / 1.25) ** -2.5
    found = exact(chance)
    ages = AGES[INNER] * SLOT
    ours = np.array([belief.price(age) for age in ages])
    same = np.array([bracket(2.0 * age, 2.5) for age in ages])
    np.testing.assert_allclose(ours, same, atol=1e-12)
    np.testing.assert_allclose(found, ours, atol=0.012)
    np.testing.assert_allclose(found[20:], ours[20:], rtol=0.03)


def test_the_price_of_being_behind() -> None:
    """At the best rates all pages are of one price, by exact indices too."""
    rates = np.array([0.3, 1.0, 4.0])
    best = best_age_rates(rates, budget=3.0)
    prices = []
    for rate, often in zip(rates, best, strict=True):
        ages = np.arange(1, 121) * SLOT
        mean_age = ages - -np.expm1(-rate * ages) / rate
        arm = aging_arm(np.full(ages.size, -mean_age[0] / 2.0), -mean_age - SLOT / 2.0)
        found = whittle_index(arm).prices * SLOT
        prices.append(np.interp(1.0 / often, ages[:-1], found[:-1]))
    assert max(prices) - min(prices) < 0.015 * max(prices)


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.9])
def test_the_slotted_price_of_polling(chance: float) -> None:
    found = exact(1.7 * (1.0 - (1.0 - chance) ** AGES))
    ours = slotted_price(chance, AGES, 1.7)[INNER]
    np.testing.assert_allclose(found, ours, atol=1e-9)


@pytest.mark.parametrize("lifetime", [math.inf, 1, 4, 25])
def test_the_price_of_ephemeral_content_and_of_content_that_is_dropped(
    lifetime: float,
) -> None:
    """`whittle`, Theorem 1, and `lspe` with its M_i: contents as they come and fade."""
    source = EphemeralSource(3.0, 0.5, 0.2, cost=2.0, lifetime=lifetime)
    keep = math.exp(-0.2)
    of_slot = 3.0 * 0.5 * (1.0 - keep) / 0.2
    content = np.cumsum(np.where(lifetime >= AGES, of_slot * keep ** (AGES - 1.0), 0.0))
    found = exact(content) / 2.0
    np.testing.assert_allclose(found, source.price(AGES[INNER]), atol=1e-9)


def test_lspe_s_own_factor_is_not_the_index() -> None:
    """(1 − α^M) on what a slot brings makes all prices too low by it (said in source.py)."""
    source = EphemeralSource(3.0, 0.5, 0.2, lifetime=4)
    alpha = source.survival
    endless = EphemeralSource(3.0, 0.5, 0.2)
    printed = (1.0 - alpha**4) * endless.price(np.arange(1, 4))
    found = exact(source.content(AGES))[:3]
    np.testing.assert_allclose(printed / found, 1.0 - alpha**4, rtol=1e-9)
    assert 1.0 - alpha**4 < 0.56


def slots_of(
    arrivals: float, decay: float, period: float, step: float, top: float
) -> RestlessArm:
    """A source whose content is seen; what falls between two points is shared by them."""
    points = round(top / step) + 1
    grid = np.arange(points) * step
    one = np.zeros(4 * points)
    for late in (np.arange(400) + 0.5) / 400:
        share(one, math.exp(-decay * period * late) / step, 1.0 / 400)
    many = np.fft.ifft(np.exp(arrivals * period * (np.fft.fft(one) - 1.0))).real
    many = np.maximum(many, 0.0) / np.maximum(many, 0.0).sum()
    moves = np.zeros((2, points, points))
    for i, content in enumerate(grid):
        put = np.zeros(4 * points)
        share(put, math.exp(-decay * period) * content / step, 1.0)
        low = int(put.argmax() if put.max() == 1.0 else np.flatnonzero(put)[0])
        law = put[low] * np.roll(many, low) + put[low + 1] * np.roll(many, low + 1)
        moves[LEAVE, i] = law[:points]
        moves[LEAVE, i, -1] += law[points:].sum()
        moves[VISIT, i] = many[:points]
        moves[VISIT, i, -1] += many[points:].sum()
    return RestlessArm(np.stack([np.zeros(points), grid]), moves)


def share(law: Floats, place: float, chance: float) -> None:
    low = int(place)
    law[low] += chance * (low + 1.0 - place)
    law[low + 1] += chance * (place - low)


def test_the_price_of_content_that_is_seen_slot_by_slot() -> None:
    """Where "the index is the same" (`whittle`, eq. 17) is false."""
    arm = slots_of(2.0, 0.35, 1.0, step=0.14, top=16.8)
    found = whittle_index(arm)
    assert found.indexable
    contents = np.array([0.7, 2.1, 5.04, 7.0])
    source = EphemeralSource(2.0, 1.0, 0.35)
    ours = ObservedIndex(source).price_at(contents)
    prices = found.prices[np.rint(contents / 0.14).astype(int)]
    np.testing.assert_allclose(prices, ours, atol=0.03)
    assert prices[2] == pytest.approx(3.461, abs=0.02)
    assert source.price_at(5.04) - prices[2] > 0.3


def test_the_price_of_content_that_is_seen_as_it_arrives() -> None:
    """By slots of a twentieth of the time in which interest fades."""
    found = whittle_index(slots_of(1.0, 1.0, 0.05, step=0.1, top=8.0))
    assert found.indexable
    for items in (1.0, 2.0, 3.0):
        ours = content_price(items, arrivals=1.0)
        assert found.prices[round(10 * items)] == pytest.approx(ours, abs=0.06)


def fringe_arm(worths: list[float]) -> RestlessArm:
    """A page, what it opens, what that opens …: each visit goes one further; left, it stays."""
    states = len(worths) + 1
    moves = np.stack([np.eye(states), np.eye(states, k=1)])
    moves[VISIT, -1, -1] = 1.0
    return RestlessArm(np.stack([np.zeros(states), [*worths, 0.0]]), moves)


def test_the_price_of_a_fringe_page_is_what_it_promises() -> None:
    """It is worth its relevance once, whatever the discount: the subsidy is that of all arms."""
    for discount in (0.3, 0.9, 0.999):
        found = whittle_index(fringe_arm([0.6]), discount)
        assert found.prices == pytest.approx([0.6, 0.0])


def test_horns_ratio_is_the_index_of_what_a_page_opens() -> None:
    worths = [0.1, 0.3, 0.8, 0.2, 0.5]
    found = whittle_index(fringe_arm(worths), 1.0 - 1e-5).prices
    order = horn_order(parent=np.arange(-1, 4), relevance=worths)
    assert order.order.tolist() == [0, 1, 2, 3, 4]
    assert found[0] == pytest.approx(order.mean[0], abs=1e-4)
    assert found[3] == pytest.approx(order.mean[3], abs=1e-4)


def test_eq_9_of_the_table_is_that_of_dynamic_programming() -> None:
    """Seed 0 leads to 1 and 2; 1 is fetched at once, and opens 3; 2 is left for a step. In the end
    the table holds Q* of eq. (7), whose difference is (1−γ) times the index.
    """
    gamma = 0.4
    policy = QLearning(alpha=0.5, gamma=gamma, start="zero")
    cards = blank_cards(4)
    way: tuple[tuple[int, float, list[int]], ...] = (
        (-1, 0.0, [0]),
        (0, 0.1, [1, 2]),
        (1, 0.3, [3]),
        (2, 0.7, []),
        (3, 0.9, []),
    )
    for _ in range(80):
        policy.start_over()
        for page, relevance, opened in way:
            new = np.ones(len(opened), np.bool_)
            links = links_to(opened, [0] * len(opened))
            policy.discover(cards, Found(page, relevance, links, new), now_s=0.0)
    table = policy.table()
    leaf = fringe_arm([0.7])
    q = leaf.with_subsidy(0.0, gamma).solve().q[:, 0]
    assert table[0, 2] == pytest.approx((q[VISIT], q[LEAVE]))
    assert table[0, 1][0] == pytest.approx(
        fringe_arm([0.3, 0.9]).with_subsidy(0.0, gamma).solve().q[VISIT, 0]
    )
    assert table[0, 2][0] - table[0, 2][1] == pytest.approx(advantage(leaf, gamma)[0])
    assert advantage(leaf, gamma)[0] == pytest.approx(
        (1.0 - gamma) * whittle_index(leaf, gamma).prices[0]
    )


def test_eq_9_of_held_pages_is_that_of_dynamic_programming() -> None:
    """The table of age classes learns Q of the policy that it sees: here a visit in the fifth."""
    gamma, shares = 0.3, np.linspace(0.2, 1.0, 11)
    states = new_states()
    first = len(states) - 11
    for _ in range(4000):
        learn_visit(states, first + 4, 100.0, shares[4], gamma, True)
    decisions = aging_arm(shares).with_subsidy(0.0, gamma)
    seen = np.array([LEAVE] * 4 + [VISIT] * 7)
    q = decisions.q_of(decisions.value_of(seen))
    # after a visit the table waits out class 0, the arm begins in it: one step of γ between them
    assert states["leave"][first] == pytest.approx(q[LEAVE, 0], abs=1e-4)
    assert states["fetch"][first + 4] == pytest.approx(q[VISIT, 4], abs=1e-4)
    for age in range(4):
        assert states["leave"][first + age] == pytest.approx(q[LEAVE, age], abs=1e-4)
