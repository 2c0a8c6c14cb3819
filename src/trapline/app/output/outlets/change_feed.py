"""Changes told while the robot runs, from the store and beside the loop.

An outlet that is slow holds up neither the crawl nor the other outlets.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trapline.app.output.changes import AT_ONCE, Line, lines_after
from trapline.app.output.outlets.arrears import NOTE, progress_note
from trapline.app.output.outlets.outlet import Outlet, Refused
from trapline.app.output.outlets.outlet_targets import outlet_for
from trapline.collection.collection import Collection
from trapline.core.storage import Store

POLL_S: Final = 0.5
PATIENCE_S: Final = 1.0  # before the second try; doubled each time,
PATIENCE_MOST_S: Final = 300.0  # up to this
LAST_WAIT_S: Final = 5.0  # at the end of a run, for what is still to be told
_TROUBLE: Final = (OSError, Refused)  # TimeoutError is an OSError


@dataclass(slots=True)
class Progress:
    """How far an outlet has come."""

    outlet: Outlet
    last: int  # number of the change that was last told
    trouble: str = ""
    since_s: float | None = None  # when the trouble began, perhaps in an earlier run

    def as_note(self) -> dict[str, Any]:
        return {
            "name": self.outlet.name,
            "told": self.last,
            "trouble": self.trouble,
            "since_s": self.since_s,
            "named": True,
        }


class ChangeFeed:
    """Tells outlets the changes of documents. Its notes lie in the store, under the key NOTE.

    Outlets that are not named in this run keep their place until they are named again.
    """

    def __init__(
        self,
        store: Store,
        collection: Collection,
        folder: Path,
        targets: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._collection = collection
        self._notes: dict[str, dict[str, Any]] = progress_note(store)
        self._over = asyncio.Event()
        self._say: Callable[[str], None] = lambda _: None
        self._outlets: list[Progress] = []
        for note in self._notes.values():
            note["named"] = False
        try:
            for target in dict.fromkeys(targets):
                self.add(outlet_for(target, folder, store))
        except BaseException:
            self.close()
            raise

    def add(self, outlet: Outlet) -> None:
        """Raises UserMistake for an outlet that belongs to somebody else."""
        noted = self._notes.get(outlet.key, {})
        last = outlet.resume(noted.get("told"), self._store.newest_diff())
        self._outlets.append(Progress(outlet, last, since_s=noted.get("since_s")))

    async def run(self, say: Callable[[str], None]) -> None:
        """Until `finish`. An outlet in trouble is tried again and again; the others do not wait.

        `say` is told when an outlet's trouble begins, and when it ends.
        """
        self._say = say
        self._over = asyncio.Event()
        self._note()
        await asyncio.gather(self._over.wait(), *map(self._tell, self._outlets))

    async def finish(self, running: asyncio.Task[None]) -> None:
        """The store is complete: tell what can be told quickly; the next run tells the rest."""
        self._over.set()
        _, late = await asyncio.wait((running,), timeout=LAST_WAIT_S)
        for task in late:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if not running.cancelled() and (failure := running.exception()) is not None:
            raise failure
        self._note()

    def close(self) -> None:
        for progress in self._outlets:
            progress.outlet.close()

    def waiting(self) -> list[tuple[str, int, str]]:
        """(outlet, changes that it was not told yet, why) of those in arrears."""
        newest = self._store.newest_diff()
        return [
            (progress.outlet.name, newest - progress.last, progress.trouble)
            for progress in self._outlets
            if progress.last < newest
        ]

    async def _tell(self, progress: Progress) -> None:
        """Tell one outlet everything, in order, until the run is over."""
        tries = 0
        while True:
            lines = await self._lines(progress)
            if not lines:
                if self._over.is_set():
                    return
                await self._pause(POLL_S)
            elif await self._deliver(progress, lines):
                tries = 0
            elif self._over.is_set():
                return
            else:
                patience_s = PATIENCE_S * 2.0 ** min(tries, 20)
                await self._pause(min(patience_s, PATIENCE_MOST_S))
                tries += 1

    async def _lines(self, progress: Progress) -> list[Line]:
        """What comes next; there may be more of it if the outlet waits for that."""
        lines = await self._read_lines(progress)
        if lines and progress.outlet.gather_s and not self._over.is_set():
            await self._pause(progress.outlet.gather_s)
            return await self._read_lines(progress)
        return lines

    async def _read_lines(self, progress: Progress) -> list[Line]:
        return await asyncio.to_thread(lines_after, self._store, progress.last, AT_ONCE)

    async def _deliver(self, progress: Progress, lines: list[Line]) -> bool:
        """Whether the outlet took the lines."""
        try:
            await progress.outlet.tell(lines)
        except _TROUBLE as error:
            self._note_trouble(progress, _name_trouble(error))
            return False
        if progress.trouble:
            self._say(f"changes are told to {progress.outlet.name} again")
        progress.last = lines[-1].number
        progress.trouble = ""
        progress.since_s = None
        self._note()
        return True

    def _note_trouble(self, progress: Progress, trouble: str) -> None:
        # at the end of a run, all that could not be told is said together
        if not progress.trouble and not self._over.is_set():
            name = progress.outlet.name
            self._say(f"changes cannot be told to {name} ({trouble}): trying again")
        progress.trouble = trouble
        if progress.since_s is None:
            progress.since_s = time.time()
        self._note()

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)

    def _note(self) -> None:
        for progress in self._outlets:
            if progress.outlet.key:
                self._notes[progress.outlet.key] = progress.as_note()
        if self._notes:
            self._collection.note(NOTE, json.dumps(self._notes))


def _name_trouble(error: BaseException) -> str:
    """What went wrong, in few words."""
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    return getattr(error, "strerror", None) or "it cannot be written"
