"""The servers that hold the parts of one index: all of them, each once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trapline.app.federation.guarded_client import guarded_client
from trapline.app.parts.asked_part import Client, PartSilent, ask_facts
from trapline.app.parts.part_words import PartFacts
from trapline.core.errors import PartsUnfit
from trapline.core.urls import host_of
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import read_engine_url
from trapline.search.parts.index_part import IndexPart, read_part

AGENT: Final = "Trapline-front"
_PAUSE_S: Final = 0.2


def read_part_urls(said: str) -> tuple[str, ...]:
    """As they are listed, with commas. Raises BadUrl, PartsUnfit.

    >>> read_part_urls("http://127.0.0.1:8001, http://127.0.0.1:8002/")
    ('http://127.0.0.1:8001', 'http://127.0.0.1:8002')
    """
    urls = tuple(read_engine_url(url) for url in said.split(",") if url.strip())
    twice = [url for url, times in Counter(urls).items() if times > 1]
    if not urls:
        raise PartsUnfit("no URL is named")
    if twice:
        raise PartsUnfit(f"{twice[0]} is named twice")
    return urls


def part_client(urls: Sequence[str]) -> EngineClient:
    """Whoever names a part's URL wants it asked, wherever it lies."""
    return guarded_client(frozenset(host_of(f"{url}/") for url in urls), AGENT)


@dataclass(frozen=True, slots=True)
class KnownParts:
    """Which URL holds which part, as the servers themselves say."""

    engine: str
    urls: dict[IndexPart, str]


def ask_who_they_are(urls: Sequence[str], within_s: float) -> KnownParts:
    """PartsUnfit unless all parts are there, each once; servers that start are waited for."""

    async def ask() -> list[PartFacts]:
        client = part_client(urls)
        try:
            until_s = time.monotonic() + within_s
            work = [_ask_patiently(url, client, until_s) for url in urls]
            return await asyncio.gather(*work)
        finally:
            await client.close()

    facts = asyncio.run(ask())
    return check_parts(dict(zip(urls, facts, strict=True)))


def check_parts(found: dict[str, PartFacts]) -> KnownParts:
    """PartsUnfit with the first thing that does not fit."""
    parts = {url: read_part(facts.part) for url, facts in found.items()}
    engines = {facts.engine: url for url, facts in found.items()}
    if len(engines) > 1:
        told = " and ".join(f"{url} of {name!r}" for name, url in engines.items())
        raise PartsUnfit(f"they are of several collections: {told}")
    numbers = sorted({part.parts for part in parts.values()})
    if len(numbers) > 1:
        told = ", ".join(f"{url} holds {part}" for url, part in parts.items())
        raise PartsUnfit(f"they are of {numbers[0]} and of {numbers[-1]}: {told}")
    urls: dict[IndexPart, str] = {}
    for url, part in parts.items():
        if part in urls:
            raise PartsUnfit(f"both {urls[part]} and {url} hold {part}")
        urls[part] = url
    wanted = [IndexPart(number, numbers[0]) for number in range(1, numbers[0] + 1)]
    missing = [str(part) for part in wanted if part not in urls]
    if missing:
        raise PartsUnfit(f"nobody holds {', '.join(missing)}")
    return KnownParts(next(iter(engines)), {part: urls[part] for part in wanted})


async def _ask_patiently(url: str, client: Client, until_s: float) -> PartFacts:
    while True:
        try:
            return await ask_facts(url, client, max(0.1, until_s - time.monotonic()))
        except PartSilent as silent:
            if time.monotonic() + _PAUSE_S >= until_s:
                raise PartsUnfit(f"{url} {silent}") from None
        await asyncio.sleep(_PAUSE_S)
