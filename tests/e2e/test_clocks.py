"""Clocks that are wrong, that are set while the robot runs, and time that passes while nobody is
awake: no host is hurried, and no later run lives in the future.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.support.command import started, wait_until
from tests.e2e.test_crawl import own_settings
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.engine.run import run_engine
from trapline.app.engine.timekeeping import TOLERATED_S, MachineClocks
from trapline.app.settings import read_settings
from trapline.core.records import Outcome, Visit
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.live.awake_loop import run_awake, unstopped_s

YEAR_S = 365.25 * 86_400.0
SOON_S = 10 * 86_400.0  # robots.txt is read anew, failures are tried again, long before
WORLD = LinkedWeb.generate(80, 4, "space", 5, Shape(gap_s=0.1))


@dataclass
class Machine:
    """A machine whose clock is wrong by `off_s`, and which has slept for `slept_s`."""

    off_s: float = 0.0
    slept_s: float = 0.0

    def clocks(self) -> MachineClocks:
        return MachineClocks(
            wall=lambda: time.time() + self.off_s + self.slept_s,
            unstopped=lambda: unstopped_s() + self.slept_s,
        )


@dataclass
class Run:
    """What a run said and did."""

    said: list[str]
    visits: list[Visit]
    now_s: float  # of the controller, at the end
    latest_s: float  # for which anything is put off, at the end


@dataclass
class Robot:
    """Runs again and again in one folder."""

    file: Path
    folder: Path
    machine: Machine = field(default_factory=Machine)

    def run(
        self, visits: int = 12, *, during: Callable[[], None] = lambda: None
    ) -> Run:
        """`during` happens after the third visit."""
        engine = open_engine(self.folder, read_settings(self.file))
        said: list[str] = []
        engine.say = said.append
        before = len(list(engine.store.history()))
        clocks = self.machine.clocks()

        async def crawl() -> None:
            running = asyncio.create_task(
                run_engine(engine, most_visits=visits, clocks=clocks)
            )
            while not running.done() and (
                engine.loop is None or engine.loop.visits < 3
            ):
                await asyncio.sleep(0.01)
            during()
            await running

        try:
            run_awake(crawl())
            done = list(engine.store.history())[before:]
            return Run(said, done, engine.controller.now_s, latest_s(engine))
        finally:
            engine.close()


def latest_s(engine: Engine) -> float:
    agenda = engine.controller.agenda
    times = [agenda.cards["not_before"], agenda.cards["last"], agenda.hosts["ready"]]
    times += [agenda.hosts["rules_until"], agenda.books.addresses["ended"]]
    found = np.concatenate(times)
    return float(found[np.isfinite(found)].max())


@pytest.fixture
def web() -> Iterator[PracticeWeb]:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        yield web


@pytest.fixture
def robot(web: PracticeWeb, tmp_path: Path) -> Robot:
    return Robot(own_settings(web, tmp_path / "topic.toml"), tmp_path / "engine")


@pytest.mark.parametrize("off_s", [5 * YEAR_S, -5 * YEAR_S], ids=["ahead", "behind"])
def test_one_run_with_a_wrong_clock(
    off_s: float, robot: Robot, web: PracticeWeb
) -> None:
    assert robot.run().said == []
    robot.machine.off_s = off_s
    wrong = robot.run()
    assert "the clock says" in wrong.said[0]
    assert "dates that pages give are not acted on" in wrong.said[0]
    assert len(wrong.visits) >= 12
    robot.machine.off_s = 0.0
    began_s = time.time()
    right = robot.run()
    assert "the clock says" in right.said[0]
    assert all(
        began_s - TOLERATED_S < visit.ended_s < time.time() + TOLERATED_S
        for visit in right.visits
    )
    assert right.now_s < time.time() + TOLERATED_S
    assert right.latest_s < time.time() + SOON_S, "nothing is put off for years"
    assert robot.run().said == [], "and from then on all is well"
    assert web.gap_violations() == 0


def test_a_clock_that_hosts_contradict_from_the_first_run(
    robot: Robot, web: PracticeWeb
) -> None:
    """In a new folder there is no earlier run to compare with."""
    robot.machine.off_s = -20 * YEAR_S
    found = robot.run(80)
    [line] = found.said
    assert "behind what several hosts say" in line
    robot.machine.off_s = 0.0
    again = robot.run(30)
    assert "the clock says" in again.said[0]
    assert (
        again.said[1:] == ["several hosts confirm the clock: dates count again"]
        or not (again.said[1:])
    )
    assert web.gap_violations() == 0


@pytest.mark.parametrize(
    ("by_s", "way"), [(-3600.0, "set back by 60 min"), (3 * YEAR_S, "set ahead by")]
)
def test_a_clock_that_is_set_while_the_robot_runs(
    by_s: float, way: str, robot: Robot, web: PracticeWeb
) -> None:
    def set_clock() -> None:
        robot.machine.off_s += by_s

    run = robot.run(70, during=set_clock)
    assert way in run.said[0]
    assert abs(run.now_s - robot.machine.clocks().wall()) < TOLERATED_S
    assert web.gap_violations() == 0
    assert robot.run().said == []
    assert web.gap_violations() == 0


def test_a_night_asleep(robot: Robot, web: PracticeWeb) -> None:
    def sleep() -> None:
        time.sleep(1.0)  # the web, which does not sleep, must see a gap, too
        robot.machine.slept_s += 8 * 3600.0

    run = robot.run(40, during=sleep)
    assert run.said[0] == "the robot stood still for 8 h: it goes on"
    assert abs(run.now_s - robot.machine.clocks().wall()) < TOLERATED_S
    assert not [visit for visit in run.visits if visit.outcome is Outcome.FAILED]
    assert web.gap_violations() == 0


def test_a_robot_that_is_stopped_and_goes_on(robot: Robot, web: PracticeWeb) -> None:
    """A stop shorter than this would not be noticed, and need not be."""
    with started("crawl", robot.file, "--dir", robot.folder, "--json") as running:
        wait_until(lambda: web.requests() > 10)
        running.send_signal(signal.SIGSTOP)
        time.sleep(6.0)
        before = web.requests()
        running.send_signal(signal.SIGCONT)
        wait_until(lambda: web.requests() > before + 10)
        running.send_signal(signal.SIGTERM)
        _, complaint = running.communicate(60)
    assert running.returncode == 0
    assert "Traceback" not in complaint
    assert web.gap_violations() == 0
    engine = open_engine(robot.folder, read_settings(robot.file))
    failed = [v for v in engine.store.history() if v.outcome is Outcome.FAILED]
    engine.close()
    assert not failed
