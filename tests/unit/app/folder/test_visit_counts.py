"""What the newest visits came to, and what `status` makes of it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.unit.app.output.test_changes import store_of
from trapline.app.folder import robot_state as state_of_robot
from trapline.app.folder.robot_state import (
    AT_WORK,
    held_back_words,
    robot_state,
    robot_words,
)
from trapline.app.folder.status import status_of
from trapline.app.folder.visit_counts import ErrorGroup, VisitedHost
from trapline.app.output.outlets.arrears import NOTE
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore


def visit(
    number: int,
    outcome: Outcome,
    status: int,
    *,
    relevance: float = 0.0,
    remark: str = "",
    kind: Kind = Kind.PAGE,
) -> Visit:
    page = number % 4 if kind is Kind.PAGE else -1
    return Visit(
        number,
        page,
        number % 2,
        kind,
        float(number),
        number + 0.5,
        1.0,
        outcome,
        status,
        outcome is Outcome.OK,
        relevance,
        remark,
    )


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.commit(
        Batch(
            hosts=[HostRow(n, f"h{n}.org:80", f"http://h{n}.org/") for n in range(2)],
            urls=[UrlRow(n, f"http://h{n % 2}.org/{n}", n % 2) for n in range(4)],
            visits=[
                visit(0, Outcome.OK, 200, kind=Kind.ROBOTS),
                visit(1, Outcome.FAILED, 0, remark="timeout", kind=Kind.ROBOTS),
                visit(2, Outcome.OK, 200, relevance=0.9),
                visit(3, Outcome.GONE, 404, remark="status 404"),
                visit(4, Outcome.OK, 200, relevance=0.2),
                visit(6, Outcome.OK, 200, relevance=0.9),
                visit(7, Outcome.GONE, 404, remark="status 404"),
                visit(8, Outcome.UNCHANGED, 304, relevance=0.2),
            ],
            notes={
                "settings": json.dumps(
                    {"topic": {"words": "space", "examples": ["x"], "against": []}}
                )
            },
        )
    )
    return made


def test_outcomes_statuses_errors_and_hosts_are_counted(
    store: MemoryStore, tmp_path: Path
) -> None:
    status = status_of(tmp_path, store)
    lately = status.lately
    assert lately.counted == 8
    assert lately.since_s == 0.5
    assert lately.outcomes == {"ok": 4, "gone": 2, "unchanged": 1, "failed": 1}
    assert lately.statuses == {"200": 4, "404": 2, "304": 1, "no answer": 1}
    assert lately.harvested == 3
    assert lately.harvest_rate == pytest.approx(2 / 3)
    assert lately.errors == [
        ErrorGroup("404 Not Found", 2, "http://h1.org/3", 7.5),
        ErrorGroup("timeout", 1, "http://h1.org/robots.txt", 1.5),
    ]
    assert lately.hosts == [
        VisitedHost("h0.org:80", 5, 0),
        VisitedHost("h1.org:80", 3, 3),
    ]
    shown = status.figures()
    assert shown["topic"] == "space, 1 example"
    assert "67% of the last 3 pages read" in shown["on topic"]
    assert "of the last 8 visits" in shown["outcomes"]


def test_the_newest_visits_say_what_they_found(
    store: MemoryStore, tmp_path: Path
) -> None:
    found = [one["found"] for one in status_of(tmp_path, store).recent]
    assert found == [
        "unchanged",
        "gone",
        "changed",
        "new",
        "gone",
        "new",
        "failed",
        "ok",
    ]


def note(silent_s: float, *, begun: bool) -> MemoryStore:
    store = MemoryStore()
    written_s = time.time() - silent_s
    robot = {
        "written_s": written_s,
        "began_s": written_s - 100.0,
        "held_back": {"cause": "gap", "line": "gap 1 s"},
    }
    notes = {"status": json.dumps(robot), AT_WORK: "yes" if begun else ""}
    store.commit(Batch(notes=notes))
    return store


@pytest.mark.parametrize(
    ("silent_s", "begun", "locked", "state"),
    [
        (0.5, True, True, "at work"),
        (10.0, True, True, "at work"),
        (10.0, True, False, "died"),
        (100.0, True, True, "silent"),
        (100.0, True, False, "died"),
        (0.5, False, False, "ended"),
        (100.0, False, False, "ended"),
    ],
)
def test_a_dead_robot_is_known_by_its_lock(
    silent_s: float,
    begun: bool,
    locked: bool,
    state: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state_of_robot, "_is_locked", lambda _: locked)
    store = note(silent_s, begun=begun)
    assert robot_state(tmp_path, store) == state
    status = status_of(tmp_path, store)
    assert status.figures()["robot"].startswith(state)
    assert ("gap" in status.held_back) == (state in ("at work", "silent"))


def test_since_when() -> None:
    now_s = time.time()
    at_work = robot_words("at work", now_s - 1e6)
    assert at_work.startswith("at work since 2")
    assert robot_words("died", now_s - 180.0) == "died 3 min ago"
    assert robot_words("silent", now_s - 180.0) == "silent for 3 min"
    assert robot_words("never ran", None) == "never ran"


def test_who_is_not_at_work_is_not_held_back() -> None:
    finished = {"held_back": {"cause": "finished", "line": "nothing is left"}}
    assert "nothing was left to visit" in held_back_words("ended", finished)
    assert "no robot is at work" in held_back_words("died", finished)
    assert "no robot has run" in held_back_words("never ran", {})


def test_outlets_in_arrears_are_shown(tmp_path: Path) -> None:
    store = store_of(2, 1)
    kept = {"name": "https://a.org/… (3f2a)", "told": 1, "trouble": "it answered 500"}
    well = {"name": "feed", "told": 3, "trouble": "", "named": True}
    notes = {"a": {**kept, "since_s": 0.0, "named": True}, "b": well}
    store.commit(Batch(notes={NOTE: json.dumps(notes)}))
    status = status_of(tmp_path, store)
    said = status.figures()["not told yet"]
    assert said.startswith("2 changes to https://a.org/… (3f2a) (it answered 500")
    [waiting] = status.as_dict()["undelivered"]
    assert waiting["changes"] == 2 and waiting["since_s"] == 0.0
