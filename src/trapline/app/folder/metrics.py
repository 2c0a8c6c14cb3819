"""Metrics for Prometheus, and whether the robot is healthy: from the folder alone."""

from __future__ import annotations

import fcntl
import json
import math
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from trapline.app.folder.status import AT_WORK
from trapline.app.output.change_feed import progress_note
from trapline.core.errors import TraplineError
from trapline.core.records import Kind, Outcome
from trapline.core.storage import Counts, Store

# a robot at work that has written nothing for so long is in trouble
SILENT_S: Final = 60.0


class FolderMetrics:
    """A collector of prometheus_client.

    Old visits are counted once, only the newest at each reading.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._outcomes: Counter[tuple[str, str]] = Counter()
        self._last_visit = -1
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def describe(self) -> list[Metric]:
        return []  # else the registry would read everything once to learn the names

    def collect(self) -> Iterator[Metric]:
        counts = self._store.counts()
        yield from self._visits()
        yield CounterMetricFamily(
            "trapline_revisions", "Steps of the collection.", value=counts.revision
        )
        for name, meaning, value in _gauges(counts, robot_note(self._store)):
            if value is not None and not math.isnan(value):
                yield GaugeMetricFamily(f"trapline_{name}", meaning, value=value)
        yield from self._changes()

    def _visits(self) -> Iterator[Metric]:
        with self._lock:
            found = self._tally()
        visits = CounterMetricFamily(
            "trapline_visits",
            "Visits, by what they came to.",
            labels=("kind", "outcome"),
        )
        for kind in Kind:
            for outcome in Outcome:
                key = kind.name.lower(), outcome.name.lower()
                visits.add_metric(key, found.get(key, 0))
        yield visits

    def _tally(self) -> Counter[tuple[str, str]]:
        """Visits by kind and outcome.

        Tickets past every lease are counted for good: no visit of theirs is written later.
        """
        from trapline.robot.request_controller import LEASE_S  # with a compiler

        late: Counter[tuple[str, str]] = Counter()
        newest = self._store.visits(last=1)
        sure_s = newest[0].issued_s - 2.0 * LEASE_S if newest else -math.inf
        for visit in self._store.history(self._last_visit):
            sure = visit.issued_s < sure_s
            (self._outcomes if sure else late)[
                visit.kind.name.lower(), visit.outcome.name.lower()
            ] += 1
            self._last_visit = visit.number if sure else self._last_visit
        return self._outcomes + late

    def _changes(self) -> Iterator[Metric]:
        newest = self._store.newest_diff()
        yield CounterMetricFamily(
            "trapline_changes", "Changes of documents seen.", value=newest
        )
        waiting = GaugeMetricFamily(
            "trapline_changes_undelivered", "Changes not told yet.", labels=("target",)
        )
        for note in progress_note(self._store).values():
            if note["named"]:
                waiting.add_metric((note["name"],), newest - note["told"])
        yield waiting


def _gauges(
    counts: Counts, robot: dict[str, Any]
) -> Iterator[tuple[str, str, float | None]]:
    """(name, meaning, value); None = no robot has said it yet."""
    fetchers = robot.get("fetchers", {})
    price = robot.get("market_price")
    yield "pages_held", "Documents in the collection.", counts.held
    yield "pages_known", "URLs ever met.", counts.known
    yield "hosts_known", "Hosts ever met.", counts.hosts
    yield "pages_fringe", "Pages found and never fetched.", robot.get("fringe")
    yield "pages_gone", "Pages that are no more, or are not read.", robot.get("gone")
    yield "market_price", "Running mean of the prices paid for visits.", price
    yield "fetchers_awake", "Fetchers that may work.", fetchers.get("awake")
    yield "fetchers_active", "Fetchers at work.", fetchers.get("active")
    yield "queue_length", "Answers waiting or being processed.", fetchers.get("queue")
    yield "queue_room", "Places in the response queue.", fetchers.get("queue_room")
    yield "robot_silence_seconds", "Since the robot last wrote.", silence_s(robot)


def robot_note(store: Store) -> dict[str, Any]:
    """What the robot last said of itself; empty = none has run yet."""
    found: dict[str, Any] = json.loads(store.note("status") or "{}")
    return found


def silence_s(robot: dict[str, Any]) -> float | None:
    """Since the robot last wrote, by the wall clock.

    What was written in the future, by a clock that was wrong, is as old as it is far off.
    """
    written_s = robot.get("written_s")
    return None if written_s is None else abs(time.time() - written_s)


def health(folder: Path, store: Store) -> tuple[bool, dict[str, Any]]:
    """(whether the robot is healthy, facts about it)"""
    try:
        counts = store.counts()
        silent_s = silence_s(robot_note(store))
        begun = bool(store.note(AT_WORK))  # and not ended
        at_work = (silent_s is not None and silent_s <= SILENT_S) or _is_locked(folder)
    except (TraplineError, OSError, ValueError) as error:
        return False, {"status": "failing", "reason": str(error)}
    facts = {
        "pages_held": counts.held,
        "visits": counts.visits,
        "robot_silence_s": silent_s,
    }
    reason = _trouble(silent_s, begun, at_work)
    if reason:
        return False, {"status": "failing", "reason": reason, **facts}
    return True, {"status": "ok", **facts}


def robot_state(folder: Path, store: Store) -> str:
    """In a word or two: "at work", "silent", "died", "ended" or "never ran"."""
    silent_s = silence_s(robot_note(store))
    if silent_s is None:
        return "never ran"
    begun = bool(store.note(AT_WORK))  # and not ended
    if silent_s > SILENT_S:
        if _is_locked(folder):
            return "silent"
        return "died" if begun else "ended"
    return "at work" if begun else "ended"


def _trouble(silent_s: float | None, begun: bool, at_work: bool) -> str:
    """Why the robot is not healthy; "" = it is, or none has run."""
    if silent_s is None:
        return ""
    if at_work and silent_s > SILENT_S:
        return f"the robot has written nothing for {silent_s:.0f} s"
    if begun and not at_work:
        return f"the robot died, or was killed, {silent_s:.0f} s ago: start it again"
    return ""


def _is_locked(folder: Path) -> bool:
    """Whether a robot holds the folder.

    Asked only when it is silent, because asking holds the lock for a moment.
    """
    try:
        with (folder / "lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
