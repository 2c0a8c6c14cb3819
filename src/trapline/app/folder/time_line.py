"""The time line of a page: its visits, and what each of them found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from trapline.app.folder.visit_words import name_finding
from trapline.core.records import Outcome, Visit
from trapline.core.storage import Store

NEWEST: Final = 50  # visits shown unless told otherwise


@dataclass(frozen=True, slots=True)
class TimedVisit:
    ended_s: float
    outcome: str  # ok, unchanged, gone, moved, failed, skipped
    found: str  # new, changed, unchanged, gone, moved, failed, skipped
    status: int  # of HTTP; 0 = no answer
    changed: bool  # whether the document was new, or another than before
    first: bool  # whether no document of the page was held before
    price: float | None  # at which it was bought; None = due in turn
    seconds: float  # from the ticket to the end
    remark: str


@dataclass(frozen=True, slots=True)
class TimeLine:
    """The newest visits, oldest first."""

    page: int
    url: str
    visits: list[TimedVisit]
    earlier: bool  # whether there are visits before these

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


NO_VISITS: Final = TimeLine(-1, "", [], earlier=False)


def time_line(store: Store, page: int, limit: int = NEWEST) -> TimeLine:
    newest = store.visits(page, limit + 1)
    earlier = len(newest) > limit
    visits = newest[:limit][::-1]
    read = store.first_visit(page) if earlier else None
    held = read is not None and bool(visits) and read.number < visits[0].number
    timed = list(_timed_visits(visits, held))
    return TimeLine(page, store.url(page), timed, earlier)


def _timed_visits(visits: list[Visit], held: bool) -> Iterator[TimedVisit]:
    """`held`: a document of the page was, before the first of them."""
    for visit in visits:
        yield _timed_visit(visit, first=not held)
        if visit.outcome in (Outcome.OK, Outcome.GONE):
            held = visit.outcome is Outcome.OK


def _timed_visit(visit: Visit, *, first: bool) -> TimedVisit:
    return TimedVisit(
        ended_s=visit.ended_s,
        outcome=Outcome(visit.outcome).name.lower(),
        found=name_finding(visit.outcome, changed=visit.changed, first=first),
        status=visit.status,
        changed=visit.changed,
        first=first,
        price=visit.price if visit.price < float("inf") else None,
        seconds=max(0.0, visit.ended_s - visit.issued_s),
        remark=visit.remark,
    )
