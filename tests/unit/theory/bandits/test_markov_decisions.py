"""Eqs. (4)–(8) of `omeara`, each against the one before it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.bandits.markov_decisions import Decisions


def drawn(seed: int, controls: int = 3, states: int = 4) -> Decisions:
    chance = np.random.default_rng(seed)
    moves = chance.dirichlet(np.full(states, 0.5), (controls, states))
    rewards = chance.normal(size=(controls, states, states))
    return Decisions(rewards, moves, discount=0.8)


def test_the_value_of_a_policy_is_the_sum_of_what_it_earns() -> None:
    """Eq. (4), term by term."""
    decisions = drawn(0)
    controls = np.array([0, 2, 1, 1])
    moves = decisions.moves[controls, np.arange(4)]
    earned = decisions.mean_rewards[controls, np.arange(4)]
    total = np.zeros(4)
    law = np.eye(4)
    for _ in range(200):
        total += law @ earned
        law = decisions.discount * (law @ moves)
    np.testing.assert_allclose(decisions.value_of(controls), total, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_no_policy_is_above_the_optimum(seed: int) -> None:
    """Eq. (5): all 81 policies are tried."""
    decisions = drawn(seed)
    found = decisions.solve()
    tried = [
        decisions.value_of(np.array(one))
        for one in itertools.product(range(3), repeat=4)
    ]
    np.testing.assert_allclose(np.max(tried, axis=0), found.values, atol=1e-12)


def test_the_optimum_keeps_bellmans_equation() -> None:
    """Eqs. (6) and (7), with rewards that depend on what follows."""
    decisions = drawn(5)
    values, q, controls = decisions.solve()
    for u, x in np.ndindex(3, 4):
        after = decisions.rewards[u, x] + 0.8 * q.max(axis=0)
        assert q[u, x] == pytest.approx(decisions.moves[u, x] @ after)
    assert values == pytest.approx(q.max(axis=0))
    assert (controls == q.argmax(axis=0)).all()


def test_q_learning_finds_what_dynamic_programming_does() -> None:
    """Eq. (8), from samples alone; it errs by a tenth of what it began with, or less."""
    decisions = drawn(2, controls=2, states=3)
    exact = decisions.solve()
    learnt = decisions.learn(30_000, np.random.default_rng(7), epsilon=0.5)
    assert np.abs(learnt - exact.q).max() < 0.1 * np.abs(exact.q).max()
    assert (learnt.argmax(axis=0) == exact.controls).all()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"discount": 1.0}, "discount"),
        ({"moves": np.ones((2, 3, 2))}, "shape of the moves"),
        ({"moves": np.full((2, 2, 2), 0.4)}, "chances"),
        ({"moves": np.array([[[2.0, -1.0]] * 2] * 2)}, "chance"),
        ({"rewards": np.zeros((2, 3))}, "shape of the rewards"),
        ({"rewards": np.full((2, 2), np.inf)}, "reward"),
    ],
)
def test_what_cannot_be(wrong: dict[str, Any], said: str) -> None:
    fine = {
        "rewards": np.zeros((2, 2)),
        "moves": np.full((2, 2, 2), 0.5),
        "discount": 0.5,
    }
    Decisions(**fine)  # type: ignore[arg-type]
    with pytest.raises(BadNumber, match=said):
        Decisions(**{**fine, **wrong})
