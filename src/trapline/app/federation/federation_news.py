"""News of the federation: what directories and peers say of engines, checked and put into what the
broker knows. In a thread of its own: whoever searches does not wait for it.

Nothing is believed but what an engine has signed itself. Before an engine is asked for the first
time it must describe itself at its own address, so a directory cannot invent any. One that is
omitted stays known for a day, and is asked itself before it is forgotten.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from trapline.app.federation.asking.neighbour_speech import (
    OPENSEARCH,
    write_template,
)
from trapline.app.federation.directory_reading import read_pages
from trapline.app.federation.engine_parts import (
    DESCRIPTION_S,
    SAMPLE,
    TERMS,
    fetch_description,
    fetch_part,
    find_fault,
    say_fault,
)
from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.key_file import verify
from trapline.app.federation.known_engines import (
    KnownEngine,
    KnownEngines,
    OwnStatistics,
)
from trapline.core.errors import DescriptionUnreadable, TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import Description, Packed
from trapline.oasis.merging.engine_hits import Finding, Wrong
from trapline.oasis.neighbours.opensearch_description import (
    MOST_BYTES as MOST_DESCRIPTION,
)
from trapline.oasis.neighbours.opensearch_description import read_opensearch
from trapline.oasis.signed_description import (
    SignedDescription,
    read_signed_description,
)
from trapline.oasis.statements import LEAVE, SignedStatement, read_statement

EVERY_S: Final = 30.0
FORGET_S: Final = 86_400.0  # after which an engine that nobody names is forgotten
AT_ONCE: Final = 8  # engines that are asked to describe themselves
MOST: Final = 2000  # engines


@dataclass(frozen=True, slots=True)
class NewsSources:
    directories: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()  # engines that are asked themselves
    listed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Heard:
    """An engine as a directory tells it."""

    signed: SignedDescription
    directory: str


class FederationNews:
    def __init__(
        self,
        known: KnownEngines,
        sources: Callable[[], NewsSources],
        own: Callable[[], OwnStatistics | None],
        own_key: str = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        self.problems: dict[str, str] = {}  # of directories and peers, by URL
        self.rounds = 0
        self._known = known
        self.sources = sources
        self._own = own
        self._own_key = own_key
        self._own_description: Description | None = None
        self._before: dict[str, KnownEngine] = {}  # that were known before this round
        self._now = now
        self._over = threading.Event()
        self._thread = threading.Thread(
            target=self._run, daemon=True, name="federation news"
        )

    def start(self) -> None:
        self._known.rebuild()  # what was known before is asked at once
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def _run(self) -> None:
        asyncio.run(self._go_on())

    async def _go_on(self) -> None:
        while not self._over.is_set():
            sources = self.sources()
            client = guarded_client(sources.listed)
            try:
                news = asyncio.ensure_future(self.refresh(client, sources))
                await self._until_over(news)
            finally:
                await client.close()
            await self._until_over(asyncio.ensure_future(asyncio.sleep(EVERY_S)))

    async def _until_over(self, work: asyncio.Future[None]) -> None:
        """The work, given up when the server ends."""
        while not work.done():
            await asyncio.wait({work}, timeout=0.2)
            if self._over.is_set():
                work.cancel()
        if not work.cancelled():
            work.result()

    async def refresh(self, client: EngineClient, sources: NewsSources) -> None:
        """One round: everybody who may know something is asked."""
        own = asyncio.ensure_future(asyncio.to_thread(self._take_own))
        self._before = {engine.key: engine for engine in self._known.engines()}
        await self._hear(client, sources)
        await asyncio.to_thread(self._known.rebuild)
        # counting the own words takes longer than all the rest, the first time
        if await own:
            await asyncio.to_thread(self._known.rebuild)
        self.rounds += 1

    async def _hear(self, client: EngineClient, sources: NewsSources) -> None:
        heard: dict[str, Heard] = {}
        last: dict[str, SignedStatement] = {}
        for directory in sources.directories:
            entries = await self._ask_directory(client, directory)
            _take_entries(entries, directory, heard, last)
        left = {key for key, one in last.items() if one.statement.kind == LEAVE}
        for key in left:
            self._known.forget(key)
        present = [one for key, one in heard.items() if key not in left]
        await _each(present[:MOST], lambda one: self._take(client, one))
        await _each(sources.peers, lambda url: self._ask_peer(client, url))
        await _each(self._neighbours(), lambda one: self._ask_neighbour(client, one))
        await self._forget_silent(client)

    def _take_own(self) -> bool:
        """Whether there is something new."""
        own = self._own()
        if own is None or own.description == self._own_description:
            return False
        self._own_description = own.description
        self._known.set_own(own)
        return True

    async def _ask_directory(
        self, client: EngineClient, url: str
    ) -> list[dict[str, Any]]:
        try:
            entries = await read_pages(client, url)
        except TraplineError as failure:
            self.problems[url] = say_fault(failure)
            return []
        self.problems.pop(url, None)
        return entries

    async def _ask_peer(self, client: EngineClient, url: str) -> None:
        try:
            signed = await fetch_description(client, url)
            await self._keep(client, signed, "peer", [f"{url}/engine"])
        except TraplineError as failure:
            self.problems[url] = say_fault(failure)
        else:
            self.problems.pop(url, None)

    async def _take(self, client: EngineClient, heard: Heard) -> None:
        found = heard.signed.description
        known = self._before.get(found.key)
        try:
            if known is None:
                signed = await fetch_description(client, found.url)
                if signed.description.key != found.key:
                    raise DescriptionUnreadable("another engine answers at its address")
                heard = Heard(signed, heard.directory)
            base = f"{heard.directory}/directory/engines/{found.key}"
            sources = [base, f"{heard.signed.description.url}/engine"]
            await self._keep(client, heard.signed, heard.directory, sources)
        except TraplineError as failure:
            self.problems[found.url] = say_fault(failure)
        else:
            self.problems.pop(found.url, None)

    async def _keep(
        self,
        client: EngineClient,
        signed: SignedDescription,
        source: str,
        places: Sequence[str],
    ) -> None:
        """A description with all its parts; an older one than is known is not believed."""
        found = signed.description
        known = self._before.get(found.key)
        if self._own_key == found.key:
            return
        if known is not None and known.description is not None:
            if found.version < known.description.version:
                return
            same = found.version == known.description.version
            if same and found.url == known.url and self._has_parts(signed):
                self._known.touch(found.key)
                return
        parts: dict[str, tuple[Packed, bytes]] = {}
        for name, part in ((TERMS, found.terms), (SAMPLE, found.sample)):
            if part is not None:
                packed = await self._part(client, name, part, places)
                parts[name] = part, packed
        await self._put(signed, source, parts)

    async def _put(
        self,
        signed: SignedDescription,
        source: str,
        parts: Mapping[str, tuple[Packed, bytes]],
    ) -> None:
        packed = {name: body for name, (_, body) in parts.items()}
        fault = await find_fault(signed, packed.get(TERMS), packed.get(SAMPLE))
        key = signed.description.key
        if fault is not None:
            self._known.note_findings([Finding(key, Wrong.DESCRIPTION, fault)])
            raise DescriptionUnreadable(fault)
        self._known.put(signed, source)
        for name, (part, body) in parts.items():
            self._known.put_part(key, name, part, body)

    async def _part(
        self, client: EngineClient, name: str, part: Packed, places: Sequence[str]
    ) -> bytes:
        """From the first place that has it as it was signed."""
        last: TraplineError = DescriptionUnreadable(f"nobody has its {name}")
        for place in places:
            try:
                return await fetch_part(client, f"{place}/{name}", part)
            except TraplineError as failure:
                last = failure
        raise last

    def _neighbours(self) -> list[KnownEngine]:
        """Those that have not said yet how they are asked."""
        return [
            engine
            for engine in self._known.engines()
            if engine.kind == OPENSEARCH and not engine.asked_at
        ]

    async def _ask_neighbour(self, client: EngineClient, engine: KnownEngine) -> None:
        url = engine.url
        place = url if url.endswith(".xml") else f"{url}/opensearch.xml"
        try:
            body = await client.get(place, MOST_DESCRIPTION, DESCRIPTION_S)
            template = write_template(read_opensearch(body))
        except TraplineError as failure:
            self.problems[url] = say_fault(failure)
            return
        self.problems.pop(url, None)
        self._known.put_neighbour(engine.kind, url, engine.name, template)

    async def _forget_silent(self, client: EngineClient) -> None:
        """Those of whom nothing was heard for long; the last word is their own."""
        for engine in self._known.engines():
            if engine.is_neighbour or self._now() - engine.heard_s < FORGET_S:
                continue
            try:
                signed = await fetch_description(client, engine.url)
                if signed.description.key != engine.key:
                    raise DescriptionUnreadable("another engine answers at its address")
                self._known.touch(engine.key)
            except TraplineError:
                self._known.forget(engine.key)

    def _has_parts(self, signed: SignedDescription) -> bool:
        found = signed.description
        has = self._known.has_part
        return has(found.key, TERMS, found.terms) and has(
            found.key, SAMPLE, found.sample
        )


def _take_entries(
    entries: Sequence[dict[str, Any]],
    directory: str,
    heard: dict[str, Heard],
    last: dict[str, SignedStatement],
) -> None:
    """The newest description and the newest statement of each engine."""
    for entry in entries:
        try:
            statement = read_statement(entry.get("statement"), verify)
            key = statement.statement.key
            before = last.get(key)
            if before is None or _serial(statement) > _serial(before):
                last[key] = statement
            if entry.get("description") is None:
                continue
            signed = read_signed_description(entry["description"], verify)
        except TraplineError:
            continue  # it says what nobody has signed
        one = heard.get(signed.description.key)
        version = signed.description.version
        if one is None or version > one.signed.description.version:
            heard[signed.description.key] = Heard(signed, directory)


def _serial(signed: SignedStatement) -> int:
    return signed.statement.serial


async def _each(things: Sequence[Any], work: Callable[[Any], Any]) -> None:
    """A few at a time."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(thing: Any) -> None:
        async with places:
            await work(thing)

    await asyncio.gather(*map(one, things))
