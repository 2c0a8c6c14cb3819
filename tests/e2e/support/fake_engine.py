"""An engine of a few made-up words on loopback: it signs as real ones do, and lies when told to."""

from __future__ import annotations

import hashlib
import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

import numpy as np

from trapline.app.federation.key_file import EngineKey, make_key
from trapline.oasis.deltas import pack_delta
from trapline.oasis.description import Description, Packed
from trapline.oasis.packing import pack_sample, pack_terms, unpack_terms
from trapline.oasis.sample import Sample
from trapline.oasis.signed_description import sign_description
from trapline.oasis.statements import (
    JOIN,
    LEAVE,
    RENEW,
    SignedStatement,
    Statement,
    sign_statement,
)
from trapline.oasis.terms import TermTable

Lie = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True, slots=True)
class Said:
    status: int
    data: Any


def table_of(pages: int, words: dict[int, int]) -> TermTable:
    """Statistics: key of a word → pages that have it."""
    keys = np.array(sorted(words), np.uint64)
    documents = np.array([words[key] for key in sorted(words)], np.uint32)
    weights = np.ones(len(words), np.float32)
    return TermTable(pages, keys, documents, weights, weights)


def packed(body: bytes, version: int, kept: int) -> Packed:
    return Packed(version, len(body), hashlib.sha256(body).hexdigest(), kept)


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Whoever asked was killed."""


class FakeEngine:
    def __init__(
        self,
        name: str = "moon",
        words: dict[int, int] | None = None,
        pages: int = 100,
        key: EngineKey | None = None,
    ) -> None:
        self.name = name
        self.key = key or make_key()
        self.pages = pages
        self.words = words or {7: 3, 9: 2}
        self.version = 1
        self.serial = int(time.time() * 1000)
        self.asked: list[str] = []
        self.changes: dict[str, Any] = {}  # of the description, before it is signed
        self.lies: dict[str, bytes | Lie] = {}  # by path
        self.deltas: dict[str, bytes] = {}  # by the version that they lead away from
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        run = self._server.serve_forever
        threading.Thread(
            target=run, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def terms(self) -> bytes:
        return pack_terms(table_of(self.pages, self.words))

    @property
    def sample(self) -> bytes:
        return pack_sample(Sample.empty())

    def description(self) -> Description:
        found = Description(
            self.name,
            self.url,
            self.key.public,
            self.version,
            time.time(),
            self.pages,
            topic=f"all about the {self.name}",
            languages=(("en", self.pages),),
            fresh=0.9,
            terms=packed(self.terms, self.version, len(self.words)),
            sample=packed(self.sample, self.version, 0),
        )
        return replace(found, **self.changes)

    def change(self, words: dict[int, int]) -> None:
        """What it holds has changed."""
        old = unpack_terms(self.terms)
        self.words = words
        self.deltas = {str(self.version): pack_delta(old, unpack_terms(self.terms))}
        self.version += 1

    def statement(self, kind: str = JOIN, **changes: Any) -> SignedStatement:
        self.serial += 1
        said = Statement(
            kind, self.key.public, self.url, self.name, self.version, self.serial
        )
        return sign_statement(replace(said, **changes), self.key.sign)

    def join(self, directory: str, **changes: Any) -> Said:
        return tell(directory, self.statement(JOIN, **changes).as_json())

    def renew(self, directory: str) -> Said:
        return tell(directory, self.statement(RENEW).as_json())

    def leave(self, directory: str) -> Said:
        return tell(directory, self.statement(LEAVE).as_json())

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.partition("?")[0]
        self.asked.append(request.path)
        lie = self.lies.get(path)
        if callable(lie):
            lie(request)
            return
        bodies = {
            "/engine": lambda: json.dumps(
                sign_description(self.description(), self.key.sign).as_json()
            ).encode(),
            "/engine/terms": lambda: self.terms,
            "/engine/sample": lambda: self.sample,
        }
        if path == "/engine/terms" and self._send_delta(request):
            return
        body = lie if lie is not None else bodies.get(path, lambda: None)()
        send(request, 404 if body is None else 200, body or b"")

    def _send_delta(self, request: BaseHTTPRequestHandler) -> bool:
        """What has changed, to who has the version that it remembers."""
        since = request.path.partition("?since=")[2]
        if since not in self.deltas:
            return False
        send(request, 200, self.deltas[since], Trapline_Base=since)
        return True

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        engine = self

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                engine.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        return Answers


def send(
    request: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str
) -> None:
    try:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
    except OSError:  # whoever asked is gone
        pass


def tell(directory: str, statement: Any, **headers: str) -> Said:
    """POST a statement, or whatever it is, to a directory."""
    body = statement if isinstance(statement, bytes) else json.dumps(statement).encode()
    return ask(directory, "/directory/statements", body, **headers)


def ask(base: str, path: str, body: bytes | None = None, **headers: str) -> Said:
    """The answer: JSON if it is, else bytes."""
    connection = http.client.HTTPConnection(urlsplit(base).netloc, timeout=60.0)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("GET" if body is None else "POST", path, body, named)
        answer = connection.getresponse()
        data: Any = answer.read()
        if answer.headers.get_content_type() == "application/json":
            data = json.loads(data)
        return Said(answer.status, data)
    finally:
        connection.close()
