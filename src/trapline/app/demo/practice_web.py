"""A linked web served over real HTTP on loopback: where the robot practises.

The server runs in its own thread and event loop. It notes when each request arrives, so whether a
robot hurries a host is counted from the outside (request_log.py).
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Literal, Self
from urllib.parse import urlsplit

from aiohttp import web as http

from trapline.app.demo.loopback_hosts import address, host_at, listen
from trapline.app.demo.request_log import Arrival, RequestLog
from trapline.app.demo.world_pages import ServableWeb, WorldPages, is_conditional
from trapline.laboratory.worlds import documents

RobotsFault = Literal["500", "hang", "reset"]


class PracticeWeb:
    """Serves `web` while started; world time is seconds since `start`, times `speed`.

    The gap stays in real seconds.
    """

    def __init__(
        self,
        web: ServableWeb,
        port: int = 0,
        *,
        latency_s: float = 0.02,
        speed: float = 1.0,
        robots_fault: Mapping[int, RobotsFault] | None = None,
    ) -> None:
        self._web = web
        self._port = port
        self.latency_s = latency_s  # of answers from now on
        self._speed = speed
        self._robots_fault = dict(robots_fault or {})
        self._hosts: dict[str, int] = {}  # name:port → number
        self._log = RequestLog(web.hosts)
        self._began_s = 0.0  # time.monotonic() of world time 0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    def start(self) -> Self:
        """Returns when all hosts answer; raises PortTaken if one cannot listen."""
        if self._thread is not None:
            return self
        listeners = listen(self._web.hosts, self._port)
        self._port = listeners[0].getsockname()[1]
        self._hosts = {name: host for host, name in enumerate(self.host_names())}
        self._began_s = time.monotonic()
        self._pages = WorldPages(self._web, self.home, time.time(), self._speed)
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(listeners, ready), name="living-web", daemon=True
        )
        self._thread.start()
        ready.result()
        return self

    def stop(self) -> None:
        """Returns when all sockets are closed and the thread has ended; may be called twice."""
        thread = self._thread
        self._thread = None
        if thread is not None and self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Where things are

    def world_time(self) -> float:
        """Seconds of the world since `start` (0 before)."""
        if not self._began_s:
            return 0.0
        return (time.monotonic() - self._began_s) * self._speed

    def host_names(self) -> list[str]:
        return [f"{address(host)}:{self._port}" for host in range(self._web.hosts)]

    def home(self, host: int) -> str:
        return f"http://{address(host)}:{self._port}/"

    def url(self, page: int) -> str:
        path = documents.path(self._web, page)
        return self.home(int(self._web.host[page])) + path[1:]

    def page_at(self, url: str) -> int | None:
        """The page that a URL of this web means, dead or alive; None: not a page of it."""
        parts = urlsplit(url)
        host = self._hosts.get(parts.netloc)
        if host is None or parts.query or parts.scheme != "http":
            return None
        return documents.page_of(self._web, host, parts.path or "/")

    # What was asked of it

    def arrivals(self, host: int) -> list[Arrival]:
        """Requests to a host in order of arrival."""
        return self._log.of_host(host)

    def requests(self) -> int:
        """All requests, robots.txt among them."""
        return len(self._log.paths())

    def page_requests(self) -> int:
        """Requests for anything but robots.txt."""
        return sum(path != "/robots.txt" for path in self._log.paths())

    def private_requests(self) -> int:
        """Requests for what robots.txt forbids."""
        return self._log.private_requests()

    def gap_violations(self) -> int:
        """Requests that came sooner than `gap_s` after the one before to the same host."""
        return self._log.gap_violations(self._web.gap_s)

    # The server's own thread

    def _run(self, listeners: list[socket.socket], ready: Future[None]) -> None:
        try:
            asyncio.run(self._serve(listeners, ready))
        except BaseException as problem:
            if ready.done():
                raise
            ready.set_exception(problem)  # `start` raises it in the caller's thread
        finally:
            for listener in listeners:
                listener.close()

    async def _serve(self, listeners: list[socket.socket], ready: Future[None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        server = http.Server(self._handle, access_log=None)
        runner = http.ServerRunner(server, shutdown_timeout=1.0)
        await runner.setup()
        try:
            for listener in listeners:
                await http.SockSite(runner, listener).start()
            ready.set_result(None)
            await self._stopping.wait()
        finally:
            await _close(runner, listeners)

    async def _handle(self, request: http.BaseRequest) -> http.StreamResponse:
        at_s = time.monotonic()
        path = request.path_qs
        host = _host_of(request)
        fault = self._robots_fault.get(host) if path == "/robots.txt" else None
        if fault is None:
            response = self._pages.answer(host, request, self.world_time())
        else:
            response = http.Response(status=500)
        silent = fault in ("hang", "reset")
        status = 0 if silent else response.status
        # Noted before any waiting: a request that is never answered was made all the same.
        self._log.add(host, Arrival(at_s, path, status, is_conditional(request)))
        if silent:
            return await self._leave(request, hang=fault == "hang")
        await asyncio.sleep(self.latency_s)
        return response

    async def _leave(
        self, request: http.BaseRequest, hang: bool
    ) -> http.StreamResponse:
        """No answer: be silent until the server stops, or reset the connection at once."""
        if hang and self._stopping is not None:
            await self._stopping.wait()
        if request.transport is not None:
            # Lingering zero seconds makes the kernel send RST where it would send FIN.
            raw = request.transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.transport.abort()
        return http.Response(status=500)


async def _close(runner: http.ServerRunner, listeners: list[socket.socket]) -> None:
    """Accept no more, let connections that were just accepted be made (or nobody would close them),
    then close all.
    """
    for listener in listeners:
        asyncio.get_running_loop().remove_reader(listener)
    await asyncio.sleep(0.01)
    await runner.cleanup()
    await asyncio.sleep(0)  # sockets close one turn of the loop after their transports


def _host_of(request: http.BaseRequest) -> int:
    """By the address that was called, whatever the Host header says."""
    transport = request.transport
    return 0 if transport is None else host_at(transport.get_extra_info("sockname")[0])
