"""lspe that runs live: states from rewards alone, the slope of its draws, and what it earns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.laboratory.worlds.ephemeral_table import BOUNDS, SOURCES
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.refresh.slots.lspe_from_rewards import LspeFromRewards
from trapline.policies.registry import make_refresh_policy
from trapline.robot.agenda.agenda import Budget


def taught() -> LspeFromRewards:
    policy = LspeFromRewards.for_sources(3, seed=1)
    for age, reward in ((1.0, 4.0), (3.0, 8.0)):
        policy.learn(0, age, reward)
    policy.learn(1, 2.0, 2.0)
    policy.learn(2, 2.0, 0.0)
    return policy


def test_states_are_guessed_from_what_visits_brought() -> None:
    """At the rate seen, with one mean visit (14/4 in 8/4 slots) added, up to the most seen."""
    policy = taught()
    rates = [(12 + 3.5) / (4 + 2), (2 + 3.5) / (2 + 2), (0 + 3.5) / (2 + 2)]
    now = policy.states(now=1.0)
    assert now == pytest.approx([rates[0] / 8, rates[1] / 8, 0.0])
    assert policy.states(now=1e6) == pytest.approx([1.0, 0.25, 0.0])
    assert LspeFromRewards.for_sources(3).states(now=9.0).tolist() == [0.0] * 3


def test_units_of_rewards_do_not_matter() -> None:
    runs = []
    for unit in (1.0, 1024.0):
        policy = LspeFromRewards.for_sources(2, seed=4)
        chosen = []
        for slot in range(1, 200):
            source = policy.choose(None, None, float(slot))
            chosen.append(source)
            age = slot - policy.last[source]
            policy.learn(source, float(age), unit * (1.0 + source) * age)
            policy.last[source] = slot
        runs.append(chosen)
    assert runs[0] == runs[1]
    assert 0 < sum(runs[0]) < 199


def test_the_slope_is_that_of_the_chance_of_the_draws() -> None:
    """∂/∂T_i of the log of the chance that these were drawn, by differences."""
    policy = taught()
    policy.prices(now=2.0)
    leans = 10.0 * policy.states(now=2.0)
    policy.learn(1, 2.0, 1.0)
    slope = policy.pages["slope"] + 10.0 * policy.pages["chance"]

    def log_chance(thresholds: Any) -> float:
        moved = leans - 10.0 * thresholds
        return float(moved[1] - np.log(np.exp(moved).sum()))

    little = 1e-6
    for source in range(3):
        step = np.zeros(3)
        step[source] = little
        found = (log_chance(step) - log_chance(-step)) / (2 * little)
        assert slope[source] == pytest.approx(found, abs=1e-5)


@pytest.mark.parametrize("model", ["mean", "stochastic"])
def test_nothing_told_it_earns_nearly_all_of_table_1(model: Any) -> None:
    policy = LspeFromRewards.for_sources(4, seed=2)
    world = EphemeralWorld(SOURCES, model=model, seed=2)
    assert run_slots(policy, world, 1, 800).mean > 0.97 * BOUNDS[1]
    assert policy.pages["q0"].any(), "thresholds moved"


def test_the_gradient_as_printed_unlearns_what_the_states_say() -> None:
    earned = {}
    for score in ("advantage", "value"):
        policy = LspeFromRewards.for_sources(4, seed=1, score=score)
        earned[score] = run_slots(policy, EphemeralWorld(SOURCES), 1, 1_500).mean
    assert earned["value"] < 0.95 * earned["advantage"]


def test_through_the_live_controller_it_comes_to_prefer_what_brings_more() -> None:
    truth = make_truth(
        host=np.arange(24, dtype=np.int32) % 8,
        rate=np.where(np.arange(24) < 8, 0.3, 1e-6),
        gap_s=np.full(8, 0.5),
    )
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=make_refresh_policy("lspe", {"seed": 3.0}),
        budget=Budget(per_s=4.0),
        seeds=list(range(24)),
    )
    drive(controller, truth, room=4, visits=300)
    late = drive(controller, truth, room=4, visits=600, start_s=controller.now_s)
    assert (late.page < 8).mean() > 0.6


def test_pages_come_one_by_one_and_explain_themselves() -> None:
    policy = LspeFromRewards()
    cards = blank_cards(9)
    assert policy.settle(cards, 7, a_visit(now_s=1.0)) == (7,)
    policy.settle(
        cards, 7, a_visit(changed=True, relevance=0.5, age_s=10.0, now_s=11.0)
    )
    assert policy.pages["reward"][7] == 0.5
    said = policy.explain(7, 0)
    assert said.values["most_brought"] == 0.5
    assert ("most that a visit brought", "0.5") in said.lines
    assert policy.explain(99, 0).lines == []
    policy.move_times(5.0)
    assert policy.last[7] == 16.0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"steepness": 0.0}, "steepness is 0"),
        ({"actor_gain": 1.0}, "actor_gain is 1"),
        ({"critic_gain": math.inf}, "critic_gain is inf"),
        ({"seed": 0.5}, "seed is 0.5"),
    ],
)
def test_bad_options_are_named(options: dict[str, float], problem: str) -> None:
    with pytest.raises(BadNumber, match=problem):
        make_refresh_policy("lspe", options)


def test_an_unknown_score_is_named() -> None:
    with pytest.raises(UnknownName, match="no score named 'printed'"):
        make_refresh_policy("lspe", {"score": "printed"})
