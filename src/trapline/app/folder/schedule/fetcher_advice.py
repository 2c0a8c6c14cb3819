"""How many fetchers are worthwhile, by the queue that the robot has measured."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from trapline.app.folder.planning.plan import FetcherAdvice
from trapline.app.settings import Settings
from trapline.core.errors import BadNumber
from trapline.theory.queueing.fetcher_queue import FetcherQueue


class QueueMeasure(NamedTuple):
    """Fetchers and the processor that reads what they bring."""

    fetch_rate: float  # λ
    process_rate: float  # μ
    room: int
    awake: int
    most: int
    weight: float = 1.0  # γ/μ, as the robot's own policies are told it


def advise_fetchers(
    robot: dict[str, Any],
    settings: Settings,
    hosts_allow: float,
    cost: float = 1.0,
) -> FetcherAdvice | None:
    """From the robot's own figures; None = it has not measured its queue yet.

    `cost` is what a visit usually takes of the budget.

    By Little's law B/λ fetchers are at work on B visits a second. More than the best number for the
    queue (`talim`, Proposition 1) only wait for the processor.
    """
    figures = robot.get("fetchers", {})
    fetch_rate = figures.get("fetch_rate")
    process_rate = figures.get("process_rate")
    if not fetch_rate or not process_rate:
        return None
    queue = QueueMeasure(
        fetch_rate=fetch_rate,
        process_rate=process_rate,
        room=int(figures["queue_room"]),
        awake=int(figures["awake"]),
        most=settings.fetchers.most,
        weight=_weight(settings),
    )
    return advise(queue, settings.budget.per_s / cost, hosts_allow)


def advise(queue: QueueMeasure, budget: float, hosts_allow: float) -> FetcherAdvice:
    by_queue = _best_for_queue(queue)
    bound = min(budget, hosts_allow)
    by_budget = math.ceil(bound / queue.fetch_rate) if bound < 1e9 else None
    limits = {
        "budget" if budget <= hosts_allow else "hosts": by_budget,
        "processor": by_queue,
        "fetchers": queue.most,
    }
    known = {name: count for name, count in limits.items() if count is not None}
    worthwhile = min(by_queue, by_budget) if by_budget is not None else by_queue
    return FetcherAdvice(
        fetch_rate=queue.fetch_rate,
        process_rate=queue.process_rate,
        queue_room=queue.room,
        awake=queue.awake,
        most=queue.most,
        for_budget=by_budget,
        for_processor=by_queue,
        worthwhile=max(1, worthwhile),
        held_back_by=min(known, key=lambda name: known[name]),
    )


def _weight(settings: Settings) -> float:
    weight = settings.fetchers.options.get("weight", 1.0)
    return float(weight) if isinstance(weight, int | float) and weight > 0 else 1.0


def _best_for_queue(queue: QueueMeasure) -> int:
    gain = queue.weight * queue.process_rate
    model = FetcherQueue(queue.fetch_rate, queue.process_rate, queue.room, gain)
    try:
        return model.best_static().fetchers
    except BadNumber:  # fetchers so slow that no number of them is too many
        return math.ceil(queue.process_rate / queue.fetch_rate)
