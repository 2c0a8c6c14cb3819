"""Engines of a fixed list: asked who they are, again and again, without any directory.

What they and the own engine say of their words is added up here: each sums what it hears.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from trapline.app.federation.engine_parts import (
    SAMPLE,
    TERMS,
    fetch_description,
    fetch_part,
    find_fault,
    say_fault,
)
from trapline.app.federation.membership.back_off import back_off_s
from trapline.app.federation.membership.heard_engine import (
    EngineListener,
    HeardEngine,
    Link,
    LinkState,
    OwnEngine,
)
from trapline.core.errors import DescriptionUnreadable, TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.fair_sum import FairSum, most_counted
from trapline.oasis.packing import unpack_terms
from trapline.oasis.shared_table import SharedTable, table_version
from trapline.oasis.signed_description import SignedDescription

EVERY_S: Final = 30.0
SOURCE: Final = ""  # of a table that no directory has made

Statistics = dict[str, tuple[int, bytes]]  # key → version, packed


class PeerLinks:
    """Of all peers together: they share one sum."""

    def __init__(
        self,
        own: OwnEngine,
        client: EngineClient,
        listener: EngineListener | None,
        on_change: Callable[[Link], None],
        every_s: float = EVERY_S,
    ) -> None:
        self._own = own
        self._client = client
        self._listener = listener
        self._on_change = on_change
        self._every_s = every_s
        self._heard: dict[str, SignedDescription] = {}  # by URL
        self._statistics: dict[str, tuple[str, int, bytes]] = {}  # URL → key, …
        self._summed = ""  # version

    async def run(self, url: str) -> None:
        """Follow one peer for ever."""
        failures = 0
        try:
            while True:
                try:
                    await self._ask(url)
                    failures = 0
                    self._on_change(Link(url, "peer", LinkState.JOINED, ""))
                except TraplineError as failure:
                    failures += 1
                    reason = say_fault(failure)
                    self._on_change(Link(url, "peer", LinkState.WAITING, reason))
                wait_s = self._every_s
                if failures:
                    wait_s = back_off_s(failures, random.random())
                await asyncio.sleep(wait_s)
        finally:
            self._heard.pop(url, None)
            self._statistics.pop(url, None)

    async def _ask(self, url: str) -> None:
        signed = await fetch_description(self._client, url)
        before = self._heard.get(url)
        if before is None or before.said != signed.said:
            await self._take(url, signed)
            self._heard[url] = signed
        await self._sum()

    async def _take(self, url: str, signed: SignedDescription) -> None:
        found = signed.description
        terms = sample = None
        if found.terms is not None:
            address = f"{url}/engine/{TERMS}"
            terms = await fetch_part(self._client, address, found.terms)
        if found.sample is not None:
            address = f"{url}/engine/{SAMPLE}"
            sample = await fetch_part(self._client, address, found.sample)
        fault = await find_fault(signed, terms, sample)
        if fault is not None:
            raise DescriptionUnreadable(fault)
        if terms is not None and found.terms is not None:
            self._statistics[url] = (found.key, found.terms.version, terms)
        if self._listener is not None:
            heard = HeardEngine(signed, url, terms=terms, sample=sample)
            self._listener.hear_engine(heard)

    async def _sum(self) -> None:
        if self._listener is None:
            return
        statistics = self._all_statistics()
        version = table_version({key: one for key, (one, _) in statistics.items()})
        if not statistics or version == self._summed:
            return
        table = await asyncio.to_thread(_sum_up, statistics, version)
        self._summed = version
        self._listener.hear_table(SOURCE, table)

    def _all_statistics(self) -> Statistics:
        heard = self._statistics.values()
        found = {key: (version, packed) for key, version, packed in heard}
        described = self._own.describe().description
        packed = self._own.terms()
        if packed is not None and described.terms is not None:
            found[described.key] = (described.terms.version, packed)
        return found


def _sum_up(statistics: Statistics, version: str) -> SharedTable:
    tables = []
    for _, packed in statistics.values():
        with suppress(DescriptionUnreadable):
            tables.append(unpack_terms(packed))
    total = FairSum(most_counted(table.pages for table in tables))
    for table in tables:
        total.add(table)
    return total.finish(version)
