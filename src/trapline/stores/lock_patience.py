"""Waiting while another program has locked the store: a database browser, a backup."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

SAY_AFTER_S: Final = 1.0  # most locks are over by then
_PAUSE_S: Final = 0.05


class LockPatience:
    """Asked by SQLite, through `wait`, whether to try once more."""

    def __init__(self, path: Path, say: Callable[[str], None], most_s: float) -> None:
        """`say` tells people, once for each lock, why nothing happens."""
        self._path = path
        self._say = say
        self._most_s = most_s
        self._began_s = 0.0
        self._has_said = False

    def wait(self, tries: int) -> bool:
        """Wait for a moment; False = it was long enough."""
        now_s = time.monotonic()
        if tries == 0:
            self._began_s = now_s
            self._has_said = False
        waited_s = now_s - self._began_s
        if waited_s >= SAY_AFTER_S and not self._has_said:
            self._has_said = True
            self._say(f"another program has locked {self._path}: waiting for it")
        if waited_s >= self._most_s:
            return False
        time.sleep(_PAUSE_S)
        return True
