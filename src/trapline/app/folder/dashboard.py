"""The figures of the dashboard, from an engine's folder alone, also beside a robot at work."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from trapline.app.folder.dashboard_figures import Dashboard, ErrorLine, FetcherState
from trapline.app.folder.metrics import robot_note, silence_s
from trapline.app.output.changes import newest_lines
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Store

_CHANGES: Final = 20
_ERRORS: Final = 20
_LOOK_BACK: Final = 2000  # visits
_MINUTE_S: Final = 60.0


def dashboard_of(folder: Path, store: Store) -> Dashboard:
    now_s = time.time()
    counts = store.counts()
    robot = robot_note(store)
    visits = store.visits(last=_LOOK_BACK)
    return Dashboard(
        time_s=now_s,
        robot="at work" if robot else "never ran",
        silent_s=silence_s(robot),
        pages_held=counts.held,
        pages_known=counts.known,
        pages_fringe=robot.get("fringe", 0),
        hosts_known=counts.hosts,
        visits=counts.visits,
        budget=None,
        recall=None,
        freshness=None,
        visits_per_s=_visits_per_s(visits, now_s),
        market_price=robot.get("market_price") or None,
        fetchers=_fetchers(robot.get("fetchers", {})),
        shares=None,
        hosts=[],
        changes=[line.as_dict() for line in newest_lines(store, _CHANGES)],
        errors=_errors(store, visits),
    )


def _visits_per_s(visits: list[Visit], now_s: float) -> float:
    lately = [visit.ended_s for visit in visits if visit.ended_s > now_s - _MINUTE_S]
    if len(lately) < len(visits) or not lately:
        return len(lately) / _MINUTE_S
    return len(lately) / max(now_s - min(lately), 1.0)  # more than we looked at


def _fetchers(figures: dict[str, Any]) -> FetcherState | None:
    if not figures:
        return None
    return FetcherState(
        awake=figures["awake"],
        active=figures["active"],
        queue=figures["queue"],
        queue_room=figures["queue_room"],
        most=figures.get("most", figures["awake"]),
        fetch_rate=figures["fetch_rate"],
        process_rate=figures["process_rate"],
        starvation=figures["starvation"],
        blocked=figures["blocked"],
        curve=None,
    )


def _errors(store: Store, visits: list[Visit]) -> list[ErrorLine]:
    failed = [visit for visit in visits if visit.outcome is Outcome.FAILED]
    return [
        ErrorLine(
            store.url(visit.page) if visit.kind is Kind.PAGE else "robots.txt",
            visit.ended_s,
            visit.outcome.name.lower(),
            visit.status,
            visit.remark or f"HTTP status {visit.status}",
        )
        for visit in failed[:_ERRORS]
    ]
