"""Counting what is asked and opened while a folder is served: in memory, written every second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import apsw

from trapline.app.demand.allowance import Allowance
from trapline.app.demand.demand_file import add_demand, day_now
from trapline.app.demand.tally import Tally, normal_query
from trapline.app.output.standard_output import print_remark

WRITE_S: Final = 1.0
OPENED_PER_S: Final = 10.0  # no readers open more; scripts might
SHOWN_PER_S: Final = 100.0  # nor are they shown more
_OPENED_AT_ONCE: Final = 50.0
_SHOWN_AT_ONCE: Final = 500.0


class DemandCounter:
    """From any thread. What cannot be written is not counted, and that is told once: a folder that
    cannot be written is served all the same.
    """

    def __init__(self, folder: Path, say: Callable[[str], None] = print_remark) -> None:
        self._folder = folder
        self._say = say
        self._tally = Tally()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._has_said = False
        self._openings = Allowance(OPENED_PER_S, _OPENED_AT_ONCE)
        self._showings = Allowance(SHOWN_PER_S, _SHOWN_AT_ONCE)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="demand")
        self._thread.start()

    def note_asked(self, query: str, *, found: bool) -> None:
        with self._lock:
            self._tally.note_asked(normal_query(query), found=found)

    def note_opened(self, query: str, page: int) -> bool:
        """False: there are more than people could open."""
        with self._lock:
            if not self._openings.spend(time.monotonic()):
                return False
            self._tally.note_opened(normal_query(query), page)
            return True

    def note_shown(self, pages: Iterable[int]) -> None:
        """Results that somebody saw. More than people could look at are not counted."""
        with self._lock:
            now_s = time.monotonic()
            for page in pages:
                if self._showings.spend(now_s):
                    self._tally.note_shown(page)

    def write(self) -> None:
        """Write down what was counted since."""
        with self._writing:
            with self._lock:
                tally = self._tally
                self._tally = Tally()
            if not tally:
                return
            try:
                add_demand(self._folder, tally, day_now())
            except (apsw.Error, OSError) as failure:
                self._tell(failure)

    def close(self) -> None:
        self._over.set()
        self._thread.join(timeout=5.0)
        self.write()

    def _run(self) -> None:
        while not self._over.wait(WRITE_S):
            self.write()

    def _tell(self, failure: Exception) -> None:
        if not self._has_said:
            self._has_said = True
            self._say(f"what is asked cannot be counted in {self._folder}: {failure}")
