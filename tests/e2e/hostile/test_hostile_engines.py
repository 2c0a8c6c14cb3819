"""A broker among engines that misbehave: the others are shown, and what was found is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.hostile.engine_cases import CASES, HTML, EngineCase, answer, hit, says
from tests.e2e.support.command import wait_until
from tests.e2e.support.fake_engine import FakeEngine, ask
from tests.e2e.support.served import fill_folder
from trapline.app.federation.membership.membership_file import Memberships
from trapline.app.federation.open_broker import BrokerSettings
from trapline.app.web.server import WebServer, bind
from trapline.oasis.terms import term_key

WORDS = {term_key("en", word): 20 for word in ("space", "probe", "moon")}


class World:
    """A broker with a folder of its own, one honest engine, and one for each case."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.engines = {
            case.name: stack.enter_context(FakeEngine(case.name, dict(WORDS)))
            for case in CASES
        }
        for case in CASES:
            self.engines[case.name].lies["/api/search"] = case.reply
        peers = tuple(engine.url for engine in self.engines.values())
        settings = BrokerSettings(Memberships(peers=peers), within_s=1.0)
        self.server = stack.enter_context(WebServer(folder, bind(0), broker=settings))
        assert self.server.broker is not None
        self.broker = self.server.broker
        wait_until(lambda: self.broker.news.rounds > 0)

    def ask(self, query: str, engines: str) -> Any:
        path = f"/api/search?q={quote(query)}&limit=30&engines={quote(engines)}"
        said = ask(self.server.url, path)
        assert said.status == 200, said
        return said.data

    def findings(self, name: str) -> list[str]:
        key = self.engines[name].key.public
        return [one.wrong for one in self.broker.known.findings() if one.key == key]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_folder(tmp_path_factory.mktemp("engine"))


@pytest.fixture(scope="module")
def world(folder: Path) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(folder, stack)


def test_all_are_known(world: World) -> None:
    assert not world.broker.news.problems
    assert len(world.broker.known.snapshot.engines) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_bad_engine_hurts_nobody(world: World, case: EngineCase) -> None:
    own = world.ask("space probe", "own")
    found = world.ask("space probe", f"own,honest,{case.name}")
    said = {one["name"]: one for one in found["engines"]}
    report = said[case.name]
    assert report["state"] == case.state, report
    assert report["reason"].startswith(case.reason), report
    assert found["complete"]
    urls = [one["url"] for one in found["hits"]]
    if case.name != "honest":
        assert said["honest"]["state"] == "answered"
        assert "http://good.org/" in urls
    assert urls[0] == own["hits"][0]["url"]
    assert set(urls[:10]) >= {one["url"] for one in own["hits"][:5]}
    assert all(url.startswith(("http://", "https://")) for url in urls)
    if case.state == "failed":
        assert case.name in found["note"]
    wait_until(lambda: _is_found(world, case))


def _is_found(world: World, case: EngineCase) -> bool:
    """It is noted a moment after the answer; where nothing is expected, nothing may be there."""
    found = world.findings(case.name)
    if not case.finding:
        return not found
    return any(wrong.startswith(case.finding) for wrong in found)


def test_html_stays_text(world: World) -> None:
    found = world.ask("space probe", "hostile HTML")
    [one] = found["hits"]
    assert one["title"] == HTML
    assert one["snippet"] == [[HTML, True]]


def test_private_addresses_are_shown_by_nobody(world: World) -> None:
    found = world.ask("space probe", "private addresses,addresses of other kinds")
    assert found["hits"] == []


def test_nobody_renames_a_page_of_the_own_collection(world: World) -> None:
    own = world.ask("space", "own")["hits"][0]
    liar = world.engines["honest"]
    before = liar.lies["/api/search"]
    spam = hit(own["url"], "Cheap watches", score=15.0)
    liar.lies["/api/search"] = says(answer(spam))
    try:
        # listed, or its private address would not even be looked at
        found = world.ask("space", "own,honest")
    finally:
        liar.lies["/api/search"] = before
    [same] = [one for one in found["hits"] if one["url"] == own["url"]]
    assert same["title"] == own["title"]


def test_all_of_them_at_once(world: World) -> None:
    names = ",".join(case.name for case in CASES)
    found = world.ask("moon", f"own,{names}")
    assert found["complete"]
    assert len(found["engines"]) == len(CASES) + 1


def test_the_stream_shows_own_results_while_one_hangs(world: World) -> None:
    path = "/api/search/stream?q=probe&engines=" + quote("own,honest,never answers")
    said = ask(world.server.url, path)
    blocks = said.data.decode().strip().split("\n\n")
    events = [
        dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks
    ]
    assert [one["event"] for one in events[:-1]] == ["partial"] * (len(events) - 1)
    first = json.loads(events[0]["data"])
    assert "own" in {
        one["fingerprint"] for one in first["engines"] if one["state"] == "answered"
    }
    assert not first["complete"]
    last = json.loads(events[-1]["data"])
    assert events[-1]["event"] == "done"
    states = {one["name"]: one["state"] for one in last["engines"]}
    assert states["honest"] == "answered"
    # left alone by now, or it failed again: either way there is a reason
    hung = next(one for one in last["engines"] if one["name"] == "never answers")
    assert hung["state"] in ("failed", "not asked") and hung["reason"]


def test_nothing_of_who_asks_is_passed_on(world: World) -> None:
    engine = world.engines["honest"]
    seen: list[dict[str, str]] = []
    before = engine.lies["/api/search"]
    assert callable(before)

    def look(request: Any) -> None:
        seen.append(dict(request.headers))
        before(request)

    engine.lies["/api/search"] = look
    path = "/api/search?q=moon+probe&engines=own,honest"
    headers = {
        "Cookie": "session=secret",
        "Referer": "http://127.0.0.1/secret",
        "User_Agent": "Reader/1.0",
        "Accept_Language": "eo",
        "Authorization": "Bearer secret",
        "X_Forwarded_For": "10.0.0.7",
    }
    try:
        assert ask(world.server.url, path, None, **headers).status == 200
    finally:
        engine.lies["/api/search"] = before
    [said] = seen
    text = json.dumps(said)
    assert not any(word in text for word in ("secret", "Reader", "eo", "10.0.0.7"))
    assert said["User-Agent"] == "Trapline-broker"
    assert engine.asked[-1].count("hops=1") == 1


def test_an_absurd_query_reaches_nobody(world: World) -> None:
    before = len(world.engines["honest"].asked)
    said = ask(world.server.url, "/api/search?q=" + "x" * 10_000)
    assert said.status == 422
    assert len(world.engines["honest"].asked) == before


@pytest.mark.parametrize("query_id", ["", "ab12"])
def test_what_was_passed_on_is_not_passed_on_again(world: World, query_id: str) -> None:
    before = len(world.engines["honest"].asked)
    path = f"/api/search?q=space&hops=1&as_typed=true&query_id={query_id}"
    said = ask(world.server.url, path)
    assert said.status == 200
    assert "engines" not in said.data
    assert len(world.engines["honest"].asked) == before


def test_a_question_that_comes_round_is_not_asked_on(world: World) -> None:
    path = "/api/search?q=comes+round&query_id=c0ffee"
    assert "engines" in ask(world.server.url, path).data
    assert "engines" not in ask(world.server.url, path).data


def test_an_engine_that_nobody_knows(world: World) -> None:
    said = ask(world.server.url, "/api/search?q=space&engines=nobody")
    assert said.status == 422
    assert "nobody" in said.data["error"]
