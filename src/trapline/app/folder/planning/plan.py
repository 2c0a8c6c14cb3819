"""What `plan` says: freshness, news and finds against the budget, fetchers, bottlenecks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

_HELD_BACK: Final = {
    "budget": "the budget: more visits would be used",
    "hosts": "the pace of the hosts: more budget alone buys nothing",
    "fetchers": "too few fetchers: raise `most` under [fetchers] in the settings",
    "processor": "the processor: it reads as fast as it can",
}


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """What a budget buys."""

    budget: float  # visits a second
    visits: float  # those of them that hosts have room for
    # share of the held relevance that is as the Web has it, on average over time
    freshness: float
    # relevance of what held pages list anew in a day, each item as far as interest in it lasts
    news_a_day: float
    # expected relevance of the pages of today's fringe that a day is enough for
    finds_a_day: float
    price: float  # the market price at which the budget is just used up


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """A host on which visits are scarcer than elsewhere."""

    host: str
    pages_held: int
    gap_s: float
    crawl_delay_s: float | None  # what its robots.txt asks for, if anything
    allowed_per_s: float  # visits a second that its gap leaves room for
    wanted_per_s: float  # visits a second that its pages are worth at the market price
    price: float  # of a visit there
    market_price: float


@dataclass(frozen=True, slots=True)
class FetcherAdvice:
    """How many fetchers are worthwhile."""

    fetch_rate: float  # λ: answers a second that one fetcher at work brings
    process_rate: float  # μ: answers a second that the processor can read
    queue_room: int
    awake: int  # now
    most: int  # by the settings
    for_budget: (
        int | None
    )  # that bring as much as budget and hosts allow; None = no bound
    for_processor: int  # beyond which answers only wait for the processor
    worthwhile: int  # the smaller of both
    held_back_by: str  # budget, hosts, fetchers, processor

    def say_held_back(self) -> str:
        """What holds the robot back, for people."""
        return _HELD_BACK[self.held_back_by]


@dataclass(frozen=True, slots=True)
class Plan:
    folder: str
    pages_held: int
    pages_fringe: int
    budget: float | None  # visits a second that the settings allow; None = unlimited
    problem: str  # why there is no curve; "" = there is one
    present: PlanPoint | None = None  # at the visits a second that are made now
    more: PlanPoint | None = None  # 10 % more of them
    less: PlanPoint | None = None  # 10 % less
    curve: list[PlanPoint] = field(default_factory=list)  # by rising budget
    fetchers: FetcherAdvice | None = None  # None = nothing is measured yet
    bottlenecks: list[Bottleneck] = field(default_factory=list)  # worst first
    hosts_held_back: int = 0  # how many there are

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
