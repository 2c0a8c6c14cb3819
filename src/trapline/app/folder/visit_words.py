"""What a visit found, in one word, and whether it was anything: the only place that says so."""

from __future__ import annotations

from trapline.core.records import Kind, Outcome, Turn, Visit


def name_finding(outcome: Outcome, *, changed: bool, first: bool) -> str:
    """new, changed, unchanged, gone, moved, failed or skipped.

    `first`: no document of the page was held before. A first visit that read one found something
    new; nothing has changed that nobody had seen.

    >>> name_finding(Outcome.OK, changed=True, first=True)
    'new'
    >>> name_finding(Outcome.OK, changed=True, first=False)
    'changed'
    >>> name_finding(Outcome.UNCHANGED, changed=False, first=False)
    'unchanged'
    >>> name_finding(Outcome.FAILED, changed=False, first=True)
    'failed'
    """
    if outcome not in (Outcome.OK, Outcome.UNCHANGED):
        return outcome.name.lower()
    if first and outcome is Outcome.OK:
        return str(Turn.NEW)
    return str(Turn.CHANGED) if changed else "unchanged"


def found_something(visit: Visit) -> bool:
    """Whether a visit read a document that is new, or has changed.

    >>> told = Visit(1, 1, 0, Kind.PAGE, 0.0, 1.0, 0.0, Outcome.OK, 200, True, 0.0)
    >>> found_something(told)
    True
    """
    return visit.kind is Kind.PAGE and visit.outcome is Outcome.OK and visit.changed
