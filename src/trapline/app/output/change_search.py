"""Where in the numbered changes a time is."""

from __future__ import annotations

from math import inf

from trapline.core.storage import Store


def first_since(store: Store, since_s: float) -> int:
    """The number of the first change at or after a time; one more than the newest = none.

    Changes are numbered in the order in which they were seen, so half of them are ruled out at each
    look. Where the clock was set back, a few may be missed or given too many.
    """
    low = 1
    high = store.newest_diff() + 1
    while low < high:
        middle = (low + high) // 2
        number, at_s = _next_change(store, middle)
        if at_s >= since_s:
            high = middle
        else:
            low = max(number, middle) + 1
    return low


def _next_change(store: Store, number: int) -> tuple[int, float]:
    """The first change from a number on, and when it was."""
    for found, diff in store.diffs(number - 1):
        return found, diff.at_s
    return number, inf
