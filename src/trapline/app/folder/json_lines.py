"""Files to which people add lines while a robot may be at work: one JSON object a line.

They are files and not tables of the store, because a robot may hold the store. A line is appended
and synced, whoever runs, and the robot reads it a moment later.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol


def append_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """All at once, durable when it returns."""
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with path.open("ab") as file:
        file.write((b"\n" if _is_torn(path) else b"") + text)
        file.flush()
        os.fsync(file.fileno())


class JsonLines(Protocol):
    """Lines that people add, wherever they are kept."""

    @property
    def size(self) -> int:
        """How much was read so far."""

    def news(self) -> list[dict[str, Any]]: ...


class JsonLinesFile:
    """Hands out what has been appended since the last call of `news`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0  # bytes

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._read

    def news(self) -> list[dict[str, Any]]:
        """The new lines. Unreadable ones are passed over; a torn one waits until it is whole."""
        try:
            if self._path.stat().st_size <= self._read:
                return []
            with self._path.open("rb") as file:
                file.seek(self._read)
                text = file.read()
        except OSError:  # nobody has written a line yet
            return []
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        lines = map(parse_line, whole.splitlines())
        return [line for line in lines if line is not None]


def parse_line(line: bytes | str) -> dict[str, Any] | None:
    """One line of a file.

    >>> parse_line(b'{"url": "http://127.0.0.1/"}'), parse_line(b"{"), parse_line(b"[]")
    ({'url': 'http://127.0.0.1/'}, None, None)
    """
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _is_torn(path: Path) -> bool:
    """Whether a crash left half a line at the end."""
    if path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
