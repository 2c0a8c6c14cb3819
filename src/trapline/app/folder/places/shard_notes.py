"""Notes of all shards, joined to one: sums, means, and the newest of what was said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from trapline.app.folder.reach_figures import LOST, SHUT
from trapline.app.output.outlets.arrears import NOTE as CHANGES
from trapline.scope.reach import Obstacle

Note = dict[str, Any]


def join_status(notes: list[str]) -> str:
    """What the robots of all shards last said of themselves, as if they were one."""
    said: list[Note] = [json.loads(note) for note in notes]
    newest = max(said, key=lambda one: one.get("written_s") or 0.0)
    joined = {
        "time_s": max(one.get("time_s", 0.0) for one in said),
        "written_s": newest.get("written_s"),
        "began_s": min(
            (one["began_s"] for one in said if one.get("began_s")), default=None
        ),
        "held_back": _join_held_back(
            [one["held_back"] for one in said if one.get("held_back")]
        ),
        "market_price": _mean(one.get("market_price") for one in said),
        "topic": _join_topics([one.get("topic", {}) for one in said]),
        "out_of_reach": _add_up([one.get("out_of_reach", {}) for one in said]),
        "fetchers": _join_fetchers(
            [one["fetchers"] for one in said if one.get("fetchers")]
        ),
    }
    for name in ("visits", "held", "fringe", "gone"):
        joined[name] = sum(one.get(name, 0) for one in said)
    return json.dumps(joined)


def _join_held_back(causes: list[Note]) -> Note:
    """The cause that holds most shards back."""
    if not causes:
        return {}
    counts = Counter(one.get("cause") for one in causes)
    cause, count = counts.most_common(1)[0]
    first = next(one for one in causes if one.get("cause") == cause)
    if len(causes) == 1:
        return first
    return {
        **first,
        "line": f"{first.get('line', '')} ({count} of {len(causes)} shards)",
    }


def _join_topics(topics: list[Note]) -> Note:
    """A word is unmet if no shard has met it."""
    unmet = [set(topic.get("unmet", ())) for topic in topics]
    alike = [topic.get("alike") for topic in topics]
    return {
        "read": sum(topic.get("read", 0) for topic in topics),
        "unmet": sorted(set.intersection(*unmet)),
        "alike": _mean(alike) if None not in alike else None,
    }


def _join_fetchers(figures: list[Note]) -> Note:
    """Of all shards together; of rates and shares the mean of those that were measured."""
    if not figures:
        return {}
    means = ("fetch_rate", "starvation")
    joined = {
        name: sum(one[name] or 0 for one in figures)
        for name in figures[0]
        if name not in means
    }
    joined["process_rate"] = joined.get("process_rate") or None
    return joined | {name: _mean(one[name] for one in figures) for name in means}


def _add_up(figures: Iterable[dict[str, dict[str, int]]]) -> dict[str, dict[str, int]]:
    """
    >>> _add_up([{"hosts": {"a": 1}}, {"hosts": {"a": 2, "b": 1}}])
    {'hosts': {'a': 3, 'b': 1}}
    """
    sums: dict[str, Counter[str]] = {}
    for one in figures:
        for name, counts in one.items():
            sums.setdefault(name, Counter()).update(counts)
    for counted in sums.values():
        counted.pop(Obstacle.ELSEWHERE, None)  # another shard visits them
    return {name: dict(counted) for name, counted in sums.items()}


def _mean(numbers: Iterable[float | None]) -> float | None:
    """
    >>> _mean([1.0, None, 3.0]), _mean([None])
    (2.0, None)
    """
    known = [number for number in numbers if number]
    return sum(known) / len(known) if known else None


def _join_lists(notes: list[str]) -> str:
    return json.dumps(sorted({name for note in notes for name in json.loads(note)}))


def _join_shut(notes: list[str]) -> str:
    """Without the hosts that one shard has left to another."""
    joined: Note = {}
    for note in notes:
        said = json.loads(note)
        joined |= {name: why for name, why in said.items() if why != Obstacle.ELSEWHERE}
    return json.dumps(joined)


def _join_outlets(notes: list[str]) -> str:
    """How far outlets have come, each in all shards together."""
    joined: dict[str, Note] = {}
    for note in notes:
        for outlet, said in json.loads(note).items():
            known = joined.setdefault(outlet, {**said, "told": 0, "named": False})
            known["told"] += said["told"]
            known["named"] = known["named"] or said["named"]
            if said["trouble"]:
                known |= {"trouble": said["trouble"], "since_s": said.get("since_s")}
    return json.dumps(joined)


JOINED: Final[dict[str, Callable[[list[str]], str]]] = {
    CHANGES: _join_outlets,
    "status": join_status,
    LOST: _join_lists,
    SHUT: _join_shut,
}
