"""The last check before a socket is opened: may the address of a host name be contacted?

Only here every trick has come to its end: literals in any spelling, names, names that resolve
differently the second time. aiohttp tells the socket factory the address but not for whom it is, so
each request carries a ConnectionAttempt in its own context: tasks that aiohttp starts for a request
inherit it, and requests of other tasks never see it. A connection that is reused was checked when
it was opened, for the same name and port.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from aiohttp import AddrInfoType, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from trapline.net.address_order import place_of

# (name:port, address) → why not; None = may be contacted
Forbid = Callable[[str, str], str | None]

# Many servers hang up after 5 s: a request that is under way then would be lost.
KEEPALIVE_S: Final = 4.0
# with an address that does not answer, until the next one of the host is tried
NEXT_ADDRESS_S: Final = 2.0


@dataclass(slots=True)
class ConnectionAttempt:
    """One attempt to reach a host, and whether its addresses were refused."""

    host_name: str
    trusted: bool = False  # it leads to a proxy, which the user named
    refused: bool = False
    opened: bool = False

    @property
    def forbidden(self) -> bool:
        """Every address was refused: not a single one that is merely out of order."""
        return self.refused and not self.opened


ATTEMPT: ContextVar[ConnectionAttempt | None] = ContextVar("ATTEMPT", default=None)


class _Connector(TCPConnector):
    """Never reuses a connection on which something came that nobody had asked for: aiohttp would
    take such a late answer for the next one. And it begins with the address that a host is paced
    by: aiohttp would take its addresses in turn.
    """

    async def _resolve_host(
        self, host: str, port: int, traces: Sequence[Trace] | None = None
    ) -> list[ResolveResult]:
        found = await super()._resolve_host(host, port, traces)
        return sorted(found, key=lambda one: place_of(one["host"]))

    async def _get(self, key: ConnectionKey, traces: list[Trace]) -> Connection | None:
        for protocol, _ in self._conns.get(key, ()):
            if protocol.should_close:
                protocol.close()
        return await super()._get(key, traces)


def guarded_connector(forbid: Forbid, resolver: AbstractResolver) -> TCPConnector:
    """A connector that opens no socket without asking `forbid`."""

    def may_contact(attempt: ConnectionAttempt, address: str) -> bool:
        allowed = attempt.trusted or forbid(attempt.host_name, address) is None
        attempt.opened |= allowed
        attempt.refused |= not allowed
        return allowed

    def open_socket(info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = info
        attempt = ATTEMPT.get()
        if attempt is None or not may_contact(attempt, str(address[0])):
            raise PermissionError(errno.EACCES, "this address may not be contacted")
        return socket.socket(family, kind, protocol)

    return _Connector(
        resolver=resolver,
        socket_factory=open_socket,
        limit=0,
        keepalive_timeout=KEEPALIVE_S,
        happy_eyeballs_delay=NEXT_ADDRESS_S,
    )
