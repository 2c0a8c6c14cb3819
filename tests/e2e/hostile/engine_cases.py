"""Ways for an engine to misbehave when a broker asks it, and what must come of each."""

from __future__ import annotations

import functools
import gzip
import json
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.e2e.hostile.wire_cases import brotli_bomb
from tests.e2e.support.fake_engine import send

Reply = Callable[[BaseHTTPRequestHandler], None]
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
_PATIENCE_S = 30.0  # after which a hanging engine gives up: tests must end
SLOW = "did not answer within"
NONSENSE = "answered nonsense"


@dataclass(frozen=True)
class EngineCase:
    name: str
    reply: Reply
    state: str  # of the engine in the answer
    reason: str = ""  # that it begins with
    finding: str = ""  # that is kept of it


def hit(url: str, title: str = "A space page", **more: Any) -> dict[str, Any]:
    good = {"url": url, "title": title, "snippet": [["space", True]], "score": 5.0}
    return {**good, **more}


def answer(*hits: object, **more: object) -> bytes:
    said = {"hits": hits, "total": len(hits), "statistics": "given", **more}
    return json.dumps(said).encode()


def says(body: bytes, status: int = 200, **headers: str) -> Reply:
    headers = {"Content_Type": "application/json", **headers}
    return lambda request: send(request, status, body, **headers)


def wire(*pieces: bytes, pause_s: float = 0.0, end: str = "close") -> Reply:
    """Raw bytes one by one, then close, reset or hang."""

    def reply(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        over_s = time.monotonic() + _PATIENCE_S
        try:
            for piece in pieces:
                request.wfile.write(piece)
                request.wfile.flush()
                time.sleep(pause_s)
            while end == "hang" and time.monotonic() < over_s:
                time.sleep(0.1)
        except OSError:
            return
        if end == "reset":
            linger = struct.pack("ii", 1, 0)
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            request.connection.close()

    return reply


def endless(request: BaseHTTPRequestHandler) -> None:
    """100 MB and more."""
    request.close_connection = True
    try:
        request.wfile.write(_OK + b"\r\n" + b'{"hits": ["')
        for _ in range(1600):
            request.wfile.write(b"x" * 65_536)
    except OSError:
        pass


def packs(make: Callable[[], bytes], packing: str) -> Reply:
    """Large documents are made when they are asked for."""

    def reply(request: BaseHTTPRequestHandler) -> None:
        says(make(), Content_Encoding=packing)(request)

    return reply


@functools.cache
def gzip_bomb() -> bytes:
    return gzip.compress(bytes(100_000_000), 1)


SPAM = [hit(f"http://spam{n}.org/", "space probe", score=9e5) for n in range(10)]
HTML = "<script>alert(1)</script><img src=x onerror=alert(1)>"
CASES = [
    EngineCase("honest", says(answer(hit("http://good.org/"))), "answered"),
    EngineCase(
        "inflated scores", says(answer(*SPAM)), "answered", finding="inflated scores"
    ),
    EngineCase(
        "garbage", says(b"\x00\xff garbage"), "failed", NONSENSE, "an answer that makes"
    ),
    EngineCase(
        "NaN",
        says(b'{"hits": [], "total": NaN}'),
        "failed",
        NONSENSE,
        "an answer that makes",
    ),
    EngineCase(
        "scores that are none",
        says(answer(hit("http://a.org/", score=-1), hit("http://b.org/", score="7"))),
        "answered",
        finding="hits that make no sense",
    ),
    EngineCase(
        "nested without end",
        says(b'{"hits": ' + b"[" * 200_000),
        "failed",
        NONSENSE,
        "an answer that makes",
    ),
    EngineCase(
        "half a million hits",
        says(answer(*[0] * 500_000)),
        "answered",
        finding="hits that make no sense",
    ),
    EngineCase("100 MB", endless, "failed", "answered more than 2,000,000 bytes"),
    EngineCase(
        "gzip bomb",
        packs(gzip_bomb, "gzip"),
        "failed",
        "answered more than 2,000,000 bytes",
    ),
    EngineCase(
        "brotli bomb",
        packs(brotli_bomb, "br"),
        "failed",
        "answered more than 2,000,000 bytes",
    ),
    EngineCase(
        "another packing",
        says(b"x", Content_Encoding="rot13"),
        "failed",
        NONSENSE,
        "an answer that makes",
    ),
    EngineCase(
        "a byte a second",
        wire(_OK + b"Content-Length: 9999\r\n\r\n", *[b" "] * 60, pause_s=0.5),
        "failed",
        SLOW,
    ),
    EngineCase("never answers", wire(end="hang"), "failed", SLOW),
    EngineCase(
        "slow and then hangs",
        wire(_OK, b"Content-Length: 99\r\n\r\n", b"{", pause_s=0.1, end="hang"),
        "failed",
        SLOW,
    ),
    EngineCase("hangs up", wire(), "failed", "hung up"),
    EngineCase(
        "resets in the body",
        wire(_OK + b"Content-Length: 99\r\n\r\n{", end="reset"),
        "failed",
        "hung up",
    ),
    EngineCase(
        "no HTTP", wire(b"SSH-2.0-OpenSSH\r\n\r\n"), "failed", "answered something"
    ),
    EngineCase(
        "redirect",
        says(b"", 302, Location="http://127.0.0.1:1/api/search"),
        "failed",
        "answered with status 302",
    ),
    EngineCase("status 500", says(b"{}", 500), "failed", "answered with status 500"),
    EngineCase(
        "another content type",
        says(b"<html>hits</html>", Content_Type="text/html"),
        "failed",
        NONSENSE,
        "an answer that makes",
    ),
    EngineCase(
        "addresses of other kinds",
        says(
            answer(
                hit("javascript:alert(1)"),
                hit("data:text/html,x"),
                hit("file:///etc/passwd"),
                hit("http://bank.org@evil.org/"),
            )
        ),
        "answered",
        finding="addresses that are refused",
    ),
    EngineCase(
        "private addresses",
        says(
            answer(
                hit("http://127.0.0.1/admin"),
                hit("http://192.168.1.1/"),
                hit("http://[::1]/"),
                hit("http://2130706433/"),
                hit("http://router.local/"),
                hit("http://169.254.169.254/latest"),
            )
        ),
        "answered",
        finding="addresses that are refused",
    ),
    EngineCase(
        "hostile HTML",
        says(answer(hit("http://html.org/", HTML, snippet=[[HTML, True]]))),
        "answered",
    ),
]
