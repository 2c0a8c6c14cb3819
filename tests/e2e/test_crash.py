"""SIGKILL at random instants of a crawl with changes: nothing committed is lost, nothing is
doubled, nobody hurried.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.support.command import started
from tests.e2e.support.killing import INSTANTS, PATIENCE_S, Killing
from trapline.app.demo.practice_web import PracticeWeb
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

KILLS = 10
LONG_GAP_S = 5.0  # longer than a robot takes to start


def test_killed_again_and_again(tmp_path: Path) -> None:
    """Ten kills, at every kind of instant; `bench/crash.py --kills 10 --seed N` repeats what a
    failure names.
    """
    seed = time.time_ns() % 1_000_000
    with Killing(tmp_path, seed) as killing:
        for _ in range(KILLS):
            killing.kill_one()
        assert killing.tally.wrong() == [], f"seed {seed}"
        assert killing.tally.instants.keys() == set(INSTANTS), f"seed {seed}"
        assert killing.web.requests() > 3 * KILLS, (
            f"seed {seed}: too little happened to judge by"
        )
        assert killing.web.private_requests() == 0, f"seed {seed}"


def test_a_host_met_just_before_the_kill_is_not_hurried(tmp_path: Path) -> None:
    """Nothing of it was written down: neither the visit nor where the host stands."""
    with PracticeWeb(
        LinkedWeb.generate(20, 1, "space", 1, Shape(gap_s=LONG_GAP_S)), latency_s=0.0
    ) as web:
        file = tmp_path / "topic.toml"
        file.write_text(
            f'seeds = ["{web.home(0)}"]\n[manners]\nown = '
            f'{{ "{web.host_names()[0]}" = {LONG_GAP_S} }}\n'
        )
        words = ("crawl", file, "--dir", tmp_path / "engine", "--json")
        for requests in (1, 2):
            with started(*words) as robot:
                wait(lambda wanted=requests: web.requests() >= wanted)  # type: ignore[misc]
                robot.kill()
        assert web.requests() == 2
        assert web.gap_violations() == 0


def wait(until: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not until() and time.monotonic() < deadline_s:
        time.sleep(0.005)
