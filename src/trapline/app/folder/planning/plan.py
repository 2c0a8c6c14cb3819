"""What `plan` says: freshness, news and finds against the budget, fetchers, bottlenecks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

_BUDGETS: Final = 21  # of the curve: a tenth to ten times the present one
_SPAN: Final = 10.0
_MORE: Final = 1.1
_NOTICED: Final = 0.005  # of what there is: less than this share more is as nothing
NINETY: Final = 0.9  # the freshness that a budget is named for

_HELD_BACK: Final = {
    "budget": "the budget",
    "hosts": "the gaps of hosts: more budget alone buys nothing",
    "fetchers": "too few fetchers: raise `most` under [fetchers] in the settings",
    "processor": "the processor: it reads as fast as it can",
    "worth": "nothing: what is known is visited as often as it pays",
}
_VERDICTS: Final = {
    "budget": "the budget holds the robot back: more visits would be of use",
    "fetchers": "hardly anything: there are too few fetchers",
    "processor": "hardly anything: the processor reads as fast as it can",
    "worth": "hardly anything: what is known is visited as often as it pays",
}
_UNITS: Final = {
    "visits": "visits",
    "bytes": "units of 100 kB",
    "seconds": "seconds of fetching",
}


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """What a budget buys."""

    budget: float  # visits, or other units of cost, a second
    visits: float  # that it buys a second: those that hosts have room for
    # share of the held relevance that is as the Web has it, on average over time
    freshness: float
    # relevance of what held pages list anew in a day, each item as far as interest in it lasts
    news_a_day: float
    # expected relevance of the pages of today's fringe that a day is enough for
    finds_a_day: float
    price: float  # the market price at which the budget is just used up
    # until all pages are held, if all visits go to new ones; None = nobody guessed how many
    all_held_s: float | None = None


def is_noticed(now: float, then: float) -> bool:
    """Whether anybody would notice what has become more."""
    return then - now > _NOTICED * max(now, 1e-9)


class Budgets(NamedTuple):
    """Those that a plan looks at."""

    less: float
    more: float
    curve: list[float]


def budgets_around(present: float) -> Budgets:
    """The present one is among the curve's.

    >>> budgets_around(2.0).curve[10], round(budgets_around(2.0).less, 3)
    (2.0, 1.8)
    """
    factors = np.geomspace(1.0 / _SPAN, _SPAN, _BUDGETS).tolist()
    return Budgets(
        present * (2.0 - _MORE), present * _MORE, [present * one for one in factors]
    )


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

    @property
    def is_asked_for(self) -> bool:
        """Whether its robots.txt asks for the gap that it has."""
        return self.crawl_delay_s is not None and self.crawl_delay_s >= self.gap_s


def say_lifts(bottlenecks: Sequence[Bottleneck]) -> list[str]:
    """What would lift what holds hosts back, for people."""
    asked = sum(host.is_asked_for for host in bottlenecks)
    own = len(bottlenecks) - asked
    lifts = {
        "robots.txt asks for the gap: only their owners can allow more": asked,
        "the gap is the robot's: if a host is yours, lower it under `own` in [manners]": own,
    }
    return [f"on {count} of these {why}" for why, count in lifts.items() if count]


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
    # the least of these bounds on fetchers: budget, hosts, fetchers, processor; what limits the
    # robot is the plan's to say
    held_back_by: str


@dataclass(frozen=True, slots=True)
class Guess:
    """What a plan without a folder rests on."""

    name: str  # of the option that says otherwise
    text: str
    given: bool  # by the user; else Trapline's own guess


@dataclass(frozen=True, slots=True)
class Plan:
    folder: str  # "" = from guesses
    pages_held: int
    pages_fringe: int
    budget: float | None  # visits a second that the settings allow; None = unlimited
    problem: str  # why there is no curve; "" = there is one
    # what a visit takes of budgets: visits, bytes (in units of 100 kB) or seconds
    cost: str = "visits"
    present: PlanPoint | None = None  # at the visits a second that are made now
    more: PlanPoint | None = None  # 10 % more of them
    less: PlanPoint | None = None  # 10 % less
    curve: list[PlanPoint] = field(default_factory=list)  # by rising budget
    fetchers: FetcherAdvice | None = None  # None = nothing is measured yet
    bottlenecks: list[Bottleneck] = field(default_factory=list)  # worst first
    hosts_held_back: int = 0  # how many there are
    # visits a second that the gaps of all hosts leave room for; None = unknown
    hosts_allow: float | None = None
    # visits a second that keep nine tenths fresh; None = no budget does
    for_ninety: float | None = None
    guesses: list[Guess] = field(default_factory=list)  # of a plan without a folder

    def as_dict(self) -> dict[str, Any]:
        values = asdict(self)
        if self.fetchers is not None:
            values["fetchers"]["held_back_by"] = self.held_back_by()
        return values

    def held_back_by(self) -> str:
        """What limits the robot: fetchers, processor, budget, hosts, or worth if more visits would
        hardly be worth anything.
        """
        bound = self.fetchers.held_back_by if self.fetchers else ""
        if bound in ("fetchers", "processor"):
            return bound
        if self._more_is_noticed():
            return "budget"
        return "hosts" if self.hosts_held_back or bound == "hosts" else "worth"

    @property
    def unit(self) -> str:
        """Of budgets."""
        return _UNITS[self.cost]

    def say_held_back(self) -> str:
        """What holds the robot back, for people."""
        return _HELD_BACK[self.held_back_by()]

    def say_verdict(self) -> str:
        """Whether more budget pays, by what it buys; if not, what else is in the way."""
        if self.present is None or self.more is None:
            return ""
        limit = self.held_back_by()
        if limit != "hosts":
            return _VERDICTS[limit]
        count = self.hosts_held_back
        who = f"{count:,} host{'' if count == 1 else 's'}" if count else "the hosts"
        gaps = "the gap" if count == 1 else "the gaps"
        verb = "is" if count == 1 else "are"
        return f"hardly anything: {gaps} of {who} {verb} in the way, not the budget"

    def _more_is_noticed(self) -> bool:
        now = self.present
        then = self.more
        if now is None or then is None:
            return False
        names = ("freshness", "news_a_day", "finds_a_day")
        return any(
            is_noticed(getattr(now, name), getattr(then, name)) for name in names
        )
