"""A small web site on loopback for tests: pages that may be changed, removed or moved while a robot
visits them.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_KINDS = {
    ".txt": "text/plain",
    ".xml": "application/xml",
    ".csv": "text/csv",
    ".bin": "application/octet-stream",
    ".png": "image/png",
    ".pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class Asked:
    path: str
    status: int
    at_s: float


@dataclass(slots=True)
class Site:
    """`pages` by path; a text that begins with http is where the page has moved.

    POSTs are kept in `told`.
    """

    pages: dict[str, str]
    robots: str = ""
    address: str = "127.0.0.1"
    refuse: list[int] = field(default_factory=list)  # statuses for the next POSTs
    hang_s: float = 0.0  # before a POST is answered
    validators: bool = True
    # statuses by path, in place of what the pages say
    failing: dict[str, int] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        site = self

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.answer(self)

            def do_POST(self) -> None:
                site.hear(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((self.address, 0), Answers)
        self._server.daemon_threads = True
        threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            daemon=True,
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    @property
    def host(self) -> str:
        assert self._server is not None
        return f"{self.address}:{self._server.server_port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    def visits(self, path: str) -> list[int]:
        """Statuses of the answers, in order."""
        return [one.status for one in self.asked if one.path == path]

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path
        text = self.robots if path == "/robots.txt" else self.pages.get(path)
        headers = {"Content-Type": _KINDS.get(path[-4:], "text/html; charset=utf-8")}
        status, body = (404, b"nothing here") if text is None else (200, text.encode())
        if text is not None and text.startswith("http"):
            status = 301
            body = b""
            headers["Location"] = text
        if path in self.failing:
            status = self.failing[path]
            body = b"out of order"
        mark = f'"{sha1(body).hexdigest()}"'
        if status == 200 and self.validators:
            headers["ETag"] = mark
            if request.headers.get("If-None-Match") == mark:
                status = 304
                body = b""
        self.asked.append(Asked(path, status, time.time()))
        self._send(request, status, headers, body)

    def hear(self, request: BaseHTTPRequestHandler) -> None:
        said = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        time.sleep(self.hang_s)
        status = self.refuse.pop(0) if self.refuse else 200
        if status == 200:
            self.told.append(said)
        self._send(request, status, {}, b"")

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        headers: dict[str, str],
        body: bytes,
    ) -> None:
        try:
            request.send_response(status)
            for name, value in headers.items():
                request.send_header(name, value)
            if status != 304:
                request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)
        except OSError:  # the robot was killed
            pass


def html(title: str, text: str, *links: str) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return f"<html><head><title>{title}</title></head><body><p>{text}</p>{anchors}</body></html>"
