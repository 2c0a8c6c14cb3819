"""Bounds on intervals: never sooner, at least so often, and the same after a restart."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, Ticket
from trapline.core.storage import Call
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.journal import Journal
from trapline.robot.page_intervals import Interval
from trapline.robot.replay import replay
from trapline.robot.request_controller import RequestController

PAGES = 6
BUSY, SELDOM, FREE = 0, 1, 2  # pages: one changes much, one never, both have bounds
RATES = np.array([1.0, 1e-9, 1.0, 0.1, 0.1, 0.1])
BOUNDS = {BUSY: Interval(least_s=60.0), SELDOM: Interval(most_s=100.0)}


def known_rates() -> RefreshPolicy:
    return KnownRate(RATES, np.ones(PAGES))


def new_controller(refresh: RefreshPolicy | None = None) -> RequestController:
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=refresh or known_rates(),
        budget=Budget(per_s=1.0),
    )
    for _ in range(PAGES):
        controller.add_own_host(gap_s=1.0)
    return controller


class Watch:
    """A controller in pretend time, the calls that made it, and when each page was visited."""

    def __init__(self, refresh: RefreshPolicy | None = None) -> None:
        self.calls: list[Call] = []
        self.journal = Journal(new_controller(refresh), self.calls.append)
        self.journal.admit(links_to(range(PAGES), range(PAGES)), 0.0)
        self.now_s = 0.0
        self.visits: dict[int, list[float]] = {page: [] for page in range(PAGES)}
        self.outcomes: dict[int, Outcome] = {}

    def run(self, until_s: float) -> None:
        while self.now_s < until_s:
            self.now_s += 0.5
            for ticket in self.journal.issue(self.now_s, 4):
                self.answer(ticket)

    def answer(self, ticket: Ticket) -> None:
        self.visits[ticket.page].append(self.now_s)
        outcome = self.outcomes.get(ticket.page, Outcome.OK)
        self.journal.land(ticket, self.now_s)
        self.journal.settle(Observation(ticket, outcome, True, 1.0), self.now_s)

    def gaps(self, page: int) -> list[float]:
        return np.diff(self.visits[page]).tolist()


@pytest.mark.parametrize("policy", [known_rates, Uniform])
def test_never_sooner_and_at_least_so_often(
    policy: Callable[[], RefreshPolicy],
) -> None:
    watch = Watch(policy())
    watch.journal.bound_intervals(BOUNDS, 0.0)
    watch.run(1000.0)
    assert min(watch.gaps(BUSY)) >= 60.0
    assert len(watch.visits[BUSY]) >= 5, "it is visited all the same"
    assert max(watch.gaps(SELDOM)) <= 105.0, "budget allowing: others may be first"
    assert min(watch.gaps(FREE)) < 60.0


def test_without_bounds_the_learnt_schedule_decides() -> None:
    watch = Watch()
    watch.run(1000.0)
    assert min(watch.gaps(BUSY)) < 60.0
    assert watch.visits[SELDOM] == watch.visits[SELDOM][:1]


def test_bounds_that_come_and_go_while_it_runs() -> None:
    watch = Watch()
    watch.run(200.0)
    watch.journal.bound_intervals(BOUNDS, 200.0)
    watch.run(600.0)
    later = [at_s for at_s in watch.visits[BUSY] if at_s > 200.0]
    assert np.diff(later).min() >= 60.0
    assert len(watch.visits[SELDOM]) >= 4
    watch.journal.bound_intervals({}, 600.0)
    watch.run(800.0)
    assert min(np.diff([at_s for at_s in watch.visits[BUSY] if at_s > 600.0])) < 60.0
    assert [at_s for at_s in watch.visits[SELDOM] if at_s > 700.0] == []


def test_a_page_that_fails_is_tried_within_its_bounds() -> None:
    watch = Watch()
    watch.run(10.0)
    watch.outcomes = {BUSY: Outcome.FAILED, SELDOM: Outcome.FAILED}
    watch.journal.bound_intervals({**BOUNDS, BUSY: Interval(200.0, 300.0)}, 10.0)
    watch.run(5000.0)
    gaps = watch.gaps(BUSY)[-5:]
    assert min(gaps) >= 200.0
    assert max(gaps) <= 305.0, "without bounds it would be tried once a day at last"
    assert max(watch.gaps(SELDOM)[-5:]) <= 105.0


def test_it_wakes_for_a_page_that_must_be_visited() -> None:
    watch = Watch()
    watch.journal.bound_intervals({SELDOM: Interval(most_s=50.0)}, 0.0)
    while not watch.visits[SELDOM]:
        watch.run(watch.now_s + 1.0)
    due_s = watch.visits[SELDOM][0] + 50.0
    assert watch.journal.next_time() <= due_s
    assert watch.journal.controller.may_issue(due_s)


def test_replay_and_checkpoint_lead_to_the_same_visits() -> None:
    watch = Watch()
    watch.journal.bound_intervals(BOUNDS, 0.0)
    watch.run(300.0)
    replayed = new_controller()
    replay(replayed, watch.calls)
    loaded = new_controller()
    loaded.load(watch.journal.controller.save())
    for other in (replayed, loaded):
        again = Watch()
        again.journal = Journal(other, again.calls.append)
        again.now_s = 300.0
        again.run(700.0)
        copy = Watch()
        copy.journal.bound_intervals(BOUNDS, 0.0)
        copy.run(700.0)
        for page in (BUSY, SELDOM):
            expected = [at_s for at_s in copy.visits[page] if at_s > 300.0]
            assert again.visits[page] == expected


def test_a_clock_that_is_set_moves_what_is_due() -> None:
    watch = Watch()
    watch.journal.bound_intervals({SELDOM: Interval(most_s=50.0)}, 0.0)
    watch.run(20.0)
    watch.journal.set_clock(5020.0)
    watch.now_s = 5020.0
    watch.run(5100.0)
    assert len(watch.visits[SELDOM]) == 2
    assert 5040.0 <= watch.visits[SELDOM][1] <= 5060.0


@pytest.mark.parametrize(
    "bounds", [(5.0, 4.0), (-1.0, 4.0), (0.0, 0.0), (math.nan, 1.0)]
)
def test_bounds_that_contradict_each_other(bounds: tuple[float, float]) -> None:
    with pytest.raises(BadNumber, match="an interval is"):
        new_controller().bound_intervals({0: Interval(*bounds)}, 0.0)
