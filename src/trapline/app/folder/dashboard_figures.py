"""What the dashboard shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from trapline.app.shards.shard_figures import ShardFigures
from trapline.core.ledger import WorkerRow


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that cannot be counted, with the band in which it lies nine times out of ten."""

    value: float
    low: float
    high: float
    meaning: str  # what is estimated, from what


@dataclass(frozen=True, slots=True)
class SwitchingCurve:
    """Up to which queue a fetcher is woken, by how many are awake."""

    # with 0, 1, … awake, when an answer was processed; 0 = never
    departure: list[int]
    # with 1, 2, … awake, when one came home, whether it goes out again; −1 = never
    arrival: list[int]


@dataclass(frozen=True, slots=True)
class FetcherState:
    """The fetchers and the queue now: (queue, awake) is the present state on the curve."""

    awake: int
    active: int
    queue: int
    queue_room: int
    most: int
    fetch_rate: float | None  # λ; None = not measured yet
    process_rate: float | None  # μ
    starvation: float
    blocked: int
    curve: SwitchingCurve | None  # None = the robot has not told it


@dataclass(frozen=True, slots=True)
class VisitShares:
    """What the newest visits were made for; the three shares add up to 1."""

    discovery: float  # pages fetched for the first time
    refresh: float  # held pages, for what may have changed on them
    news: float  # held pages, for what they may list anew
    visits: int  # over which


class HostOrder(StrEnum):
    """What comes first in a list of hosts: the most of it; names from a to z."""

    VISITS = "visits"
    HELD = "held"
    KNOWN = "known"
    ERRORS = "errors"
    GAP = "gap"
    PRICE = "price"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class HostLine:
    """One host, as the schedule sees it."""

    host: str
    pages_known: int
    pages_held: int
    visits: int
    visits_per_s: float  # over the last minute
    errors: int  # of the newest 5,000 visits of the folder
    gap_s: float  # seconds owed between two visits
    state: str
    ready_in_s: float  # until it may be visited
    price: float  # of a visit there; 0 = it has none of its own

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ErrorLine:
    url: str
    ended_s: float
    outcome: str
    status: int
    reason: str


@dataclass(frozen=True, slots=True)
class Dashboard:
    time_s: float  # when this was asked
    robot: str  # "at work", "ended", "died", "silent" or "never ran"
    silent_s: float | None  # since the robot last wrote
    pages_held: int
    pages_known: int
    pages_fringe: int
    hosts_known: int
    visits: int
    budget: float | None  # visits a second that the settings allow; None = unlimited
    recall: Estimate | None  # None = nothing to estimate it from
    freshness: Estimate | None
    visits_per_s: float  # over the last minute
    market_price: float | None  # None = none was paid yet
    fetchers: FetcherState | None
    shares: VisitShares | None
    hosts: list[HostLine]  # most visited first
    changes: list[dict[str, Any]]  # newest first, as /api/changes tells them
    errors: list[ErrorLine]  # newest first
    held_back: str = ""  # what holds the robot back, in a line
    # of a crawl in shards; else there are none
    shards: list[ShardFigures] = field(default_factory=list)
    workers: list[WorkerRow] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
