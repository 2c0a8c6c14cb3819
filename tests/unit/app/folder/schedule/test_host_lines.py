"""Hosts as the schedule sees them."""

from __future__ import annotations

import json
import math
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from trapline.app.folder.dashboard_figures import HostOrder
from trapline.app.folder.schedule.host_lines import Lately, host_lines
from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.core.cards import BLOCKED, COOLING, HELD, HOST, IDLE, blank_cards

NOTHING = Lately(Counter(), Counter())


@pytest.fixture
def schedule() -> SavedSchedule:
    hosts = np.zeros(3, HOST)
    hosts["visits"] = (5, 50, 7)
    hosts["pages"] = (1, 2, 3)
    hosts["gap"] = 2.0
    hosts["state"] = (IDLE, COOLING, BLOCKED)
    hosts["wake"] = (0.0, 104.0, math.inf)
    cards = blank_cards(4)
    cards["host"] = (0, 1, 1, 2)
    cards["state"][1:3] = HELD
    names = ["a:80", "b:80", "c:80"]
    made: Any = SimpleNamespace(hosts=hosts, cards=cards, host_names=names)
    return cast("SavedSchedule", made)


def test_the_most_visited_come_first(schedule: SavedSchedule) -> None:
    lines = host_lines(schedule, 100.0, 2, Lately(Counter({1: 30}), Counter()))
    assert [line.host for line in lines] == ["b:80", "c:80"]
    first = lines[0]
    assert (first.pages_held, first.pages_known, first.visits) == (2, 2, 50)
    assert (first.visits_per_s, first.gap_s) == (0.5, 2.0)
    assert (first.state, first.ready_in_s) == ("cooling", 4.0)


def test_a_host_that_has_cooled_down_is_idle(schedule: SavedSchedule) -> None:
    line = host_lines(schedule, 105.0, 1, NOTHING)[0]
    assert (line.state, line.ready_in_s) == ("idle", 0.0)


def test_what_is_never_ready_can_still_be_said_in_json(schedule: SavedSchedule) -> None:
    lines = host_lines(schedule, 100.0, 9, NOTHING)
    assert json.dumps([line.as_dict() for line in lines], allow_nan=False)
    assert lines[1].state == "blocked"


def test_names_of_hosts_met_since_are_not_missed(schedule: SavedSchedule) -> None:
    """The schedule may be older than the list of names, or the other way round."""
    schedule.host_names.append("d:80")
    assert len(host_lines(schedule, 100.0, 9, NOTHING)) == 3
    del schedule.host_names[1:]
    assert [line.host for line in host_lines(schedule, 100.0, 9, NOTHING)] == ["a:80"]


@pytest.mark.parametrize(
    ("order", "names"),
    [
        (HostOrder.VISITS, ["b:80", "c:80", "a:80"]),
        (HostOrder.HELD, ["b:80", "a:80", "c:80"]),
        (HostOrder.KNOWN, ["c:80", "b:80", "a:80"]),
        (HostOrder.ERRORS, ["c:80", "a:80", "b:80"]),
        (HostOrder.GAP, ["a:80", "b:80", "c:80"]),
        (HostOrder.PRICE, ["a:80", "b:80", "c:80"]),
        (HostOrder.NAME, ["a:80", "b:80", "c:80"]),
    ],
)
def test_hosts_come_in_any_order(
    schedule: SavedSchedule, order: HostOrder, names: list[str]
) -> None:
    lately = Lately(Counter(), Counter({2: 4}))
    lines = host_lines(schedule, 100.0, 9, lately, order)
    assert [line.host for line in lines] == names
    assert sum(line.errors for line in lines) == 4
