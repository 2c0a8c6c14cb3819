"""adaptive-whittle in slots: what it learns of a source, and what that earns on Table I."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.core.errors import BadNumber
from trapline.core.records import Outcome
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.laboratory.worlds.ephemeral_table import SOURCES
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.refresh.slots.slot_learner import SlottedLearner
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.source import Sources


@pytest.mark.parametrize(
    ("decay", "worth"),
    [(0.05, 20.0), (0.21, 95.0), (0.35, 500.0), (0.7, 357.0), (2.0, 3.0)],
)
def test_ages_without_noise_show_worth_and_decay(decay: float, worth: float) -> None:
    learner = SlottedLearner(1)
    for age in (1.0, 2.0, 5.0, 20.0) * 10:
        learner.learn(0, age, worth * -np.expm1(-decay * age))
    assert learner.decay[0] == pytest.approx(decay, rel=0.03)
    assert learner.worth[0] == pytest.approx(worth, rel=0.01)


def test_noise_averages_out() -> None:
    learner = SlottedLearner(1)
    rng = np.random.default_rng(1)
    for age in rng.integers(1, 6, 4_000).astype(float):
        learner.learn(0, age, float(rng.poisson(100.0 * -np.expm1(-0.4 * age))))
    assert learner.decay[0] == pytest.approx(0.4, rel=0.05)
    assert learner.worth[0] == pytest.approx(100.0, rel=0.03)


def test_one_age_alone_leaves_the_decay_to_the_prior_but_not_the_reward() -> None:
    learner = SlottedLearner(1)
    for _ in range(50):
        learner.learn(0, 1.0, 180.0)
    assert learner.worth[0] * -np.expm1(-learner.decay[0]) == pytest.approx(
        180.0, rel=1e-3
    )


def test_what_was_never_visited_comes_first_and_what_brings_nothing_last() -> None:
    learner = SlottedLearner(3, explore=0.0)
    learner.learn(0, 1.0, 0.0)
    learner.learn(1, 1.0, 5.0)
    assert [learner.choose(None, None, now_s=2.0) for _ in range(3)] == [2, 1, 0]


def test_the_same_seed_leads_to_the_same_choices() -> None:
    one, other, third = (
        run_slots(SlottedLearner(4, seed=seed), EphemeralWorld(SOURCES), 1, 300).rewards
        for seed in (1, 1, 2)
    )
    assert one.tolist() == other.tolist() != third.tolist()


@pytest.mark.parametrize("explore", [-0.1, 1.1, np.nan])
def test_a_chance_is_between_0_and_1(explore: float) -> None:
    with pytest.raises(BadNumber, match="explore"):
        SlottedLearner(2, explore)


@pytest.mark.parametrize("reward", [-1.0, np.inf, np.nan])
def test_an_impossible_reward_is_refused(reward: float) -> None:
    with pytest.raises(BadNumber, match="visit brought"):
        SlottedLearner(2).learn(0, 1.0, reward)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("budget", "wanted"), [(1, 259.0), (2, 336.0)])
def test_it_earns_nearly_what_is_earned_by_who_knows(
    budget: int, wanted: float, seed: int
) -> None:
    """99.5 % of the index policy with known parameters, the cost of learning included."""
    assert (
        run_slots(
            SlottedLearner(4, seed=seed), EphemeralWorld(SOURCES), budget, 10_000
        ).mean
        >= wanted
    )


def test_exploring_shows_the_decay_of_a_source_that_is_always_visited() -> None:
    """With M = 2, source 1 is visited in every slot, at one age, but for the slots that go to a
    stranger.
    """
    learner = SlottedLearner(4, seed=1)
    run_slots(learner, EphemeralWorld(SOURCES), 2, 3_000)
    assert learner.decay == pytest.approx(SOURCES.decay, rel=0.15)
    assert learner.worth * -np.expm1(-learner.decay) == pytest.approx(
        SOURCES.gain, rel=0.1
    )


# items that are rare

HALF = np.full(100, 1.0)
RARE = Sources(
    np.r_[2.0 * HALF, 0.02 * HALF], np.r_[0.05 * HALF, 50.0 * HALF], np.full(200, 0.1)
)


def test_sources_of_rare_items_are_not_dropped_when_they_bring_nothing_at_first() -> (
    None
):
    """Half of them bring one item in 50 slots, which is ten times what the others do.

    The index earns 63.15.
    """
    run = run_slots(
        SlottedLearner(200, seed=1),
        EphemeralWorld(RARE, model="stochastic", seed=1),
        10,
        1_000,
    )
    assert run.mean >= 0.87 * relaxed_bound(RARE, 10).value


def test_a_source_that_brought_nothing_is_worth_what_is_usual_the_less_the_oftener() -> (
    None
):
    learner = SlottedLearner(2)
    for _ in range(3):
        learner.learn(0, 1.0, 8.0)
    worths = []
    for _ in range(4):
        learner.learn(1, 1.0, 0.0)
        worths.append(float(learner.worth[1]))
    assert worths == sorted(worths, reverse=True)
    assert 0.0 < worths[-1] < worths[0] < learner.worth[0]


# what it keeps, and what it forgets


def test_all_that_was_learnt_survives_saving() -> None:
    one = SlottedLearner(4, seed=1)
    other = SlottedLearner(4, seed=2)
    run_slots(one, EphemeralWorld(SOURCES), 2, 200)
    saved = one.state()
    other.restore(saved)
    assert (
        other.worth.tolist() == one.worth.tolist()
        and other.decay.tolist() == one.decay.tolist()
    )
    lives = [
        [visited(learner, slot) for slot in range(201, 400)] for learner in (one, other)
    ]
    assert lives[0] == lives[1]
    third = SlottedLearner(4, seed=3)
    third.restore(saved)
    assert [visited(third, slot) for slot in range(201, 400)] == lives[0]


def visited(learner: SlottedLearner, slot: int) -> int:
    page = learner.choose(None, None, float(slot))
    reward = float(SOURCES.content(slot - learner.last)[page])
    learner.settle(
        blank_cards(4), page, a_visit(Outcome.OK, True, 1.0, reward, 1.0, float(slot))
    )
    return page


def after_a_change(memory: float, seed: int) -> float:
    """Reward in slots 1,901 – 2,000 if everything is turned round in slot 1,001."""
    turned = Sources(SOURCES.arrival_rate, SOURCES.utility[::-1], SOURCES.decay[::-1])
    world = EphemeralWorld(SOURCES, changes=((1_001, turned),))
    return float(
        run_slots(SlottedLearner(4, seed=seed, memory=memory), world, 1, 2_000)
        .rewards[-100:]
        .mean()
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_a_memory_it_finds_a_change(seed: int) -> None:
    assert after_a_change(200, seed) >= 0.95 * 260.39


def test_old_visits_fade() -> None:
    forgetful = SlottedLearner(1, memory=30)
    faithful = SlottedLearner(1)
    for learner in (forgetful, faithful):
        for reward in [100.0] * 100 + [10.0] * 30:
            for age in (1.0, 4.0):
                learner.learn(0, age, reward)
    assert forgetful.worth[0] < 0.5 * faithful.worth[0]


def test_what_has_faded_to_nothing_does_no_harm() -> None:
    learner = SlottedLearner(2, memory=1.0)
    for age, reward in (
        (1.0, 9.0),
        *((age, 0.0) for age in (1.0, 300.0, 400.0, 30.0) * 3),
        (5e3, 7.0),
        (1e-3, 1e200),
    ):
        learner.learn(0, age, reward)
        learner.learn(1, 1.0, 0.0)
        assert np.isfinite(learner.worth).all() and (learner.worth >= 0.0).all()
        assert (
            np.isfinite(learner.decay).all()
            and np.isfinite(learner.state()["sums"].astype(float)).all()
        )


@pytest.mark.parametrize("memory", [0.0, 0.5, -1.0, np.nan])
def test_an_impossible_memory_is_refused(memory: float) -> None:
    with pytest.raises(BadNumber, match="memory"):
        SlottedLearner(2, memory=memory)


@pytest.mark.parametrize("age", [0.0, -1.0, np.inf, np.nan])
def test_an_impossible_age_is_refused(age: float) -> None:
    learner = SlottedLearner(2)
    with pytest.raises(BadNumber, match="age"):
        learner.learn(0, age, 1.0)
    assert np.isinf(learner.worth).all()


def test_impossible_numbers_of_sources_and_seeds_are_refused() -> None:
    with pytest.raises(BadNumber, match="sources"):
        SlottedLearner(0)
    with pytest.raises(BadNumber, match="seed"):
        SlottedLearner(2, seed=-1)


def test_what_costs_more_is_worth_less() -> None:
    learner = SlottedLearner(2, explore=0.0, costs=np.array([3.0, 1.0]))
    learner.learn(0, 1.0, 6.0)
    learner.learn(1, 1.0, 5.0)
    assert learner.choose(None, None, now_s=2.0) == 1
