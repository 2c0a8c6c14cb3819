"""What Prometheus reads, and whether all is well."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from trapline.app.folder.metrics import FolderMetrics
from trapline.app.folder.robot_state import AT_WORK, health
from trapline.app.shards.shard_figures import SILENT_S
from trapline.core.errors import StoreCorrupt
from trapline.core.records import Diff, Kind, Outcome, Page, Turn, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.robot.request_controller import LEASE_S
from trapline.stores.sqlite.store import SqliteStore
from trapline.stores.united.empty_store import EmptyStore


def visit(
    number: int, outcome: Outcome, issued_s: float = 0.0, kind: Kind = Kind.PAGE
) -> Visit:
    return Visit(
        number, 0, 0, kind, issued_s, issued_s + 1.0, 0.0, outcome, 200, False, 0.0
    )


def begun(store: Any) -> None:
    store.commit(
        Batch(
            hosts=[HostRow(0, "a:80", "http://a/")],
            urls=[UrlRow(i, f"http://a/{i}", 0) for i in range(3)],
        )
    )


def read(collector: FolderMetrics) -> dict[str, float]:
    """Sample → value, by the real parser."""
    return {
        sample.name
        + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(collector.text().decode())
        for sample in family.samples
    }


def test_before_any_robot() -> None:
    found = read(FolderMetrics(EmptyStore()))
    assert (
        found["trapline_pages_held"] == 0.0 and found["trapline_changes_total"] == 0.0
    )
    assert (
        "trapline_robot_silence_seconds" not in found
        and "trapline_market_price" not in found
    )


def test_everything_is_told() -> None:
    store = EmptyStore()
    begun(store)
    status = {
        "written_s": time.time() - 30.0,
        "fringe": 2,
        "gone": 1,
        "market_price": 0.25,
        "fetchers": {"awake": 5, "active": 3, "queue": 1, "queue_room": 16},
    }
    changes = {
        "a": {"name": "c.jsonl", "told": 1, "trouble": "", "named": True},
        "b": {"name": "old", "told": 0, "trouble": "", "named": False},
    }
    store.commit(
        Batch(
            pages=[Page(0, "http://a/0", "", "", 1.0, 1, "", "", 1.0, 1.0)],
            diffs=[Diff(0, 1.0, Turn.NEW)] * 3,
            visits=[
                visit(0, Outcome.OK, kind=Kind.ROBOTS),
                visit(1, Outcome.OK),
                visit(2, Outcome.UNCHANGED),
            ],
            notes={"status": json.dumps(status), "changes": json.dumps(changes)},
        )
    )
    found = read(FolderMetrics(store))
    silence_s = found.pop("trapline_robot_silence_seconds")
    assert 30.0 <= silence_s < 90.0
    wanted = {
        "trapline_visits_total page ok": 1,
        "trapline_visits_total page unchanged": 1,
        "trapline_visits_total robots ok": 1,
        "trapline_visits_total page failed": 0,
        "trapline_revisions_total": 1,
        "trapline_pages_held": 1,
        "trapline_pages_known": 3,
        "trapline_hosts_known": 1,
        "trapline_pages_fringe": 2,
        "trapline_pages_gone": 1,
        "trapline_market_price": 0.25,
        "trapline_fetchers_awake": 5,
        "trapline_fetchers_active": 3,
        "trapline_queue_length": 1,
        "trapline_queue_room": 16,
        "trapline_changes_total": 3,
        "trapline_changes_undelivered c.jsonl": 2,
    }
    assert {name: found[name] for name in wanted} == wanted
    assert "trapline_changes_undelivered old" not in found


def test_visits_are_counted_once_also_when_they_are_written_late() -> None:
    store = EmptyStore()
    begun(store)
    collector = FolderMetrics(store)
    late = 10.0 * LEASE_S

    def count() -> float:
        return read(collector)["trapline_visits_total page ok"]

    store.commit(Batch(visits=[visit(0, Outcome.OK), visit(3, Outcome.OK)]))
    assert (count(), count()) == (2, 2)
    store.commit(Batch(visits=[visit(1, Outcome.OK), visit(5, Outcome.OK, late)]))
    assert (count(), count()) == (4, 4), "a ticket that was issued earlier ended later"
    store.commit(Batch(visits=[visit(4, Outcome.OK, late), visit(6, Outcome.OK, late)]))
    assert (count(), count()) == (6, 6)


def noted(store: Any, written_s: float) -> None:
    store.commit(Batch(notes={"status": json.dumps({"written_s": written_s})}))


def test_health(tmp_path: Path) -> None:
    robot = SqliteStore(tmp_path)
    reader = SqliteStore(tmp_path, read_only=True)
    assert health(tmp_path, reader)[0], "a robot that has just begun"
    noted(robot, time.time())
    well, said = health(tmp_path, reader)
    assert well and said["status"] == "ok" and said["robot_silence_s"] < 30.0
    noted(robot, time.time() - 2.0 * SILENT_S)
    well, said = health(tmp_path, reader)
    assert not well and "has written nothing for 120 s" in said["reason"]
    robot.close()
    assert health(tmp_path, reader)[0], "no robot is at work: nothing is wrong"
    # nobody holds the lock on account of those who looked
    SqliteStore(tmp_path).close()
    reader.close()


def test_health_of_a_robot_that_died(tmp_path: Path) -> None:
    robot = SqliteStore(tmp_path)
    reader = SqliteStore(tmp_path, read_only=True)
    robot.commit(Batch(notes={AT_WORK: "yes"}))
    noted(robot, time.time() - 2.0 * SILENT_S)
    robot.close()
    well, said = health(tmp_path, reader)
    assert not well and "died, or was killed, 120 s ago" in said["reason"]
    robot = SqliteStore(tmp_path)
    robot.commit(Batch(notes={AT_WORK: ""}))
    robot.close()
    assert health(tmp_path, reader)[0], "it had ended cleanly"
    reader.close()


def test_health_of_a_damaged_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EmptyStore()

    def damaged() -> None:
        raise StoreCorrupt(tmp_path, "torn")

    monkeypatch.setattr(store, "counts", damaged)
    well, said = health(tmp_path, store)
    assert not well and said["status"] == "failing" and "torn" in said["reason"]
