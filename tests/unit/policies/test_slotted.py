"""The frame of slotted policies: order, ties, the shortcut for many sources, and what it leaves to others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, HELD, blank_cards
from trapline.core.errors import BadNumber
from trapline.laboratory.slotted import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.frequency import Frequency
from trapline.policies.greedy import Greedy
from trapline.policies.slotted import SlottedChooser
from trapline.theory.ephemeral.source import Sources

Floats = NDArray[np.float64]


class Told(SlottedChooser):
    """Prices from a list, slot by slot."""

    def __init__(self, slots: list[Floats]) -> None:
        super().__init__(len(slots[0]))
        self.slots = iter(slots)

    def prices(self, now: float) -> Floats:
        return next(self.slots)


def chosen(policy: SlottedChooser, now: float, count: int) -> list[int]:
    return [policy.choose(None, None, now) for _ in range(count)]


def full_order(prices: Floats) -> list[int]:
    return [int(i) for i in np.argsort(-prices, kind="stable") if prices[i] > -np.inf]


def test_the_dearest_first_and_of_equals_the_lower_number() -> None:
    policy = Told([np.array([1.0, 3.0, 2.0, 3.0, 0.0])])
    assert chosen(policy, 1.0, 5) == [1, 3, 2, 0, 4]
    assert policy.paid == 0.0


def test_when_all_are_taken_nothing_is_left_until_the_next_slot() -> None:
    policy = Told([np.array([1.0, 2.0]), np.array([1.0, 2.0])])
    assert chosen(policy, 1.0, 4) == [1, 0, -1, -1]
    assert chosen(policy, 2.0, 1) == [1]


def test_minus_infinity_means_never() -> None:
    assert chosen(Told([np.array([-np.inf, -5.0, -2.0])]), 1.0, 3) == [2, 1, -1]


@pytest.mark.parametrize("seed", range(4))
def test_the_shortcut_chooses_as_a_full_order_would(seed: int) -> None:
    """Many slots, budgets that change, ties, prices that jump, and explored sources at an infinite price."""
    rng = np.random.default_rng(seed)
    slots = []
    for slot in range(60):
        prices = rng.exponential(10.0 ** rng.integers(-3, 4), 300)
        if slot % 3 == 0:
            prices = np.round(prices, 1)
        prices[rng.integers(0, 300, int(rng.integers(0, 25)))] = np.inf
        prices[rng.integers(0, 300, 5)] = 0.0
        slots.append(prices)
    policy = Told([prices.copy() for prices in slots])
    for now, prices in enumerate(slots):
        budget = int(rng.integers(1, 80))
        assert chosen(policy, float(now), budget) == full_order(prices)[:budget]


def test_a_whole_slot_of_explored_sources_does_not_harm_the_next() -> None:
    everything, next_slot = np.full(40, np.inf), np.arange(40.0)
    policy = Told([everything, next_slot])
    chosen(policy, 1.0, 40)
    assert policy.paid == np.inf
    assert chosen(policy, 2.0, 40) == full_order(next_slot)


def test_prices_handed_out_are_not_changed() -> None:
    prices = np.arange(5.0)
    policy = Told([prices])
    chosen(policy, 1.0, 3)
    assert prices.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_a_page_on_the_fringe_is_not_chosen() -> None:
    cards = blank_cards(3)
    cards["state"] = HELD
    cards["state"][2] = FRINGE
    policy = Told([np.arange(5.0)])  # sources 3 and 4 have no cards yet
    assert [policy.choose(cards, None, 1.0) for _ in range(3)] == [1, 0, -1]


def test_ages_survive_saving() -> None:
    one, other = Frequency(np.array([0.5, 0.5])), Frequency(np.array([0.5, 0.5]))
    one.turn(2.0)
    one.last[:] = [2.0, 0.0]
    other.restore(one.state())
    assert other.last.tolist() == [2.0, 0.0]
    assert one.turn(4.0) == other.turn(4.0) == 1


# frequency and greedy


def test_frequencies_are_kept_in_the_long_run() -> None:
    rates = np.array([1.0, 0.5, 0.3, 0.15, 0.05, 0.0])
    world = EphemeralWorld(Sources(np.full(6, 10.0), np.ones(6), np.full(6, 0.5)))
    visits = run_slots(Frequency(rates), world, 2, 10_000).visits
    assert np.abs(visits / 10_000 - rates).max() < 2e-4


def test_equal_frequencies_are_round_robin() -> None:
    policy = Frequency(np.full(4, 0.25))
    assert [policy.turn(float(now)) for now in range(1, 9)] == [0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("bad", [[-0.1], [np.nan], [np.inf]])
def test_impossible_frequencies_are_refused(bad: list[float]) -> None:
    with pytest.raises(BadNumber, match="rate"):
        Frequency(np.array([0.5, *bad]))


def test_greedy_goes_where_most_is() -> None:
    sources = Sources(np.array([10.0, 9.0]), np.ones(2), np.array([2.0, 0.1]))
    policy = Greedy(sources)
    assert policy.choose(None, None, now_s=1.0) == 1
    assert policy.paid == pytest.approx(sources.content(1.0)[1])
