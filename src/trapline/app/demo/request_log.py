"""The referee of manners: every request as the servers saw it, never as the robot reports it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from trapline.laboratory.worlds import documents

_TOLERANCE_S: Final = 0.001  # clocks of two event loops never agree to the microsecond


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request as the server saw it. Status 0: it was left without an answer on purpose."""

    at_s: float  # time.monotonic()
    path: str
    status: int
    conditional: bool  # who asked holds a copy


class RequestLog:
    """Written by the server's thread, read by any."""

    def __init__(self, hosts: int) -> None:
        self._arrivals: list[list[Arrival]] = [[] for _ in range(hosts)]
        self._lock = threading.Lock()

    def add(self, host: int, arrival: Arrival) -> None:
        with self._lock:
            self._arrivals[host].append(arrival)

    def of_host(self, host: int) -> list[Arrival]:
        """Requests to a host in order of arrival."""
        with self._lock:
            return sorted(self._arrivals[host], key=lambda arrival: arrival.at_s)

    def paths(self) -> list[str]:
        with self._lock:
            return [arrival.path for log in self._arrivals for arrival in log]

    def private_requests(self) -> int:
        """Requests for what robots.txt forbids."""
        private = documents.PRIVATE_FOLDER
        return sum(path.startswith(private) for path in self.paths())

    def gap_violations(self, gap_s: float) -> int:
        """Requests that came sooner than `gap_s` after the one before to the same host."""
        least_s = gap_s - _TOLERANCE_S
        return sum(
            later.at_s - sooner.at_s < least_s
            for host in range(len(self._arrivals))
            for sooner, later in pairwise(self.of_host(host))
        )
