"""The pages of a real broker: own results at once, and a reason for whoever is silent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.e2e.support.command import wait_until
from tests.e2e.support.fake_engine import FakeEngine
from tests.e2e.support.served import ask, fill_folder
from trapline.app.federation.membership.membership_file import Memberships
from trapline.app.federation.open_broker import BrokerSettings
from trapline.app.federation.query_memory_file import read_queries
from trapline.app.web.server import WebServer, bind

HITS = {
    "hits": [
        {"url": "http://moons.example/1", "title": "<b>Moons</b>", "score": 0.01},
        {"url": "javascript:alert(1)", "title": "Script", "score": 0.01},
    ],
    "total": 2,
}
ASKED = "/search?q=space&engines=own,moons,mars"
TIME_OUT = "mars did not answer within 1 s"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """With an engine that answers, and one that never does."""
    folder = fill_folder(tmp_path_factory.mktemp("broker") / "home")
    over = threading.Event()

    def hang(_: BaseHTTPRequestHandler) -> None:
        over.wait(120.0)

    with ExitStack() as stack:
        moons = stack.enter_context(FakeEngine("moons"))
        mars = stack.enter_context(FakeEngine("mars"))
        stack.callback(over.set)
        moons.lies["/api/search"] = json.dumps(HITS).encode()
        mars.lies["/api/search"] = hang
        given = Memberships(peers=(moons.url, mars.url))
        settings = BrokerSettings(given, within_s=1.0)
        server = WebServer(folder, bind(0), given=given, broker=settings)
        stack.enter_context(server)
        wait_until(lambda: len(known_names(server)) == 2)
        yield server


def known_names(server: WebServer) -> list[str]:
    assert server.broker is not None
    return [one.name for one in server.broker.known.snapshot.engines.values()]


def test_the_first_page_is_the_own_collections(broker: WebServer) -> None:
    text = ask(broker, ASKED).text
    assert "from <bdi>home</bdi>" in text
    assert "asking others …" in text
    assert "moons.example" not in text
    assert 'data-stream="/search/stream?q=space&amp;engines=own%2Cmoons%2Cmars"' in text


def test_who_waits_gets_all_and_the_reason(broker: WebServer) -> None:
    text = ask(broker, ASKED + "&wait=1").text
    assert "http://moons.example/1" in text
    assert "&lt;b&gt;Moons&lt;/b&gt;" in text
    assert "placed by rank" in text
    assert TIME_OUT in text
    assert "javascript:" not in text
    assert "data-stream" not in text


def test_the_stream_tells_the_same_and_ends(broker: WebServer) -> None:
    # other words: of those asked before the answer is still known
    asked = ASKED.replace("/search", "/search/stream").replace("space", "orbit")
    answer = ask(broker, asked)
    assert answer.headers.get_content_type() == "text/event-stream"
    lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert [one["complete"] for one in events] == [False] * (len(events) - 1) + [True]
    assert len(events) >= 2
    assert "moons.example" in events[-1]["html"]
    assert TIME_OUT in events[-1]["html"]
    assert all(one["html"].startswith('<div id="answers"') for one in events)


def test_what_a_person_asks_is_counted_by_all(tmp_path: Path) -> None:
    folder = fill_folder(tmp_path / "home")
    with FakeEngine("moons") as moons:
        moons.lies["/api/search"] = json.dumps(HITS).encode()
        given = Memberships(peers=(moons.url,))
        settings = BrokerSettings(given)
        with WebServer(folder, bind(0), given=given, broker=settings) as server:
            wait_until(lambda: len(known_names(server)) == 1)
            ask(server, "/search/stream?q=comet&engines=moons")
            ask(server, "/search/stream?q=com&engines=moons&typing=1")
            ask(server, "/search?q=dust&engines=moons&wait=1")
            ask(server, "/api/search?q=ice&engines=moons")
        asked = [path for path in moons.asked if path.startswith("/api/search")]
    counted = {word_of(path) for path in asked if "typing=true" not in path}
    assert {word_of(path) for path in asked} == {"comet", "com", "dust", "ice"}
    assert counted == {"comet", "dust", "ice"}
    assert {one.query for one in read_queries(folder)} == counted


def word_of(path: str) -> str:
    [word] = parse_qs(urlsplit(path).query)["q"]
    return word


def test_only_those_that_are_wanted_are_asked(broker: WebServer) -> None:
    text = ask(broker, "/search?q=space&engines=moons&wait=1").text
    assert "from <bdi>home</bdi>" not in text
    assert "http://moons.example/1" in text
    assert "mars" not in text.partition('id="who"')[2].partition("</details>")[0]


def test_an_unknown_engine_is_a_mistake(broker: WebServer) -> None:
    for path in ("/search?q=space&engines=pluto", "/search/stream?q=x&engines=pluto"):
        answer = ask(broker, path, Accept="text/html")
        assert answer.status == 422, path
        assert "pluto" in answer.text


def test_a_query_that_cannot_be_read_is_told_on_the_page(broker: WebServer) -> None:
    answer = ask(broker, "/search?q=" + "x" * 5000, Accept="text/html")
    assert answer.status == 422
    assert "This cannot be searched for" in answer.text


def test_the_engines_page_tells_what_the_broker_knows(broker: WebServer) -> None:
    numbers = count()

    def is_left_alone() -> bool:
        """After failures in a row, for a few seconds."""
        ask(broker, f"/search?q=space+{next(numbers)}&engines=mars&wait=1")
        text = ask(broker, "/engines").text
        return "left alone: did not answer within 1 s" in text

    wait_until(is_left_alone)
    text = ask(broker, "/engines").text
    assert "2 other engines" in text
    assert "all about the moons" in text
    assert "addresses that are refused" in text
    assert ask(broker, "/").text.count("2 other engines") == 2


def test_an_ordinary_server_has_nothing_of_it(broker: WebServer) -> None:
    with WebServer(broker.served.folder, bind(0)) as plain:
        assert ask(plain, "/engines", Accept="text/html").status == 404
        text = ask(plain, "/search?q=space").text
        assert 'id="who"' not in text and 'id="better"' not in text
        assert "noscript" not in text
