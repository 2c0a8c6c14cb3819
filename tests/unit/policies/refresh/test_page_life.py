"""How long pages live is learnt from visits, and prices what is held and found; where pages stay
nothing changes.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import pytest

from trapline.core.cards import GONE, HELD, Cards, blank_cards
from trapline.core.records import Outcome
from trapline.laboratory.runs.compiled import run_compiled
from trapline.laboratory.runs.drive import drive, hold_each, new_controller
from trapline.laboratory.worlds.truth import Truth, fresh_copy, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.page_life import (
    grow_lives,
    leaving,
    mean_life,
    new_lives,
    note_life,
    restore_lives,
    save_lives,
)
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

HOUR_S: Final = 3600.0
HORIZON_S: Final = 720.0 * HOUR_S


def held_cards(pages: int = 4) -> Cards:
    cards = blank_cards(pages)
    cards["state"] = HELD
    return cards


def see(policy: Posterior, cards: Cards, is_gone: bool, age_s: float = HOUR_S) -> None:
    outcome = Outcome.GONE if is_gone else Outcome.UNCHANGED
    seen = a_visit(outcome, False, age_s=age_s, now_s=1e6, market_price=10.0)
    policy.settle(cards, 0, seen)


def short_lived(policy: Posterior) -> Posterior:
    """It has seen that pages of host 0 live for some hours."""
    cards = held_cards()
    for number in range(200):
        see(policy, cards, number % 4 == 3)
    return policy


# what visits show


def test_a_first_death_by_hand() -> None:
    lives = new_lives(hosts=1)
    note_life(lives, 0, HORIZON_S, True, HORIZON_S)
    missing = 1.0 / (math.e - 1.0)  # x = 1: a gap as long as the horizon
    assert lives.known["information"] == pytest.approx([missing] * 2)
    assert lives.known["log"] == pytest.approx([missing / (1.0 + missing)] * 2)


def test_a_first_survival_by_hand() -> None:
    lives = new_lives(hosts=1)
    note_life(lives, 0, 0.1 * HORIZON_S, False, HORIZON_S)
    information = 0.01 / math.expm1(0.1)
    assert lives.known["log"] == pytest.approx([-0.1 / (1.0 + information)] * 2)


def test_no_visit_moves_it_by_more_than_a_half() -> None:
    lives = new_lives(hosts=1)
    note_life(lives, 0, 1.0, True, HORIZON_S)
    assert lives.known["log"].tolist() == [0.5, 0.5]
    note_life(lives, 0, 1e6 * HORIZON_S, False, HORIZON_S)
    assert lives.known["log"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("life_h", [2.0, 48.0])
@pytest.mark.parametrize("gap_h", [0.5, 6.0])
def test_it_learns_the_life(life_h: float, gap_h: float) -> None:
    lives = new_lives(hosts=1)
    chance = np.random.default_rng(5)
    for _ in range(4000):
        is_gone = bool(chance.random() < -math.expm1(-gap_h / life_h))
        note_life(lives, 0, gap_h * HOUR_S, is_gone, HORIZON_S)
    assert mean_life(lives, 0, HORIZON_S) == pytest.approx(life_h * HOUR_S, rel=0.25)


def test_one_death_proves_nothing() -> None:
    lives = new_lives(hosts=1)
    note_life(lives, 0, HOUR_S, True, HORIZON_S)
    assert leaving(lives, 0, HORIZON_S) == 0.0


def test_each_host_has_its_own_and_new_ones_begin_as_all() -> None:
    lives = new_lives(hosts=3)
    for number in range(400):
        note_life(lives, 0, HOUR_S, number % 4 == 3, HORIZON_S)
        note_life(lives, 1, HOUR_S, False, HORIZON_S)
    listed, stays, unseen, everywhere = (
        mean_life(lives, host, HORIZON_S) for host in (0, 1, 2, -1)
    )
    assert listed < everywhere < stays
    assert unseen == everywhere == mean_life(lives, 99, HORIZON_S)


def test_what_was_learnt_is_saved() -> None:
    policy = short_lived(Posterior())
    found = Posterior()
    found.restore(policy.state())
    assert found.mean_life(0) == policy.mean_life(0) < 10.0 * HOUR_S
    assert found.found_worth(0) == policy.found_worth(0)


def test_what_earlier_versions_saved_has_no_lives() -> None:
    state = dict(short_lived(AdaptiveWhittle()).state())
    del state["lives"]
    found = AdaptiveWhittle()
    found.restore(state)
    assert found.mean_life(0) == HORIZON_S
    see(found, held_cards(), is_gone=True)


def test_saved_lives_have_room_for_all_hosts() -> None:
    lives = grow_lives(new_lives(hosts=1), 2)
    assert len(restore_lives(lives, save_lives(lives), hosts=5).known) == 6


# prices


@pytest.mark.parametrize("kind", [Posterior, AdaptiveWhittle])
def test_pages_that_die_are_worth_less(kind: type[Posterior]) -> None:
    dies, stays = kind(), kind()
    cards = held_cards()
    for number in range(200):
        see(dies, cards, number % 4 == 3)
        if number % 4 < 3:
            see(stays, cards, is_gone=False)
    assert stays.mean_life(0) == HORIZON_S
    assert dies.found_worth(0) <= dies.mean_life(0)
    assert stays.found_worth(0) > 10.0 * dies.found_worth(0)
    worth = {}
    for policy in (dies, stays):
        see(policy, cards, is_gone=False)
        worth[policy] = float(cards["worth"][0, 0])
    assert worth[stays] > 2.0 * worth[dies]


def test_where_pages_outlive_the_horizon_prices_are_the_same_to_the_last_bit() -> None:
    hears, deaf = AdaptiveWhittle(), AdaptiveWhittle()
    cards, others = held_cards(), held_cards()
    for number in range(300):
        age_s = 24.0 * HOUR_S
        if number % 60 == 59:  # a life of two months
            see(hears, cards, is_gone=True, age_s=age_s)
        else:
            see(hears, cards, is_gone=False, age_s=age_s)
            see(deaf, others, is_gone=False, age_s=age_s)
    assert cards.tobytes() == others.tobytes()
    assert hears.found_worth(0) == deaf.found_worth(0)


def test_it_says_how_long_pages_live() -> None:
    lines = dict(short_lived(AdaptiveWhittle()).explain(0, 0).lines)
    assert "as pages of its host do" in lines["believed to live"]
    assert "believed to live" not in dict(Posterior().explain(0, 0).lines)


# a world of short-lived pages


def short_lives() -> Truth:
    """600 pages, held from their birth on, that live for 2 h; and 60 that stay, on another host."""
    born_s = np.linspace(0.0, 200.0 * HOUR_S, 600)
    chance = np.random.default_rng(4)
    stay = np.full(60, -1.0)
    return make_truth(
        host=np.repeat([0, 1], [600, 60]).astype(np.int32),
        rate=np.full(660, 1.0 / (10.0 * HOUR_S)),
        born_s=np.append(born_s, stay),
        dies_s=np.append(
            born_s + chance.exponential(2.0 * HOUR_S, 600), np.full(60, np.inf)
        ),
    )


def live_through(kind: type[Posterior], compiled: bool) -> RequestController:
    truth = fresh_copy(short_lives())
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=kind(),
        budget=Budget(per_s=20.0 / HOUR_S),
        seeds=[],
    )
    run = run_compiled if compiled else drive
    hold_each(controller, truth, range(600, 660), 0.0)
    for hour in range(0, 200, 5):
        now_s = hour * HOUR_S
        born_s = truth.pages["born_s"]
        born = np.flatnonzero((born_s >= now_s - 5.0 * HOUR_S) & (born_s < now_s))
        alive = born[truth.pages["dies_s"][born] > now_s]
        listed = alive[alive < 600].tolist()
        if listed:
            hold_each(controller, truth, listed, now_s)
        until_s = now_s + 5.0 * HOUR_S
        run(controller, truth, room=1, visits=1000, start_s=now_s, until_s=until_s)
    return controller


@pytest.mark.parametrize("kind", [Posterior, AdaptiveWhittle])
def test_a_robot_prices_short_lived_pages_by_the_life_that_it_learns(
    kind: type[Posterior],
) -> None:
    controller = live_through(kind, compiled=False)
    assert (controller.agenda.cards["state"][:600] == GONE).sum() > 50
    policy = controller.refresh
    assert isinstance(policy, Posterior)
    assert HOUR_S < policy.mean_life(0) < 6.0 * HOUR_S
    assert policy.mean_life(1) == HORIZON_S
    assert policy.found_worth(0) < policy.mean_life(0)
    assert policy.found_worth(1) > policy.found_worth(0)


def test_the_compiled_loop_learns_the_same() -> None:
    slow = live_through(AdaptiveWhittle, compiled=False).refresh.state()
    fast = live_through(AdaptiveWhittle, compiled=True).refresh.state()
    assert slow["lives"].tobytes() == fast["lives"].tobytes()
