"""The fetcher of the open web: one request, one answer, within limits, and only to addresses that
may be contacted.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp
from aiohttp import (
    ClientHandlerType,
    ClientRequest,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    hdrs,
)
from aiohttp.abc import AbstractResolver
from yarl import URL

from trapline.core.records import Failure, Fetched, Kind, Request
from trapline.core.urls import canonical
from trapline.net.address_guard import DOOR, AddressGuard, Forbid, guarded_connector
from trapline.net.credentials import Access, Keys
from trapline.net.failures import Stopped, name_failure
from trapline.net.headers import LONGEST, as_sent, header, retry_after_s, validator
from trapline.net.host_routes import Routes

REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_ORDERS: Final = 20  # X-Robots-Tag headers that are read
_CHUNK: Final = 64 * 1024
# any public address: where names lead that only a proxy resolves, as far as we can tell
_ABROAD: Final = "1.1.1.1"
_ACCEPT: Final = (
    "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,application/xml;q=0.9,text/plain;q=0.8,"
    "application/pdf;q=0.7,*/*;q=0.1"
)
_UNDERSTOOD: Final = frozenset(
    ("", "identity", "gzip", "x-gzip", "deflate", "br", "zstd")
)
_LISTS: Final = frozenset(
    ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml")
)


@dataclass(frozen=True, slots=True)
class Limits:
    total_s: float = 30.0  # for one ticket, redirects of robots.txt included
    connect_s: float = 10.0
    # after decompression; sitemaps and feeds are cut here, and read as far as they came
    body_bytes: int = 5_000_000
    # a robots.txt is cut here, not refused (RFC 9309 reads the first 500 KiB)
    robots_bytes: int = 600_000
    robots_redirects: int = 5
    # waited before each hop: it is one more request to somebody
    robots_hop_s: float = 1.0
    header_bytes: int = 8_190  # of one line
    headers: int = 100


class HttpFetcher:
    """core.ports.Fetcher over aiohttp.

    Close it in the loop in which it was first used; its resolver closes with it.

    `forbid(name:port, address)` says why an address may not be contacted, asked at the moment of
    connecting. Redirects of pages are answers like any other (status and `location`); those of
    robots.txt are followed. `access` opens doors by name:port, `proxy` is for all hosts that have
    none of their own (net/credentials.py); `keep_headers` hands on everything that a server says of
    an answer, for WARC.
    """

    def __init__(
        self,
        user_agent: str,
        forbid: Forbid,
        now: Callable[[], float],
        limits: Limits | None = None,
        resolver: AbstractResolver | None = None,
        *,
        access: Mapping[str, Access] | None = None,
        proxy: str = "",
        keep_headers: bool = False,
    ) -> None:
        self._headers = {hdrs.USER_AGENT: user_agent, hdrs.ACCEPT: _ACCEPT}
        self._forbid = forbid
        self._now = now
        self._limits = limits or Limits()
        self._resolver = resolver
        self._keys = Keys(access or {}, proxy)
        self._keep_headers = keep_headers
        self._ways = Routes(self._keys)
        self._session: ClientSession | None = None

    async def fetch(self, request: Request) -> Fetched:
        try:
            async with asyncio.timeout(self._limits.total_s):
                if request.ticket.kind is Kind.ROBOTS:
                    return await self._follow(request)
                return await self._get(request, self._ways.spell(request.url))
        except Exception as error:
            failure = name_failure(error)
            if failure is None:
                raise
            return Fetched(request.ticket, request.url, self._now(), failure=failure)

    async def locate(self, host_name: str) -> str | None:
        name, _, port = host_name.rpartition(":")
        # where the name leads is the proxy's knowledge
        if self._keys.proxy_for(host_name) is not None:
            return None if self._withheld(host_name) else name
        try:
            async with asyncio.timeout(self._limits.connect_s):
                addresses = await self._addresses(name.strip("[]"), int(port))
        except (OSError, ValueError):  # TimeoutError and UnicodeError among them
            return None
        return next(
            (
                address
                for address in addresses
                if self._forbid(host_name, address) is None
            ),
            None,
        )

    async def close(self) -> None:
        session = self._session
        self._session = None
        if session is not None:
            await session.close()
        if self._resolver is not None:
            await self._resolver.close()

    async def _addresses(self, name: str, port: int) -> list[str]:
        try:
            return [str(ipaddress.ip_address(name))]
        except ValueError:
            found = await self._names().resolve(name, port, family=socket.AF_UNSPEC)
            return [one["host"] for one in found]

    def _withheld(self, host_name: str) -> bool:
        """Whether a host may not be asked for through a proxy, as far as its name tells."""
        name = host_name.rpartition(":")[0].strip("[]")
        if name == "localhost" or name.endswith(".localhost"):
            name = "127.0.0.1"
        try:
            address = str(ipaddress.ip_address(name))
        except ValueError:
            address = _ABROAD
        return self._forbid(host_name, address) is not None

    def _names(self) -> AbstractResolver:
        if self._resolver is None:
            self._resolver = aiohttp.DefaultResolver()
        return self._resolver

    def _client(self) -> ClientSession:
        if self._session is None:
            self._session = ClientSession(
                connector=guarded_connector(self._forbid, self._names()),
                headers=self._headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=ClientTimeout(total=None, sock_connect=self._limits.connect_s),
                middlewares=(_only_once,),
                max_line_size=self._limits.header_bytes,
                max_field_size=self._limits.header_bytes,
                max_headers=self._limits.headers,
            )
        return self._session

    async def _follow(self, request: Request) -> Fetched:
        url = canonical(request.url)
        fetched = await self._get(request, url)
        for _ in range(self._limits.robots_redirects):
            if fetched.status not in REDIRECTS or not fetched.location:
                break
            url = canonical(fetched.location, base=url)
            await asyncio.sleep(self._limits.robots_hop_s)
            fetched = await self._get(request, url)
        return fetched

    async def _get(self, request: Request, url: str) -> Fetched:
        way = self._ways.to(url)
        proxy = way.proxy
        if proxy is not None and self._withheld(way.host_name):
            raise Stopped(Failure.FORBIDDEN_ADDRESS)
        door = AddressGuard(way.host_name, trusted=proxy is not None)
        DOOR.set(door)
        headers = _with_conditions(way.headers, request)
        try:
            # The URL is canonical already: yarl must not spell it anew.
            response = await self._client().get(
                URL(url, encoded=True),
                headers=headers,
                proxy=proxy,
                allow_redirects=False,
            )
        except OSError as error:
            if door.forbidden:
                raise Stopped(Failure.FORBIDDEN_ADDRESS) from error
            raise
        try:
            # the proxy's word, not the page's
            if proxy is not None and response.status == 407:
                raise Stopped(Failure.PROXY)
            return await self._answer(request, response)
        finally:
            response.release()

    async def _answer(self, request: Request, response: ClientResponse) -> Fetched:
        # What an error page says is of no interest, and must not turn a clear 404 into a failure.
        body = (
            await self._body(request, response) if 200 <= response.status < 300 else b""
        )
        return Fetched(
            request.ticket,
            request.url,
            self._now(),
            status=response.status,
            body=body,
            content_type=header(response.headers, hdrs.CONTENT_TYPE),
            location=header(response.headers, hdrs.LOCATION),
            etag=validator(response.headers, hdrs.ETAG),
            last_modified=validator(response.headers, hdrs.LAST_MODIFIED),
            # Reading dates costs more than all the rest here, and hardly any answer needs it.
            retry_after_s=retry_after_s(response.headers, self._now())
            if hdrs.RETRY_AFTER in response.headers
            else 0.0,
            robots_tag="\n".join(response.headers.getall("X-Robots-Tag", ())[:_ORDERS])[
                :LONGEST
            ],
            headers=as_sent(response.raw_headers) if self._keep_headers else (),
        )

    async def _body(self, request: Request, response: ClientResponse) -> bytes:
        """The body after decompression.

        Chunks are counted as they come: what is announced may be a lie.
        """
        if (
            response.headers.get(hdrs.CONTENT_ENCODING, "").strip().lower()
            not in _UNDERSTOOD
        ):
            raise Stopped(Failure.BAD_ENCODING)
        robots = request.ticket.kind is Kind.ROBOTS
        most = self._limits.robots_bytes if robots else self._limits.body_bytes
        cut = robots or response.content_type.lower() in _LISTS
        if not cut and (response.content_length or 0) > most:
            raise Stopped(Failure.TOO_LARGE)
        content = response.content
        chunks = []
        size = 0
        while not content.at_eof():
            chunks.append(await content.read(_CHUNK))
            size += len(chunks[-1])
            if size > most:
                response.close()
                if cut:
                    break
                raise Stopped(Failure.TOO_LARGE)
        body = b"".join(chunks)
        return body if size <= most else body[:most]


def _with_conditions(headers: Mapping[str, str], request: Request) -> Mapping[str, str]:
    """Ask only for what is newer than what we hold."""
    if not request.etag and not request.last_modified:
        return headers
    conditions = {
        hdrs.IF_NONE_MATCH: request.etag,
        hdrs.IF_MODIFIED_SINCE: request.last_modified,
    }
    return {**headers, **{name: value for name, value in conditions.items() if value}}


async def _only_once(
    request: ClientRequest, handler: ClientHandlerType
) -> ClientResponse:
    """One ticket, one request: aiohttp would silently ask again, at once, when a server hangs up on
    us.
    """
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise  # never sent, hence never repeated; the door wants to see it
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise Stopped(name_failure(error) or Failure.CONNECTION) from error
