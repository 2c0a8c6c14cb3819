"""Which hosts can be visited at all: links to the others get no number, and are counted.

A host may be out of reach because no contact is given, because it lies on a private address,
because its name leads nowhere, or because it lies outside the scope. Who finds that out tells it
here (`note`); what an address says by itself (`judge_name`) is found out at the first link.

>>> reach = Reach()
>>> reach.note("a.org:80", Obstacle.NO_CONTACT)
>>> reach.admits("http://a.org/x"), reach.admits("http://b.org/")
(False, True)
>>> reach.links(), reach.hosts()
({'no contact': 1}, {'no contact': 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

import numpy as np

from trapline.core.ports import Arrays
from trapline.core.urls import host_of

MOST_HOSTS: Final = 100_000  # names that are remembered; more are not counted apart


class Obstacle(StrEnum):
    """Why a host can never be visited, as things are."""

    NO_CONTACT = "no contact"
    PRIVATE = "private address"
    NO_NAME = "name not found"
    SCOPE = "out of scope"


JudgeName = Callable[[str], Obstacle | None]


def _decide_nothing(_: str) -> None:
    return None


class Reach:
    """`judge_name(name:port)` says what the name alone tells; None = nothing stands against it."""

    def __init__(self, judge_name: JudgeName = _decide_nothing) -> None:
        self._judge_name = judge_name
        self._obstacles: dict[str, Obstacle | None] = {}  # by name:port, what is known
        self._names: dict[str, str] = {}  # by scheme://name:port: saves parsing
        self._counted: dict[str, Obstacle] = {}  # hosts that links led to in vain
        self._links: Counter[Obstacle] = Counter()
        # hosts that had numbers, and how many of their pages left the schedule
        self.struck: dict[str, int] = {}

    def admits(self, url: str) -> bool:
        """Whether a canonical URL may get a number, as far as is known."""
        obstacle = self.obstacle(self._name_in(url))
        if obstacle is not None:
            self.count(url, obstacle)
        return obstacle is None

    def obstacle(self, name: str) -> Obstacle | None:
        """What keeps us from the host of this name:port; None = nothing, as far as is known."""
        if name not in self._obstacles:
            self._remember(name, self._judge_name(name))
        return self._obstacles[name]

    def is_known(self, name: str) -> bool:
        """Whether it was found out where a host lies, or its name tells."""
        return name in self._obstacles or self._judge_name(name) is not None

    def note(self, name: str, obstacle: Obstacle | None) -> None:
        """What stands against visiting a host was found out; None = nothing does."""
        self._remember(name, obstacle)
        if obstacle is None:
            self._counted.pop(name, None)
            self.struck.pop(name, None)

    def forget(self, obstacle: Obstacle) -> None:
        """It stands against nobody any more, or may not: ask anew."""
        known = self._obstacles.items()
        self._obstacles = {
            name: found for name, found in known if found is not obstacle
        }

    def count(self, url: str, obstacle: Obstacle) -> None:
        """A link that leads to a host out of reach."""
        self._links[obstacle] += 1
        self.count_host(self._name_in(url), obstacle)

    def count_host(self, name: str, obstacle: Obstacle) -> None:
        if name in self._counted or len(self._counted) < MOST_HOSTS:
            self._counted[name] = obstacle

    def start_over(self, obstacles: Iterable[Obstacle]) -> None:
        """Count these from nothing: settings have changed."""
        for obstacle in obstacles:
            self.forget(obstacle)
            self._links.pop(obstacle, None)
            counted = self._counted.items()
            self._counted = {name: why for name, why in counted if why is not obstacle}

    def links(self) -> dict[str, int]:
        """How many were turned away, by obstacle."""
        return {why.value: self._links[why] for why in Obstacle if self._links[why]}

    def hosts(self) -> dict[str, int]:
        """To how many hosts they led, by obstacle."""
        found = Counter(self._counted.values())
        return {why.value: found[why] for why in Obstacle if found[why]}

    def state(self) -> Arrays:
        return {
            "names": np.array(list(self._counted), np.str_),
            "obstacles": np.array(list(self._counted.values()), np.str_),
            "links": np.array([self._links[why] for why in Obstacle], np.int64),
        }

    def restore(self, state: Arrays) -> None:
        """What was counted; what stands against whom is found out anew."""
        obstacles = map(Obstacle, state["obstacles"].tolist())
        self._counted = dict(zip(state["names"].tolist(), obstacles, strict=True))
        links = np.asarray(state["links"], np.int64).tolist()
        self._links = Counter(dict(zip(Obstacle, links, strict=True)))

    def _remember(self, name: str, obstacle: Obstacle | None) -> None:
        if len(self._obstacles) >= MOST_HOSTS:
            self._obstacles.clear()
        self._obstacles[name] = obstacle

    def _name_in(self, url: str) -> str:
        origin = url[: url.index("/", 8)]
        name = self._names.get(origin)
        if name is None:
            if len(self._names) >= MOST_HOSTS:
                self._names.clear()
            name = self._names[origin] = host_of(url)
        return name
