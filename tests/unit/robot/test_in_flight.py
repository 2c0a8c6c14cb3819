"""Tickets in flight, when the robot stands still for a while."""

from __future__ import annotations

from trapline.core.records import Kind
from trapline.robot.in_flight import InFlight


def test_what_ended_before_the_robot_stood_still_did_not_end_before_it_began() -> None:
    """Else its host would be taken for one that answers hours ahead of time."""
    flight = InFlight(lease_s=60.0)
    ended = flight.open(Kind.PAGE, 1, 0, 100.0, 0.0)
    under_way = flight.open(Kind.PAGE, 2, 0, 100.0, 0.0)
    flight.land(ended.number, 101.0)
    flight.restart(30_000.0)
    assert flight.overdue(30_001.0) == []
    flight.land(under_way.number, 30_002.0)
    for number, lasted_s in ((ended.number, 0.0), (under_way.number, 2.0)):
        closed = flight.close(number)
        assert closed is not None
        ticket, ended_s = closed
        assert ended_s is not None
        assert ended_s - ticket.issued_s == lasted_s
