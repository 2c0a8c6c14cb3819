"""The automata's arithmetic: fluid EDF against its definition, the rules of learning, and where
they lead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest
from numba import types

from trapline.core.errors import BadNumber, UnknownName
from trapline.policies.refresh.automata.automaton import Automaton
from trapline.policies.refresh.automata.fluid_edf import (
    SHARE,
    SLACK,
    leaf_shares,
    plant_tree,
    settle_path,
)
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.automata.lakg import Lakg
from trapline.policies.refresh.automata.traa import Traa
from trapline.policies.refresh.estimator import Estimator
from trapline.policies.refresh.fixed_allocation import Allocation
from trapline.policies.refresh.optimal import Optimal
from trapline.policies.refresh.proportional import Proportional
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import kernel_for
from trapline.theory.knapsack.traa_chain import TraaChain

# (α, β): the optimum by formula, n = 512
WORLDS = {(0.3, 1.5): 0.56111, (0.3, 1.0): 0.88147, (0.9, 1.5): 0.97702}


def zipf(pages: int, alpha: float, beta: float) -> Floats:
    return np.asarray(alpha / np.arange(1, pages + 1) ** beta)


def _poll(
    turn: Any,
    learn: Any,
    mind: Any,
    hazard: Any,
    seed: int,
    last: Any,
    start: int,
    polls: int,
) -> int:
    found = 0
    for step in range(start + 1, start + polls + 1):
        leaf = turn(mind)
        gap = step - last[leaf]
        changed = mix_hash(seed, leaf, step) < -math.expm1(-hazard[leaf] * gap)
        last[leaf] = step
        found += changed
        learn(mind, leaf, changed, gap)
    return found


@cache
def _compiled_poll(mind: types.Type) -> Any:
    """As the laboratory hands them on: the kernels of every automaton have these signatures."""
    turn = types.FunctionType(types.int64(mind))
    learn = types.FunctionType(
        types.void(mind, types.int64, types.boolean, types.float64)
    )
    row = types.float64[::1]
    whole = types.int64
    signature = whole(turn, learn, mind, row, whole, row, whole, whole)
    return kernel_for(signature)(_poll)


class Run:
    """A policy in a world of pages that change with probability p in each step, one poll a step."""

    def __init__(self, policy: Automaton, probabilities: Floats, seed: int = 1) -> None:
        self.policy = policy
        self.hazard = -np.log1p(-probabilities)
        self.best = -math.expm1(-self.hazard.sum())
        self.last = np.zeros(len(probabilities))
        self.seed = seed
        self.step = 0

    def poll(self, polls: int) -> float:
        """Detections by the optimum of the formula over these polls."""
        policy = self.policy
        found = _compiled_poll(numba.typeof(policy.mind))(
            policy.turn_kernel,
            policy.learn_kernel,
            policy.mind,
            self.hazard,
            self.seed,
            self.last,
            self.step,
            polls,
        )
        self.step += polls
        return float(found / polls / self.best)


def turn(policy: Automaton) -> int:
    return policy.turn_kernel(policy.mind)


def learn(policy: Automaton, leaf: int, changed: bool) -> None:
    policy.learn_kernel(policy.mind, leaf, changed, 1.0)


def slacks(policy: Automaton) -> Floats:
    return policy.tree[len(policy.tree) // 2 :, SLACK : SLACK + 2].flatten()


# fluid EDF


@pytest.mark.parametrize(
    "policy",
    [
        HTraa.for_pages(13, resolution=20, seed=3),
        HTraa.for_pages(64, resolution=200, level_factor=1.5, seed=4),
        Lakg.for_pages(21, resolution=40, seed=5),
        Allocation(np.random.default_rng(6).uniform(0.0, 1.0, 50)),
    ],
    ids=lambda policy: type(policy).__name__,
)
def test_turns_are_those_of_fluid_edf_while_shares_move(policy: Any) -> None:
    """Against the definition: c += x; poll argmin (1 − c)/x; then c −= 1."""
    chance = np.random.default_rng(0)
    pages = policy.seats.taken
    credit = 1.0 - slacks(policy)[:pages]
    moved = 0
    for _ in range(3000):
        share = policy.shares()[:pages]
        credit += share
        waits = (1.0 - credit) / share
        leaf = turn(policy)
        assert waits[leaf] == pytest.approx(waits.min(), abs=1e-9)
        credit[leaf] -= 1.0
        learn(policy, leaf, bool(chance.random() < 0.9 / (leaf + 1)))
        moved += not np.array_equal(share, policy.shares()[:pages])
    assert moved > 300 or type(policy) is Allocation
    for leaf in range(pages):
        settle_path(policy.tree, leaf)
    assert slacks(policy)[:pages] == pytest.approx(1.0 - credit, abs=1e-9)


def test_learning_later_than_the_poll_keeps_the_accounts() -> None:
    """Live, other turns come between a poll and what it taught."""
    policy = HTraa.for_pages(16, resolution=30, seed=1)
    chance = np.random.default_rng(2)
    credit = 1.0 - slacks(policy)
    waiting = []
    for _ in range(2000):
        share = policy.shares()
        credit += share
        waits = (1.0 - credit) / share
        leaf = turn(policy)
        assert waits[leaf] == pytest.approx(waits.min(), abs=1e-9)
        credit[leaf] -= 1.0
        waiting.append(leaf)
        if len(waiting) > 5:
            learn(
                policy,
                waiting.pop(int(chance.integers(5))),
                bool(chance.random() < 0.5),
            )


def test_no_leaf_gets_a_poll_too_many_or_too_few() -> None:
    rates = np.random.default_rng(1).dirichlet(np.full(30, 0.3))
    policy = Allocation(rates)
    turns = 20_000
    polls = np.bincount([turn(policy) for _ in range(turns)], minlength=30)
    assert np.abs(polls - rates * turns).max() < 2.0


def test_leaves_do_not_start_in_step() -> None:
    start = slacks(HTraa.for_pages(64))
    assert len(np.unique(start)) == 64
    assert ((start > 0.0) & (start < 1.0)).all()
    assert abs(start.mean() - 0.5) < 0.15
    assert (slacks(HTraa.for_pages(64, seed=1)) != start).all()


def test_an_empty_side_gets_nothing() -> None:
    memory = plant_tree(np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.25]))
    assert leaf_shares(memory).round(9).tolist() == [
        0.0,
        0.0,
        0.0,
        0.0,
        round(2 / 3, 9),
        0.0,
        0.0,
        round(1 / 3, 9),
    ]
    policy = Allocation(np.array([0.0, 0.0, 0.0, 1.0]))
    assert {turn(policy) for _ in range(50)} == {3}
    assert turn(HTraa()) == -1
    assert turn(Lakg()) == -1


# the rules


@pytest.mark.parametrize(
    "mode", ["reward-penalty", "reward-inaction", "inaction-penalty"]
)
@pytest.mark.parametrize("leaf", [0, 1])
@pytest.mark.parametrize("changed", [True, False])
def test_rules_1_and_2_and_their_inverses(mode: str, leaf: int, changed: bool) -> None:
    policy = Traa.for_pages(2, resolution=9, mode=mode)
    policy.tree[1, SHARE] = 0.3
    before = policy.tree.copy()
    moves = []
    for _ in range(4000):
        learn(policy, leaf, changed)
        moves.append(round((policy.tree[1, SHARE] - 0.3) * 10.0))
        policy.tree[:] = before
    counts = mode in (
        "reward-penalty",
        "reward-inaction" if changed else "inaction-penalty",
    )
    towards = (1 if leaf == 0 else -1) * (1 if changed else -1)
    assert set(moves) == ({0, towards} if counts else {0})
    assert abs(np.mean(np.abs(moves)) - (counts * (0.7 if leaf == 0 else 0.3))) < 0.03


def test_states_end_at_1_and_n() -> None:
    policy = Traa.for_pages(2, resolution=9, mode="reward-penalty")
    for leaf, end in ((0, 0.9), (1, 0.1)):
        for _ in range(500):
            learn(policy, leaf, True)
        assert policy.shares()[0] == end


def test_resolution_by_level_and_power_grid() -> None:
    policy = HTraa.for_pages(8, resolution=10, level_factor=2.0, grid=1.5, seed=2)
    chance = np.random.default_rng(3)
    for _ in range(3000):
        learn(policy, turn(policy), bool(chance.random() < 0.5))
    for node, states in ((1, 40), (2, 20), (3, 20), (4, 10), (5, 10), (6, 10), (7, 10)):
        state = policy.tree[node, SHARE] ** (1 / 1.5) * (states + 1)
        assert state == pytest.approx(round(state), abs=1e-9)
        assert 1 <= round(state) <= states
    assert len(np.unique(policy.tree[1:, SHARE])) > 3


def test_any_number_of_pages_starts_with_equal_shares() -> None:
    shares = HTraa.for_pages(300, resolution=100_000).shares()
    assert shares[:300] == pytest.approx(np.full(300, 1 / 300), rel=1e-3)
    assert not shares[300:].any()
    assert HTraa.for_pages(512).shares() == pytest.approx(
        np.full(512, 1 / 512), rel=0.04
    )


def test_lakg_moves_by_what_fits_in_the_knapsack() -> None:
    policy = Lakg.for_pages(4, resolution=10, exponent=2.0)  # 4·(5/10)² = 1: full
    learn(policy, 2, True)
    assert policy.demands() == pytest.approx(np.full(4, 0.25))
    learn(policy, 2, False)
    assert policy.demands() == pytest.approx([0.25, 0.25, 0.16, 0.25])
    learn(policy, 0, False)
    assert policy.demands() == pytest.approx([0.25, 0.25, 0.16, 0.25])
    learn(policy, 0, True)
    assert policy.demands() == pytest.approx([0.36, 0.25, 0.16, 0.25])
    for _ in range(9):
        learn(policy, 2, False)
    # not full any more
    assert policy.demands() == pytest.approx([0.36, 0.25, 0.09, 0.25])


def test_lakg_stays_on_its_grid() -> None:
    policy = Lakg.for_pages(100, resolution=50, exponent=2.0, seed=1)
    Run(policy, zipf(100, 0.9, 1.0)).poll(300_000)
    states = 50.0 * np.sqrt(policy.demands()[:100])
    assert np.abs(states - np.rint(states)).max() < 1e-6
    assert policy.demands().sum() == pytest.approx(1.0, abs=0.05)


def test_chance_is_what_the_worlds_have_always_drawn() -> None:
    drawn = [mix_hash(1, 2, 3), mix_hash(1, 2, 4), mix_hash(12345, 678, 9)]
    assert drawn == [0.2395686264166333, 0.7216131612517895, 0.36291339345276213]


def test_the_seed_decides_all() -> None:
    runs = [HTraa.for_pages(32, resolution=50, seed=seed) for seed in (1, 1, 2)]
    for policy in runs:
        Run(policy, zipf(32, 0.5, 1.0)).poll(2000)
    assert runs[0].tree.tobytes() == runs[1].tree.tobytes() != runs[2].tree.tobytes()
    assert runs[0].mind.progress["draws"][0] == 2000


# where they lead


def settled(
    states: int, quiet: Floats, scheduled: bool, turns: int = 100_000
) -> Floats:
    """How often a TRAA is seen in each state, polled by its own scheduler or by a throw of dice."""
    policy = Traa.for_pages(2, resolution=states, seed=5)
    seen = np.zeros(states)
    chance = np.random.default_rng(1)
    for poll, draw in chance.random((turns, 2)).tolist():
        share = float(policy.tree[1, SHARE])
        seen[round(share * (states + 1)) - 1] += 1
        leaf = turn(policy) if scheduled else int(poll >= share)
        learn(
            policy,
            leaf,
            draw < 1 - quiet[leaf] ** (1 / (share if leaf == 0 else 1 - share)),
        )
    return seen / turns


def test_two_pages_settle_as_the_markov_chain_of_equations_4_to_8() -> None:
    quiet = np.array([0.6, 0.8])
    left, right = (lambda x, stays=stays: 1.0 - stays ** (1.0 / x) for stays in quiet)
    chain = TraaChain.of(15, left, right).law
    at = np.arange(1, 16) / 16
    assert chain @ at > 0.6  # a chain without preference would not tell
    by_dice = settled(15, quiet, scheduled=False)
    by_edf = settled(15, quiet, scheduled=True)
    assert np.abs(by_dice - chain).sum() / 2 < 0.02
    # The chain knows no EDF: its polls are independent. Regular ones teach with less noise, about
    # the same place.
    spread = [math.sqrt(seen @ at**2 - (seen @ at) ** 2) for seen in (chain, by_edf)]
    assert (by_edf @ at) == pytest.approx(chain @ at, abs=0.02)
    assert spread[1] < 0.9 * spread[0]


@pytest.mark.parametrize("world", WORLDS)
def test_htraa_on_sorted_leaves_at_200_000_polls(world: tuple[float, float]) -> None:
    floor = {(0.3, 1.5): 0.955, (0.3, 1.0): 0.975, (0.9, 1.5): 0.965}[world]
    found = []
    for seed in (1, 2):
        run = Run(HTraa.for_pages(512, seed=seed), zipf(512, *world), seed)
        assert run.best == pytest.approx(WORLDS[world], abs=5e-6)
        run.poll(150_000)
        found.append(run.poll(50_000))
    assert np.mean(found) > floor


def test_htraa_and_lakg_breach_what_proportional_realises() -> None:
    world = zipf(512, 0.9, 1.5)
    policies = Proportional(world), HTraa.for_pages(512), Lakg.for_pages(512)
    runs = [Run(policy, world) for policy in policies]
    for run in runs:
        run.poll(150_000)
    proportional, *automata = (run.poll(50_000) for run in runs)
    assert proportional == pytest.approx(0.956, abs=0.004)
    assert min(automata) > proportional + 0.008


def test_inaction_penalty_is_most_accurate_in_the_end_and_reward_penalty_quickest() -> (
    None
):
    found = {}
    for mode in ("reward-penalty", "reward-inaction", "inaction-penalty"):
        run = Run(HTraa.for_pages(512, mode=mode), zipf(512, 0.9, 1.5))
        run.poll(9_000)
        early = run.poll(1_000)
        run.poll(290_000)
        found[mode] = early, run.poll(100_000)
    assert max(found, key=lambda mode: found[mode][0]) == "reward-penalty"
    late = sorted(found, key=lambda mode: found[mode][1])
    assert late == ["reward-inaction", "reward-penalty", "inaction-penalty"]


# fixed allocations and the estimator


def test_proportional_and_optimal_shares() -> None:
    world = zipf(300, 0.9, 1.5)
    hazard = -np.log1p(-world)
    assert Proportional(world).shares()[:300] == pytest.approx(
        world / world.sum(), rel=1e-9
    )
    assert Optimal(world).shares()[:300] == pytest.approx(
        hazard / hazard.sum(), rel=1e-9
    )
    weighted = Optimal(np.full(4, 0.2), weights=np.array([1.0, 1.0, 1.0, 5.0])).shares()
    assert weighted[3] > 1.5 * weighted[0]
    assert (
        Optimal.weighted,
        Proportional.weighted,
        HTraa.weighted,
        Lakg.weighted,
        Traa.weighted,
    ) == (
        True,
        False,
        False,
        False,
        False,
    )


def test_estimator_polls_in_turn_and_then_by_what_it_saw() -> None:
    policy = Estimator.for_pages(4, rounds=10)
    changes = {0: 10, 1: 5, 2: 1, 3: 0}  # of ten polls each
    seen = dict.fromkeys(changes, 0)
    for step in range(40):
        leaf = turn(policy)
        assert leaf == step % 4
        seen[leaf] += 1
        policy.learn_kernel(policy.mind, leaf, seen[leaf] <= changes[leaf], 4.0)
    p = np.array([1.0 - ((10 - x + 0.5) / 10.5) ** 0.25 for x in changes.values()])
    assert policy.shares() == pytest.approx(p / p.sum())
    after = policy.tree.copy()
    learn(policy, 3, True)
    assert policy.tree.tobytes() == after.tobytes()
    assert 3 not in {turn(policy) for _ in range(1000)}


def test_estimator_that_saw_no_change_polls_all_alike() -> None:
    policy = Estimator.for_pages(5, rounds=1.4)
    for _ in range(7):
        learn(policy, turn(policy), False)
    assert policy.shares()[:5] == pytest.approx(np.full(5, 0.2))


def test_a_longer_phase_estimates_better() -> None:
    found = []
    for phase in (5_000, 200_000):
        run = Run(Estimator.for_pages(512, rounds=phase / 512), zipf(512, 0.3, 1.0))
        run.poll(phase)
        found.append(run.poll(50_000))
    assert found[0] + 0.05 < found[1]


# bad input

NAN = math.nan


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda: HTraa.for_pages(1),
            "the number of pages is 1, but must be a whole number from 2",
        ),
        (lambda: HTraa.for_pages(0), "the number of pages"),
        (lambda: HTraa.for_pages(2, resolution=1), "resolution is 1"),
        (lambda: HTraa.for_pages(2, resolution=2.5), "resolution is 2.5"),
        (lambda: HTraa.for_pages(2, resolution=NAN), "resolution is nan"),
        (lambda: HTraa(grid=0.0), "grid is 0.0"),
        (
            lambda: HTraa(grid=9.0),
            "grid is 9.0, but must be at most 4.44 with resolution 501",
        ),
        (lambda: HTraa(level_factor=-1.0), "level_factor is -1.0"),
        (lambda: HTraa(seed=-1), "seed is -1"),
        (lambda: HTraa(seed=0.5), "seed is 0.5"),
        (lambda: Lakg.for_pages(1), "the number of pages is 1"),
        (lambda: Lakg(exponent=0.0), "exponent is 0.0"),
        (lambda: Lakg(exponent=math.inf), "exponent is inf"),
        (
            lambda: Lakg.for_pages(512, exponent=1.0),
            "resolution is 500, but must be at least 512 for 512 pages",
        ),
        (lambda: Traa.for_pages(3), "the number of pages is 3, but must be 2"),
        (lambda: Traa.for_pages(1), "the number of pages is 1, but must be 2"),
        (lambda: Estimator.for_pages(1), "the number of pages is 1"),
        (lambda: Estimator(rounds=0.0), "rounds is 0"),
        (lambda: Allocation(np.array([1.0])), "pages is 1"),
        (lambda: Allocation(np.array([1.0, -1.0])), "rate is -1.0"),
        (lambda: Allocation(np.array([1.0, NAN])), "rate is nan"),
        (lambda: Allocation(np.zeros(3)), "sum of the polling rates is 0.0"),
        (lambda: Proportional(np.array([0.5, 1.0])), "1.0"),
        (lambda: Proportional(np.array([0.5])), "1"),
        (lambda: Optimal(np.array([0.5, 0.0])), "0.0"),
        (lambda: Optimal(np.array([0.5, 0.1]), weights=np.array([-1.0, 1.0])), "-1.0"),
    ],
)
def test_bad_numbers_are_refused_in_one_line(
    make: Callable[[], object], problem: str
) -> None:
    with pytest.raises(BadNumber, match=problem) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(
        UnknownName,
        match="no mode named 'penalty'; choose one of: inaction-penalty, reward-",
    ):
        HTraa(mode="penalty")
