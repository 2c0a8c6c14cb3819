"""The page of `serve` and `demo` against other sites: names that lead here, frames, guesses."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.support.command import free_port, trapline
from trapline.app.web.server import WebServer, bind
from trapline.core.errors import SearchBusy, UserMistake
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.questions import Answer
from trapline.search.search_desk import SearchDesk
from trapline.stores.sqlite.store import SqliteStore

PATHS = (
    "/",
    "/search?q=moon",
    "/search?q=" + "x" * 2000,
    "/search?page=many",
    "/api/search?q=moon",
    "/api/search",
    "/api/status",
    "/api/changes",
    "/changes.atom",
    "/metrics",
    "/healthz",
    "/openapi.json",
    "/nothing",
    "/api/nothing",
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/search/",
    "//evil.example/",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("engine")
    store = SqliteStore(folder)
    moon = Page(0, "http://a/moon", "Moon", "the moon", 0.5, 1, "", "", 1.0, 1.0)
    store.commit(
        Batch(
            hosts=[HostRow(0, "a:80", "http://a/")],
            urls=[UrlRow(0, "http://a/moon", 0)],
            pages=[moon],
        )
    )
    store.close()
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[WebServer]:
    with WebServer(folder, bind(0), ("search.lab.org",)) as server:
        yield server


@contextmanager
def asked(
    server: WebServer, path: str, *, method: str = "GET", **headers: str
) -> Iterator[http.client.HTTPResponse]:
    port = int(server.url.split(":")[2].strip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60.0)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        yield connection.getresponse()
    finally:
        connection.close()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_every_answer_says_how_it_may_be_shown(
    server: WebServer, path: str, method: str, host: str
) -> None:
    with asked(server, path, method=method, Host=host) as answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy and "default-src 'none'" in policy
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert answer.status < 500
        if method not in ("GET", "HEAD"):
            assert answer.status in (404, 405, 421)
            assert answer.status != 405 or "HEAD" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:8765", 200),
        ("localhost:9000", 200),
        ("LOCALHOST", 200),
        ("[::1]:80", 200),
        ("search.lab.org", 200),
        ("Search.Lab.org:443", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("evil.search.lab.org", 421),
        ("localhost:80@evil.example", 421),
        ("localhost:", 421),
        ("localhost, evil.example", 421),
        ("127.1", 421),
        ("", 421),
    ],
)
def test_it_answers_to_its_own_names_only(
    server: WebServer, host: str, status: int
) -> None:
    with asked(server, "/api/search?q=moon", Host=host) as answer:
        text = answer.read().decode()
    assert answer.status == status
    assert ("http://a/moon" in text) == (status == 200)


@pytest.mark.parametrize("path", ["/nothing", "/search?page=many", "/%00"])
def test_what_is_not_there_is_a_page(server: WebServer, path: str) -> None:
    with asked(server, path, Accept="text/html,application/json") as answer:
        text = answer.read().decode()
    assert answer.status in (404, 422)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert re.search(r'<a [^>]*href="/"', text) and "<!doctype html>" in text


@pytest.mark.parametrize("path", ["/api/nothing", "/nothing", "/api/search"])
def test_programs_are_told_in_json(server: WebServer, path: str) -> None:
    with asked(server, path, Accept="application/json") as answer:
        said = json.loads(answer.read())
    assert answer.status in (404, 422) and set(said) == {"error"}


def test_many_at_once_are_all_answered(server: WebServer) -> None:
    statuses: list[int] = []

    def visit(number: int) -> None:
        with asked(server, f"/search?q=moon+{number}") as answer:
            answer.read()
            statuses.append(answer.status)

    visitors = [threading.Thread(target=visit, args=(n,)) for n in range(60)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(120.0)
    assert len(statuses) == 60 and set(statuses) <= {200, 503}


@pytest.mark.parametrize("path", ["/search?q=moon", "/api/search?q=moon"])
def test_whoever_finds_the_line_full_is_told_to_come_back(
    server: WebServer, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Future[Answer]:
        raise SearchBusy("too many are searching just now")

    monkeypatch.setattr(SearchDesk, "join_line", refuse)
    with asked(server, path) as answer:
        text = answer.read().decode()
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
    assert "too many are searching" in text


@pytest.mark.parametrize("path", ["/search?q=moon", "/api/search?q=moon"])
def test_whoever_gets_no_answer_in_time_is_told_so(
    server: WebServer, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SearchDesk, "join_line", lambda *_: Future())
    monkeypatch.setattr(server.served.desk, "within_s", 0.05)
    with asked(server, path) as answer:
        assert "no answer within" in answer.read().decode()
    assert answer.status == 503


def test_a_name_that_is_none(folder: Path) -> None:
    done = trapline("serve", folder, "--port", free_port(), "--host", "http://x/")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "search.lab.org" in done.stderr
    with pytest.raises(UserMistake), bind(0) as listener:
        WebServer(folder, listener, ("a b",))
