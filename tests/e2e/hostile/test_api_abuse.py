"""The HTTP API against bad values, other sites, guesses at the token, and floods."""

from __future__ import annotations

import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.e2e.support.served import Said, ask
from trapline.app.folder.label_file import FILE as LABELS
from trapline.app.folder.order_file import FILE as ORDERS
from trapline.app.web import token_file
from trapline.app.web.api import event_stream
from trapline.app.web.server import WebServer, bind
from trapline.app.web.token_file import read_token
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite import SqliteStore

MOON = "http://127.0.0.1:3/moon"
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
ORDERS_GIVEN: list[tuple[str, dict[str, object]]] = [
    ("/api/label", {"url": MOON, "belongs": True}),
    ("/api/seed", {"url": "http://127.0.0.1:3/new"}),
    ("/api/visit", {"url": MOON}),
    ("/api/pause", {"host": "127.0.0.1:3"}),
    ("/api/resume", {"host": "127.0.0.1"}),
]


def make_folder(path: Path) -> Path:
    store = SqliteStore(path)
    text = f"the moon {SCRIPT}"
    moon = Page(0, MOON, f"Moon {SCRIPT}", text, 0.5, 1, "", "", 1.0, 1.0)
    home = HostRow(0, "127.0.0.1:3", "http://127.0.0.1:3/")
    store.commit(Batch(hosts=[home], urls=[UrlRow(0, MOON, 0)], pages=[moon]))
    store.close()
    return path


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server for those who change nothing."""
    with WebServer(make_folder(tmp_path_factory.mktemp("engine")), bind(0)) as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path)


@pytest.fixture
def server(folder: Path) -> Iterator[WebServer]:
    with WebServer(folder, bind(0)) as server:
        yield server


def order(server: WebServer, path: str, body: object, **headers: str) -> Said:
    token = f"Bearer {server.served.token}"
    return ask(server, path, body, **{"Authorization": token, **headers})


def written(folder: Path) -> bool:
    return (folder / ORDERS).exists() or (folder / LABELS).exists()


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/api/search", "q: it is missing"),
        ("/api/search?q=" + "x" * 10_000, "1000"),
        ("/api/search?q=moon%00", "characters"),
        ("/api/search?q=%1b%5B31m", "characters"),
        ("/api/search?q=moon&page=-1", "'page'"),
        ("/api/search?q=moon&offset=-1", "offset"),
        ("/api/search?q=moon&offset=99999999999999999999", "offset"),
        ("/api/search?q=moon&limit=0", "limit"),
        ("/api/search?q=moon&limit=NaN", "limit"),
        ("/api/search?q=moon&limit=1&limit=2", "twice"),
        ("/api/search?q=moon&colour=red", "'colour'"),
        ("/api/search?q=moon&changed_from=NaN", "like 2026-01-31"),
        ("/api/search?q=moon&changed_from=2026-02-30", "changed_from"),
        ("/api/search?q=moon&changed_to=1700000000", "like 2026-01-31"),
        ("/api/search?q=moon&changed_to=-0001-01-01", "like 2026-01-31"),
        ("/api/search?q=moon&lang=english", "lang"),
        ("/api/search?q=moon&host=a/b", "host"),
        ("/api/search?q=moon&sort=random", "sort"),
        ("/api/search?q=moon&explain=perhaps", "explain"),
        ("/api/search?q=moon&cursor=%3Cscript%3E", "cursor"),
        ("/api/suggest?q=" + "x" * 10_000, "1000"),
        ("/api/pages/-1", "page"),
        ("/api/pages/99999999999999999999", "page"),
        ("/api/pages/moon", "page"),
        ("/api/pages/7", "nothing is held of page 7"),
        ("/api/pages/0?format=html", "format"),
        ("/api/why", "url: it is missing"),
        ("/api/why?url=moon", "http://"),
        ("/api/why?url=javascript:alert(1)", "http://"),
        ("/api/why?url=" + "http://a/" + "x" * 5000, "2000"),
        ("/api/hosts?sort=colour", "sort"),
        ("/api/hosts?limit=1001", "limit"),
        ("/api/changes?after=-1", "after"),
        ("/api/changes?after=1e3", "after"),
        ("/api/changes?format=pdf", "format"),
        ("/api/nothing", "no such page"),
        ("/api/search/", "no such page"),
    ],
)
def test_a_bad_value_is_one_line(reader: WebServer, path: str, hint: str) -> None:
    answer = ask(reader, path)
    assert 400 <= answer.status < 500
    assert answer.headers["Content-Type"] == "application/json"
    assert hint in answer.problem


@pytest.mark.parametrize(
    "query",
    [
        '"unbalanced (quotes',
        "((((((((((((((((((((((((",
        "a " * 499,
        "%ED%A0%80 half",
        "\u202eright to left",
        "field:moon unknown:",
        "* ? ~ ^ [a TO z] /.*/",
        "\t moon \n",
    ],
)
def test_queries_that_look_odd_are_answered(reader: WebServer, query: str) -> None:
    said = quote(query, safe="%")
    assert ask(reader, f"/api/search?q={said}").status in (200, 400)
    assert ask(reader, f"/api/suggest?q={said}").status == 200


def test_an_unknown_url_is_not_found(reader: WebServer) -> None:
    answer = order(reader, "/api/visit", {"url": "http://127.0.0.1:3/never"})
    assert answer.status == 404 and "never heard of" in answer.problem
    assert order(reader, "/api/pause", {"host": "nowhere.org"}).status == 404


@pytest.mark.parametrize("path", ["/search?page=-1", "/cached/moon", "/cached/7"])
def test_a_wrong_number_on_a_page_gives_a_page(reader: WebServer, path: str) -> None:
    answer = ask(reader, path, Accept="text/html")
    assert answer.status in (404, 422)
    assert answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    "path",
    [
        "/api/search?q=moon",
        "/api/pages/0?q=moon",
        "/api/pages/0?format=markdown",
        "/api/changes?format=atom",
        "/opensearch.xml",
    ],
)
def test_what_was_stored_is_never_a_page(reader: WebServer, path: str) -> None:
    answer = ask(reader, path, Accept="text/html")
    assert answer.status == 200
    assert not answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self';" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("path", "body"), ORDERS_GIVEN)
def test_orders_are_given_with_the_token_only(
    server: WebServer, folder: Path, path: str, body: dict[str, object]
) -> None:
    token = server.served.token
    for said in ("", "Bearer", "Bearer x", f"Basic {token}", f"Bearer {token}x", token):
        answer = ask(server, path, body, Authorization=said)
        assert answer.status == 401 and "token" in answer.problem
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    cookie = ask(server, path, body, Cookie=f"token={token}")
    assert cookie.status == 401
    assert ask(server, f"{path}?token={token}", body).status in (401, 422)
    assert not written(folder)
    assert order(server, path, body).status == 200
    assert written(folder)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"Content_Type": "multipart/form-data"},
    ],
)
def test_other_sites_cannot_send_orders(
    server: WebServer, folder: Path, headers: dict[str, str]
) -> None:
    for path, body in (*ORDERS_GIVEN, ("/api/opened", {"page": 0})):
        answer = order(server, path, body, **headers)
        assert answer.status in (403, 415), path
        assert answer.problem
    assert not written(folder)


def test_our_own_pages_can(server: WebServer) -> None:
    own = {"Origin": server.url.rstrip("/"), "Sec_Fetch_Site": "same-origin"}
    for path, body in ORDERS_GIVEN:
        assert order(server, path, body, **own).status == 200
    assert ask(server, "/api/opened", {"page": 0, "q": "moon"}, **own).status == 204


BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'{"url": 7}',
    b'{"url": ""}',
    b'{"url": "\\ud800"}',
    b'{"url": "http://a/\\u0000"}',
    b'{"url": "http://a/", "more": 1}',
    b'{"url": NaN}',
    b"\xff\xfe",
    b"[" * 10_000,
    b'{"url": "http://127.0.0.1:22/"}',
    b'{"url": "http://a.invalid/"}',
    b'{"url": "http://192.0.2.7/"}',
]


def test_bodies_that_are_no_order(server: WebServer, folder: Path) -> None:
    for body in BODIES:
        answer = order(server, "/api/seed", body, method="POST")
        assert answer.status in (400, 422), body
        assert answer.problem
    assert not written(folder)


def test_long_bodies_are_not_read(server: WebServer, folder: Path) -> None:
    assert order(server, "/api/seed", {"url": "x" * 20_000}).status == 413
    port = int(server.url.split(":")[2].strip("/"))
    with socket.create_connection(("127.0.0.1", port), timeout=60.0) as line:
        line.sendall(
            b"POST /api/seed HTTP/1.1\r\nHost: localhost\r\n"
            b"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
        )
        assert line.recv(100).startswith(b"HTTP/1.1 411")
    assert not written(folder)


def test_the_token_is_made_once_and_for_its_owner_only(folder: Path) -> None:
    token = read_token(folder)
    assert len(token) >= 40 and read_token(folder) == token
    mode = (folder / token_file.FILE).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert [path.name for path in folder.glob("token*")] == ["token"]


@pytest.mark.parametrize("text", ["", "\n", "short", "ä" * 40])
def test_a_token_that_can_be_guessed_is_none(folder: Path, text: str) -> None:
    (folder / token_file.FILE).write_text(text)
    with WebServer(folder, bind(0)) as server:
        for said in (text.strip(), "", "x"):
            header = f"Bearer {said}".encode().decode("latin-1")
            answer = ask(server, "/api/visit", {"url": MOON}, Authorization=header)
            assert answer.status == 403
    assert not written(folder)


def test_streams_are_bounded(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "MOST", 0)
    answer = ask(server, "/api/live")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")


def test_a_flood_of_openings_is_told_to_stop(server: WebServer) -> None:
    statuses = [ask(server, "/api/opened", {"page": 0}).status for _ in range(120)]
    assert statuses[0] == 204 and set(statuses) <= {204, 429}
