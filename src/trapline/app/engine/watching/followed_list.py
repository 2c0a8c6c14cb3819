"""The files of a watch, looked at while it runs: a list that has changed is read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from trapline.app.settings import Settings

Signature = tuple[tuple[int, int], ...]  # (time, size) of each file; (0, -1) = gone


class FollowedList:
    """`read` reads everything again; UserMistake if something is wrong with it."""

    def __init__(self, files: Sequence[Path], read: Callable[[], Settings]) -> None:
        self._files = files
        self._read = read
        self._done = self._signature()  # of what was read last
        self._seen = self._done

    def news(self) -> Settings | None:
        """What the files say by now; None = the same as before, or they are still being written.

        Takes long: names are resolved.
        """
        before = self._seen
        self._seen = self._signature()
        if self._seen == self._done or self._seen != before:
            return None
        self._done = self._seen
        return self._read()

    def _signature(self) -> Signature:
        return tuple(map(_state_of, self._files))


def _state_of(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError:
        return 0, -1
    return state.st_mtime_ns, state.st_size
