"""Commands beside a robot that is discovering hosts: each sees one moment of the folder, whole."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.forks import Forked
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.folder.dashboard import dashboard_of
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.page_reasons import reasons_for
from trapline.app.folder.planning.plan_of import plan_of
from trapline.core.errors import FolderMissing
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.live.warm_up import warm_live

WORLD = LinkedWeb.generate(
    600, 60, "space", 2, Shape(gap_s=0.05, change_every_s=(2.0, 200.0), at_home=0.3)
)


@pytest.fixture(scope="module")
def web() -> Iterator[PracticeWeb]:
    warm_live("auto", "auto")
    with PracticeWeb(WORLD, latency_s=0.0) as made:
        yield made


@contextmanager
def robot_at_work(web: PracticeWeb, folder: Path) -> Iterator[Forked]:
    hosts = ", ".join(f'"{name}" = 0.05' for name in web.host_names())
    settings = folder / "topic.toml"
    settings.write_text(
        f'seeds = ["{web.home(0)}"]\ntopic = "space"\n[budget]\nvisits = "20/s"\n'
        f"[manners]\nown = {{ {hosts} }}\n"
        "[refresh]\noptions = { interest_half_life_s = 10.0, horizon_s = 60.0 }\n"
    )
    with started("crawl", settings, "--dir", folder / "engine") as robot:
        yield robot
        robot.terminate()
        _, complaint = robot.communicate(timeout=60.0)
    assert robot.returncode == 0, complaint


def hosts_in(folder: Path) -> int:
    try:
        store = open_for_reading(folder)
    except FolderMissing:
        return 0
    try:
        return store.counts().hosts if store.note("settings") else 0
    finally:
        store.close()


@pytest.fixture(scope="module")
def engine(
    web: PracticeWeb, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Forked]]:
    folder = tmp_path_factory.mktemp("beside")
    with robot_at_work(web, folder) as robot:
        wait_until(lambda: hosts_in(folder / "engine") > 0)
        yield folder / "engine", robot


def test_why_plan_and_dashboard_fit_together_while_hosts_are_met(
    web: PracticeWeb, engine: tuple[Path, Forked]
) -> None:
    """URLs were read before the journal once, and hosts met in between had no name."""
    folder = engine[0]
    first = hosts_in(folder)
    looks = 0
    store = open_for_reading(folder)
    while looks < 10 or (hosts_in(folder) < first + 20 and looks < 200):
        reasons_for(folder, web.home(0)).as_dict()
        plan_of(folder, store).as_dict()
        dashboard_of(folder, store).as_dict()
        looks += 1
    store.close()
    assert hosts_in(folder) >= first + 20


def visited_twice(folder: Path) -> bool:
    store = open_for_reading(folder)
    try:
        return not plan_of(folder, store).problem
    finally:
        store.close()


def test_a_plan_is_printed_and_drawn(engine: tuple[Path, Forked]) -> None:
    folder = engine[0]
    wait_until(lambda: visited_twice(folder))
    picture = folder.parent / "plan.png"
    plan = said(trapline("plan", folder, "--json", "--out", picture))
    budgets = [point["budget"] for point in plan["curve"]]
    fresh = [point["freshness"] for point in plan["curve"]]
    assert budgets == sorted(budgets)
    assert fresh == sorted(fresh)
    assert 0.0 < plan["present"]["freshness"] <= 1.0
    assert plan["less"]["freshness"] <= plan["more"]["freshness"]
    assert plan["budget"] == 20.0
    assert plan["fetchers"]["worthwhile"] >= 1
    assert picture.read_bytes().startswith(b"\x89PNG")
    shown = trapline("plan", folder).stdout
    for word in ("with 10 % more", "worthwhile fetchers", "(now)"):
        assert word in shown


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("plan", "{folder}", "--out", "plan.txt"), ".png"),
        (("plan", "{folder}", "--out", "/nowhere/plan.png"), "make it first"),
        (("plan", "/nowhere"), "no engine"),
        (("status", "/nowhere", "--watch"), "no engine"),
        (("host", "/nowhere"), "no engine"),
        (("host", "{folder}", "--pause"), "which host"),
        (("search", "{folder}", "x", "--changed-after", "NaN"), "2026-01-31"),
        (("search", "{folder}", "x", "--changed-before", "0000-00-00"), "2026-01-31"),
        (("search", "{folder}", "x", "--page", "0"), "page"),
        (("search", "{folder}", "x", "--lang", "english"), "two letters"),
        (("search", "{folder}", "x", "--host", "a.org/b"), "like example.org"),
        (("search", "{folder}", "x", "--sort", "size"), "best"),
    ],
)
def test_mistakes_are_one_line(
    engine: tuple[Path, Forked], words: tuple[str, ...], hint: str
) -> None:
    done = trapline(*(word.format(folder=engine[0]) for word in words))
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_watch_without_a_terminal_is_a_line_a_change(
    engine: tuple[Path, Forked],
) -> None:
    with started("status", engine[0], "--watch", "--json") as watching:
        before = hosts_in(engine[0])
        lines = [json.loads(watching.stdout.readline()) for _ in range(2)]
        watching.send_signal(signal.SIGINT)
        _, complaint = watching.communicate(timeout=60.0)
    assert watching.returncode == 0, complaint
    assert not complaint
    assert lines[0]["visits"] < lines[1]["visits"]
    assert lines[0]["robot"] == "at work"
    assert lines[0]["hosts_known"] >= before > 0
    assert lines[0]["fetchers"]["curve"]["departure"]


def test_hosts_are_listed(engine: tuple[Path, Forked]) -> None:
    folder = engine[0]
    robot_saved = "checkpoint-*.npz"
    wait_until(lambda: any(folder.glob(robot_saved)))
    lines = said(trapline("host", folder, "--json", "--limit", "5"))
    visits = [line["visits"] for line in lines]
    assert visits == sorted(visits, reverse=True)
    assert len(lines) <= 5


def test_a_search_is_filtered_and_explained(
    web: PracticeWeb, engine: tuple[Path, Forked]
) -> None:
    folder = engine[0]
    found = said(trapline("search", folder, "space", "--limit", "2", "--json"))
    assert found["hits"]
    shown = trapline("search", folder, "space", "--limit", "2", "--explain").stdout
    assert found["hits"][0]["url"] in shown
    assert " found in " in shown
    nothing = trapline("search", folder, "zzzzzz").stdout
    assert "try fewer" in nothing


def test_every_command_takes_one_moment_of_the_folder(
    web: PracticeWeb, engine: tuple[Path, Forked]
) -> None:
    folder = engine[0]
    wait_until(lambda: any(folder.glob("checkpoint-*.npz")))
    host = web.host_names()[0]
    looks = {
        "status": said(trapline("status", folder, "--json")),
        "hosts": said(trapline("host", folder, "--json", "--sort", "known")),
        "host": said(trapline("host", folder, host, "--json")),
        "export": said(
            trapline(
                "export",
                folder,
                "--jsonl",
                "--out",
                folder.parent / "x.jsonl",
                "--force",
                "--json",
            )
        ),
        "log": trapline("log", folder, "--json").stdout.splitlines(),
        "why": said(trapline("why", folder, web.home(0), "--json")),
    }
    status = looks["status"]
    assert status["robot_state"] == "at work"
    assert status["robot_since_s"] > 0.0
    assert status["held_back"]
    assert status["visits"] <= sum(status["lately"]["outcomes"].values())
    known = [line["pages_known"] for line in looks["hosts"]]
    assert known == sorted(known, reverse=True)
    assert looks["host"][0]["pages_held"] <= looks["host"][0]["pages_known"]
    assert looks["export"]["documents"] > 0
    assert json.loads(looks["log"][0])["event"] == "start"
    assert looks["why"]["held_back"]


def test_an_export_is_of_one_moment(engine: tuple[Path, Forked]) -> None:
    """What the robot writes while documents pass is not among them."""
    folder = engine[0]
    store = open_for_reading(folder)
    with store.one_moment():
        before = store.counts()
        written = hosts_in(folder)
        wait_until(lambda: _visits_in(folder) > before.visits and written > 0)
        assert store.counts() == before
        assert sum(1 for _ in store.urls()) == before.known
    assert store.counts().visits > before.visits
    store.close()


def _visits_in(folder: Path) -> int:
    store = open_for_reading(folder)
    try:
        return store.counts().visits
    finally:
        store.close()


def test_a_world_is_made_beside_the_robot(engine: tuple[Path, Forked]) -> None:
    folder = engine[0]
    made = said(
        trapline("lab", "world", folder, "--out", folder.parent / "w.npz", "--json")
    )
    assert made["pages"] > 0
