"""The robot hears what is asked for: what changed, once, through the journal."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from trapline.app.demand.demand_file import FILE, add_demand, day_now
from trapline.app.demand.tally import Tally
from trapline.app.engine import demand_listener
from trapline.app.engine.demand_listener import EVERY_S, DemandListener
from trapline.core.cards import HELD
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome
from trapline.core.storage import Call
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.robot.agenda.agenda import Budget
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.theory.demand import demand_factor

PAGES = 5


class Robot:
    """It holds all pages, and listens to the folder it is given."""

    def __init__(self, folder: Path, gain: float = 1.0) -> None:
        self.calls: list[Call] = []
        controller = RequestController(
            discovery=BreadthFirst(), refresh=AdaptiveWhittle(), budget=Budget()
        )
        controller.add_own_host(gap_s=0.0)
        self.journal = Journal(controller, self.calls.append)
        self.journal.admit(links_to(range(PAGES), [0] * PAGES), 0.0)
        while controller.agenda.count(HELD) < PAGES:
            [ticket] = self.journal.issue(0.0, 1)
            self.journal.settle(Observation(ticket, Outcome.OK, True, 1.0), 0.0)
        self.listener = DemandListener(folder, self.journal, gain)
        self.now_s = 1.0

    def listen(self) -> list[list[list[float]]]:
        """What the journal was told, call by call."""
        known = len(self.calls)
        self.now_s += EVERY_S
        asyncio.run(self.listener.listen(lambda: self.now_s))
        said = [json.loads(call.body) for call in self.calls[known:]]
        assert all(line[0] == "weigh" for line in said)
        return [line[2] for line in said]

    def worth(self, page: int) -> float:
        return float(self.journal.controller.agenda.cards["worth"][page, 0])


def open_page(folder: Path, page: int, times: int, day: int | None = None) -> None:
    tally = Tally()
    for _ in range(times):
        tally.note_opened("", page)
    add_demand(folder, tally, day or day_now())
    # however coarse the clock of the file system is
    stamp = (folder / FILE).stat().st_mtime_ns + 1_000
    os.utime(folder / FILE, ns=(stamp, stamp))


def test_pages_that_are_opened_are_worth_more_at_once(tmp_path: Path) -> None:
    robot = Robot(tmp_path)
    assert robot.listen() == []
    before = [robot.worth(page) for page in range(PAGES)]
    open_page(tmp_path, 2, times=15)
    factor = demand_factor(15.0, usual=15.0 / PAGES)
    assert robot.listen() == [[[2, factor]]]
    after = [robot.worth(page) for page in range(PAGES)]
    before[2] *= factor
    assert after == pytest.approx(before)


def test_what_is_known_is_not_told_again(tmp_path: Path) -> None:
    robot = Robot(tmp_path)
    open_page(tmp_path, 2, times=100)
    assert len(robot.listen()) == 1
    assert robot.listen() == []
    open_page(tmp_path, 2, times=1)
    assert robot.listen() == [], "a hundredth more changes nothing"
    restarted = DemandListener(tmp_path, robot.journal, 1.0)
    robot.listener = restarted
    assert robot.listen() == [], "the policy knows"


def test_fashions_end(tmp_path: Path) -> None:
    robot = Robot(tmp_path)
    open_page(tmp_path, 2, times=15)
    robot.listen()
    (tmp_path / FILE).unlink()
    assert robot.listen() == [[[2, 1.0]]]
    assert robot.journal.controller.refresh.factors() == {}


def test_a_day_later_counts_have_faded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = Robot(tmp_path)
    open_page(tmp_path, 2, times=15)
    robot.listen()
    later = day_now() + 60
    monkeypatch.setattr(demand_listener, "day_now", lambda: later)
    [[[page, factor]]] = robot.listen()
    assert page == 2 and 1.0 < factor < demand_factor(15.0, usual=15.0 / PAGES)


def test_it_can_be_turned_off_later(tmp_path: Path) -> None:
    robot = Robot(tmp_path)
    open_page(tmp_path, 2, times=15)
    robot.listen()
    robot.listener = DemandListener(tmp_path, robot.journal, gain=0.0)
    assert robot.listen() == [[[2, 1.0]]]


def test_lines_of_the_journal_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand_listener, "AT_ONCE", 2)
    robot = Robot(tmp_path)
    for page in range(PAGES):
        open_page(tmp_path, page, times=15)
    assert [len(line) for line in robot.listen()] == [2, 2, 1]


def test_it_does_not_look_all_the_time(tmp_path: Path) -> None:
    robot = Robot(tmp_path)
    robot.listen()
    open_page(tmp_path, 2, times=15)
    robot.now_s -= EVERY_S / 2.0
    assert robot.listen() == []
    robot.now_s += EVERY_S
    assert len(robot.listen()) == 1


def test_pages_that_nobody_knows_do_no_harm(tmp_path: Path) -> None:
    robot = Robot(tmp_path)
    open_page(tmp_path, 10**12, times=15)
    robot.listen()
    assert robot.journal.controller.refresh.factors() == {}
