"""A broker with all its parts, for one folder."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from trapline.app.federation.asking.broker_options import BrokerOptions
from trapline.app.federation.asking.lessons_desk import LessonOptions, LessonsDesk
from trapline.app.federation.asking.neighbour_speech import SPEECHES
from trapline.app.federation.asking.own_collection import OwnCollection
from trapline.app.federation.broker import Broker
from trapline.app.federation.description_file import DescriptionFile
from trapline.app.federation.description_maker import FOLDER as DESCRIPTIONS
from trapline.app.federation.description_maker import DescriptionMaker
from trapline.app.federation.federation_news import FederationNews, NewsSources
from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.key_file import read_key
from trapline.app.federation.known_engines import KnownEngines, OwnStatistics
from trapline.app.federation.membership.membership_file import (
    Memberships,
    read_memberships,
)
from trapline.app.federation.query_memory import QueryMemory
from trapline.core.errors import (
    MembershipUnreadable,
    TraplineError,
    UnknownName,
    UserMistake,
)
from trapline.core.urls import host_of
from trapline.oasis.description import read_description, read_engine_url
from trapline.oasis.packing import unpack_sample, unpack_terms
from trapline.oasis.sample import Sample
from trapline.politeness.listed_hosts import read_listed
from trapline.reading.identity.simhash import simhash

NEIGHBOURS: Final = tuple(SPEECHES)


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    given: Memberships = field(default_factory=Memberships)  # besides what is joined
    neighbours: tuple[tuple[str, str], ...] = ()  # kind and URL
    within_s: float = 2.0  # for each engine
    lessons: LessonOptions = field(default_factory=LessonOptions)


class OpenBroker:
    def __init__(
        self,
        folder: Path,
        own: OwnCollection,
        maker: DescriptionMaker | None,
        settings: BrokerSettings,
    ) -> None:
        self._maker = maker
        self._saved = DescriptionFile(folder / DESCRIPTIONS)
        self.known = KnownEngines(folder)
        for kind, url in settings.neighbours:
            self.known.put_neighbour(kind, url, _name_of(url))
        self._forget_neighbours(settings)
        self._folder = folder
        self._settings = settings
        joined = read_memberships(folder).joined_with(settings.given)
        self._client = guarded_client(self._private_hosts(joined))
        desk = LessonsDesk(self.known, random.Random(), settings.lessons)
        options = BrokerOptions(
            within_s=settings.within_s,
            listed=read_listed(joined.listed),
            speeches=SPEECHES,
        )
        self._memory = QueryMemory(folder)
        self.broker = Broker(
            own, self.known, self._client, desk, options, memory=self._memory
        )
        own_key = _own_key(folder, maker)
        self.known.forget(own_key)
        self.news = FederationNews(
            self.known, self._sources, self._own_statistics, own_key
        )
        simhash("compiled before somebody waits for it " * 9)

    def start(self) -> None:
        self.news.start()

    async def hear_news(self, within_s: float) -> None:
        """Once and here, for who starts no thread."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.news.refresh(self._client, self._sources())
        self.known.rebuild()

    async def close_connections(self) -> None:
        """In the loop in which it was asked."""
        await self.broker.close()
        await self._client.close()

    def close(self) -> None:
        self.news.close()
        self._memory.close()
        self.known.close()

    def _sources(self) -> NewsSources:
        """What was said when it was started, and what the folder has joined by now."""
        try:
            joined = read_memberships(self._folder)
        except MembershipUnreadable:
            joined = Memberships()  # half of an edit by hand
        joined = joined.joined_with(self._settings.given)
        contacted = self._private_hosts(joined)
        return NewsSources(joined.directories, joined.peers, contacted)

    def _private_hosts(self, joined: Memberships) -> frozenset[str]:
        """Hosts that may lie at private addresses: those listed, and those named."""
        urls = (url for _, url in self._settings.neighbours)
        return joined.listed_hosts | {host_of(f"{url}/") for url in urls}

    def _forget_neighbours(self, settings: BrokerSettings) -> None:
        """Only those are asked that were named this time."""
        named = {f"{kind}:{url}" for kind, url in settings.neighbours}
        for engine in self.known.engines():
            if engine.is_neighbour and engine.key not in named:
                self.known.forget(engine.key)

    def _own_statistics(self) -> OwnStatistics | None:
        try:
            made = self._maker.current() if self._maker else self._saved.read()
        except (TraplineError, OSError):
            return None  # the next round tries again
        if made is None:
            return None
        sample = unpack_sample(made.sample) if made.sample else Sample.empty()
        return OwnStatistics(
            read_description(made.signed), unpack_terms(made.terms), sample
        )


def read_neighbours(said: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """From KIND=URL, as `--neighbour` has them.

    >>> read_neighbours(["plain=http://a.org/"])
    (('plain', 'http://a.org'),)
    """
    return tuple(map(_read_neighbour, said))


def _read_neighbour(said: str) -> tuple[str, str]:
    kind, equals, url = said.partition("=")
    if not equals:
        raise UserMistake(
            f"cannot use the neighbour {said[:200]!r}: write it like "
            "searxng=https://example.org"
        )
    if kind not in NEIGHBOURS:
        raise UnknownName("kind of neighbour", kind, list(NEIGHBOURS))
    return kind, read_engine_url(url)


def _own_key(folder: Path, maker: DescriptionMaker | None) -> str:
    """By which directories know the own collection: it is not asked as another engine's."""
    if maker is not None:
        return maker.identity.key.public
    with suppress(MembershipUnreadable):
        return read_key(folder).public
    return ""


def _name_of(url: str) -> str:
    return urlsplit(url).netloc or url
