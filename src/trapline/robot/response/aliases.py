"""URLs that are other URLs now: by a lasting redirect, or because a page says that it is a copy.

The memory of one run, and bounded: what is forgotten costs a visit or a duplicate, never a page.

>>> aliases = Aliases()
>>> aliases.note(1, 2), aliases.note(2, 3), aliases.note(3, 1)
(None, None, None)
>>> aliases.of(1), aliases.of(7)  # round in a circle: no better than where it began
(1, 7)
"""

from __future__ import annotations

from typing import Final

MOST: Final = 100_000
MOST_STEPS: Final = 10


class Aliases:
    def __init__(self) -> None:
        self._now: dict[int, int] = {}

    def note(self, page: int, now: int) -> None:
        """`page` is to be found under another number now."""
        self._now.pop(page, None)
        self._now[page] = now
        if len(self._now) > MOST:
            del self._now[next(iter(self._now))]

    def of(self, page: int) -> int:
        """Where the trail of a page ends."""
        at = page
        for _ in range(MOST_STEPS):
            if at not in self._now:
                return at
            at = self._now[at]
            if at == page:
                break
        return page
