"""An Atom feed of the newest changes, replaced as a whole."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from trapline.app.output.changes import NEWEST, Line, atom, newest_lines
from trapline.core.storage import Store


class FeedFile:
    gather_s = 0.0

    def __init__(self, path: Path, engine: str, store: Store) -> None:
        self.key = str(path.absolute())
        self.name = str(path)
        self._path = path
        self._engine = engine
        self._store = store

    def resume(self, noted: int | None, newest: int) -> int:
        last = noted if noted is not None and self._path.exists() else 0
        return max(last, newest - NEWEST)  # what lies before is not in the feed anyway

    async def tell(self, lines: list[Line]) -> None:
        await asyncio.to_thread(self._replace)

    def close(self) -> None:
        pass

    def _replace(self) -> None:
        unfinished = self._path.with_name(self._path.name + ".unfinished")
        with unfinished.open("wb") as file:
            file.write(atom(self._engine, newest_lines(self._store)))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path)
