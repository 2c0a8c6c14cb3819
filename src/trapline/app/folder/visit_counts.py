"""What the newest visits came to: outcomes, statuses, errors with examples, hosts, harvest.

Over a bounded number of visits, so that it costs the same in a folder of a million of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from trapline.core.records import Kind, Outcome, Visit
from trapline.core.status_words import say_status
from trapline.core.storage import Store

LOOK_BACK: Final = 5000  # visits
HARVESTED: Final = 1000  # documents read over which the harvest rate is counted
ON_TOPIC: Final = 0.5  # relevance from which on a page is on topic
_HOSTS: Final = 8
_ERRORS: Final = 8


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Visits that failed for one reason, and the newest of them as an example."""

    reason: str
    count: int
    url: str
    ended_s: float


@dataclass(frozen=True, slots=True)
class VisitedHost:
    host: str
    visits: int
    errors: int


@dataclass(frozen=True, slots=True)
class VisitCounts:
    counted: int  # the newest visits, robots.txt among them
    since_s: float | None  # when the oldest of them ended; None = there are none
    outcomes: dict[str, int]
    statuses: dict[str, int]  # "no answer" where there was none
    harvested: int  # documents read last, at most 1,000
    harvest_rate: float | None  # share of them that is on topic
    errors: list[ErrorGroup]  # most frequent first
    hosts: list[VisitedHost]  # most visited first


def is_error(visit: Visit) -> bool:
    """No usable answer, or one of 400 and more."""
    return visit.outcome is Outcome.FAILED or visit.status >= 400


def count_visits(store: Store, visits: list[Visit]) -> VisitCounts:
    """`visits` are the newest, newest first."""
    read = [
        visit.relevance
        for visit in visits
        if visit.kind is Kind.PAGE and visit.outcome is Outcome.OK
    ][:HARVESTED]
    on_topic = sum(relevance >= ON_TOPIC for relevance in read)
    return VisitCounts(
        counted=len(visits),
        since_s=visits[-1].ended_s if visits else None,
        outcomes=_count(visit.outcome.name.lower() for visit in visits),
        statuses=_count(str(visit.status or "no answer") for visit in visits),
        harvested=len(read),
        harvest_rate=on_topic / len(read) if read else None,
        errors=_errors(visits, lambda visit: asked_for(store, visit)),
        hosts=_hosts(visits, lambda host: store.host(host).name),
    )


def count_errors(visits: Iterable[Visit]) -> Counter[int]:
    """By host."""
    return Counter(visit.host for visit in visits if is_error(visit))


def asked_for(store: Store, visit: Visit) -> str:
    """The URL of a visit; of a robots.txt that was redirected, the first one."""
    if visit.kind is Kind.PAGE:
        return store.url(visit.page)
    return store.host(visit.host).home + "robots.txt"


def error_reason(visit: Visit) -> str:
    """What errors are grouped by: the status if it says enough, else what was remarked.

    >>> gone = Visit(1, 1, 0, Kind.PAGE, 0.0, 1.0, 0.0, Outcome.GONE, 404, False, 0.0)
    >>> error_reason(gone)
    '404 Not Found'
    """
    if visit.status >= 400:
        return say_status(visit.status)
    return visit.remark or visit.outcome.name.lower()


def _count(words: Iterable[str]) -> dict[str, int]:
    """Most frequent first."""
    return dict(Counter(words).most_common())


def _errors(visits: list[Visit], url: Callable[[Visit], str]) -> list[ErrorGroup]:
    counts: Counter[str] = Counter()
    newest: dict[str, Visit] = {}
    for visit in filter(is_error, visits):
        reason = error_reason(visit)
        counts[reason] += 1
        newest.setdefault(reason, visit)
    return [
        ErrorGroup(reason, count, url(newest[reason]), newest[reason].ended_s)
        for reason, count in counts.most_common(_ERRORS)
    ]


def _hosts(visits: list[Visit], name: Callable[[int], str]) -> list[VisitedHost]:
    counts = Counter(visit.host for visit in visits)
    errors = count_errors(visits)
    return [
        VisitedHost(name(host), count, errors[host])
        for host, count in counts.most_common(_HOSTS)
    ]
