"""The optimum of a few arms, and how far the index policy is from it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.theory.bandits.test_restless_arm import drawn
from trapline.core.errors import BadNumber
from trapline.theory.bandits.joint_optimum import JointArms
from trapline.theory.bandits.markov_decisions import Decisions
from trapline.theory.bandits.restless_arm import (
    LEAVE,
    VISIT,
    RestlessArm,
    advantage,
    aging_arm,
    whittle_index,
)
from trapline.theory.ephemeral.cycle import long_run_reward
from trapline.theory.ephemeral.source import EphemeralSource

# Table I of `whittle`, with the ages at which its sources are visited or a few more
TABLE_1 = [
    (EphemeralSource(250.0, utility, decay), ages)
    for utility, decay, ages in (
        (1.0, 0.7, 4),
        (0.7, 0.35, 6),
        (0.2, 0.7, 7),
        (0.08, 0.21, 14),
    )
]


def test_two_arms_are_one_process_of_pairs() -> None:
    """Against policy iteration on the pairs of states, their moves written out."""
    arms = [drawn(1, 3), drawn(2, 2)]
    found = JointArms(arms, visits=1, discount=0.8, tolerance=1e-12).optimum()
    moves = []
    rewards = []
    for first, second in ((VISIT, LEAVE), (LEAVE, VISIT)):
        moves.append(np.kron(arms[0].moves[first], arms[1].moves[second]))
        rewards.append(np.add.outer(arms[0].rewards[first], arms[1].rewards[second]))
    pairs = Decisions(np.array(rewards).reshape(2, 6), np.array(moves), 0.8)
    np.testing.assert_allclose(found.ravel(), pairs.solve().values, atol=1e-9)


def test_gittins_index_is_optimal_for_arms_that_do_not_move_when_they_are_left() -> (
    None
):
    for seed in range(3):
        arms = []
        for number in range(4):
            one = drawn(10 * seed + number, 3)
            arms.append(
                RestlessArm(one.rewards, np.stack([np.eye(3), one.moves[VISIT]]))
            )
        joint = JointArms(arms, visits=1, discount=0.8)
        policy = joint.value_of([whittle_index(arm, 0.8).prices for arm in arms])
        np.testing.assert_allclose(policy, joint.optimum(), rtol=1e-7)


def test_the_index_policy_is_near_the_optimum_of_drawn_arms() -> None:
    """3 to 6 arms, 1 or 2 of them visited: 0.2 % below on the average, 0.7 % at worst; eq. (9)
    without a subsidy 2.1 %, what a visit brings at once 0.8 %.
    """
    gaps = []
    for seed in range(10):
        chance = np.random.default_rng(seed)
        count = int(chance.integers(3, 7))
        states = 3 if count > 4 else 4
        arms = [
            RestlessArm(
                np.stack([np.zeros(states), chance.random(states)]),
                chance.dirichlet(np.ones(states), (2, states)),
            )
            for _ in range(count)
        ]
        joint = JointArms(arms, int(chance.integers(1, 3)), 0.9, tolerance=1e-6)
        best = joint.optimum()
        ways = (
            [whittle_index(arm, 0.9).prices for arm in arms],
            [advantage(arm, 0.9) for arm in arms],
            [arm.rewards[VISIT] for arm in arms],
        )
        gaps.append([float((1.0 - joint.value_of(way) / best).mean()) for way in ways])
    by_index, without_subsidy, at_once = np.mean(gaps, axis=0)
    assert np.min(gaps) > -1e-5
    assert by_index == pytest.approx(0.0021, abs=2e-4)
    assert without_subsidy == pytest.approx(0.021, abs=2e-3)
    assert at_once == pytest.approx(0.0084, abs=5e-4)
    assert np.max(gaps, axis=0)[0] < 0.007


@pytest.mark.parametrize(("visits", "wanted"), [(1, 260.38993), (2, 337.774550)])
def test_table_1_of_whittle_is_within_1e_4_of_the_optimum(
    visits: int, wanted: float
) -> None:
    """By dynamic programming on the ages of its four sources, in whole slots."""
    sources = [source for source, _ in TABLE_1]
    index = long_run_reward(sources, visits)
    assert index.value == pytest.approx(wanted, abs=1e-5)
    arms = [
        aging_arm(source.content(np.arange(1, ages + 1))) for source, ages in TABLE_1
    ]
    best = JointArms(arms, visits, tolerance=1e-7).optimum()
    assert best.min() == best.max()
    assert index.value * (1.0 - 1e-6) <= best[0, 0, 0, 0] <= index.value * (1.0 + 1e-4)


def test_what_cannot_be() -> None:
    arm = aging_arm([1.0, 2.0])
    for arms, visits, said in (
        ([arm] * 7, 1, "arms"),
        ([arm] * 2, 3, "visits"),
        ([aging_arm(np.arange(60.0))] * 4, 1, "joint states"),
    ):
        with pytest.raises(BadNumber, match=said):
            JointArms(arms, visits)
    with pytest.raises(BadNumber, match="discount"):
        JointArms([arm], 1, discount=1.5)
