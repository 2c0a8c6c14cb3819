"""Changes told while the robot runs, from the store and beside the loop: nobody who listens slowly
holds up a crawl.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trapline.app.output.changes import AT_ONCE, lines_after
from trapline.app.output.outlets import Outlet, Refused, outlet_for
from trapline.collection.collection import Collection
from trapline.core.ports import Store

NOTE: Final = "changes"
POLL_S: Final = 0.5
PATIENCE_S: Final = 1.0  # before the second try; doubled each time,
PATIENCE_MOST_S: Final = 300.0  # up to this
FAREWELL_S: Final = 5.0  # at the end of a run, for what is still to be told
_TROUBLE: Final = (OSError, Refused)  # TimeoutError is an OSError


@dataclass(slots=True)
class Standing:
    """How far an outlet has come."""

    outlet: Outlet
    told: int
    trouble: str = ""

    def as_note(self) -> dict[str, Any]:
        return {
            "name": self.outlet.name,
            "told": self.told,
            "trouble": self.trouble,
            "named": True,
        }


class ChangeFeed:
    """Tells outlets what became of documents. Its notes lie in the store, under the key NOTE.

    Outlets that are not named in this run keep their place, for the day on which they are named
    again.
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
        self._standings: list[Standing] = []
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
        told = self._notes.get(outlet.key, {}).get("told")
        self._standings.append(
            Standing(outlet, outlet.resume(told, self._store.newest_diff()))
        )

    async def run(self) -> None:
        """Until `finish`; an outlet in trouble is tried again and again, the others do not wait for
        it.
        """
        self._over = asyncio.Event()
        self._note()
        await asyncio.gather(self._over.wait(), *map(self._serve, self._standings))

    async def finish(self, running: asyncio.Task[None]) -> None:
        """The store has all there is: tell it, as far as that is quickly done; the next run tells
        the rest.
        """
        self._over.set()
        _, late = await asyncio.wait((running,), timeout=FAREWELL_S)
        for task in late:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if not running.cancelled() and (failure := running.exception()) is not None:
            raise failure
        self._note()

    def close(self) -> None:
        for standing in self._standings:
            standing.outlet.close()

    def waiting(self) -> list[tuple[str, int, str]]:
        """(outlet, changes that it was not told yet, why) of those in arrears."""
        newest = self._store.newest_diff()
        return [
            (s.outlet.name, newest - s.told, s.trouble)
            for s in self._standings
            if s.told < newest
        ]

    async def _serve(self, standing: Standing) -> None:
        tries = 0
        while True:
            lines = await asyncio.to_thread(
                lines_after, self._store, standing.told, AT_ONCE
            )
            if not lines and self._over.is_set():
                return
            try:
                if lines:
                    await standing.outlet.tell(lines)
            except _TROUBLE as error:
                standing.trouble = _name_trouble(error)
                self._note()
                if self._over.is_set():
                    return
                await self._pause(
                    min(PATIENCE_S * 2.0 ** min(tries, 20), PATIENCE_MOST_S)
                )
                tries += 1
                continue
            if lines:
                tries = 0
                standing.told = lines[-1].number
                standing.trouble = ""
                self._note()
            else:
                await self._pause(POLL_S)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)

    def _note(self) -> None:
        for standing in self._standings:
            if standing.outlet.key:
                self._notes[standing.outlet.key] = standing.as_note()
        if self._notes:
            self._collection.note(NOTE, json.dumps(self._notes))


def progress_note(store: Store) -> dict[str, dict[str, Any]]:
    """Outlet → how far it has come, as of the last note; also beside a robot."""
    found: dict[str, dict[str, Any]] = json.loads(store.note(NOTE) or "{}")
    return found


def _name_trouble(error: BaseException) -> str:
    """What went wrong, in few words."""
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    return getattr(error, "strerror", None) or "it cannot be written"
