"""A directory at work: its store, its checks and what goes on beside requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from trapline.app.directory.directory_options import DirectoryOptions
from trapline.app.directory.directory_store import DirectoryStore
from trapline.app.directory.gossip import Gossip
from trapline.app.directory.registrar import Registrar
from trapline.app.directory.table_keeper import TableKeeper
from trapline.app.federation.guarded_client import guarded_client
from trapline.stores.sqlite.file import lock_folder

AGENT: Final = "Trapline-directory"


class OpenDirectory:
    """Made in any thread; used in the loop in which `at_work` runs."""

    def __init__(self, folder: Path, options: DirectoryOptions) -> None:
        self._lock = lock_folder(folder)
        self.folder = folder
        self.pace = options.pace
        self.store = DirectoryStore(folder)
        self._client = guarded_client(options.listed, AGENT)
        self.registrar = Registrar(
            self.store, self._client, options.pace, options.bounds
        )
        self._table = TableKeeper(folder, self.store, options.pace.table_s)
        self.gossip = Gossip(
            self.registrar, self._client, options.peers, options.pace.gossip_s
        )

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        self.registrar.sweep()
        work = (
            _repeat(self.pace.sweep_s, self.registrar.sweep),
            self._table.run(),
            self.gossip.run(),
        )
        tasks = [asyncio.create_task(part) for part in work]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.registrar.parts.close()
            await self._client.close()

    def close(self) -> None:
        self.store.close()
        self._lock.close()


async def _repeat(every_s: float, work: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(every_s)
        work()
