"""What directories tell of engines, checked by calling back, and handed to the listener.

A directory could name an address that is not the engine's. So each engine is asked once who it is,
before anybody hears of it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from trapline.app.federation.engine_parts import (
    SAMPLE,
    TERMS,
    fetch_description,
    fetch_part,
)
from trapline.app.federation.membership.entry_check import CheckedEntry, check_entries
from trapline.app.federation.membership.heard_engine import EngineListener, HeardEngine
from trapline.core.errors import TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import Packed

AT_ONCE: Final = 8
_MOST_CALLED: Final = 200  # engines that are new, at one reading


class EngineNews:
    def __init__(
        self, client: EngineClient, listener: EngineListener, own_key: str
    ) -> None:
        self._client = client
        self._listener = listener
        self._own_key = own_key
        self._serials: dict[str, int] = {}
        self._known: set[tuple[str, str]] = set()  # key and URL that belong together
        self._told: dict[tuple[str, str], HeardEngine] = {}  # by source and key

    async def read(self, source: str, entries: list[dict[str, Any]]) -> None:
        """All that a directory lists just now."""
        serials = dict(self._serials)
        checked = await asyncio.to_thread(lambda: list(check_entries(entries, serials)))
        others = [entry for entry in checked if entry.key != self._own_key]
        new = [one for one in others if self._identity(one) not in self._known]
        few = asyncio.Semaphore(AT_ONCE)

        async def take(entry: CheckedEntry) -> None:
            async with few:
                with suppress(TraplineError):  # it is read again with the next list
                    await self._take(source, entry)

        later = {entry.key for entry in new[_MOST_CALLED:]}
        now = [entry for entry in others if entry.key not in later]
        await asyncio.gather(*map(take, now))

    async def _take(self, source: str, entry: CheckedEntry) -> None:
        found = entry.description.description
        if entry.has_left:
            self._tell(entry, HeardEngine(entry.description, source, has_left=True))
            return
        if self._identity(entry) not in self._known:
            answer = await fetch_description(self._client, found.url)
            if answer.description.key != entry.key:
                return
            self._known.add(self._identity(entry))
        heard = HeardEngine(
            entry.description,
            source,
            is_silent=entry.is_silent,
            findings=entry.findings,
            terms=await self._part(source, entry, TERMS, found.terms),
            sample=await self._part(source, entry, SAMPLE, found.sample),
        )
        self._tell(entry, heard)

    async def _part(
        self, source: str, entry: CheckedEntry, kind: str, part: Packed | None
    ) -> bytes | None:
        """From the directory, or from the engine itself; None if it need not be, or cannot be."""
        if part is None or self._listener.holds(entry.key, part.digest):
            return None
        url = entry.description.description.url
        places = (
            f"{source}/directory/engines/{entry.key}/{kind}",
            f"{url}/engine/{kind}",
        )
        for place in places:
            with suppress(TraplineError):
                return await fetch_part(self._client, place, part)
        return None

    def _tell(self, entry: CheckedEntry, heard: HeardEngine) -> None:
        """Only what is news. While others were asked, something newer may have been heard."""
        if entry.serial < self._serials.get(entry.key, 0):
            return
        self._serials[entry.key] = entry.serial
        # what was fetched is the listener's from here on
        bare = replace(heard, terms=None, sample=None)
        place = heard.source, entry.key
        if heard == bare == self._told.get(place):
            return
        self._listener.hear_engine(heard)
        self._told[place] = bare

    @staticmethod
    def _identity(entry: CheckedEntry) -> tuple[str, str]:
        return entry.key, entry.description.description.url
