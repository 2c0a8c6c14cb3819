"""Hosts that stand aside: their yield earns them a small share of the visits, so they let others
go first, and are called up when nobody else has anything to visit.

A host that stands aside is postponed beyond what manners ask for. To call it up is to take that
back, and nothing else: who postponed it for another reason meanwhile keeps it waiting.
"""

from __future__ import annotations

import heapq
import math
from typing import NamedTuple

import numpy as np

from trapline.core.cards import COOLING
from trapline.core.ports import Arrays
from trapline.robot.agenda import host_turns
from trapline.robot.agenda.agenda import Agenda
from trapline.robot.agenda.host_heaps import RANK_READY, push_host


class Aside(NamedTuple):
    until_s: float  # it lets others go first,
    free_s: float  # and from here on manners would let it be visited


class HostsAside:
    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._aside: dict[int, Aside] = {}
        # the same by the time that manners set; what is outdated is passed
        self._queue: list[tuple[float, int]] = []

    def send(self, host: int, until_s: float) -> None:
        """The host lets others go first until then."""
        free_s = self._free_s(host)
        self._aside.pop(host, None)
        if until_s <= free_s:
            return
        host_turns.postpone(self._agenda.books, host, until_s)
        if float(self._agenda.hosts["ready"][host]) == until_s:
            self._aside[host] = Aside(until_s, free_s)
            heapq.heappush(self._queue, (free_s, host))

    def keep(self, host: int) -> None:
        """It is not to be called up, whoever else has nothing to visit."""
        self._aside.pop(host, None)

    def free_s(self, now_s: float) -> float:
        """When the first of them may be called up; ∞ = none stands aside."""
        queue = self._queue
        while queue and not self._stands(*queue[0], now_s):
            heapq.heappop(queue)
        return queue[0][0] if queue else math.inf

    def call_up(self, now_s: float) -> bool:
        """Let the one that manners freed first be visited; False = there is none."""
        if self.free_s(now_s) > now_s:
            return False
        _, host = heapq.heappop(self._queue)
        hosts = self._agenda.hosts
        hosts["ready"][host] = self._free_s(host)
        del self._aside[host]
        if hosts["state"][host] == COOLING:
            hosts["wake"][host] = hosts["ready"][host]
            push_host(self._agenda.books, RANK_READY, host)
        return True

    def hosts(self, now_s: float) -> list[int]:
        """Those that stand aside now."""
        return [host for host, one in self._aside.items() if one.until_s > now_s]

    def move_times(self, by_s: float) -> None:
        self._aside = {
            host: Aside(one.until_s + by_s, one.free_s + by_s)
            for host, one in self._aside.items()
        }
        self._order()

    def save(self) -> Arrays:
        rows = [(host, *one) for host, one in self._aside.items()]
        return {"aside": np.array(rows, np.float64).reshape(-1, 3)}

    def load(self, saved: Arrays) -> None:
        """Nothing is saved by those who let no host be called up."""
        rows = np.asarray(saved.get("aside", ()), np.float64).reshape(-1, 3).tolist()
        self._aside = {int(host): Aside(until, free) for host, until, free in rows}
        self._order()

    def _order(self) -> None:
        self._queue = sorted((one.free_s, host) for host, one in self._aside.items())

    def _stands(self, free_s: float, host: int, now_s: float) -> bool:
        one = self._aside.get(host)
        if one is None or one.free_s != free_s:
            return False
        # else it came off by itself, or is kept waiting for another reason
        ready_s = float(self._agenda.hosts["ready"][host])
        if one.until_s > now_s and ready_s == one.until_s:
            return True
        del self._aside[host]
        return False

    def _free_s(self, host: int) -> float:
        """When manners let the host be visited, wherever it stands."""
        hosts = self._agenda.hosts
        ready_s = float(hosts["ready"][host])
        one = self._aside.get(host)
        if one is None or one.until_s != ready_s:
            return ready_s
        # a visit that was given up may have ended meanwhile
        return max(one.free_s, float(hosts["served"][host] + hosts["gap"][host]))
