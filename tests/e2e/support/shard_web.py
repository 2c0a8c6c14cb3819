"""A living web of many hosts on few addresses, on loopback, that writes down who asked for what and
when: what a crawl in shards is judged by.

Names resolve by `Names` only, so that hosts of different domains share addresses.
"""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self

from aiohttp.abc import AbstractResolver, ResolveResult

WORDS = (
    *("moon", "orbit", "crater", "planet", "comet"),
    *("nebula", "galaxy", "telescope", "rocket", "star"),
)


class Arrival(NamedTuple):
    host: str  # name:port
    address: str
    path: str
    began_s: float
    ended_s: float


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A robot that was killed is no news."""


class ShardWeb:
    """`hosts` of as many domains, on `addresses`; each has `pages` and links to others'."""

    def __init__(
        self,
        hosts: int,
        addresses: int,
        pages: int,
        seed: int = 1,
        change_s: float = 20.0,
    ) -> None:
        self.pages = pages
        self.change_s = change_s
        self.names = [f"www.site{i}.test" for i in range(hosts)]
        chance = random.Random(seed)
        places = [f"127.0.77.{1 + i}" for i in range(addresses)]
        # every address has a host, the others lie anywhere
        spread = [*places, *(chance.choice(places) for _ in range(hosts - addresses))]
        self.addresses = dict(zip(self.names, spread, strict=True))
        self._links = {
            name: [chance.choice(self.names) for _ in range(3 * pages)]
            for name in self.names
        }
        self.arrivals: list[Arrival] = []
        self.served: dict[str, int] = {}  # by URL
        self._servers: list[ThreadingHTTPServer] = []
        self._lock = threading.Lock()
        self.port = 0

    def __enter__(self) -> Self:
        self.port = _free_port()
        for address in sorted(set(self.addresses.values())):
            self._servers.append(self._serve(address))
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def url(self, name: str, path: str = "/") -> str:
        return f"http://{name}:{self.port}{path}"

    def all_urls(self) -> set[str]:
        paths = ["/", *(f"/{n}.html" for n in range(1, self.pages))]
        return {self.url(name, path) for name in self.names for path in paths}

    def host_names(self) -> list[str]:
        return [f"{name}:{self.port}" for name in self.names]

    def write_names(self, path: Path) -> Path:
        path.write_text(json.dumps(self.addresses))
        return path

    def visits(self) -> list[Arrival]:
        """Of pages, without robots.txt."""
        with self._lock:
            return [one for one in self.arrivals if one.path != "/robots.txt"]

    def hurried(self, gap_s: float) -> list[tuple[str, float]]:
        """(host or address, seconds between the end of a visit and the start of the next) of all
        that came too soon.
        """
        with self._lock:
            arrivals = list(self.arrivals)
        found = []
        for key in ("host", "address"):
            last: dict[str, float] = {}
            for one in sorted(arrivals, key=lambda one: one.began_s):
                place = getattr(one, key)
                if place in last and one.began_s - last[place] < gap_s - 1e-3:
                    found.append((place, one.began_s - last[place]))
                last[place] = max(last.get(place, 0.0), one.ended_s)
        return found

    def busiest(self, seconds: float) -> int:
        """The most visits to pages in any stretch of so many seconds."""
        times = sorted(one.began_s for one in self.visits())
        most = 0
        first = 0
        for last, at_s in enumerate(times):
            while times[first] < at_s - seconds:
                first += 1
            most = max(most, last - first + 1)
        return most

    def _serve(self, address: str) -> ThreadingHTTPServer:
        web = self

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                web.answer(self, address)

            def log_message(self, *_: object) -> None:
                pass

        server = _Server((address, self.port), Answers)
        server.daemon_threads = True
        run = {"poll_interval": 0.05}
        threading.Thread(target=server.serve_forever, kwargs=run, daemon=True).start()
        return server

    def answer(self, request: BaseHTTPRequestHandler, address: str) -> None:
        began_s = time.monotonic()
        host = str(request.headers.get("Host", ""))
        body = self._page(host.partition(":")[0], request.path)
        status = 404 if body is None else 200
        content = b"nothing here" if body is None else body.encode()
        # before it is sent: the robot counts from when it has it all
        ended_s = time.monotonic()
        try:
            request.send_response(status)
            request.send_header("Content-Type", "text/html; charset=utf-8")
            request.send_header("Content-Length", str(len(content)))
            request.end_headers()
            request.wfile.write(content)
        except OSError:
            pass  # the robot was killed
        with self._lock:
            self.arrivals.append(Arrival(host, address, request.path, began_s, ended_s))
            if status == 200:
                url = self.url(host.partition(":")[0], request.path)
                self.served[url] = self.served.get(url, 0) + 1

    def _page(self, name: str, path: str) -> str | None:
        if name not in self.addresses or path == "/robots.txt":
            return None
        stem = path.removeprefix("/").removesuffix(".html")
        number = int(stem) if stem.isdigit() else 0 if path == "/" else -1
        if not 0 <= number < self.pages:
            return None
        chance = random.Random(f"{name}{number}")
        version = int((time.time() + 1e3 * chance.random()) / self.change_s)
        inner = [f"/{n}.html" for n in range(1, self.pages)][number : number + 3]
        outer = self._links[name][3 * number : 3 * number + 3]
        links = [*inner, *(self.url(other) for other in outer)]
        if number == 0:
            nearest = self.names[(self.names.index(name) + 1) % len(self.names)]
            links.append(self.url(nearest))
        words = " ".join(chance.choice(WORDS) for _ in range(60))
        anchors = " ".join(
            f'<a href="{link}">{chance.choice(WORDS)}</a>' for link in links
        )
        return (
            f"<html><head><title>{name} {number}</title></head><body><p>{words} "
            f"version {version} of {name} page {number}.</p>{anchors}</body></html>"
        )


class Names(AbstractResolver):
    """Resolves the names of such a web, and nothing else."""

    def __init__(self, addresses: dict[str, str]) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: Any = socket.AF_INET
    ) -> list[ResolveResult]:
        address = self._addresses.get(host)
        if address is None:
            raise OSError(f"no such name: {host}")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        pass


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
