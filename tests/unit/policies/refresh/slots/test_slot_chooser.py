"""The frame of slotted policies: order, ties, the shortcut for many sources, and what it leaves to
others.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, HELD, blank_cards
from trapline.core.errors import BadNumber
from trapline.core.records import Outcome
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.refresh.slots.frequency import Frequency
from trapline.policies.refresh.slots.greedy import Greedy
from trapline.policies.refresh.slots.slot_chooser import SlottedChooser
from trapline.policies.refresh.whittle import ManySourcesWhittle, SlottedWhittle
from trapline.theory.ephemeral.cycle import long_run_reward
from trapline.theory.ephemeral.source import Sources

Floats = NDArray[np.float64]
TWO = Sources(np.ones(2), np.ones(2), np.ones(2))


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
    """Many slots, budgets that change, ties, prices that jump, and explored sources at an infinite
    price.
    """
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
    everything = np.full(40, np.inf)
    next_slot = np.arange(40.0)
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


def visit(policy: SlottedChooser, now: float) -> int:
    page = policy.choose(None, None, now)
    policy.settle(
        blank_cards(len(policy.last)),
        page,
        a_visit(Outcome.OK, True, 1.0, 0.0, 1.0, now),
    )
    return page


def test_ages_survive_saving() -> None:
    one = Frequency(np.array([0.5, 0.5]))
    other = Frequency(np.array([0.5, 0.5]))
    assert [visit(one, now) for now in (2.0, 4.0, 5.0)] == [0, 1, 0]
    saved = one.state()
    other.restore(saved)
    assert other.last.tolist() == [5.0, 4.0]
    assert (
        [visit(one, now) for now in (6.0, 7.0)]
        == [visit(other, now) for now in (6.0, 7.0)]
        == [1, 0]
    )
    assert saved["last"].tolist() == [5.0, 4.0]


def test_what_was_restored_is_priced_anew_in_the_same_slot() -> None:
    policy = Told([np.array([1.0, 2.0]), np.array([2.0, 1.0])])
    saved = policy.state()
    assert chosen(policy, -1.0, 1) == [1]
    policy.restore(saved)
    assert chosen(policy, -1.0, 2) == [0, 1]


def test_what_was_saved_of_other_sources_is_refused() -> None:
    with pytest.raises(BadNumber, match="saved"):
        Frequency(np.ones(2)).restore(Frequency(np.ones(3)).state())


def test_no_sources_are_refused() -> None:
    with pytest.raises(BadNumber, match="sources"):
        SlottedChooser(0)


# costs


def test_a_visit_costs_on_the_card_what_the_policy_was_told() -> None:
    cards = blank_cards(3)
    Frequency(np.ones(3), costs=np.array([1.0, 2.5, 4.0])).settle(
        cards, 1, a_visit(Outcome.OK, True, 1.0, 0.0, 1.0, 1.0)
    )
    assert cards["cost"].tolist() == [1.0, 2.5, 1.0]


@pytest.mark.parametrize("costs", [[1.0], [1.0, 0.0], [1.0, np.nan], [1.0, np.inf]])
def test_impossible_costs_are_refused(costs: list[float]) -> None:
    with pytest.raises(BadNumber, match="cost"):
        Frequency(np.ones(2), costs=np.array(costs))


def test_where_the_best_cannot_be_afforded_nothing_is_chosen_in_its_stead() -> None:
    policy = Told([np.array([1.0, 3.0, 2.0])])
    policy.costs[:] = [1.0, 5.0, 1.0]
    policy.purse = 4.0
    assert chosen(policy, 1.0, 2) == [-1, -1]
    policy.purse = 5.0
    assert chosen(policy, 1.0, 3) == [1, 2, 0]


COSTLY = Sources(
    np.array([250.0, 250.0, 250.0, 250.0]),
    np.array([1.0, 0.7, 0.2, 0.08]),
    np.array([0.7, 0.35, 0.7, 0.21]),
    np.array([0.7, 2.2, 0.1, 0.3]),
)


@pytest.mark.parametrize("budget", [0.1, 0.5, 1.0, 1.7, 3.0])
@pytest.mark.parametrize("many", [False, True])
def test_with_costs_it_earns_what_the_exact_cycle_does_and_spends_its_budget(
    budget: float, many: bool
) -> None:
    exact = long_run_reward(COSTLY, budget)
    policy = ManySourcesWhittle(COSTLY) if many else SlottedWhittle(COSTLY)
    run = run_slots(policy, EphemeralWorld(COSTLY), budget, 300 + 10 * exact.period)
    assert run.rewards[-10 * exact.period :].mean() == pytest.approx(
        exact.value, rel=1e-9
    )
    assert run.visits @ COSTLY.cost <= budget * len(run.rewards) + 1e-6
    affordable = min(budget, COSTLY.cost.sum())
    assert run.visits @ COSTLY.cost / len(run.rewards) == pytest.approx(
        affordable, rel=0.02
    )
    assert policy.purse == np.inf


def test_the_mean_price_is_of_the_visits_that_were_made() -> None:
    run = run_slots(Told([np.array([4.0, 2.0])] * 3), EphemeralWorld(TWO), 5, 2)
    assert run.prices.tolist() == [3.0, 3.0]
    saving = run_slots(Told([np.array([4.0, 2.0])] * 5), EphemeralWorld(TWO), 0.5, 4)
    assert saving.prices.tolist() == [0.0, 4.0, 0.0, 4.0]


@pytest.mark.parametrize("budget", [0, -1, np.nan, np.inf])
def test_an_impossible_budget_is_refused(budget: float) -> None:
    with pytest.raises(BadNumber, match="budget"):
        run_slots(Frequency(np.ones(2)), EphemeralWorld(TWO), budget, 1)


def test_policy_and_world_are_of_the_same_sources_and_costs() -> None:
    with pytest.raises(BadNumber, match="number of sources"):
        run_slots(Frequency(np.ones(3)), EphemeralWorld(TWO), 1, 1)
    with pytest.raises(BadNumber, match="cost"):
        run_slots(Frequency(np.ones(4)), EphemeralWorld(COSTLY), 1, 1)


# frequency and greedy


def test_frequencies_are_kept_in_the_long_run() -> None:
    rates = np.array([1.0, 0.5, 0.3, 0.15, 0.05, 0.0])
    world = EphemeralWorld(Sources(np.full(6, 10.0), np.ones(6), np.full(6, 0.5)))
    visits = run_slots(Frequency(rates), world, 2, 10_000).visits
    assert np.abs(visits / 10_000 - rates).max() < 2e-4


def test_equal_frequencies_are_round_robin() -> None:
    policy = Frequency(np.full(4, 0.25))
    assert [visit(policy, float(now)) for now in range(1, 9)] == [
        0,
        1,
        2,
        3,
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("bad", [[-0.1], [np.nan], [np.inf]])
def test_impossible_frequencies_are_refused(bad: list[float]) -> None:
    with pytest.raises(BadNumber, match="rate"):
        Frequency(np.array([0.5, *bad]))


def test_greedy_goes_where_most_is() -> None:
    sources = Sources(np.array([10.0, 9.0]), np.ones(2), np.array([2.0, 0.1]))
    policy = Greedy(sources)
    assert policy.choose(None, None, now_s=1.0) == 1
    assert policy.paid == pytest.approx(sources.content(1.0)[1])
