"""Adds up the shared table whenever the statistics of engines have changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

from trapline.app.directory.directory_store import DirectoryStore, tables_in
from trapline.oasis.fair_sum import FairSum, most_counted
from trapline.oasis.packing import pack_shared, unpack_terms
from trapline.oasis.shared_table import table_version


class TableKeeper:
    def __init__(
        self,
        folder: Path,
        store: DirectoryStore,
        every_s: float,
    ) -> None:
        self._folder = folder
        self._store = store
        self._every_s = every_s

    async def run(self) -> None:
        """For ever. A sum that takes long is made less often."""
        while True:
            began_s = time.monotonic()
            await self.renew()
            took_s = time.monotonic() - began_s
            await asyncio.sleep(max(self._every_s, 5.0 * took_s))

    async def renew(self) -> None:
        counted = self._store.engines_of_table()
        version = version_of(counted)
        if version != self._store.table_version():
            packed = await asyncio.to_thread(self._sum, counted, version)
            self._store.keep_table(version, packed)

    def _sum(self, counted: Mapping[str, tuple[int, int]], version: str) -> bytes:
        """In a thread: of many engines it takes seconds."""
        pages = [pages for _, pages in counted.values()]
        total = FairSum(most_counted(pages))
        for _, packed in tables_in(self._folder, list(counted)):
            total.add(unpack_terms(packed))
        return pack_shared(total.finish(version))


def version_of(counted: Mapping[str, tuple[int, int]]) -> str:
    """Of the sum of these engines; "" = there are none."""
    versions = {key: version for key, (version, _) in counted.items()}
    return table_version(versions) if versions else ""
