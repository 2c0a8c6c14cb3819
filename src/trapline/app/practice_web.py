"""A linked web served over real HTTP on loopback: the robot's practice ground, and the referee of
its manners.

Host number h listens on 127.0.0.2 + h; all hosts share one port, so each has an address of its own
as real hosts do. The server runs in its own thread and event loop. It notes when each request
arrives: whether a robot hurries a host is counted here, from the outside, never by the robot
itself.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from email.utils import formatdate
from ipaddress import IPv4Address
from itertools import pairwise
from typing import Final, Literal, Protocol, Self
from urllib.parse import urlsplit

from aiohttp import web as http

from trapline.core.errors import PortTaken
from trapline.laboratory.worlds import documents

RobotsFault = Literal["500", "hang", "reset"]

_FIRST_ADDRESS: Final = IPv4Address("127.0.0.2")
_TOLERANCE_S: Final = 0.001  # clocks of two event loops never agree to the microsecond
# pages that were there when the world began were written the day before
_BEFORE_S: Final = 86_400.0
_TRIES: Final = 20  # ports to try until one is free on all addresses


class ServableWeb(documents.ReadableWeb, Protocol):
    """What the server needs to know of a world; `laboratory.worlds.linked.LinkedWeb` is one."""

    @property
    def hosts(self) -> int: ...
    @property
    def gap_s(self) -> float: ...
    def alive(self, page: int, now_s: float) -> bool: ...
    def changed_s(self, page: int, now_s: float) -> float: ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request as the server saw it. Status 0: it was left without an answer on purpose."""

    at_s: float  # time.monotonic()
    path: str
    status: int
    conditional: bool  # who asked holds a copy


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
        self._latency_s = latency_s
        self._speed = speed
        self._robots_fault = dict(robots_fault or {})
        self._numbers: dict[str, int] = {}  # name:port → host
        self._log: list[list[Arrival]] = [[] for _ in range(web.hosts)]
        self._lock = threading.Lock()
        # page → tag last served, since when; server thread only
        self._seen: dict[int, tuple[str, float]] = {}
        self._began_s = 0.0  # time.monotonic() of world time 0
        self._began_wall_s = 0.0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    def start(self) -> Self:
        """Returns when all hosts answer; raises PortTaken if one cannot listen."""
        if self._thread is not None:
            return self
        listeners = listen(self._web.hosts, self._port)
        self._port = listeners[0].getsockname()[1]
        self._numbers = {name: host for host, name in enumerate(self.host_names())}
        self._began_s, self._began_wall_s = time.monotonic(), time.time()
        self._seen.clear()
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

    # ── where things are
    # ──────────────────────────────────────────────────────────────────────────────────────────

    def world_time(self) -> float:
        """Seconds of the world since `start` (0 before)."""
        return (
            (time.monotonic() - self._began_s) * self._speed if self._began_s else 0.0
        )

    def host_names(self) -> list[str]:
        return [f"{address(host)}:{self._port}" for host in range(self._web.hosts)]

    def home(self, host: int) -> str:
        return f"http://{address(host)}:{self._port}/"

    def url(self, page: int) -> str:
        return (
            self.home(int(self._web.host[page])) + documents.path(self._web, page)[1:]
        )

    def page_at(self, url: str) -> int | None:
        """The page that a URL of this web means, dead or alive; None: not a page of it."""
        parts = urlsplit(url)
        host = self._numbers.get(parts.netloc)
        if host is None or parts.query or parts.scheme != "http":
            return None
        return documents.page_of(self._web, host, parts.path or "/")

    # ── what the referee saw
    # ──────────────────────────────────────────────────────────────────────────────────────

    def arrivals(self, host: int) -> list[Arrival]:
        """Requests to a host in order of arrival."""
        with self._lock:
            return sorted(self._log[host], key=lambda arrival: arrival.at_s)

    def requests(self) -> int:
        """All requests, robots.txt among them."""
        return len(self._all_paths())

    def page_requests(self) -> int:
        """Requests for anything but robots.txt."""
        return sum(path != "/robots.txt" for path in self._all_paths())

    def private_requests(self) -> int:
        """Requests for what robots.txt forbids."""
        return sum(
            path.startswith(documents.PRIVATE_FOLDER) for path in self._all_paths()
        )

    def gap_violations(self) -> int:
        """Requests that came sooner than `gap_s` after the one before to the same host."""
        least = self._web.gap_s - _TOLERANCE_S
        return sum(
            later.at_s - sooner.at_s < least
            for host in range(self._web.hosts)
            for sooner, later in pairwise(self.arrivals(host))
        )

    def _all_paths(self) -> list[str]:
        with self._lock:
            return [arrival.path for log in self._log for arrival in log]

    # ── the server's own thread
    # ───────────────────────────────────────────────────────────────────────────────────

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
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        runner = http.ServerRunner(
            http.Server(self._handle, access_log=None), shutdown_timeout=1.0
        )
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
        host = _host_of(request)
        fault = (
            self._robots_fault.get(host) if request.path_qs == "/robots.txt" else None
        )
        response = (
            self._answer(host, request) if fault is None else http.Response(status=500)
        )
        silent = fault in ("hang", "reset")
        # Noted before any waiting: a request that is never answered was made all the same.
        seen = Arrival(
            at_s,
            request.path_qs,
            0 if silent else response.status,
            _is_conditional(request),
        )
        with self._lock:
            self._log[host].append(seen)
        if silent:
            return await self._leave(request, hang=fault == "hang")
        await asyncio.sleep(self._latency_s)
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

    def _answer(self, host: int, request: http.BaseRequest) -> http.Response:
        path = request.path_qs
        if request.method not in ("GET", "HEAD"):
            return http.Response(status=405, headers={"Allow": "GET, HEAD"})
        if path == "/robots.txt":
            return http.Response(text=documents.robots(host))
        if path == documents.PRIVATE_PATH:
            return _page(documents.private_html(host))
        page = documents.page_of(self._web, host, path)
        now_s = self.world_time()
        if page is None or not self._web.alive(page, now_s):
            return http.Response(status=404, text="There is no such page.\n")
        return self._document(page, now_s, request)

    def _document(
        self, page: int, now_s: float, request: http.BaseRequest
    ) -> http.Response:
        tag = documents.tag(self._web, page, now_s)
        modified_s = self._modified_s(page, tag, now_s)
        held = _is_held(request, tag, modified_s)
        answer = (
            http.Response(status=304)
            if held
            else _page(documents.html(self._web, page, now_s, self.home))
        )
        answer.headers["ETag"] = f'"{tag}"'
        # Within that second the page may change again under the same date, which would then vouch
        # for old content.
        if int(modified_s) < int(self._wall_s(now_s)):
            answer.headers["Last-Modified"] = formatdate(int(modified_s), usegmt=True)
        return answer

    def _modified_s(self, page: int, tag: str, now_s: float) -> float:
        """Wall time of the last change: the world's, or, for links that appeared, when they were
        first served.
        """
        known_tag, known_s = self._seen.get(page, ("", 0.0))
        if known_tag == tag:
            return known_s
        changed_s = self._web.changed_s(page, now_s)
        first = (
            self._wall_s(changed_s)
            if changed_s > 0.0
            else self._began_wall_s - _BEFORE_S
        )
        self._seen[page] = (tag, self._wall_s(now_s) if known_tag else first)
        return self._seen[page][1]

    def _wall_s(self, world_s: float) -> float:
        return self._began_wall_s + world_s / self._speed


def address(host: int) -> str:
    """
    >>> address(0), address(1), address(254)
    ('127.0.0.2', '127.0.0.3', '127.0.1.0')
    """
    return str(_FIRST_ADDRESS + host)


def listen(hosts: int, port: int) -> list[socket.socket]:
    """One listening socket per host, all on the same port; 0 = one that is free on
    all addresses.
    """
    for _ in range(_TRIES - 1 if port == 0 else 0):
        with suppress(PortTaken):
            return _listen(hosts, port)
    return _listen(hosts, port)


def _listen(hosts: int, port: int) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    with ExitStack() as failed:
        for host in range(hosts):
            listeners.append(failed.enter_context(_listener(address(host), port)))
            port = listeners[0].getsockname()[1]
        failed.pop_all()
    return listeners


def _listener(at: str, port: int) -> socket.socket:
    """Listens at once: two sockets may be bound to the same place, but only one can
    listen there.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((at, port))
        listener.listen(128)
    except OSError as problem:
        listener.close()
        raise PortTaken(at, port) from problem
    return listener


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
    called = (
        transport.get_extra_info("sockname")[0]
        if transport is not None
        else str(_FIRST_ADDRESS)
    )
    return int(IPv4Address(called)) - int(_FIRST_ADDRESS)


def _is_conditional(request: http.BaseRequest) -> bool:
    return request.if_none_match is not None or request.if_modified_since is not None


def _is_held(request: http.BaseRequest, tag: str, modified_s: float) -> bool:
    """Does the client hold this very document? Where it names a tag, dates do not count (RFC 9110,
    13.2.2).
    """
    if request.if_none_match is not None:
        return any(theirs.value in (tag, "*") for theirs in request.if_none_match)
    since = request.if_modified_since
    return since is not None and int(modified_s) <= since.timestamp()


def _page(text: str) -> http.Response:
    return http.Response(text=text, content_type="text/html", charset="utf-8")
