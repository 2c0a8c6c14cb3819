"""Lines of the log, oldest first, and those that come while somebody waits for them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from heapq import merge
from pathlib import Path
from typing import IO, Any, Final

from trapline.app.folder.visit_log.log_file import OLDER, log_path

LOOK_S: Final = 0.25  # between two looks for new lines
_CHUNK: Final = 1 << 20


def read_log(*folders: Path) -> Iterator[dict[str, Any]]:
    """What is in all files now, oldest first. Half a line at the end is passed over."""
    with _readers(folders) as readers:
        yield from _news_of(readers)


def follow_log(
    *folders: Path, rest: Callable[[], None] = lambda: time.sleep(LOOK_S)
) -> Iterator[dict[str, Any]]:
    """All lines, then those that come, without end. `rest` waits between two looks."""
    with _readers(folders) as readers:
        while True:
            yield from _news_of(readers)
            rest()


@contextmanager
def _readers(folders: Iterable[Path]) -> Iterator[list[LogReader]]:
    with ExitStack() as stack:
        yield [stack.enter_context(closing(LogReader(one))) for one in folders]


def _news_of(readers: list[LogReader]) -> Iterator[dict[str, Any]]:
    """By time, as far as those of several shards are there."""
    return merge(*(reader.news() for reader in readers), key=_time_of)


def _time_of(line: dict[str, Any]) -> float:
    time_s = line.get("time_s")
    return time_s if isinstance(time_s, float) else 0.0


class LogReader:
    """Hands out each line once, wherever rotation puts its file meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._torn = b""  # half a line, until the rest comes

    def news(self) -> Iterator[dict[str, Any]]:
        """The lines since the last call."""
        while self._file is not None or self._open_oldest():
            yield from self._rest_of_file()
            following = self._following()
            if following is None:
                return
            # it is not written to any more: what came since the last look is all there is
            yield from self._rest_of_file()
            self._open(following)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None

    def _open_oldest(self) -> bool:
        ages = [age for age in range(OLDER, -1, -1) if self._path(age).exists()]
        return bool(ages) and self._open(self._path(ages[0]))

    def _open(self, path: Path) -> bool:
        self.close()
        self._torn = b""
        try:
            self._file = path.open("rb")
        except FileNotFoundError:  # it was rotated in this moment
            return False
        return True

    def _following(self) -> Path | None:
        """The file after the one that is open; None = it is the newest."""
        assert self._file is not None
        own = os.fstat(self._file.fileno()).st_ino
        for age in range(OLDER + 1):
            path = self._path(age)
            if path.exists() and path.stat().st_ino == own:
                newer = [self._path(one) for one in range(age - 1, -1, -1)]
                return next((one for one in newer if one.exists()), None)
        # dropped while it was read: the oldest one that is left follows
        ages = [age for age in range(OLDER, -1, -1) if self._path(age).exists()]
        return self._path(ages[0]) if ages else None

    def _rest_of_file(self) -> Iterator[dict[str, Any]]:
        assert self._file is not None
        while chunk := self._file.read(_CHUNK):
            *whole, self._torn = (self._torn + chunk).split(b"\n")
            yield from (line for line in map(_parse, whole) if line is not None)

    def _path(self, age: int) -> Path:
        return log_path(self._folder, age)


def _parse(line: bytes) -> dict[str, Any] | None:
    """One line of the log; None = it is none.

    >>> _parse(b'{"event": "start"}'), _parse(b'{"eve'), _parse(b"")
    ({'event': 'start'}, None, None)
    """
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
