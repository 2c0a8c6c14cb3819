"""The web page over real HTTP, while a robot may be working on the folder."""

from __future__ import annotations

import json
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.e2e.support.command import started, trapline
from tests.e2e.support.served import fill_folder
from trapline.app.demand.demand_file import day_now, read_demand
from trapline.app.demand.wanted_pages import wanted_lately
from trapline.app.demo.loopback_hosts import listen
from trapline.app.web.server import WebServer, bind


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_folder(tmp_path_factory.mktemp("engine"))


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    with WebServer(folder, bind(0)) as server:
        yield server.url


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return str(answer.read().decode())


def test_home_shows_search_box_and_changes(url: str) -> None:
    text = read(url)
    assert 'type="search"' in text
    assert "pages held" in text
    assert "Latest changes" in text


def test_search_shows_results_with_snippets(url: str) -> None:
    text = read(url + "search?q=space")
    assert '<article class="hit">' in text
    assert "<mark>space</mark>" in text.lower()


def test_what_comes_from_outside_is_escaped(url: str) -> None:
    text = read(url + "search?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    "path",
    ["dashboard", "plan", "laboratory", "why", "cached/0?q=space", "search?q=a&age="],
)
def test_every_page_is_served(url: str, path: str) -> None:
    assert "<h1" in read(url + path)


def test_why_of_a_page(url: str) -> None:
    page = json.loads(read(url + "api/search?q=space&limit=1"))["hits"][0]["url"]
    assert "Visits and changes" in read(url + "why?url=" + quote(page, safe=""))


def test_the_results_that_people_see_are_counted(folder: Path) -> None:
    def shown(path: str, **headers: str) -> list[int]:
        """How often each page was shown, after this was asked."""
        with WebServer(folder, bind(0)) as server:
            address = server.url + path
            asked = urllib.request.Request(address, None, headers)
            urllib.request.urlopen(asked, timeout=30).close()
        day = day_now()
        return [wanted_lately(folder, page, day).shown for page in range(100)]

    before = shown("")
    for path in ("search?q=space", "api/search?q=space&limit=50"):
        after = shown(path)
        more = [new - old for new, old in zip(after, before, strict=True)]
        assert sum(more) == 10 and max(more) == 1, "of fifty, people look at ten"
        before = after
    assert shown("search?q=space", **{"Trapline-Typing": "1"}) == before
    assert shown("api/search?q=space&typing=true") == before
    assert shown("api/search?q=space&as_typed=true") == before, "it was asked before"
    elsewhere = shown("api/search?q=space&as_typed=true&hops=1")
    assert sum(elsewhere) == sum(before) + 3, "others fill the rest"


def test_what_is_still_being_typed_is_not_counted(folder: Path) -> None:
    with WebServer(folder, bind(0)) as server:
        address = server.url + "search?q=heliopause"
        typing = urllib.request.Request(address, None, {"Trapline-Typing": "1"})
        urllib.request.urlopen(typing, timeout=30).close()
        server.served.demand.write()
        assert all(one.query != "heliopause" for one in read_demand(folder).asked)
        read(address)
    assert any(one.query == "heliopause" for one in read_demand(folder).asked)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("search?q=a&page=0", 422),
        ("search?q=a&page=-1", 422),
        ("search?q=a&age=NaN", 422),
        ("search?q=a&sort=worst", 422),
        ("search?q=" + "x" * 10_000, 422),
        ("cached/99999999", 404),
        ("cached/-1", 404),
        ("cached/99999999999999999999999", 404),
        ("cached/x", 422),
        ("why?url=http%3A%2F%2Fx.example%2F", 404),
        ("why?url=%00", 422),
        ("static/../../endpoints.py", 404),
        ("static/nothing.js", 404),
    ],
)
def test_a_wrong_address_is_a_page(url: str, path: str, status: int) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        read(url + path)
    assert caught.value.code == status
    assert "<!doctype html>" in caught.value.read().decode()


@pytest.mark.parametrize(
    "query", ["%22%28%5B%2B-", "%ED%A0%80", "%00%01", "a%20" * 500, "title:", "x:y"]
)
def test_any_query_is_answered_by_a_page(url: str, query: str) -> None:
    try:
        text = read(url + "search?q=" + query)
    except urllib.error.HTTPError as refused:
        assert 400 <= refused.code < 500
        text = refused.read().decode()
    assert "<!doctype html>" in text


def test_plotly_is_served_from_its_package(url: str) -> None:
    with urllib.request.urlopen(url + "static/plotly.min.js", timeout=30) as answer:
        assert answer.headers["Content-Type"].startswith("text/javascript")
        assert "max-age" in answer.headers["Cache-Control"]
        assert b"plotly.js" in answer.read(200)


def test_style_that_did_not_change_is_not_sent_again(url: str) -> None:
    with urllib.request.urlopen(url + "static/base.css", timeout=30) as answer:
        tag = answer.headers["ETag"]
    again = urllib.request.Request(
        url + "static/base.css", None, {"If-None-Match": tag}
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(again, timeout=30)
    assert caught.value.code == 304
    caught.value.close()


def test_api(url: str) -> None:
    found = json.loads(read(url + "api/search?q=space&limit=3"))
    assert len(found["hits"]) == 3
    assert json.loads(read(url + "api/status"))["pages_held"] > 0


def test_a_query_too_long_is_a_plain_answer(url: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        read(url + "api/search?q=" + "x" * 3000)
    assert caught.value.code == 422
    caught.value.close()


def test_serve_ends_cleanly_at_ctrl_c(folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with started("serve", folder, "--port", port) as running:
        assert running.stdout is not None
        assert str(port) in running.stdout.readline()
        assert "Trapline" in read(f"http://127.0.0.1:{port}/")
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60.0)
    assert (running.returncode, err) == (0, "")


def test_port_taken_is_one_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = trapline("serve", folder, "--port", taken.getsockname()[1])
    assert done.returncode == 2
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_engine_there(tmp_path: Path) -> None:
    with bind(0) as listener:
        port = listener.getsockname()[1]  # the usual one may be another test's
    serve = ["serve", tmp_path, "--port", port]
    for words in (serve, ["status", tmp_path], ["search", tmp_path, "x"]):
        done = trapline(*words)
        assert done.returncode == 2
        assert "no engine" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_answers_over_a_kept_connection_do_not_wait() -> None:
    """asyncio switches Nagle's algorithm off only where the protocol is named."""
    for listener in (bind(0), *listen(2, 0)):
        with listener:
            assert listener.proto == socket.IPPROTO_TCP
