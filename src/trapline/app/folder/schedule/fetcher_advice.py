"""How many fetchers are worthwhile, by the queue that the robot has measured."""

from __future__ import annotations

import math
from typing import Any

from trapline.app.folder.planning.plan import FetcherAdvice
from trapline.app.settings import Settings
from trapline.core.errors import BadNumber
from trapline.theory.queueing.fetcher_queue import FetcherQueue


def advise_fetchers(
    robot: dict[str, Any], settings: Settings, hosts_allow: float
) -> FetcherAdvice | None:
    """From the robot's own figures; None = it has not measured its queue yet.

    By Little's law B/λ fetchers are at work on B visits a second. More than the best number for the
    queue (`talim`, Proposition 1) only wait for the processor.
    """
    figures = robot.get("fetchers", {})
    fetch_rate = figures.get("fetch_rate")
    process_rate = figures.get("process_rate")
    if not fetch_rate or not process_rate:
        return None
    room = int(figures["queue_room"])
    most = settings.fetchers.most
    by_queue = _best_for_queue(fetch_rate, process_rate, room, _weight(settings))
    bound = min(settings.budget.visits, hosts_allow)
    by_budget = math.ceil(bound / fetch_rate) if bound < 1e9 else None
    limits = {
        "budget" if settings.budget.visits <= hosts_allow else "hosts": by_budget,
        "processor": by_queue,
        "fetchers": most,
    }
    known = {name: count for name, count in limits.items() if count is not None}
    worthwhile = min(by_queue, by_budget) if by_budget is not None else by_queue
    return FetcherAdvice(
        fetch_rate=fetch_rate,
        process_rate=process_rate,
        queue_room=room,
        awake=int(figures["awake"]),
        most=most,
        for_budget=by_budget,
        for_processor=by_queue,
        worthwhile=max(1, worthwhile),
        held_back_by=min(known, key=lambda name: known[name]),
    )


def _weight(settings: Settings) -> float:
    weight = settings.fetchers.options.get("weight", 1.0)
    return float(weight) if isinstance(weight, int | float) and weight > 0 else 1.0


def _best_for_queue(fetch: float, process: float, room: int, weight: float) -> int:
    """`weight` is γ/μ, as the robot's own policies are told it."""
    queue = FetcherQueue(fetch, process, room, weight * process)
    try:
        return queue.best_static().fetchers
    except BadNumber:  # fetchers so slow that no number of them is too many
        return math.ceil(process / fetch)
