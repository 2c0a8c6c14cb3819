"""The fetcher of the open web: one request, one answer, within limits, and only to addresses that
may be contacted.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Mapping
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

from trapline.core.records import Failure, Fetched, Request
from trapline.net.address_guard import (
    ATTEMPT,
    ConnectionAttempt,
    Forbid,
    guarded_connector,
)
from trapline.net.address_order import in_order
from trapline.net.failures import Stopped, name_failure
from trapline.net.host_routes import Route, Routes
from trapline.net.options import FetcherOptions
from trapline.net.response import read_response

# any public address: stands for names that only a proxy resolves
_PUBLIC_ADDRESS: Final = "1.1.1.1"
_ACCEPT: Final = (
    "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,"
    "application/xml;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.1"
)


class HttpFetcher:
    """core.ports.Fetcher over aiohttp.

    `forbid(name:port, address)` says why an address may not be contacted, asked at the moment of
    connecting. Redirects are answers like any other (status and `location`). Close it in the loop
    in which it was first used; its resolver closes with it.
    """

    def __init__(
        self,
        user_agent: str,
        forbid: Forbid,
        now: Callable[[], float],
        options: FetcherOptions | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._headers = {hdrs.USER_AGENT: user_agent, hdrs.ACCEPT: _ACCEPT}
        self._forbid = forbid
        self._now = now
        self._options = options or FetcherOptions()
        self._limits = self._options.limits
        self._resolver = resolver
        self._routes = Routes(self._options.credentials)
        self._session: ClientSession | None = None
        self._under_way: set[asyncio.Timeout] = set()

    async def fetch(self, request: Request) -> Fetched:
        limit = asyncio.timeout(self._limits.total_s)
        try:
            async with limit:
                self._under_way.add(limit)
                return await self._get(request, self._routes.spell(request.url))
        except Exception as error:
            failure = name_failure(error)
            if failure is None:
                raise
            if not self._options.may_send():
                failure = Failure.NO_LEASE
            return Fetched(request.ticket, request.url, self._now(), failure=failure)
        finally:
            self._under_way.discard(limit)

    def drop(self) -> None:
        """Hang up on all who have not answered yet: others may visit them soon."""
        now_s = asyncio.get_running_loop().time()
        for limit in list(self._under_way):
            if not limit.expired():
                limit.reschedule(now_s)

    async def locate(self, host_name: str) -> str | None:
        name, _, port = host_name.rpartition(":")
        # only the proxy knows the address of the name
        if self._options.credentials.proxy_for(host_name) is not None:
            return None if self._is_withheld(host_name) else name
        try:
            async with asyncio.timeout(self._limits.connect_s):
                addresses = await self._addresses(name.strip("[]"), int(port))
        except (OSError, ValueError):  # TimeoutError and UnicodeError among them
            return None
        allowed = (
            address for address in addresses if self._forbid(host_name, address) is None
        )
        return next(allowed, None)

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
            resolver = self._open_resolver()
            found = await resolver.resolve(name, port, family=socket.AF_UNSPEC)
            return in_order(one["host"] for one in found)

    def _is_withheld(self, host_name: str) -> bool:
        """Whether a host may not be asked for through a proxy, as far as its name tells."""
        name = host_name.rpartition(":")[0].strip("[]")
        if name == "localhost" or name.endswith(".localhost"):
            name = "127.0.0.1"
        try:
            address = str(ipaddress.ip_address(name))
        except ValueError:
            address = _PUBLIC_ADDRESS
        return self._forbid(host_name, address) is not None

    def _open_resolver(self) -> AbstractResolver:
        if self._resolver is None:
            self._resolver = aiohttp.DefaultResolver()
        return self._resolver

    def _open_session(self) -> ClientSession:
        if self._session is None:
            self._session = ClientSession(
                connector=guarded_connector(self._forbid, self._open_resolver()),
                headers=self._headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=ClientTimeout(total=None, sock_connect=self._limits.connect_s),
                middlewares=(_send_only_once,),
                max_line_size=self._limits.header_bytes,
                max_field_size=self._limits.header_bytes,
                max_headers=self._limits.headers,
                trace_configs=[self._trace()],
            )
        return self._session

    def _trace(self) -> aiohttp.TraceConfig:
        """Ask again at the last moment: the process may have stood still on the way."""

        async def check(*_: object) -> None:
            if not self._options.may_send():
                raise Stopped(Failure.NO_LEASE)

        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(check)
        trace.on_connection_reuseconn.append(check)
        return trace

    async def _get(self, request: Request, url: str) -> Fetched:
        """The answer of a canonical URL, as one request brings it."""
        route = self._routes.to(url)
        by_proxy = route.proxy is not None
        if by_proxy and self._is_withheld(route.host_name):
            raise Stopped(Failure.FORBIDDEN_ADDRESS)
        response = await self._send(request, url, route)
        try:
            # the proxy says so, not the page
            if by_proxy and response.status == 407:
                raise Stopped(Failure.PROXY)
            return await read_response(request, response, self._options, self._now)
        finally:
            response.release()

    async def _send(self, request: Request, url: str, route: Route) -> ClientResponse:
        attempt = ConnectionAttempt(route.host_name, trusted=route.proxy is not None)
        ATTEMPT.set(attempt)
        try:
            # The URL is canonical already: yarl must not spell it anew.
            return await self._open_session().get(
                URL(url, encoded=True),
                headers=_with_conditions(route.headers, request),
                proxy=route.proxy,
                allow_redirects=False,
            )
        except OSError as error:
            if attempt.forbidden:
                raise Stopped(Failure.FORBIDDEN_ADDRESS) from error
            raise


def _with_conditions(headers: Mapping[str, str], request: Request) -> Mapping[str, str]:
    """Ask only for what is newer than what we hold."""
    if not request.etag and not request.last_modified:
        return headers
    conditions = {
        hdrs.IF_NONE_MATCH: request.etag,
        hdrs.IF_MODIFIED_SINCE: request.last_modified,
    }
    return {**headers, **{name: value for name, value in conditions.items() if value}}


async def _send_only_once(
    request: ClientRequest, handler: ClientHandlerType
) -> ClientResponse:
    """One ticket, one request: aiohttp would silently ask again when a server hangs up on us."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise  # never sent, hence never repeated; `_send` looks at it
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise Stopped(name_failure(error) or Failure.CONNECTION) from error
