"""Automata among hosts: pages come, wait and go; what was handed out and not taken; saving; bad
calls.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from trapline.app.settings import settings_from
from trapline.core.cards import (
    BY_DUE,
    CLOSED,
    GONE,
    HELD,
    HOST,
    IDLE,
    NOWHERE,
    Cards,
    Hosts,
    blank_cards,
)
from trapline.core.errors import ClockWentBack, UnknownPage, UserMistake
from trapline.core.records import Outcome
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import fresh_copy, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.automata.automaton import MOST_TURNS, Automaton
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.automata.lakg import Lakg
from trapline.policies.refresh.automata.parking_lots import LOT
from trapline.policies.refresh.automata.traa import Traa
from trapline.policies.refresh.estimator import Estimator
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.registry import make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

both = pytest.mark.parametrize("make", [HTraa, Lakg])


class Scene:
    """Some pages on some hosts, all held and on offer, all hosts idle."""

    def __init__(self, policy: Automaton, hosts: list[int]) -> None:
        self.policy = policy
        self.cards: Cards = blank_cards(len(hosts))
        self.cards["host"] = hosts
        self.hosts: Hosts = np.zeros(max(hosts) + 1, HOST)
        self.hosts["state"] = IDLE
        self.now_s = 0.0
        for page in range(len(hosts)):
            self.settle(page, math.inf)
        self.cards["state"] = HELD
        self.cards["filed"] = BY_DUE

    def settle(self, page: int, age_s: float = 1.0, changed: bool = False) -> None:
        self.now_s += 1.0
        self.policy.settle(
            self.cards, page, a_visit(Outcome.OK, changed, 1.0, 0.0, age_s, self.now_s)
        )

    def choose(self) -> int:
        return self.policy.choose(self.cards, self.hosts, self.now_s)

    def visit(self) -> int:
        """Choose, take and file again at once."""
        page = self.choose()
        if page >= 0:
            self.settle(page)
        return page


def saved(policy: Automaton) -> dict[str, bytes]:
    return {name: np.asarray(array).tobytes() for name, array in policy.state().items()}


# pages come and go


def test_a_newcomer_gets_the_mean_share_and_the_tree_doubles_when_full() -> None:
    policy = HTraa(resolution=100_000)
    for count in range(1, 41):
        policy.settle(
            blank_cards(count),
            count - 1,
            a_visit(Outcome.OK, True, 1.0, 0.0, math.inf, float(count)),
        )
        shares = policy.shares()
        assert len(shares) == max(2, 1 << (count - 1).bit_length())
        assert shares[:count] == pytest.approx(np.full(count, 1 / count), rel=0.01)
        assert not shares[count:].any()


def test_others_keep_their_proportions_when_a_page_comes() -> None:
    policy = HTraa.for_pages(3, resolution=100_000)
    # left side, and its left page
    policy.tree[1, 0] = 0.9
    policy.tree[2, 0] = 0.2
    policy.settle(blank_cards(9), 8, a_visit(Outcome.OK, True, 1.0, 0.0, math.inf, 1.0))
    odds = 0.9 / (0.1 * 2 / 1)  # two pages where there was one
    left = odds / (1 + odds)
    assert policy.shares() == pytest.approx(
        [0.2 * left, 0.8 * left, (1 - left) / 2, (1 - left) / 2], rel=1e-3
    )


def test_lakg_lets_the_others_ask_for_what_they_did() -> None:
    policy = Lakg.for_pages(5, resolution=100, seed=2)
    chance = np.random.default_rng(1)
    for _ in range(500):
        leaf = policy.turn_kernel(policy.mind)
        policy.learn_kernel(policy.mind, leaf, bool(chance.random() < 0.5), 1.0)
    before = policy.demands()
    cards = blank_cards(20)
    for page in range(5, 12):
        policy.settle(cards, page, a_visit(Outcome.OK, True, 1.0, 0.0, math.inf, 1.0))
        assert policy.demands()[page] == pytest.approx(1 / (page + 1), rel=0.1)
    assert policy.demands()[:5] == pytest.approx(before[:5])
    assert len(policy.demands()) == 16


def test_lakg_refines_its_grid_when_pages_outgrow_it() -> None:
    policy = Lakg(resolution=4, exponent=1.0)
    cards = blank_cards(40)
    for page in range(40):
        policy.settle(cards, page, a_visit(Outcome.OK, True, 1.0, 0.0, math.inf, 1.0))
    # the grid now ends there; it began with quarters
    assert policy.demands()[39] == pytest.approx(1 / 64)
    assert (policy.demands()[:40] > 0.0).all()


@both
def test_a_page_that_is_gone_leaves_its_leaf_to_the_next(make: Any) -> None:
    scene = Scene(make(), [0] * 6)
    scene.cards["state"][2] = GONE
    scene.cards["filed"][2] = NOWHERE
    seen = {scene.visit() for _ in range(200)}
    assert seen == {0, 1, 3, 4, 5}
    assert scene.policy.seats.leaf_of(2) == -1
    assert scene.policy.shares()[2] == 0.0
    scene.cards = np.concatenate([scene.cards, scene.cards[:1]])
    scene.settle(6, math.inf)
    assert scene.policy.seats.leaf_of(6) == 2
    assert 6 in {scene.visit() for _ in range(200)}


@both
def test_all_may_go_and_others_come(make: Any) -> None:
    scene = Scene(make(), [0] * 5)
    scene.cards["state"] = GONE
    for _ in range(20):
        assert scene.choose() == -1
    assert scene.policy.seats.taken == 0
    scene.cards["state"][3] = HELD
    scene.settle(3, math.inf)
    assert [scene.visit() for _ in range(5)] == [3] * 5
    assert np.isfinite(scene.policy.shares()).all()


def test_a_single_page_gets_every_turn() -> None:
    scene = Scene(HTraa(), [0])
    assert [scene.visit() for _ in range(9)] == [0] * 9


def test_coming_and_going_does_not_shift_what_was_learnt() -> None:
    """Odds raised by who comes are lowered by who goes, whichever way they are rounded."""
    policy = HTraa.for_pages(16, resolution=500)
    cards = blank_cards(16)
    cards["state"] = HELD
    cards["filed"] = BY_DUE
    policy.tree[1, 0] = 0.8
    before = policy.tree[1, 0]
    for turn in range(400):
        page = turn % 8  # all on the left
        policy._see_off(page)
        policy.settle(cards, page, a_visit(Outcome.OK, True, 1.0, 0.0, math.inf, 1.0))
    assert policy.tree[1, 0] == pytest.approx(before, abs=0.05)


# waiting for hosts


def test_a_page_whose_host_is_not_ready_waits_and_then_comes_first() -> None:
    scene = Scene(HTraa(), [0, 1, 1, 1])
    scene.hosts["state"][1] = 0
    assert [scene.visit() for _ in range(6)] == [0] * 6
    order = [page for page, _ in scene.policy.state()["parked"].tolist()]
    assert sorted(order) == [1, 2, 3]  # each once
    scene.hosts["state"][1] = IDLE
    assert [scene.visit() for _ in range(3)] == order


def test_a_full_lot_forfeits_the_turn() -> None:
    scene = Scene(HTraa(), [0] * 10 + [1])
    scene.hosts["state"][0] = 0
    for _ in range(20):
        assert scene.visit() == 10
    assert len(scene.policy.state()["parked"]) == LOT
    scene.hosts["state"][1] = 0
    assert scene.choose() == -1
    assert len(scene.policy.state()["parked"]) == LOT + 1


def test_a_page_gone_while_it_waits_leaves_its_lot() -> None:
    scene = Scene(HTraa(), [0, 0, 1])
    scene.hosts["state"][0] = 0
    assert [scene.visit() for _ in range(9)] == [2] * 9
    scene.cards["state"][0] = GONE
    scene.cards["filed"][0] = NOWHERE
    scene.hosts["state"][0] = IDLE
    assert scene.visit() == 1
    assert len(scene.policy.state()["parked"]) == 0


def test_closed_pages_and_pages_in_flight_forfeit_their_turns() -> None:
    scene = Scene(HTraa(), [0, 0, 0])
    scene.cards["filed"] = [CLOSED, NOWHERE, BY_DUE]
    assert [scene.visit() for _ in range(5)] == [2] * 5
    assert len(scene.policy.state()["parked"]) == 0
    assert scene.policy.seats.taken == 3


def test_a_choice_takes_so_many_turns_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = Scene(HTraa(), [0, 1])
    turns = []
    real = HTraa.turn_kernel

    def counted(*given: Any) -> int:
        turns.append(1)
        return real(*given)

    monkeypatch.setattr(HTraa, "turn_kernel", staticmethod(counted))
    scene.hosts["state"] = 0
    assert scene.choose() == -1
    assert len(turns) == MOST_TURNS


def test_what_was_not_taken_is_handed_out_again() -> None:
    """robots.txt, or a page of the fringe, came first: the page keeps its turn."""
    scene = Scene(HTraa(), [0, 0, 0, 0])
    page = scene.choose()
    assert [scene.choose() for _ in range(5)] == [page] * 5
    scene.cards["filed"][page] = NOWHERE  # taken
    assert scene.choose() != page
    scene = Scene(HTraa(), [0, 0, 0, 0])
    # taken and settled before the next choice
    assert len({scene.visit() for _ in range(12)}) == 4


# learning


@both
def test_the_first_visit_and_a_visit_after_no_time_that_is_known_teach_nothing(
    make: Any,
) -> None:
    policy = make(resolution=10)
    cards = blank_cards(4)
    for page in range(4):
        policy.settle(cards, page, a_visit(Outcome.OK, True, 1.0, 0.0, 5.0, 1.0))
    before = policy.tree.copy()
    for changed in (True, False) * 10:
        policy.settle(cards, 0, a_visit(Outcome.OK, changed, 1.0, 0.0, math.inf, 1.0))
        assert policy.tree.tobytes() == before.tobytes()
    for _ in range(20):
        policy.settle(cards, 0, a_visit(Outcome.OK, True, 1.0, 0.0, 5.0, 2.0))
        policy.settle(cards, 1, a_visit(Outcome.UNCHANGED, False, 1.0, 0.0, 5.0, 2.0))
    assert policy.shares()[0] > 2.0 * policy.shares()[1]
    assert cards["base"].tolist() == [0.0] * 4


@both
def test_an_unknown_page_and_a_clock_that_goes_back_leave_no_trace(make: Any) -> None:
    scene = Scene(make(), [0, 0, 1])
    before = saved(scene.policy)
    cards = scene.cards.tobytes()
    for page in (3, -1, 10**9):
        with pytest.raises(UnknownPage):
            scene.settle(page)
        scene.now_s -= 1.0
    for now_s in (scene.now_s - 1e-6, -math.inf, math.nan):
        with pytest.raises(ClockWentBack):
            scene.policy.settle(
                scene.cards, 0, a_visit(Outcome.OK, True, 1.0, 0.0, 1.0, now_s)
            )
    assert saved(scene.policy) == before
    assert scene.cards.tobytes() == cards


def test_traa_divides_two_pages_and_grows_into_a_hierarchy() -> None:
    two = Scene(Traa(), [0, 0])
    assert len(two.policy.tree) == 2
    assert {two.visit() for _ in range(20)} == {0, 1}
    four = Scene(Traa(), [0, 0, 0, 0])
    assert len(four.policy.tree) == 4
    assert {four.visit() for _ in range(50)} == {0, 1, 2, 3}
    before = four.policy.tree.copy()
    for _ in range(50):
        four.settle(0, changed=False)
    assert four.policy.tree.tobytes() == before.tobytes(), "it learns from changes only"


# the estimator, whose pages come and go too


def estimate_live(changes: list[float], rounds: float) -> Scene:
    """Through its first phase; page i changes before every 1/changes[i]-th visit."""
    scene = Scene(Estimator(rounds), [0] * len(changes))
    visits = [0] * len(changes)
    policy: Any = scene.policy
    while not policy.mind.progress["is_over"][0]:
        page = scene.choose()
        visits[page] += 1
        often = changes[page]
        changed = often > 0.0 and visits[page] * often % 1.0 == 0.0
        scene.settle(page, age_s=10.0, changed=changed)
    assert visits == [rounds] * len(changes), "all in turn"
    return scene


def test_the_estimator_visits_by_what_its_phase_saw() -> None:
    scene = estimate_live([1.0, 0.5, 0.0], rounds=4)
    p = np.array([1.0 - (0.5 / 4.5) ** 0.1, 1.0 - (2.5 / 4.5) ** 0.1, 0.0])
    assert scene.policy.shares()[:3] == pytest.approx(p / p.sum())
    assert {scene.visit() for _ in range(100)} == {0, 1}


def test_a_page_that_comes_after_the_phase_gets_the_mean_and_then_its_own() -> None:
    scene = estimate_live([1.0, 0.5, 0.5, 0.0], rounds=4)
    others = scene.policy.shares()[:4]
    scene.cards = np.concatenate([scene.cards, scene.cards[:1]])
    scene.settle(4, math.inf)
    shares = scene.policy.shares()
    assert shares[4] == pytest.approx(0.2)
    assert shares[:4] == pytest.approx(0.8 * others)
    for _ in range(3):
        scene.settle(4, age_s=10.0, changed=True)
    assert scene.policy.shares() == pytest.approx(shares)
    scene.settle(4, age_s=10.0, changed=True)
    assert scene.policy.shares()[4] == pytest.approx(scene.policy.shares()[0])
    after = saved(scene.policy)["memory"]
    scene.settle(4, age_s=10.0, changed=False)
    assert saved(scene.policy)["memory"] == after, "nothing more is learnt"


def test_a_page_that_comes_during_the_phase_prolongs_it() -> None:
    scene = Scene(Estimator(2.0), [0, 0])
    assert [scene.visit() for _ in range(3)] == [0, 1, 0]
    scene.cards = np.concatenate([scene.cards, scene.cards[:1]])
    scene.settle(2, math.inf)
    policy: Any = scene.policy
    scene.visit()
    assert not policy.mind.progress["is_over"][0]
    for _ in range(2):
        scene.visit()
    assert policy.mind.progress["is_over"][0]


def test_whoever_was_not_polled_in_the_phase_is_judged_later() -> None:
    scene = Scene(Estimator(1.0), [0, 0, 0, 0])
    for page in (0, 0, 1, 1):
        scene.settle(page, age_s=5.0, changed=page == 0)
    assert scene.policy.shares() == pytest.approx([1 / 2, 0.0, 1 / 4, 1 / 4])
    scene.settle(2, age_s=5.0, changed=False)
    assert scene.policy.shares() == pytest.approx([2 / 3, 0.0, 0.0, 1 / 3])


# what they prefer, live


@pytest.mark.parametrize(
    ("name", "options", "least", "most"),
    [
        ("uniform", {}, 0.3, 0.36),
        *(
            (name, {"seed": 3.0}, 0.6, 1.0)
            for name in ("htraa", "lakg", "traa", "estimator")
        ),
    ],
)
def test_through_the_live_controller_pages_that_change_come_to_be_preferred(
    name: str, options: dict[str, float], least: float, most: float
) -> None:
    """A third of the pages change every few seconds, the others hardly ever."""
    policy = make_refresh_policy(name, options)
    truth = fresh_copy(QUICK_AND_SLOW)
    quick = truth.rate > 1e-3
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=policy,
        budget=Budget(per_s=4.0),
        seeds=list(range(len(quick))),
    )
    drive(controller, truth, room=4, visits=5_000, start_s=controller.now_s)
    late = drive(controller, truth, room=4, visits=1_000, start_s=controller.now_s)
    assert least < quick[late.page].mean() <= most


# saving, and the very controller


QUICK_AND_SLOW = make_truth(
    host=np.arange(24, dtype=np.int32) % 8,
    rate=np.where(np.arange(24) < 8, 0.3, 1e-6),
    gap_s=np.full(8, 0.5),
)
WEB = LinkedWeb.generate(
    pages=120, hosts=6, seed=5, shape=Shape(gap_s=1.0, latency_s=0.3)
)


def controller_for(name: str) -> RequestController:
    return new_controller(
        fresh_copy(WEB.truth),
        discovery=BreadthFirst(),
        refresh=make_refresh_policy(name, {"seed": 3}),
        budget=Budget(per_s=2.0, discovery_share=0.3),
        seeds=WEB.seeds,
    )


@pytest.mark.parametrize("name", ["htraa", "lakg", "traa", "estimator"])
def test_a_restored_copy_makes_the_same_choices(name: str) -> None:
    stays = controller_for(name)
    truth = fresh_copy(WEB.truth)
    log = drive(stays, truth, room=4, visits=600)
    policy: Any = stays.refresh
    held = int((stays.agenda.cards["state"] == HELD).sum())
    assert policy.seats.taken >= held > 50
    parked = len(policy.state()["parked"])
    state = {key: np.array(array) for key, array in stays.save().items()}
    comes = controller_for(name)
    comes.load(state)
    assert saved(comes.refresh) == saved(policy)  # type: ignore[arg-type]
    truths = (truth, truth._replace(pages=truth.pages.copy()))
    start_s = stays.now_s
    logs = [
        drive(controller, world, room=4, visits=300, start_s=start_s)
        for controller, world in zip((stays, comes), truths, strict=True)
    ]
    assert logs[0].page.tolist() == logs[1].page.tolist()
    assert logs[0].issued_s.tolist() == logs[1].issued_s.tolist()
    assert saved(comes.refresh) == saved(policy)  # type: ignore[arg-type]
    # else nothing was shown of the lots
    assert parked > 0 or name == "traa"
    assert log.issued_s[-1] < 330.0  # the budget of two visits a second was spent


def test_settings_reach_the_automata() -> None:
    table = {
        "policy": "htraa",
        "options": {"mode": "inaction-penalty", "resolution": 250, "grid": 2},
    }
    settings = settings_from("here", {"refresh": table})
    made: Any = make_refresh_policy(settings.refresh.policy, settings.refresh.options)
    same = HTraa(250, "inaction-penalty", 2.0)
    assert made.mind.settings == same.mind.settings
    assert made.mind.seed == same.mind.seed
    assert made.mind.progress.tolist() == same.mind.progress.tolist()


@pytest.mark.parametrize("name", ["argmax", "optimal", "proportional"])
def test_what_is_for_the_laboratory_stays_there(name: str) -> None:
    with pytest.raises(UserMistake, match="laboratory only"):
        make_refresh_policy(name)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"mode": "both"}, "no mode named 'both'"),
        ({"resolution": "fine"}, "resolution is fine"),
        ({"grid": "1"}, "grid is 1"),
        ({"depth": 3.0}, "does not know one of the options"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    options: dict[str, float | str], problem: str
) -> None:
    with pytest.raises(UserMistake, match=problem):
        make_refresh_policy("htraa", options)


def test_changed_settings_count_after_a_restart_and_nothing_learnt_is_lost() -> None:
    old = Scene(HTraa(resolution=100), [0] * 8).policy
    new = HTraa(resolution=400)
    new.restore(old.state())
    assert new.shares().tolist() == old.shares().tolist()
    for _ in range(50):
        new.learn_kernel(new.mind, 0, True, 1.0)
    state = new.tree[1, 0] * 401
    assert state == pytest.approx(round(state), abs=1e-9)
