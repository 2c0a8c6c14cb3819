"""A file of changes that grows: one line of JSON a change, appended and synced.

The number in the last line says where to go on, so nothing is told twice; a torn line is cut off.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
from io import FileIO
from pathlib import Path
from typing import Any, Final

from trapline.app.output.changes import Line, lines_after
from trapline.core.errors import UserMistake
from trapline.core.storage import Store
from trapline.stores.checkpoint_files import sync_folder

_TAIL: Final = 1 << 20  # bytes in which the last line of a file must lie


class JsonlFile:
    gather_s = 0.0

    def __init__(self, path: Path, store: Store) -> None:
        self.key = str(path.absolute())
        self.name = str(path)
        self._path = path
        self._store = store
        self._last = 0  # number of the change in the last line
        self._file: FileIO | None = None

    def resume(self, noted: int | None, newest: int) -> int:
        self._file = self._path.open("ab", buffering=0)
        try:
            self._lock(self._file)
            self._last, end = self._find_end()
        except BaseException:
            self.close()
            raise
        self._file.truncate(end)
        sync_folder(self._path.parent)
        return self._last

    async def tell(self, lines: list[Line]) -> None:
        await asyncio.to_thread(self._append, lines)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _lock(self, file: FileIO) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserMistake(
                f"another robot tells its changes to {self._path}: name another file"
            ) from None

    def _find_end(self) -> tuple[int, int]:
        """(number of the last change, bytes up to its end), if this engine wrote it."""
        last, end = last_line(self._path)
        number = last.get("number", 0)
        if number and not self._is_ours(last, number):
            raise UserMistake(
                f"{self._path} ends with change {number} of another engine: name another file"
            )
        return number, end

    def _is_ours(self, last: dict[str, Any], number: int) -> bool:
        ours = lines_after(self._store, number - 1, most=1)
        if not ours:
            return False
        return (last.get("url"), last.get("at_s")) == (ours[0].url, ours[0].at_s)

    def _append(self, lines: list[Line]) -> None:
        assert self._file is not None
        end = self._file.seek(0, os.SEEK_END)
        fresh = (line for line in lines if line.number > self._last)
        text = "".join(f"{line.as_json()}\n" for line in fresh).encode()
        try:
            while text:
                text = text[self._file.write(text) :]
            os.fsync(self._file.fileno())
        except OSError:  # a full disk, in the middle of a line
            self._file.truncate(end)
            raise
        self._last = lines[-1].number


def last_line(path: Path) -> tuple[dict[str, Any], int]:
    """(the last whole line, bytes up to its end); a torn line behind it does not count."""
    size = path.stat().st_size
    first = max(0, size - _TAIL)
    with path.open("rb") as file:
        file.seek(first)
        tail = file.read(size - first)
    whole = tail[: tail.rfind(b"\n") + 1]
    if not whole and first == 0 and (not tail or tail.startswith(b"{")):
        return {}, 0
    try:
        last: dict[str, Any] = json.loads(whole.splitlines()[-1])
        if not isinstance(last["number"], int) or last["number"] < 1:
            raise ValueError(last)
    except (ValueError, TypeError, KeyError, IndexError):
        raise UserMistake(
            f"{path} is not a file of changes (its last line has no number): name another file"
        ) from None
    return last, first + len(whole)
