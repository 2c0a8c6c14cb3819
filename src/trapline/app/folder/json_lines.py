"""Files to which people add lines while a robot may be at work: one object of JSON a line.

Files and not tables of the store, because a robot may hold the store: a line is appended and
synced, whoever runs, and the robot reads what was appended a moment later.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def append_line(path: Path, said: dict[str, Any]) -> None:
    """Durable when it returns."""
    with path.open("ab") as file:
        file.write(b"\n" if _torn(path) else b"")
        file.write(json.dumps(said).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


class JsonLinesFile:
    """What has been appended since it was last looked at."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0  # bytes

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._read

    def news(self) -> list[dict[str, Any]]:
        """The new lines. Those that cannot be read are passed over, a torn one waits."""
        try:
            if self._path.stat().st_size <= self._read:
                return []
            with self._path.open("rb") as file:
                file.seek(self._read)
                lines = file.read()
        except OSError:  # nobody has said anything yet
            return []
        whole = lines[: lines.rfind(b"\n") + 1]
        self._read += len(whole)
        return [
            said
            for line in whole.splitlines()
            if (said := _parse_line(line)) is not None
        ]


def _parse_line(line: bytes) -> dict[str, Any] | None:
    """One line of a file.

    >>> _parse_line(b'{"url": "http://127.0.0.1/"}'), _parse_line(b"{"), _parse_line(b"[]")
    ({'url': 'http://127.0.0.1/'}, None, None)
    """
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _torn(path: Path) -> bool:
    """Whether a crash left half a line at the end."""
    if path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
