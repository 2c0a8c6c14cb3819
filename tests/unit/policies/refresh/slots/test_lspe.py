"""lspe piece by piece: thresholds, coins, the gradient, the two ways to invert, and its options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.papers.lspe.run import run_lspe
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.laboratory.worlds.ephemeral_table import SOURCES
from trapline.policies.refresh.slots.lspe import Lspe, LspeOptions, _Critic

NOBODY = np.zeros(0, np.intp)


def test_thresholds_are_projected_on_what_a_source_can_hold() -> None:
    policy = Lspe(SOURCES)
    policy.q[:, 0] = [-1e9, 1e9, SOURCES.gain[2] + 1.0, 0.0]
    expected = [
        SOURCES.gain[0],
        SOURCES.ceiling[1],
        SOURCES.gain[2] + 1.0,
        SOURCES.gain[3],
    ]
    assert policy.thresholds() == pytest.approx(expected)


def test_thresholds_depend_on_what_the_others_hold() -> None:
    policy = Lspe(SOURCES, LspeOptions(threshold=0.1))
    policy.q[0, 1:] = [0.01, 1e-5]
    others = policy.state[1:].sum()
    assert policy.thresholds()[0] == pytest.approx(
        policy.q[0, 0] + 0.01 * others + 1e-5 * others**2
    )


def test_the_coin_is_the_papers_logit() -> None:
    policy = Lspe(SOURCES)
    policy.state = policy.thresholds() + np.array([0.5, 1.5, -0.5, 1e6])
    expected = [0.5, 1.0 / (1.0 + np.exp(-2.0)), 1.0 / (1.0 + np.exp(2.0)), 1.0]
    assert policy.chances() == pytest.approx(expected)


def test_states_are_the_mean_recursion() -> None:
    policy = Lspe(SOURCES, seed=4)
    world = EphemeralWorld(SOURCES)
    for _ in range(30):
        world.step()
        assert policy.state == pytest.approx(world.content)
        chosen = policy.decide()
        policy.learn(chosen, sum(world.visit(source) for source in chosen.tolist()))


def test_scaled_states_are_shares_of_the_ceiling() -> None:
    policy = Lspe(SOURCES, LspeOptions(scaling="state"))
    for _ in range(3):
        policy.learn(NOBODY, 0.0)
    assert policy.state == pytest.approx(SOURCES.content(4) / SOURCES.ceiling)
    assert (policy.thresholds() <= 1.0).all()


@pytest.mark.parametrize("visited", [[0], [1, 3], []])
def test_the_actor_follows_the_gradient_of_the_log_chance(visited: list[int]) -> None:
    """q moves by a(n)·V(X')·∇ log p; the gradient is checked by differences."""
    options = LspeOptions(
        steepness=0.01, actor_gain=0.2, threshold=0.5, scaling="features"
    )
    policy = Lspe(SOURCES, options)
    active = np.array(visited, np.intp)
    policy._critic._r[:] = 1.0
    before = policy.q.copy()

    def log_chance(q: Any) -> float:
        policy.q = q
        chances = policy.chances()
        return float(
            np.log(
                np.where(np.isin(np.arange(4), active), chances, 1.0 - chances)
            ).sum()
        )

    gradient = np.zeros_like(before)
    for place in np.ndindex(*before.shape):
        step = np.zeros_like(before)
        step[place] = 1e-4
        gradient[place] = (log_chance(before + step) - log_chance(before - step)) / 2e-4
    policy.q = before.copy()
    policy.learn(active, 0.0)
    value = policy._phi.sum()  # r = 1
    assert policy.q - before == pytest.approx(0.2 * value * gradient, rel=1e-5)


def test_a_clipped_threshold_has_no_gradient_if_so_wished() -> None:
    policy = Lspe(SOURCES, LspeOptions(projection="gradient", threshold=0.5))
    policy._critic._r[:] = 1.0
    policy.q[:2, 0] = [-1e9, 1e9]
    before = policy.q.copy()
    policy.learn(NOBODY, 0.0)
    moved = (policy.q != before).any(axis=1)
    assert moved[:2].tolist() == [False, False]
    free = Lspe(SOURCES, LspeOptions(threshold=0.5))
    free._critic._r[:] = 1.0
    free.q[:2, 0] = [-1e9, 1e9]
    free.learn(np.array([0, 1]), 0.0)
    # as printed: f − v ≠ 0 counts, clipped or not
    assert (free.q[1] != [1e9, 0.0, 0.0]).any()


@pytest.mark.parametrize("averaging", ["1/(n+1)", "b(n)"])
def test_both_inverses_lead_to_the_same_values(averaging: Any) -> None:
    """Where B̄ is regular and δ tiny, Tikhonov's inverse and Sherman–Morrison's are the inverse."""
    rng = np.random.default_rng(1)
    options = LspeOptions(ridge=1e-14, averaging=averaging)
    one = _Critic(3, options)
    other = _Critic(3, replace(options, inverse="sherman-morrison"))
    phi = rng.normal(size=3)
    for n in range(1, 200):
        after = rng.normal(size=3)
        for critic in (one, other):
            critic.learn(n, phi, after, float(phi.sum()))
        phi = after
    assert one._r == pytest.approx(other._r, rel=1e-6)


def test_the_critic_finds_the_values_of_a_small_chain() -> None:
    """States 0 → 1 → 2 → 0 …, reward 3 in state 2: V − V' = r − η, η = 1."""
    critic = _Critic(3, LspeOptions(ridge=1e-12))
    for n in range(1, 20_000):
        critic.learn(n, np.eye(3)[n % 3], np.eye(3)[(n + 1) % 3], 3.0 * (n % 3 == 2))
    values = critic._r
    assert [
        values[0] - values[1],
        values[1] - values[2],
        values[2] - values[0],
    ] == pytest.approx([-1, -1, 2], abs=0.01)
    assert critic._mean == pytest.approx(1.0, abs=1e-3)


def test_the_same_seed_leads_to_the_same_run_and_another_to_another() -> None:
    runs = [
        run_lspe(EphemeralWorld(SOURCES), LspeOptions(), 200, seed)
        for seed in (1, 1, 2)
    ]
    assert (
        runs[0].rewards.tolist() == runs[1].rewards.tolist() != runs[2].rewards.tolist()
    )
    assert runs[0].active.min() >= 0 and runs[0].active.max() <= 4


def test_thresholds_stay_if_the_actor_may_not_move_them() -> None:
    policy = Lspe(SOURCES, LspeOptions(actor_gain=0.0))
    for _ in range(50):
        policy.learn(policy.decide(), 100.0)
    assert policy.thresholds() == pytest.approx(SOURCES.gain)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"steepness": 0.0}, BadNumber),
        ({"critic_gain": -1.0}, BadNumber),
        ({"actor_gain": -0.1}, BadNumber),
        ({"ridge": np.nan}, BadNumber),
        ({"averaging_gain": 1.0}, BadNumber),
        ({"threshold": 1.5}, BadNumber),
        ({"averaging": "1/n"}, UnknownName),
        ({"inverse": "svd"}, UnknownName),
        ({"scaling": "raw"}, UnknownName),
        ({"projection": "none"}, UnknownName),
    ],
)
def test_impossible_options_are_refused(
    options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        LspeOptions(**options)
