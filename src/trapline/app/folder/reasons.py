"""What `why` says of a page, for people and for machines."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from trapline.app.demand.wanted_pages import NOBODY, Wanted
from trapline.app.folder.time_line import NO_VISITS, TimeLine
from trapline.core.ports import LearntRate
from trapline.policies.wording import say_rate, say_span

NEVER_S: Final = 1e12


@dataclass(frozen=True, slots=True)
class Term:
    """One gain, as it stands on the page's card (core/cards.py)."""

    name: str
    worth: float
    rate: float
    shape: float | None  # None = the rate is taken as known
    price: float  # now


@dataclass(frozen=True, slots=True)
class ShardOfPage:
    shard: int
    owner: str  # worker; "" = nobody runs it now
    epoch: int
    rate_per_s: float | None  # visits granted to it; None = as many as manners allow

    def __str__(self) -> str:
        """
        >>> print(ShardOfPage(3, "", 2, 0.5), "|", ShardOfPage(3, "a-7", 2, None))
        3, run by nobody now, 0.5 visits a second | 3, run by a-7, no bound on its visits
        """
        rate = self.rate_per_s
        spends = (
            "no bound on its visits" if rate is None else f"{rate:.3g} visits a second"
        )
        return f"{self.shard}, run by {self.owner or 'nobody now'}, {spends}"


@dataclass(frozen=True, slots=True)
class Reasons:
    url: str
    page: int  # its number, for its time line
    state: str
    policy: str  # that wrote the offer
    age_s: float | None  # since the last visit; None = never visited
    price: float | None  # of a visit now; None = due, and not comparable by price
    terms: list[Term]
    market_price: float
    local_price: float  # of its host
    # until the price reaches the larger of both; None = not by price
    due_in_s: float | None
    opens_in_s: float  # until its offer is open
    host: str
    host_state: str
    ready_in_s: float  # until its host may be visited
    beliefs: dict[str, float]  # of a held page
    # of a fringe page: its clues, score, and what makes a price of it
    promise: dict[str, float]
    rates: list[LearntRate] = field(default_factory=list)  # of a held page
    # units of the budget that a visit takes, and usually takes; nothing where all cost the same
    cost: dict[str, float] = field(default_factory=dict)
    # what the policy and the agenda say of it, for people
    explained: list[tuple[str, str]] = field(default_factory=list)
    time_line: TimeLine = NO_VISITS
    wanted: Wanted = NOBODY  # by those who search
    demand_factor: float = 1.0  # what that multiplies its worth with
    # what keeps us from the page or its host; "" = nothing
    hindrance: str = ""
    held_back: str = ""  # what holds the robot back as a whole, in a line
    shard: ShardOfPage | None = None  # of a crawl in shards the one that visits it

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def asked_for(self) -> str:
        """How often people are shown it and open it, and what that does; "" = never."""
        if self.wanted == NOBODY and self.demand_factor == 1.0:
            return ""
        return f"{self.wanted}: worth ×{self.demand_factor:.2g}"

    @property
    def last_visit(self) -> str:
        """When it was, and what came of it if no document did."""
        if self.age_s is None:
            return "never"
        ago = f"{say_span(self.age_s)} ago"
        newest = self.time_line.visits[-1:]
        if not newest or newest[0].outcome in ("ok", "unchanged"):
            return ago
        return f"{ago}: {newest[0].found} ({newest[0].status or newest[0].remark})"

    def lines(self) -> list[tuple[str, str]]:
        """In the order to read them."""
        lines = [("state", self.state)]
        if self.shard is not None:
            lines.append(("shard", str(self.shard)))
        if self.hindrance:
            lines.append(("not visited, for", self.hindrance))
        lines += [("offer by", self.policy), ("last visit", self.last_visit)]
        lines += [(f"{term.name} is worth", _term(term)) for term in self.terms]
        if self.asked_for:
            lines.append(("asked for", self.asked_for))
        lines.append(
            (
                "price now",
                "due in turn, not by price"
                if self.price is None
                else f"{self.price:.4g}",
            )
        )
        lines.append(("market price", f"{self.market_price:.4g}"))
        lines.append(("price on its host", f"{self.local_price:.4g}"))
        if self.due_in_s is not None:
            lines.append(("due", _when(self.due_in_s)))
        if self.opens_in_s > 0 and not self.hindrance:
            lines.append(("not offered for", say_span(self.opens_in_s)))
        wait = f" for {say_span(self.ready_in_s)}" if self.ready_in_s > 0 else ""
        lines.append(("host", f"{self.host}, {self.host_state}{wait}"))
        if self.held_back:
            lines.append(("robot held back by", self.held_back))
        return lines + self.explained + [_band(rate) for rate in self.rates]


def _term(term: Term) -> str:
    said = f"{term.price:.4g} now, of at most {term.worth:.4g}"
    return (
        f"{said}; half of it is lost in {say_span(math.log(2.0) / term.rate)}"
        if term.name == "news"
        else said
    )


def _band(rate: LearntRate) -> tuple[str, str]:
    """What is learnt of a rate.

    >>> _band(LearntRate("changes", 1.0, 0.5, 2.0))
    ('changes lie between', '0.5 a second and 2 a second, nine times in ten')
    """
    low = say_rate(rate.low) if rate.low > rate.high / 1e4 else "nothing"
    said = f"{low} and {say_rate(rate.high)}, nine times in ten"
    return f"{rate.name} lie between", said


def _when(due_in_s: float) -> str:
    """When a page is due.

    >>> _when(-90.0), _when(5.0), _when(1e11)
    ('since 90 s', 'in 5 s', 'never at this price')
    """
    if due_in_s >= NEVER_S / 10:
        return "never at this price"
    return (
        f"in {say_span(due_in_s)}" if due_in_s > 0 else f"since {say_span(-due_in_s)}"
    )
