"""Polling through three ways: the same steps, the same world, the same detections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownPage
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import drive, hold_each, new_controller
from trapline.laboratory.runs.polling import PollRun, poll
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.truth import visit
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.mind import Blank
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.automata.automaton import PROGRESS, Mind
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.slots.slot_chooser import SlottedChooser
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]


@bare_kernel
def _turn(mind: Mind) -> int:
    page = int(mind.progress["turns"][0])
    mind.progress["turns"][0] = (page + 1) % len(mind.tree)
    return page


@bare_kernel
def _learn(mind: Mind, leaf: int, changed: bool, gap: float) -> None:
    mind.tree[leaf, 0] += 1.0
    mind.tree[leaf, 1] += 1.0 if changed else 0.0
    mind.tree[leaf, 2] = gap


class InTurn(RefreshPolicy):
    """An automaton that learns nothing: pages one after the other.

    Its "tree" has a row a page: polls, changes, last gap. (A mind of the test's own would be named
    in the cache of the compiled loop, where others could not read it.)
    """

    takes_turns = True
    turn_kernel = staticmethod(_turn)
    learn_kernel = staticmethod(_learn)

    def __init__(self, pages: int) -> None:
        self.mind = Mind(Blank(), 0, np.zeros(1, PROGRESS), np.zeros((pages, 3)))


class Oldest(SlottedChooser):
    def prices(self, now: float) -> Floats:
        return now - self.last


WAYS: dict[str, Callable[[int], Any]] = {
    "automaton": InTurn,
    "card policy": lambda pages: Uniform(),
    "argmax": lambda pages: Argmax(KnownRate(np.full(pages, 0.1), np.ones(pages))),
    "chooser": Oldest,
}


def expected(world: PollingWorld, pages: list[int]) -> Floats:
    """Weighted detections up to each step, visit by visit."""
    truth = world.truth()
    truth.pages["seen"] = 0
    found = np.zeros(len(pages))
    for step, page in enumerate(pages, 1):
        found[step - 1] = world.weights[page] * visit(truth, page, float(step))[1]
        if step in world.switches(before=len(pages)):
            world.switch(float(step), truth)
    return np.cumsum(found)


@pytest.mark.parametrize(
    ("switch_every", "irregular"), [(None, False), (7, False), (100, False), (9, True)]
)
@pytest.mark.parametrize("way", WAYS)
def test_all_ways_poll_the_same_world(
    way: str, switch_every: int | None, irregular: bool
) -> None:
    weights = np.linspace(0.0, 1.0, 24)
    world = PollingWorld.zipf(
        24,
        0.9,
        1.0,
        order="shuffled",
        switch_every=switch_every,
        irregular=irregular,
        weights=weights,
        seed=3,
    )
    run = poll(
        WAYS[way](24), world, 1000, checkpoints=[1, 10, 500, 999], keep_pages=True
    )
    in_turn = [step % 24 for step in range(1000)]
    assert run.pages.tolist() == in_turn
    assert run.polls.tolist() == [1, 10, 500, 999]
    np.testing.assert_allclose(
        run.detections, expected(world, in_turn)[run.polls - 1], rtol=1e-12
    )
    assert run.detections[-1] > 0.0


def test_pages_are_kept_only_if_asked_for() -> None:
    assert len(poll(InTurn(4), PollingWorld.zipf(4), 10, checkpoints=[10]).pages) == 0


def test_rates_are_detections_a_step_between_checkpoints() -> None:
    run = PollRun(np.array([10, 30]), np.array([5.0, 7.0]), np.zeros(0, np.int64))
    assert run.rates.tolist() == [0.5, 0.1]


def test_an_automaton_learns_of_every_poll_and_its_gap() -> None:
    policy = InTurn(5)
    run = poll(policy, PollingWorld.zipf(5, 0.9, 0.0), 12, checkpoints=[12])
    assert policy.mind.tree[:, 0].tolist() == [3, 3, 2, 2, 2]
    assert policy.mind.tree[:, 2].tolist() == [5.0] * 5
    assert policy.mind.tree[:, 1].sum() == run.detections[-1]
    first = InTurn(5)
    poll(first, PollingWorld.zipf(5), 3, checkpoints=[3])
    # all were seen at step 0
    assert first.mind.tree[:, 2].tolist() == [1.0, 2.0, 3.0, 0.0, 0.0]


@pytest.mark.parametrize("n", [2, 64])
def test_in_turn_detections_are_those_of_the_formula(n: int) -> None:
    world = PollingWorld.zipf(n, 0.3, 1.5, seed=1)
    run = poll(InTurn(n), world, 200_000, checkpoints=[n, 200_000])
    found = 1.0 - (1.0 - world.probabilities) ** n
    within = 4.0 * np.sqrt((found * (1 - found)).sum() / n / 200_000)
    assert abs(run.rates[1] - found.mean()) < within


def makers(world: PollingWorld) -> dict[str, Callable[[], CardPolicy]]:
    rate = world.truth().rate.copy()
    return {
        "known-rate": lambda: KnownRate(rate, np.ones(len(rate))),
        "adaptive-whittle": AdaptiveWhittle,
        "nutch-adaptive": lambda: NutchAdaptive(
            30.3, 60.5, 500.0
        ),  # hardly a visit a page in 60 steps, due between them
    }


@pytest.mark.parametrize("name", ["known-rate", "adaptive-whittle", "nutch-adaptive"])
def test_nothing_is_lost_at_the_seams(name: str) -> None:
    """A run in stretches polls as one in one piece does, by object or compiled, at whole steps."""
    world = PollingWorld.zipf(40, 0.9, 1.0, order="shuffled", seed=6)
    make = makers(world)[name]
    seams = poll(make(), world, 3000, checkpoints=np.arange(1, 3001), keep_pages=True)
    logs = []
    for run in (drive, run_compiled):
        truth = world.truth()
        budget = Budget(per_s=1.0)
        controller = new_controller(
            truth, discovery=BreadthFirst(), refresh=make(), budget=budget, seeds=[]
        )
        hold_all(controller, truth, np.zeros(40))
        logs.append(
            run(
                controller,
                truth,
                room=1,
                visits=3000,
                start_s=1.0,
                until_s=3000.5,
                tick_s=1.0,
            )
        )
    polled = np.flatnonzero(seams.pages >= 0)
    for log in logs:
        assert log.issued_s.tolist() == (polled + 1.0).tolist()
        assert log.page.tolist() == seams.pages[polled].tolist()
    # interval rules waste steps
    assert len(polled) < 2500 if name == "nutch-adaptive" else len(polled) == 3000


@pytest.mark.parametrize("name", ["known-rate", "adaptive-whittle", "nutch-adaptive"])
def test_holding_one_by_one_is_holding_all(name: str) -> None:
    world = PollingWorld.zipf(40, 0.9, 1.0, order="shuffled", seed=6)
    tickets = []
    for each in (True, False):
        truth = world.truth()
        budget = Budget(per_s=1.0)
        refresh = makers(world)[name]()
        controller = new_controller(
            truth, discovery=BreadthFirst(), refresh=refresh, budget=budget, seeds=[]
        )
        if each:
            hold_each(controller, truth, range(40), 0.0)
        else:
            hold_all(controller, truth, np.zeros(40))
        assert truth.seen.tolist() == [0] * 40
        tickets.append(
            run_compiled(
                controller, truth, room=1, visits=500, start_s=1.0
            ).page.tolist()
        )
    assert tickets[0] == tickets[1]


def test_known_rates_reach_what_the_index_is_known_to_earn() -> None:
    """An independent computation has .55865 in (.3, 1.5), n = 512; a run of 60,000 polls has a
    standard error of .002.
    """
    world = PollingWorld.zipf(512, 0.3, 1.5, seed=2)
    run = poll(
        KnownRate(world.truth().rate.copy(), np.ones(512)),
        world,
        80_000,
        checkpoints=[20_000, 80_000],
    )
    assert abs(run.rates[1] - 0.55865) < 0.008


@bare_kernel
def _same(mind: Mind) -> int:
    return int(mind.progress["turns"][0])


class Stubborn(InTurn):
    turn_kernel = staticmethod(_same)


def test_a_turn_that_is_no_page_is_named() -> None:
    policy = Stubborn(5)
    policy.mind.progress["turns"] = 5
    with pytest.raises(UnknownPage, match="page 5 "):
        poll(policy, PollingWorld.zipf(5), 10, checkpoints=[10])
    assert not policy.mind.tree.any()


def test_an_automaton_that_wants_nothing_wastes_the_step() -> None:
    policy = Stubborn(5)
    policy.mind.progress["turns"] = -1
    run = poll(policy, PollingWorld.zipf(5), 10, checkpoints=[10], keep_pages=True)
    assert run.pages.tolist() == [-1] * 10 and run.detections.tolist() == [0.0]
    assert not policy.mind.tree.any()


@pytest.mark.parametrize("polls", [0, -1, 1.5, True])
def test_the_number_of_polls_is_checked(polls: Any) -> None:
    with pytest.raises(BadNumber):
        poll(InTurn(5), PollingWorld.zipf(5), polls, checkpoints=[1])


@pytest.mark.parametrize(
    "checkpoints", [[], [0], [11], [3, 3], [4, 3], [2.5], [np.nan], 5]
)
def test_checkpoints_are_checked(checkpoints: Any) -> None:
    with pytest.raises(BadNumber):
        poll(InTurn(5), PollingWorld.zipf(5), 10, checkpoints=checkpoints)
