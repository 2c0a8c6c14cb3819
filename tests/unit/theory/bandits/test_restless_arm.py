"""The exact index, against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.bandits.markov_decisions import Floats
from trapline.theory.bandits.restless_arm import (
    LEAVE,
    VISIT,
    RestlessArm,
    advantage,
    aging_arm,
    whittle_index,
)

NOT_INDEXABLE = 29  # the first seed whose sparse arm of three states is not


def drawn(seed: int, states: int = 4, evenness: float = 1.0) -> RestlessArm:
    chance = np.random.default_rng(seed)
    rewards = np.stack([np.zeros(states), chance.random(states)])
    return RestlessArm(
        rewards, chance.dirichlet(np.full(states, evenness), (2, states))
    )


def lead(arm: RestlessArm, subsidy: float, discount: float) -> Floats:
    """By how much visiting is ahead of leaving, if the subsidy is paid."""
    q = arm.with_subsidy(subsidy, discount).solve().q
    return np.asarray(q[VISIT] - q[LEAVE])


def by_bisection(arm: RestlessArm, state: int, discount: float) -> float:
    low, high = -20.0, 20.0
    for _ in range(45):
        middle = 0.5 * (low + high)
        ahead = lead(arm, middle, discount)[state] > 0.0
        low, high = (middle, high) if ahead else (low, middle)
    return low


@pytest.mark.parametrize("discount", [0.5, 0.95])
@pytest.mark.parametrize("seed", range(3))
def test_the_index_is_the_subsidy_at_which_both_are_equally_good(
    seed: int, discount: float
) -> None:
    arm = drawn(seed)
    found = whittle_index(arm, discount)
    assert found.indexable
    wanted = [by_bisection(arm, state, discount) for state in range(4)]
    np.testing.assert_allclose(found.prices, wanted, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_average_is_the_limit_of_discounts(seed: int) -> None:
    arm = drawn(seed)
    near = whittle_index(arm, 0.99999).prices
    np.testing.assert_allclose(whittle_index(arm).prices, near, atol=1e-3)


def test_an_arm_that_is_not_indexable_is_told() -> None:
    """As the subsidy grows, a state in which it was left is visited again."""
    arm = drawn(NOT_INDEXABLE, states=3, evenness=0.2)
    left = np.array([lead(arm, by, 0.95) < 0.0 for by in np.linspace(-1.0, 2.0, 301)])
    assert (left[:-1] & ~left[1:]).any()
    found = whittle_index(arm, 0.95)
    assert not found.indexable and np.isnan(found.prices).all()


def test_of_many_arms_those_are_indexable_that_a_scan_finds_so() -> None:
    told = 0
    for seed in range(60):
        arm = drawn(seed, states=3, evenness=0.2)
        scan = np.array([lead(arm, by, 0.95) < 0.0 for by in np.linspace(-1, 2, 61)])
        back = bool((scan[:-1] & ~scan[1:]).any())
        indexable = whittle_index(arm, 0.95).indexable
        assert not (back and indexable)
        told += not indexable
    assert told == 1


def test_what_is_left_as_it_is_has_gittins_index() -> None:
    """The greatest mean of what comes next, discounted: the paper's classical bandits."""
    chain = [0.2, 0.9, 0.1, 0.7]  # each visit opens the next; after the last, nothing
    moves = np.stack([np.eye(5), np.eye(5, k=1)])
    moves[VISIT, 4, 4] = 1.0
    arm = RestlessArm(np.stack([np.zeros(5), [*chain, 0.0]]), moves)
    for discount in (0.5, 0.95):
        fade = discount ** np.arange(4)
        wanted = [
            max(
                (chain[i:j] @ fade[: j - i]) / fade[: j - i].sum()
                for j in range(i + 1, 5)
            )
            for i in range(4)
        ]
        found = whittle_index(arm, discount).prices
        np.testing.assert_allclose(found, [*wanted, 0.0], atol=1e-9)


def test_eq_9_without_a_subsidy_has_the_sign_of_the_index_but_not_its_order() -> None:
    """Pages that are worth more the longer they are left, quick ones and slow ones."""
    ages = np.arange(1, 40)
    quick = aging_arm(1.0 * (1.0 - 0.3**ages))
    slow = aging_arm(2.0 * (1.0 - 0.9**ages))
    by_subsidy = [whittle_index(arm, 0.9).prices for arm in (quick, slow)]
    without = [advantage(arm, 0.9) for arm in (quick, slow)]
    for found, plain in zip(by_subsidy, without, strict=True):
        assert (np.sign(found) == np.sign(plain)).all()
    order = by_subsidy[0][:, None] > by_subsidy[1][None, :]
    plain_order = without[0][:, None] > without[1][None, :]
    assert 0.01 < (order != plain_order).mean() < 0.99


def test_where_a_policy_s_average_depends_on_its_beginning_there_is_none() -> None:
    frozen = RestlessArm(
        np.array([[0.0, 0.0], [1.0, 2.0]]), np.stack([np.eye(2), np.eye(2)])
    )
    with pytest.raises(BadNumber, match="below 1"):
        whittle_index(frozen)
    assert whittle_index(frozen, 0.9).prices == pytest.approx([1.0, 2.0])


def test_what_cannot_be() -> None:
    with pytest.raises(BadNumber, match="controls"):
        RestlessArm(np.zeros((3, 1)), np.ones((3, 1, 1)))
    with pytest.raises(BadNumber, match="ages"):
        aging_arm([])
    with pytest.raises(BadNumber, match="discount"):
        whittle_index(aging_arm([1.0]), 0.0)
