"""Directories tell each other what engines have signed.

Nothing else is believed: every statement passes the same checks as one that came from the engine
itself, call-back included. So a directory that invents engines has no signature for them, and what
one leaves out is heard from another.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from trapline.app.directory.registrar import Registrar
from trapline.app.federation.directory_reading import read_pages
from trapline.app.federation.engine_parts import say_fault
from trapline.app.federation.key_file import verify
from trapline.core.errors import StatementRefused, TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.statements import SignedStatement, read_statement

AT_ONCE: Final = 8
MOST_CALLED: Final = 500  # engines that are called back after one pull
_TOLD: Final = ("alive", "left")  # states of which a directory tells others


@dataclass(slots=True)
class PeerState:
    """How it goes with another directory, for people."""

    url: str
    reason: str = "not asked yet"  # "" = it answered
    heard: int = 0  # statements that were new


class Gossip:
    def __init__(
        self,
        registrar: Registrar,
        client: EngineClient,
        peers: tuple[str, ...],
        every_s: float,
    ) -> None:
        self._registrar = registrar
        self._client = client
        self._every_s = every_s
        self.peers = [PeerState(url) for url in peers]

    async def run(self) -> None:
        """For ever."""
        await asyncio.gather(*map(self._follow, self.peers))

    async def _follow(self, peer: PeerState) -> None:
        while True:
            try:
                peer.heard += await self.pull(peer.url)
                peer.reason = ""
            except TraplineError as failure:
                peer.reason = say_fault(failure)
            # not all in one moment
            await asyncio.sleep(self._every_s * random.uniform(0.8, 1.2))

    async def pull(self, url: str) -> int:
        """How many statements of a directory were new to us, and were believed."""
        entries = await read_pages(self._client, url)
        news = list(self._news(entries))[:MOST_CALLED]
        few = asyncio.Semaphore(AT_ONCE)

        async def take(signed: SignedStatement) -> bool:
            async with few:
                with suppress(TraplineError):  # it is for the engine to try again
                    await self._registrar.take(signed)
                    return True
            return False

        return sum(await asyncio.gather(*map(take, news)))

    def _news(self, entries: list[dict[str, Any]]) -> Iterator[SignedStatement]:
        for entry in entries:
            said = entry.get("statement")
            if entry.get("state") not in _TOLD or not self._is_new(said):
                continue
            with suppress(StatementRefused):
                yield read_statement(said, verify)

    def _is_new(self, said: Any) -> bool:
        """By a look at the serial: signatures take time."""
        if not isinstance(said, dict) or not isinstance(said.get("key"), str):
            return False
        serial = said.get("serial")
        entry = self._registrar.store.engine(said["key"])
        if entry is None:
            return said.get("kind") != "leave"
        return isinstance(serial, int) and serial > entry.statement.statement.serial
