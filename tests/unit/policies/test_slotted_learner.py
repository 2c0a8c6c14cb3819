"""adaptive-whittle in slots: what it learns of a source, and what that earns on Table I."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.laboratory.papers.whittle.printed import SOURCES
from trapline.laboratory.slotted import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.slotted_learner import SlottedLearner


@pytest.mark.parametrize(("decay", "worth"), [(0.05, 20.0), (0.21, 95.0), (0.35, 500.0), (0.7, 357.0), (2.0, 3.0)])
def test_ages_without_noise_show_worth_and_decay(decay: float, worth: float) -> None:
    learner = SlottedLearner(1)
    for age in (1.0, 2.0, 5.0, 20.0) * 10:
        learner.learn(0, age, worth * -np.expm1(-decay * age))
    assert learner.decay[0] == pytest.approx(decay, rel=0.03)
    assert learner.worth[0] == pytest.approx(worth, rel=0.01)


def test_noise_averages_out() -> None:
    learner, rng = SlottedLearner(1), np.random.default_rng(1)
    for age in rng.integers(1, 6, 4_000).astype(float):
        learner.learn(0, age, float(rng.poisson(100.0 * -np.expm1(-0.4 * age))))
    assert learner.decay[0] == pytest.approx(0.4, rel=0.05)
    assert learner.worth[0] == pytest.approx(100.0, rel=0.03)


def test_one_age_alone_leaves_the_decay_to_the_prior_but_not_the_reward() -> None:
    learner = SlottedLearner(1)
    for _ in range(50):
        learner.learn(0, 1.0, 180.0)
    assert learner.worth[0] * -np.expm1(-learner.decay[0]) == pytest.approx(180.0, rel=1e-3)


def test_what_was_never_visited_comes_first_and_what_brings_nothing_last() -> None:
    learner = SlottedLearner(3, explore=0.0)
    learner.learn(0, 1.0, 0.0)
    learner.learn(1, 1.0, 5.0)
    assert [learner.choose(None, None, now_s=2.0) for _ in range(3)] == [2, 1, 0]


def test_the_same_seed_leads_to_the_same_choices() -> None:
    one, other, third = (
        run_slots(SlottedLearner(4, seed=seed), EphemeralWorld(SOURCES), 1, 300).rewards for seed in (1, 1, 2)
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
def test_it_earns_nearly_what_is_earned_by_who_knows(budget: int, wanted: float, seed: int) -> None:
    """99.5 % of the index policy with known parameters, the cost of learning included."""
    assert run_slots(SlottedLearner(4, seed=seed), EphemeralWorld(SOURCES), budget, 10_000).mean >= wanted


def test_exploring_shows_the_decay_of_a_source_that_is_always_visited() -> None:
    """With M = 2, source 1 is visited in every slot, at one age, but for the slots that go to a stranger."""
    learner = SlottedLearner(4, seed=1)
    run_slots(learner, EphemeralWorld(SOURCES), 2, 3_000)
    assert learner.decay == pytest.approx(SOURCES.decay, rel=0.15)
    assert learner.worth * -np.expm1(-learner.decay) == pytest.approx(SOURCES.gain, rel=0.1)
