"""Fetches statistics and samples of engines that have new ones, a few at a time.

Description and parts are kept together: until new ones are here and checked, the old ones stay.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from trapline.app.directory.directory_store import DirectoryStore
from trapline.app.directory.engine_entry import EngineEntry, digest_of
from trapline.app.directory.pace import Bounds
from trapline.app.federation.engine_parts import (
    SAMPLE,
    TERMS,
    fetch_part,
    fetch_terms,
    find_fault,
    say_fault,
)
from trapline.core.errors import DescriptionUnreadable, TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import Packed
from trapline.oasis.signed_description import SignedDescription

AT_ONCE: Final = 4
AGAIN_S: Final = 300.0  # after parts that could not be fetched or read


class PartKeeper:
    def __init__(
        self,
        store: DirectoryStore,
        client: EngineClient,
        bounds: Bounds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._client = client
        self._bounds = bounds
        self._clock = clock
        self._few = asyncio.Semaphore(AT_ONCE)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, tuple[int, float]] = {}  # key → version, when

    def wants(self, entry: EngineEntry) -> bool:
        """Whether parts of an engine should be fetched: some are missing, and it was not tried
        in vain just now.
        """
        if not entry.parts_missing or entry.description is None:
            return False
        version, failed_s = self._failed.get(entry.key, (-1, 0.0))
        is_same = version == entry.description.description.version
        return not (is_same and self._clock() - failed_s < AGAIN_S)

    def describe(self, key: str, signed: SignedDescription) -> None:
        """An engine has shown its description; it is kept, and the rest fetched."""
        entry = self._store.engine(key)
        if entry is None:
            return
        if entry.description is None or self._has_parts_of(entry, signed):
            self._store.describe(key, signed)
        if not self._has_parts_of(entry, signed):
            self._start(entry, signed)

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, entry: EngineEntry, signed: SignedDescription) -> None:
        earlier = self._tasks.pop(entry.key, None)
        if earlier is not None:
            earlier.cancel()
        task = asyncio.create_task(self._keep(entry, signed))
        self._tasks[entry.key] = task
        task.add_done_callback(lambda done: self._forget(entry.key, done))

    def _forget(self, key: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def _keep(self, entry: EngineEntry, signed: SignedDescription) -> None:
        async with self._few:
            try:
                parts = await self._fetch(entry, signed)
            except TraplineError as failure:
                self._fail(entry.key, signed, say_fault(failure))
                return
        fault = await find_fault(signed, parts.get(TERMS), parts.get(SAMPLE))
        if fault is not None:
            self._store.keep_parts(
                entry.key,
                signed,
                {},
                counts=False,
            )
            self._fail(entry.key, signed, fault)
            return
        self._store.keep_parts(
            entry.key,
            signed,
            parts,
            counts=True,
        )
        self._store.note_findings(entry.key, ())
        self._failed.pop(entry.key, None)

    async def _fetch(
        self, entry: EngineEntry, signed: SignedDescription
    ) -> dict[str, bytes]:
        found = signed.description
        parts = {TERMS: found.terms, SAMPLE: found.sample}
        named = {kind: part for kind, part in parts.items() if part is not None}
        self._check_room(list(named.values()))
        held = {TERMS: entry.terms_digest, SAMPLE: entry.sample_digest}
        fetched = {}
        for kind, part in named.items():
            packed = self._store.part(entry.key, kind)
            if packed is None or held[kind] != part.digest:
                packed = await self._fetch_part(
                    entry,
                    kind,
                    part,
                    packed,
                )
            fetched[kind] = packed
        return fetched

    async def _fetch_part(
        self, entry: EngineEntry, kind: str, part: Packed, held: bytes | None
    ) -> bytes:
        url = f"{entry.statement.statement.url}/engine/{kind}"
        within_s = self._bounds.part_s
        if kind != TERMS:
            return await fetch_part(
                self._client,
                url,
                part,
                within_s,
            )
        older = None
        if held is not None:
            older = self._store.terms_version(entry.key), held
        return await fetch_terms(
            self._client,
            url,
            part,
            older,
            within_s,
        )

    def _check_room(self, parts: list[Packed]) -> None:
        wanted = sum(part.bytes for part in parts)
        if self._store.packed_bytes() + wanted > self._bounds.packed_bytes:
            raise DescriptionUnreadable("there is no room for its statistics here")

    def _fail(
        self,
        key: str,
        signed: SignedDescription,
        reason: str,
    ) -> None:
        self._failed[key] = signed.description.version, self._clock()
        finding = f"its statistics do not count: {reason}"
        self._store.note_findings(key, (finding,))

    @staticmethod
    def _has_parts_of(entry: EngineEntry, signed: SignedDescription) -> bool:
        found = signed.description
        wanted = (digest_of(found.terms), digest_of(found.sample))
        return wanted == (entry.terms_digest, entry.sample_digest)
