"""Asking engines and directories: one request, one bounded answer, or the name of what went wrong.

Nothing of who asks goes along: no cookies, no credentials, no referrer. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import aiohttp
from aiohttp import ClientResponse, ClientSession, ClientTimeout, hdrs
from aiohttp.abc import AbstractResolver
from yarl import URL

from trapline.core.errors import EngineUnreachable
from trapline.core.urls import canonical, host_of
from trapline.net.address_guard import (
    ATTEMPT,
    ConnectionAttempt,
    Forbid,
    guarded_connector,
)
from trapline.net.engine_trouble import EngineTrouble, name_trouble, say_trouble

AGENT: Final = "Trapline-broker"
JSON: Final = "application/json"
_CHUNK: Final = 16 * 1024
_BREATH_S: Final = 5e-3
_LONGEST_HEADER: Final = 8_190
_MOST_HEADERS: Final = 100
_LONGEST_URL: Final = 20_000  # with a query of 1,000 signs, each of nine letters


@dataclass(frozen=True, slots=True)
class EngineRequest:
    url: str
    most_bytes: int  # of the answer, unpacked
    within_s: float  # for all of it
    body: bytes | None = None  # it is sent; else it is only asked for
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    status: int
    headers: Mapping[str, str]  # however they are capitalised
    body: bytes


class EngineClient:
    """Close it in the loop in which it was first used.

    `forbid(name:port, address)` says why an address may not be contacted, asked at the moment of
    connecting.
    """

    def __init__(
        self,
        forbid: Forbid,
        agent: str = AGENT,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._forbid = forbid
        self._headers = {hdrs.USER_AGENT: agent}
        self._resolver = resolver
        self._session: ClientSession | None = None

    async def get(self, url: str, most_bytes: int, within_s: float) -> bytes:
        """The body of an answer with status 200; everything else is EngineUnreachable."""
        return await self._ask_well(EngineRequest(url, most_bytes, within_s))

    async def post(
        self, url: str, body: bytes, most_bytes: int, within_s: float
    ) -> bytes:
        """The same for JSON that is sent."""
        headers: dict[str, str] = {hdrs.CONTENT_TYPE: JSON}
        request = EngineRequest(url, most_bytes, within_s, body, headers)
        return await self._ask_well(request)

    async def ask(self, request: EngineRequest) -> EngineAnswer:
        """The answer, whatever its status; EngineUnreachable if there is none."""
        try:
            async with asyncio.timeout(request.within_s):
                return await self._ask(request)
        except _TooLarge:
            raise _unreachable(request, EngineTrouble.TOO_LARGE) from None
        except Exception as error:
            trouble = name_trouble(error)
            if trouble is None:
                raise
            raise _unreachable(request, trouble) from error

    async def close(self) -> None:
        session = self._session
        self._session = None
        if session is not None:
            await session.close()
        if self._resolver is not None:
            await self._resolver.close()

    async def _ask_well(self, request: EngineRequest) -> bytes:
        answer = await self.ask(request)
        if answer.status != 200:
            raise _unreachable(request, EngineTrouble.STATUS, answer.status)
        return answer.body

    async def _ask(self, request: EngineRequest) -> EngineAnswer:
        response = await self._send(request)
        try:
            body = await _read_at_most(response, request.most_bytes)
            if len(body) > request.most_bytes and response.status == 200:
                raise _TooLarge
            return EngineAnswer(
                response.status, response.headers, body[: request.most_bytes]
            )
        finally:
            response.release()

    async def _send(self, request: EngineRequest) -> ClientResponse:
        url = canonical(request.url, longest=_LONGEST_URL)
        attempt = ConnectionAttempt(host_of(url))
        ATTEMPT.set(attempt)
        try:
            return await self._open_session().request(
                hdrs.METH_GET if request.body is None else hdrs.METH_POST,
                URL(url, encoded=True),
                data=request.body,
                headers=request.headers,
                allow_redirects=False,
            )
        except OSError as error:
            if attempt.forbidden:
                raise _unreachable(request, EngineTrouble.PRIVATE_ADDRESS) from error
            raise

    def _open_session(self) -> ClientSession:
        if self._session is None:
            self._resolver = self._resolver or aiohttp.DefaultResolver()
            self._session = ClientSession(
                connector=guarded_connector(self._forbid, self._resolver),
                headers=self._headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=ClientTimeout(total=None),
                max_line_size=_LONGEST_HEADER,
                max_field_size=_LONGEST_HEADER,
                max_headers=_MOST_HEADERS,
            )
        return self._session


class _TooLarge(Exception):
    pass


async def _read_at_most(response: ClientResponse, most: int) -> bytes:
    """The body, unpacked, up to the first chunk that goes beyond `most` bytes.

    Chunks are counted as they come, because the announced length may be wrong.
    """
    chunks = []
    size = 0
    time_s = asyncio.get_running_loop().time
    began_s = time_s()
    while not response.content.at_eof():
        chunk = await response.content.read(_CHUNK)
        chunks.append(chunk)
        size += len(chunk)
        if size > most:
            response.close()
            break
        if time_s() - began_s > _BREATH_S:
            await asyncio.sleep(0)  # others get their turn, and the deadline its say
            began_s = time_s()
    return b"".join(chunks)


def _unreachable(
    request: EngineRequest, trouble: EngineTrouble, status: int = 0
) -> EngineUnreachable:
    reason = say_trouble(
        trouble,
        within_s=request.within_s,
        most_bytes=request.most_bytes,
        status=status,
    )
    return EngineUnreachable(request.url, trouble, reason, status)
