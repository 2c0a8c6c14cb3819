"""What a visit found, in one word: the only place that names it."""

from __future__ import annotations

from trapline.core.records import Outcome, Turn


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
