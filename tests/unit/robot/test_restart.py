"""After a kill nobody knows which visits were made and never written down: every host owes its gap
from the start.
"""

from __future__ import annotations

import math

from trapline.core.links import links_to
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController


def new_controller() -> RequestController:
    return RequestController(
        discovery=BreadthFirst(), refresh=Uniform(), budget=Budget()
    )


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


def test_a_host_located_after_the_restart_owes_its_gap_too() -> None:
    """It was located and visited before, but that left no note either."""
    killed = meeting_controller()
    killed.take_back_all(0.0)
    killed.admit(links_to([0], [0]), 0.0)
    saved = {name: array.copy() for name, array in killed.save().items()}
    killed.locate(0, "127.0.0.2", 9.0)
    assert killed.issue(10.0, 1), (
        "the first run owes nothing; killed before anything was committed"
    )
    restarted = meeting_controller()
    restarted.load(saved)
    restarted.take_back_all(11.0)
    again = meeting_controller()  # killed once more, after a checkpoint: it still knows
    again.load({name: array.copy() for name, array in restarted.save().items()})
    for controller in (restarted, again):
        controller.locate(0, "127.0.0.2", 12.0)
        assert controller.issue(12.0, 1) == []
        assert controller.next_time() == 17.0
        assert len(controller.issue(17.0, 1)) == 1


def meeting_controller() -> RequestController:
    return RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(),
        gap_s=lambda host, delay_s: 6.0,
    )
