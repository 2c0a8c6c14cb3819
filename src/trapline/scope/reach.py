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
from itertools import islice
from typing import Final

import numpy as np
from xxhash import xxh3_64_intdigest

from trapline.core.ports import Arrays
from trapline.core.urls import host_of

MOST_HOSTS: Final = 100_000  # names that are remembered; more are not counted
MOST_LINKS: Final = 100_000  # links that are told apart; more are not counted


class Obstacle(StrEnum):
    """Why a host can never be visited, as things are."""

    NO_CONTACT = "no contact"
    PRIVATE = "private address"
    NO_NAME = "name not found"
    SCOPE = "out of scope"
    ELSEWHERE = "in another shard"  # which visits it


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
        # by host, hashes of the links that led there: pages are read again and again
        self._links: dict[str, set[int]] = {}
        self._told_apart = 0
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
            self._drop([name])
            self.struck.pop(name, None)

    def forget(self, obstacle: Obstacle) -> None:
        """It stands against nobody any more, or may not: ask anew."""
        known = self._obstacles.items()
        self._obstacles = {
            name: found for name, found in known if found is not obstacle
        }

    def count(self, url: str, obstacle: Obstacle) -> None:
        """A link that leads to a host out of reach; the same one counts once."""
        name = self._name_in(url)
        self.count_host(name, obstacle)
        if name not in self._counted or self._told_apart >= MOST_LINKS:
            return
        links = self._links.setdefault(name, set())
        was = len(links)
        links.add(xxh3_64_intdigest(url.encode()))
        self._told_apart += len(links) - was

    def count_host(self, name: str, obstacle: Obstacle) -> None:
        if name in self._counted or len(self._counted) < MOST_HOSTS:
            self._counted[name] = obstacle

    def start_over(self, obstacles: Iterable[Obstacle]) -> None:
        """Count these from nothing: settings have changed."""
        for obstacle in obstacles:
            self.forget(obstacle)
            counted = self._counted.items()
            self._drop([name for name, why in counted if why is obstacle])

    def links(self) -> dict[str, int]:
        """How many different ones were turned away, by obstacle; at most MOST_LINKS together."""
        found: Counter[Obstacle] = Counter()
        for name, links in self._links.items():
            found[self._counted[name]] += len(links)
        return {why.value: found[why] for why in Obstacle if found[why]}

    def hosts(self) -> dict[str, int]:
        """To how many hosts they led, by obstacle."""
        found = Counter(self._counted.values())
        return {why.value: found[why] for why in Obstacle if found[why]}

    def state(self) -> Arrays:
        links = [self._links.get(name, ()) for name in self._counted]
        return {
            "names": np.array(list(self._counted), np.str_),
            "obstacles": np.array(list(self._counted.values()), np.str_),
            "counts": np.array([len(some) for some in links], np.int64),
            "hashes": np.array([one for some in links for one in some], np.uint64),
        }

    def restore(self, state: Arrays) -> None:
        """What was counted; what stands against whom is found out anew."""
        obstacles = map(Obstacle, state["obstacles"].tolist())
        self._counted = dict(zip(state["names"].tolist(), obstacles, strict=True))
        self._links = {}
        self._told_apart = 0
        if "counts" not in state:  # before links were told apart: they are met again
            return
        hashes = iter(np.asarray(state["hashes"], np.uint64).tolist())
        counts = np.asarray(state["counts"], np.int64).tolist()
        for name, count in zip(self._counted, counts, strict=True):
            self._links[name] = set(islice(hashes, count))
            self._told_apart += count

    def _drop(self, names: Iterable[str]) -> None:
        for name in names:
            self._counted.pop(name, None)
            self._told_apart -= len(self._links.pop(name, ()))

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
