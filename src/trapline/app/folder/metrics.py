"""Metrics for Prometheus, from the folder alone."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from trapline.app.folder.places.crawl_store import figures_noted
from trapline.app.folder.places.shard_metrics import shard_metrics
from trapline.app.folder.robot_state import robot_note, silence_s
from trapline.app.output.outlets.arrears import arrears_of
from trapline.core.records import Kind, Outcome
from trapline.core.storage import Counts, SteadyStore, Store


class FolderMetrics:
    """A collector of prometheus_client.

    Old visits are counted once, only the newest at each reading.
    """

    def __init__(self, store: SteadyStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._tallies = [_VisitTally() for _ in store.parts()]
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
        figures = figures_noted(self._store)
        if figures is not None:
            yield from shard_metrics(figures)
        for name, meaning, value in _gauges(counts, robot_note(self._store)):
            if value is not None and not math.isnan(value):
                yield GaugeMetricFamily(f"trapline_{name}", meaning, value=value)
        yield from self._changes()

    def _visits(self) -> Iterator[Metric]:
        found: Counter[tuple[str, str]] = Counter()
        with self._lock:
            for tally, part in zip(self._tallies, self._store.parts(), strict=True):
                found += tally.go_on(part)
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

    def _changes(self) -> Iterator[Metric]:
        newest = self._store.newest_diff()
        yield CounterMetricFamily(
            "trapline_changes", "Changes of documents seen.", value=newest
        )
        waiting = GaugeMetricFamily(
            "trapline_changes_undelivered", "Changes not told yet.", labels=("target",)
        )
        for arrears in arrears_of(self._store):
            waiting.add_metric((arrears.name,), arrears.changes)
        yield waiting


class _VisitTally:
    """Visits of one store by kind and outcome."""

    def __init__(self) -> None:
        self._outcomes: Counter[tuple[str, str]] = Counter()
        self._last_visit = -1

    def go_on(self, store: Store) -> Counter[tuple[str, str]]:
        """Tickets past every lease are counted for good: no visit of theirs is written later."""
        from trapline.robot.request_controller import LEASE_S  # with a compiler

        late: Counter[tuple[str, str]] = Counter()
        newest = store.visits(last=1)
        sure_s = newest[0].issued_s - 2.0 * LEASE_S if newest else -math.inf
        for visit in store.history(self._last_visit):
            sure = visit.issued_s < sure_s
            (self._outcomes if sure else late)[
                visit.kind.name.lower(), visit.outcome.name.lower()
            ] += 1
            self._last_visit = visit.number if sure else self._last_visit
        return self._outcomes + late


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
