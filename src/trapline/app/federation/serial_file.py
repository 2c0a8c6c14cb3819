"""The serial of a folder's statements: it grows over restarts, kills and clocks set back."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from trapline.app.federation.private_file import write_private
from trapline.oasis.statements import LARGEST_SKIP, next_serial

FILE: Final = "engine.serial"


class SerialFile:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._last = 0

    def take(self) -> int:
        """A serial that was never taken before; it is written down first."""
        last = max(self._last, self._read())  # another process may leave meanwhile
        serial = next_serial(last, int(time.time() * 1000))
        write_private(self._path, str(serial).encode())
        self._last = serial
        return serial

    def skip(self, last: int) -> None:
        """A later serial was heard already: go on behind it."""
        if last <= LARGEST_SKIP:
            self._last = max(self._last, last)

    def _read(self) -> int:
        """0 where it is lost or damaged: then the clock is as good."""
        with suppress(OSError, ValueError):
            return int(self._path.read_text(encoding="ascii")[:20])
        return 0
