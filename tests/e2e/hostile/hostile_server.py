"""A web of servers that misbehave: raw sockets on loopback, one address and port for each case.

Every host has, beside its bad page, a well-behaved one (/good); robots.txt is missing unless the
case says otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType

GOOD = (
    b"<!doctype html><title>Good page</title><h1>Good page</h1>"
    b"<p>Space probes fly to the planets; this one is well "
    b"and its text is short but honest.</p>"
)


def whole(
    body: bytes,
    headers: bytes = b"Content-Type: text/html\r\n",
    status: bytes = b"200 OK",
) -> bytes:
    return b"HTTP/1.1 %b\r\n%bContent-Length: %d\r\n\r\n%b" % (
        status,
        headers,
        len(body),
        body,
    )


class Wire:
    """One connection, as a reply sees it after a request was read."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, *pieces: bytes, pause_s: float = 0.0) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()
            await asyncio.sleep(pause_s)

    async def repeat(self, piece: bytes, pause_s: float = 0.0) -> None:
        while True:
            await self.send(piece, pause_s=pause_s)

    async def hang(self) -> None:
        await asyncio.sleep(600.0)

    def reset(self) -> None:
        linger = struct.pack("ii", 1, 0)  # close with RST, not with FIN
        self.writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, linger
        )
        _abort(self.writer)


Reply = bytes | Callable[[Wire], Awaitable[None]]
Greeting = Callable[[Wire], Awaitable[None]]


class Host:
    """One address and port: what it answers by path, and what it was asked."""

    def __init__(
        self,
        replies: Mapping[str, Reply],
        greeting: Greeting | None,
        tls: ssl.SSLContext | None,
    ) -> None:
        self.replies: dict[str, Reply] = {"/good": whole(GOOD), **replies}
        self.greeting = greeting
        self.tls = tls
        self.asked: list[str] = []
        self.connections = 0
        self.name = ""
        self.port = 0

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        wire = Wire(reader, writer)
        with contextlib.suppress(
            OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
        ):
            if self.greeting is not None:
                await self.greeting(wire)
            while self.greeting is None:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                path = head.split()[1]
                self.asked.append(path)
                reply = self.replies.get(path, whole(b"", status=b"404 Not Found"))
                if callable(reply):
                    await reply(wire)
                    break
                await wire.send(reply)
        with contextlib.suppress(OSError):
            writer.close()


class HostileWeb:
    """Servers in a thread of their own. `open` adds a host and says its name:port."""

    def __init__(self) -> None:
        self.hosts: list[Host] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    def __enter__(self) -> HostileWeb:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10.0)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10.0)
        self._loop.close()

    def open(
        self,
        replies: Mapping[str, Reply] | None = None,
        greeting: Greeting | None = None,
        tls: ssl.SSLContext | None = None,
        address: str = "",
        port: int = 0,
    ) -> Host:
        host = Host(replies or {}, greeting, tls)
        number = len(self.hosts) + 1
        self.hosts.append(host)
        where = address or f"127.7.{number // 200}.{number % 200 + 1}"
        host.port = asyncio.run_coroutine_threadsafe(
            self._listen(host, where, port), self._loop
        ).result(10.0)
        host.name = f"[{where}]:{host.port}" if ":" in where else f"{where}:{host.port}"
        return host

    async def _listen(self, host: Host, address: str, port: int) -> int:
        def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.append(writer)
            task = asyncio.ensure_future(host.serve(reader, writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        server = await asyncio.start_server(greet, address, port, ssl=host.tls)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _close(self) -> None:
        for server in self._servers:
            server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in self._writers:
            _abort(writer)
        await asyncio.sleep(0.1)  # until the loop has closed their sockets


def _abort(writer: asyncio.StreamWriter) -> None:
    """A transport that is closed already has forgotten its loop, and would complain."""
    if not writer.transport.is_closing():
        writer.transport.abort()
