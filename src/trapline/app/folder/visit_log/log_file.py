"""The files of the log: the newest is `log.jsonl`, older ones are `log.1.jsonl` … `log.4.jsonl`.

They are written beside the store and not synced: a crash may cost the last half second, and leave
half a line, which readers pass over and the next writer ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

MOST_BYTES: Final = 10_000_000  # of one file
OLDER: Final = 4  # files that are kept beside the newest


def log_path(folder: Path, age: int = 0) -> Path:
    """The newest file, or an older one.

    >>> log_path(Path("engine")).name, log_path(Path("engine"), 2).name
    ('log.jsonl', 'log.2.jsonl')
    """
    return folder / (f"log.{age}.jsonl" if age else "log.jsonl")


class LogFile:
    """Appends lines. When the file is full it becomes the first of the older ones."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def append(self, lines: Iterable[dict[str, Any]]) -> None:
        """OSError if the disk does not take them."""
        text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        path = log_path(self._folder)
        with path.open("ab+") as file:
            size = file.tell()
            file.write((b"\n" if _is_torn(file, size) else b"") + text)
        if size + len(text) >= self._most_bytes:
            self._rotate()

    def _rotate(self) -> None:
        for age in reversed(range(OLDER)):
            path = log_path(self._folder, age)
            if path.exists():
                path.replace(log_path(self._folder, age + 1))


def _is_torn(file: Any, size: int) -> bool:
    """Whether a crash, or a full disk, left half a line at the end."""
    if size == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) != b"\n")
