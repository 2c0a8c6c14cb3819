"""Hosts out of reach, as people read of them: they count neither as hosts nor as pages known.

>>> say_reach({"hosts": {"no contact": 2, "private address": 1}, "links": {"no contact": 7}})
'2 hosts without a contact (give --contact), 1 on private addresses; 7 different links to them'
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from trapline.core.errors import CheckpointLost
from trapline.core.storage import Counts, Store
from trapline.scope.reach import MOST_LINKS, Obstacle

LOST: Final = "names not found"  # note: host names that led nowhere when last looked up
SHUT: Final = "out of reach"  # note: {name: why} of hosts that have numbers
_WORDS: Final = {
    Obstacle.NO_CONTACT: "without a contact (give --contact)",
    Obstacle.PRIVATE: "on private addresses",
    Obstacle.NO_NAME: "whose names do not resolve",
    Obstacle.SCOPE: "out of scope",
    Obstacle.ELSEWHERE: "that are visited by other shards",
}


def say_reach(figures: dict[str, dict[str, int]]) -> str:
    """From the robot's note; "" = nothing was out of reach."""
    hosts = figures.get("hosts", {})
    links = sum(figures.get("links", {}).values())
    counts = [
        f"{hosts[why]:,} {words}" for why, words in _WORDS.items() if hosts.get(why)
    ]
    if not counts:
        return ""
    first, *others = counts
    number, _, words = first.partition(" ")
    first = f"{number} {'host' if number == '1' else 'hosts'} {words}"
    more = "more than " if links >= MOST_LINKS else ""
    said = f"{more}{links:,} different link{'s' * (links != 1)} to them"
    return f"{', '.join([first, *others])}; {said}"


def reachable_counts(store: Store, robot: dict[str, Any]) -> Counts:
    """The store's counts without the hosts that got numbers before they were found out of reach."""
    counts = store.counts()
    numbered = robot.get("out_of_reach", {}).get("numbered", {})
    return replace(
        counts,
        hosts=counts.hosts - numbered.get("hosts", 0),
        known=counts.known - numbered.get("pages", 0),
    )


def hosts_shut(store: Store) -> dict[str, str]:
    """Numbered hosts that are out of reach, and why."""
    found: dict[str, str] = json.loads(store.note(SHUT) or "{}")
    return found


def obstacle_noted(store: Store, name: str) -> Obstacle | None:
    """What stood against the host of this name:port when the robot last saved its state."""
    try:
        checkpoint = store.load_checkpoint()
    except CheckpointLost:
        return None
    if checkpoint is None or "reach.names" not in checkpoint.arrays:
        return None
    names = checkpoint.arrays["reach.names"].tolist()
    obstacles = checkpoint.arrays["reach.obstacles"].tolist()
    found = dict(zip(names, obstacles, strict=True)).get(name)
    return None if found is None else Obstacle(found)


def say_obstacle(obstacle: Obstacle) -> str:
    """
    >>> say_obstacle(Obstacle.NO_CONTACT)
    'without a contact (give --contact)'
    """
    return _WORDS[obstacle]
