"""The figures of the dashboard, from an engine's folder alone, also beside a robot at work.

Meant to be asked for every second or two: what is expensive is made once for each schedule that the
robot saves, once a minute (schedule/saved_schedule.py).
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, Final

from trapline.app.folder.dashboard_figures import (
    Dashboard,
    ErrorLine,
    FetcherState,
    HostLine,
    SwitchingCurve,
    VisitShares,
)
from trapline.app.folder.places.crawl_store import figures_noted, hosts_left
from trapline.app.folder.reach_figures import reachable_counts
from trapline.app.folder.robot_state import (
    held_back_words,
    robot_note,
    robot_state,
    silence_s,
)
from trapline.app.folder.schedule.estimates import (
    Estimates,
    estimate_shares,
    join_estimates,
)
from trapline.app.folder.schedule.host_lines import count_lately, host_lines
from trapline.app.folder.schedule.schedule_parts import SchedulePart, schedule_parts
from trapline.app.folder.schedule.visit_shares import join_shares, visit_shares
from trapline.app.folder.visit_counts import asked_for
from trapline.app.output.changes import newest_lines
from trapline.app.shards.shard_figures import CrawlFigures
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import SteadyStore, Store

_CHANGES: Final = 20
_ERRORS: Final = 20
_HOSTS: Final = 20
_SHARED: Final = 1000  # visits of which it is said what they were made for
_LOOK_BACK: Final = 5000  # visits: at 80 a second, those since the schedule was saved
_MINUTE_S: Final = 60.0


def dashboard_of(folder: Path, store: SteadyStore) -> Dashboard:
    now_s = time.time()
    robot = robot_note(store)
    counts = reachable_counts(store, robot)
    visits = store.visits(last=_LOOK_BACK)
    parts = schedule_parts(folder, store, visits)
    fringe = int(robot.get("fringe", 0))
    estimates = _estimates(parts, now_s)
    minute = [visit for visit in visits if visit.ended_s > now_s - _MINUTE_S]
    state = robot_state(folder, store)
    figures = figures_noted(store) or CrawlFigures([], [])
    return Dashboard(
        time_s=now_s,
        robot=state,
        silent_s=silence_s(robot),
        pages_held=counts.held,
        pages_known=counts.known,
        pages_fringe=fringe,
        hosts_known=counts.hosts,
        visits=counts.visits,
        budget=_budget(parts),
        recall=estimates and estimates.recall,
        freshness=estimates and estimates.freshness,
        visits_per_s=_visits_per_s(minute, len(visits), now_s),
        market_price=robot.get("market_price") or None,
        fetchers=_fetchers(robot),
        shares=_shares(parts),
        hosts=_hosts(parts, now_s),
        changes=[line.as_dict() for line in newest_lines(store, _CHANGES)],
        errors=_errors(store, visits),
        held_back=held_back_words(state, robot),
        shards=figures.rows,
        workers=figures.workers,
    )


def estimates_of(folder: Path, store: SteadyStore) -> Estimates | None:
    """Recall and freshness alone; None = no robot has planned anything here."""
    visits = store.visits(last=_LOOK_BACK)
    return _estimates(schedule_parts(folder, store, visits), time.time())


def _estimates(parts: list[SchedulePart], now_s: float) -> Estimates | None:
    found = [
        estimate_shares(part.schedule, part.visits, now_s, _fringe_of(part.store))
        for part in parts
    ]
    return join_estimates([one for one in found if one is not None])


def _fringe_of(store: Store) -> int:
    return int(robot_note(store).get("fringe", 0))


def _shares(parts: list[SchedulePart]) -> VisitShares | None:
    """Over the newest visits; of shards as many as each has made of them."""
    made = sum(len(part.visits) for part in parts)
    found = [
        visit_shares(
            part.schedule, part.store, part.visits[: _SHARED * len(part.visits) // made]
        )
        for part in parts
        if part.visits
    ]
    return join_shares([shares for shares in found if shares is not None])


def _hosts(parts: list[SchedulePart], now_s: float) -> list[HostLine]:
    """Most visited first."""
    lines = [
        line
        for part in parts
        for line in host_lines(
            part.schedule, now_s, _HOSTS, count_lately(part.visits, now_s)
        )
        if line.host not in hosts_left(part.store)
    ]
    return sorted(lines, key=lambda line: -line.visits)[:_HOSTS]


def _budget(parts: list[SchedulePart]) -> float | None:
    """Visits a second, as many as can be paid at what they usually cost."""
    if not parts:
        return None
    schedule = parts[0].schedule
    allowed = schedule.settings.budget.per_s / schedule.usual_cost
    return allowed if math.isfinite(allowed) else None


def _visits_per_s(minute: list[Visit], looked_at: int, now_s: float) -> float:
    """To pages, over the last minute, or over what was looked at if that is less."""
    times_s = [visit.ended_s for visit in minute if visit.kind is Kind.PAGE]
    if len(minute) < looked_at or not times_s:
        return len(times_s) / _MINUTE_S
    return len(times_s) / max(now_s - min(times_s), 1.0)


def _fetchers(robot: dict[str, Any]) -> FetcherState | None:
    figures = robot.get("fetchers")
    if not figures:
        return None
    curves = robot.get("switching")
    curve = SwitchingCurve(curves["departure"], curves["arrival"]) if curves else None
    return FetcherState(
        awake=figures["awake"],
        active=figures["active"],
        queue=figures["queue"],
        queue_room=figures["queue_room"],
        most=len(curve.departure) if curve else figures["awake"],
        fetch_rate=figures["fetch_rate"],
        process_rate=figures["process_rate"],
        starvation=figures["starvation"],
        blocked=figures["blocked"],
        curve=curve,
    )


def _errors(store: Store, visits: list[Visit]) -> list[ErrorLine]:
    failed = [visit for visit in visits if visit.outcome is Outcome.FAILED]
    return [
        ErrorLine(
            url=asked_for(store, visit),
            ended_s=visit.ended_s,
            outcome=visit.outcome.name.lower(),
            status=visit.status,
            reason=visit.remark or f"HTTP status {visit.status}",
        )
        for visit in failed[:_ERRORS]
    ]
