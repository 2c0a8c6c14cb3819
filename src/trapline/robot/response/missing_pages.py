"""Held pages that were denied once: servers err, so only a second denial counts.

The memory of one run: after a restart, a page is asked for once more.

>>> missing = MissingPages()
>>> missing.is_confirmed(7, 100.0), missing.is_confirmed(7, 130.0), missing.is_confirmed(7, 160.0)
(False, False, True)
"""

from __future__ import annotations

from typing import Final

CONFIRM_S: Final = 60.0  # between two denials that count


class MissingPages:
    def __init__(self) -> None:
        self._first_s: dict[int, float] = {}  # page → when it was first denied

    def is_confirmed(self, page: int, now_s: float) -> bool:
        """A page was denied now: whether it was denied before, long enough ago."""
        return now_s - self._first_s.setdefault(page, now_s) >= CONFIRM_S

    def forget(self, page: int) -> None:
        """It is there, or given up."""
        self._first_s.pop(page, None)
