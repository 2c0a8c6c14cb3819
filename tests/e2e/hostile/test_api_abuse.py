"""The HTTP API against bad values, other sites, guesses at the token, and floods."""

from __future__ import annotations

import socket
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.e2e.support.served import Said, ask
from trapline.app.demand import demand_file
from trapline.app.demand.allowance import Allowance
from trapline.app.folder.label_file import FILE as LABELS
from trapline.app.folder.orders.order_file import FILE as ORDERS
from trapline.app.web import request_deadline, token_file
from trapline.app.web.api import event_stream
from trapline.app.web.server import WebServer, bind
from trapline.app.web.token_file import read_token
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

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
        ("/api/search", "q is missing"),
        ("/api/search?q=" + "x" * 10_000, "1000"),
        ("/api/search?q=moon%00", "control characters"),
        ("/api/search?q=moon%ED%A0%80", "whole characters"),
        ("/api/suggest?q=%ff", "whole characters"),
        ("/api/search?q=%1b%5B31m", "characters"),
        ("/api/search?q=moon&page=-1", "'page'"),
        ("/api/search?q=moon&offset=-1", "offset"),
        ("/api/search?q=moon&offset=99999999999999999999", "offset"),
        ("/api/search?q=moon&limit=0", "limit must be 1 or more"),
        ("/api/search?q=moon&limit=NaN", "limit must be a whole number"),
        ("/api/search?q=moon&limit=1&limit=2", "twice"),
        ("/api/search?q=moon&colour=red", "'colour'"),
        ("/api/search?q=moon&changed_from=NaN", "like 2026-01-31"),
        ("/api/search?q=moon&changed_from=2026-02-30", "changed_from must be a date"),
        ("/api/search?q=moon&changed_to=1700000000", "like 2026-01-31"),
        ("/api/search?q=moon&changed_to=-0001-01-01", "like 2026-01-31"),
        ("/api/search?q=moon&lang=english", "lang must be two small letters"),
        ("/api/search?q=moon&host=a/b", "host must be the name of a host"),
        ("/api/search?q=moon&sort=random", "sort must be 'best' or 'changed'"),
        ("/api/search?q=moon&explain=perhaps", "explain must be true or false"),
        ("/api/search?q=moon&cursor=%3Cscript%3E", "cursor must be"),
        ("/api/suggest?q=" + "x" * 10_000, "1000"),
        ("/api/pages/-1", "page"),
        ("/api/pages/99999999999999999999", "page"),
        ("/api/pages/moon", "page"),
        ("/api/pages/7", "nothing is held of page 7"),
        ("/api/pages/0?format=html", "format"),
        ("/api/why", "url is missing"),
        ("/api/why?url=moon", "http://"),
        ("/api/why?url=javascript:alert(1)", "http://"),
        ("/api/why?url=" + "http://a/" + "x" * 5000, "2000"),
        ("/api/hosts?sort=colour", "sort"),
        ("/api/hosts?limit=1001", "limit"),
        ("/api/changes?after=-1", "after"),
        ("/api/changes?after=1e3", "after"),
        ("/api/changes?format=pdf", "format must be 'json', 'atom' or 'sse'"),
        ("/api/changes?since=NaN", "since must be a date or a time"),
        ("/api/changes?since=2026-02-30", "since must be a date or a time"),
        ("/api/changes?since=1700000000", "since must be a date or a time"),
        ("/api/plan", "no robot has run"),
        ("/api/why?url=http://127.0.0.1:3/moon", "no robot has run"),
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
        "\u202eright to left",
        "field:moon unknown:",
        "* ? ~ ^ [a TO z] /.*/",
        "\t moon \n",
    ],
)
def test_queries_that_look_odd_are_answered(reader: WebServer, query: str) -> None:
    said = quote(query, safe="%")
    assert ask(reader, f"/api/search?q={said}").status == 200
    assert ask(reader, f"/api/suggest?q={said}").status == 200


def test_an_unknown_url_is_not_found(reader: WebServer) -> None:
    answer = order(reader, "/api/visit", {"url": "http://127.0.0.1:3/never"})
    assert answer.status == 404 and "never heard of" in answer.problem
    assert order(reader, "/api/pause", {"host": "nowhere.org"}).status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/search?page=-1",
        "/cached/moon",
        "/cached/7",
        "/cached/0?q=%00",
        "/cached/0?q=%ED%A0%80",
        "/why?url=%00",
    ],
)
def test_a_wrong_value_on_a_page_gives_a_page(reader: WebServer, path: str) -> None:
    answer = ask(reader, path, Accept="text/html")
    assert answer.status in (404, 422)
    assert answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("parameters", "hint"),
    [
        ("page=-1", "page must be 1 or more"),
        ("page=NaN", "page must be a whole number"),
        ("age=soon", "age must be"),
        ("lang=%00", "control characters"),
        ("host=%ED%A0%80", "whole characters"),
        ("host=" + "a" * 20_000, "host must have at most 300 characters"),
    ],
)
def test_a_search_with_a_wrong_filter_keeps_the_query(
    reader: WebServer, parameters: str, hint: str
) -> None:
    answer = ask(reader, f"/search?q=full+moon&{parameters}", Accept="text/html")
    assert answer.status == 422 and hint in answer.text
    assert 'type="search"' in answer.text and 'value="full moon"' in answer.text


def test_what_was_opened_holds_no_control_characters(reader: WebServer) -> None:
    for query in ("\0", "\ud800"):
        assert ask(reader, "/api/opened", {"page": 0, "q": query}).status == 422


@pytest.mark.parametrize(
    "path", ["/metrics", "/healthz", "/opensearch.xml", "/changes.atom"]
)
def test_programs_are_told_in_json(reader: WebServer, path: str) -> None:
    assert ask(reader, f"{path}?q=%00").problem
    page = ask(reader, f"{path}?q=%00", Accept="text/html,*/*;q=0.8")
    assert (page.status, page.text[:15]) == (422, "<!doctype html>")


def test_the_usual_addresses_lead_to_ours(reader: WebServer) -> None:
    places = {"/openapi.json": "/api/openapi.json", "/docs": "/api", "/api/": "/api"}
    for path, place in places.items():
        answer = ask(reader, path)
        assert (answer.status, answer.headers["Location"]) == (307, place)


ASKED = (
    "/api/search?q=moon",
    "/search?q=moon",
    "/api/opensearch?q=moon",
    "/api/plain-search?q=moon",
    "/api/why?url=http://a/",
    "/api/plan",
)
BY_LINK = {"Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
IN_A_FRAME = {"Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
AS_A_PICTURE = {"Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "image"}


@pytest.mark.parametrize("path", ASKED)
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_cannot_ask(reader: WebServer, path: str, site: str) -> None:
    for how in (AS_A_PICTURE, IN_A_FRAME, {}):
        assert ask(reader, path, Sec_Fetch_Site=site, **how).status == 403


def test_only_what_is_asked_here_is_counted(server: WebServer) -> None:
    for path in ("/api/search?q=moon", "/search?q=moon"):
        assert ask(server, path, Sec_Fetch_Site="cross-site", **BY_LINK).status == 200
        assert ask(server, path, method="HEAD").status == 200
        assert ask(server, path, Sec_Fetch_Site="none").status == 200
    [asked] = order(server, "/api/demand", None).data["asked"]
    assert (asked["query"], asked["times"]) == ("moon", 2)


@pytest.mark.parametrize(
    "path",
    [
        "/api/search?q=moon",
        "/api/pages/0?q=moon",
        "/api/pages/0?format=markdown",
        "/api/changes?format=atom",
        "/opensearch.xml",
        "/api/opensearch?q=moon",
        "/api/opensearch?q=moon&format=rss",
        "/api/plain-search?q=moon",
        "/search?q=moon&format=json",
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
        assert answer.status in (403, 404, 422), body
        assert answer.problem and "constrained" not in answer.problem
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


def test_a_folder_that_takes_neither_token_nor_counts_is_served(folder: Path) -> None:
    for name in (token_file.FILE, demand_file.FILE):
        (folder / name).mkdir()  # as good as a disk that cannot be written
    with WebServer(folder, bind(0)) as server:
        assert ask(server, "/api/search?q=moon").data["total"] == 1
        assert ask(server, "/api/opened", {"page": 0}).status == 204
        assert ask(server, "/api/visit", {"url": MOON}, Authorization="x").status == 403
        server.served.demand.write()
        assert ask(server, "/api/search?q=moon").status == 200
    assert not written(folder)


def test_streams_are_bounded(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "MOST", 0)
    answer = ask(server, "/api/live")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")


def connect(server: WebServer, said: bytes) -> socket.socket:
    port = int(server.url.split(":")[2].strip("/"))
    line = socket.create_connection(("127.0.0.1", port), timeout=60.0)
    line.sendall(said)
    return line


def test_streams_that_are_opened_at_once_are_counted(server: WebServer) -> None:
    said = b"GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as stack:
        lines = [stack.enter_context(connect(server, said)) for _ in range(100)]
        statuses = Counter(line.recv(12)[-3:] for line in lines)
    assert statuses == {b"200": event_stream.MOST, b"503": 100 - event_stream.MOST}


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: ",
        b"POST /api/opened HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n{",
    ],
)
def test_half_a_request_is_not_waited_for(
    reader: WebServer, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(request_deadline, "DEADLINE_S", 0.2)
    with connect(reader, said) as line, suppress(ConnectionResetError):
        assert line.recv(100) == b""


def test_a_whole_request_is_answered_however_long_it_takes(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_deadline, "DEADLINE_S", 0.2)
    monkeypatch.setattr(event_stream, "LOOK_S", 0.3)
    monkeypatch.setattr(event_stream, "_SILENT_S", 0.9)
    said = b"GET /api/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    with connect(server, said) as line:
        found = b""
        while b"\n:\n" not in found:
            more = line.recv(1000)
            assert more
            found += more


def test_connections_are_bounded(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_deadline, "MOST", 1)
    first = connect(server, b"GET ")
    with first, connect(server, b"GET ") as second, suppress(ConnectionResetError):
        assert second.recv(100) == b""


def test_a_flood_of_openings_is_told_to_stop(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # none comes back, however long the sixty take
    monkeypatch.setattr(server.served.demand, "_openings", Allowance(0.0, 50.0))
    statuses = [ask(server, "/api/opened", {"page": 0}).status for _ in range(60)]
    assert statuses == [204] * 50 + [429] * 10
