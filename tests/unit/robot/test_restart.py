"""After a kill nobody knows which visits were made and never written down: every host owes its gap from the start."""

from __future__ import annotations

import math

from trapline.core.links import links_to
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.uniform import Uniform
from trapline.robot.agenda import Budget
from trapline.robot.request_controller import RequestController


def new_controller() -> RequestController:
    return RequestController(discovery=BreadthFirst(), refresh=Uniform(), budget=Budget())


def test_a_gap_is_owed_for_a_visit_that_left_no_note() -> None:
    killed = new_controller()
    host = killed.add_own_host(gap_s=6.0)
    killed.admit(links_to([0, 1], [host, host]), 0.0)
    saved = {name: array.copy() for name, array in killed.save().items()}
    assert killed.issue(10.0, 1), "visited, then killed before anything was committed"
    restarted = new_controller()
    restarted.load(saved)
    restarted.take_back_all(11.0)
    assert restarted.issue(11.0, 1) == []
    assert restarted.next_time() == 17.0
    assert len(restarted.issue(17.0, 1)) == 1


def test_a_visit_in_flight_at_the_checkpoint_is_repeated_after_the_gap() -> None:
    killed = new_controller()
    host = killed.add_own_host(gap_s=6.0)
    killed.admit(links_to([0], [host]), 0.0)
    [ticket] = killed.issue(10.0, 1)
    restarted = new_controller()
    restarted.load({name: array.copy() for name, array in killed.save().items()})
    assert restarted.take_back_all(11.0) == [ticket]
    assert restarted.issue(11.0, 1) == []
    assert [again.page for again in restarted.issue(17.0, 1)] == [0]
    assert restarted.next_time() < math.inf
