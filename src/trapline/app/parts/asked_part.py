"""The server of one part, as a front asks it: in time, and left alone while it fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from trapline.app.federation.asking.circuit_breaker import CircuitBreaker
from trapline.app.parts.part_words import FACTS, PartFacts, facts_json
from trapline.core.errors import EngineUnreachable
from trapline.net.engine_client import JSON, EngineAnswer, EngineRequest
from trapline.search.parts.index_part import IndexPart

MOST_BYTES: Final = 16_000_000  # of an answer
T = TypeVar("T")


class Client(Protocol):
    async def get(self, url: str, most_bytes: int, within_s: float) -> bytes: ...

    async def post(
        self, url: str, body: bytes, most_bytes: int, within_s: float
    ) -> bytes: ...

    async def ask(self, request: EngineRequest) -> EngineAnswer: ...


class PartSilent(Exception):
    """It did not answer; the text says why."""


class PartLeftAlone(PartSilent):
    """It was not even asked."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a part is asked."""

    path: str
    body: bytes | None  # None = nothing is sent
    within_s: float


class AskedPart:
    def __init__(
        self,
        part: IndexPart,
        url: str,
        client: Client,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.part = part
        self.url = url
        self._client = client
        self._clock = clock
        self._breaker = CircuitBreaker()

    async def ask(self, wanted: Wanted, kind: TypeAdapter[T]) -> T:
        """Its answer; PartSilent if there is none."""
        now_s = self._clock()
        if not self._breaker.may_ask(now_s):
            left_s = self._breaker.seconds_left(now_s)
            why = f"{self._breaker.reason}; left alone for {left_s:.0f} s"
            raise PartLeftAlone(why)
        try:
            found = kind.validate_json(await self._fetch(wanted))
        except (EngineUnreachable, ValidationError) as failure:
            raise self._note_failure(failure) from None
        self._breaker.note_answer()
        return found

    async def _fetch(self, wanted: Wanted) -> bytes:
        url = f"{self.url}{wanted.path}"
        within_s = round(wanted.within_s, 2)
        if wanted.body is None:
            return await self._client.get(url, MOST_BYTES, within_s)
        return await self._client.post(url, wanted.body, MOST_BYTES, within_s)

    async def pass_on(
        self, path: str, within_s: float, accept: str = "", body: bytes | None = None
    ) -> EngineAnswer:
        """What its own pages and addresses answer, whatever that is."""
        headers = {"Accept": accept} if accept else {}
        if body is not None:
            headers["Content-Type"] = JSON
        request = EngineRequest(
            f"{self.url}{path}",
            MOST_BYTES,
            within_s,
            body,
            headers,
        )
        try:
            return await self._client.ask(request)
        except EngineUnreachable as failure:
            raise PartSilent(failure.reason) from None

    async def facts(self, within_s: float) -> PartFacts:
        return await ask_facts(self.url, self._client, within_s)

    def _note_failure(self, failure: EngineUnreachable | ValidationError) -> PartSilent:
        reason = "answered nonsense"
        if isinstance(failure, EngineUnreachable):
            reason = failure.reason
        self._breaker.note_failure(self._clock(), reason)
        return PartSilent(reason)


async def ask_facts(url: str, client: Client, within_s: float) -> PartFacts:
    """What a server says of the part that it holds; PartSilent if it holds none."""
    try:
        answer = await client.get(f"{url}{FACTS}", MOST_BYTES, within_s)
        return facts_json.validate_json(answer)
    except EngineUnreachable as failure:
        no_part = "serves no part of an index (serve … --part 1/4)"
        raise PartSilent(no_part if failure.status == 404 else failure.reason) from None
    except ValidationError:
        raise PartSilent("answered nonsense") from None
