"""What the schedule says of a host, for people."""

from __future__ import annotations

from typing import Final

from trapline.core.cards import BLOCKED, COOLING, IDLE, Hosts

_STATES: Final = (
    "not located yet",
    "nothing to visit",
    "idle",
    "cooling",
    "being visited",
    "its address is busy",
    "blocked",
)


def host_state(hosts: Hosts, host: int, now_s: float) -> str:
    # nobody has asked since
    rested = hosts["state"][host] == COOLING and hosts["wake"][host] <= now_s
    return _STATES[IDLE if rested else hosts["state"][host]]


def host_ready_in_s(hosts: Hosts, host: int, now_s: float) -> float:
    """Until it may be visited; −∞ and ∞ are never told."""
    if hosts["state"][host] not in (COOLING, BLOCKED):
        return 0.0
    return max(0.0, float(hosts["wake"][host]) - now_s)
