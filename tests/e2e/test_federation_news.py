"""News of a federation over real HTTP: what is believed of directories and peers, and what not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.fake_engine import FakeEngine, send
from trapline.app.federation.federation_news import FederationNews, NewsSources
from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.known_engines import KnownEngines
from trapline.oasis.signed_description import sign_description
from trapline.politeness.listed_hosts import read_listed

LISTED = read_listed(["127.0.0.1:*"])


class FakeDirectory(FakeEngine):
    """Shows whatever entries it is given."""

    def __init__(self) -> None:
        super().__init__("directory")
        self.entries: list[dict[str, Any]] = []
        self.lies["/directory/engines"] = self._list

    def _list(self, request: Any) -> None:
        send(request, 200, json.dumps({"engines": self.entries}).encode())

    def show(self, engine: FakeEngine, kind: str = "join") -> None:
        signed = sign_description(engine.description(), engine.key.sign)
        self.entries.append(
            {
                "statement": engine.statement(kind).as_json(),
                "description": signed.as_json(),
                "state": "alive",
            }
        )


class World:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.now_s = 1e9
        self.known = KnownEngines(folder, now=lambda: self.now_s)
        self.directory = stack.enter_context(FakeDirectory())
        self.moon = stack.enter_context(FakeEngine("moon"))
        self.sun = stack.enter_context(FakeEngine("sun"))
        self.sources = NewsSources((self.directory.url,), (), LISTED)
        self.news = FederationNews(
            self.known, lambda: self.sources, lambda: None, now=lambda: self.now_s
        )

    def hear(self) -> list[str]:
        """One round; the names of those that are known then."""

        async def refresh() -> None:
            client = guarded_client(self.sources.listed)
            try:
                await self.news.refresh(client, self.sources)
            finally:
                await client.close()

        asyncio.run(refresh())
        return sorted(engine.name for engine in self.known.engines())


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(tmp_path, stack)


def test_engines_of_a_directory_are_known_with_their_words(world: World) -> None:
    world.directory.show(world.moon)
    world.directory.show(world.sun)
    assert world.hear() == ["moon", "sun"]
    federation = world.known.snapshot.federation
    assert federation.shared.pages == 200
    assert not world.news.problems


def test_a_second_round_fetches_nothing_anew(world: World) -> None:
    world.directory.show(world.moon)
    world.hear()
    before = len(world.moon.asked)
    world.hear()
    assert len(world.moon.asked) == before


def test_a_directory_that_is_gone_takes_nobody_along(world: World) -> None:
    world.directory.show(world.moon)
    world.hear()
    gone = FakeEngine()
    gone._server.server_close()
    world.sources = NewsSources((gone.url,), (), LISTED)
    assert world.hear() == ["moon"]
    assert "refused" in world.news.problems[gone.url]


def test_invented_engines_are_not_believed(world: World) -> None:
    elsewhere = FakeEngine("invented")  # it has a key, but nobody answers there
    world.directory.show(elsewhere)
    elsewhere._server.server_close()
    forged = sign_description(world.moon.description(), world.sun.key.sign)
    world.directory.entries.append(
        {
            "statement": world.moon.statement().as_json(),
            "description": forged.as_json(),
        }
    )
    assert world.hear() == []


def test_nobody_speaks_for_another_at_its_address(world: World) -> None:
    thief = FakeEngine("thief")
    thief.url = world.moon.url
    world.directory.show(thief)
    assert world.hear() == []
    assert world.news.problems
    thief._server.server_close()


def test_an_omitted_engine_stays_known_and_has_the_last_word(world: World) -> None:
    world.directory.show(world.moon)
    world.hear()
    world.directory.entries.clear()
    assert world.hear() == ["moon"]
    world.now_s += 2 * 86_400.0
    assert world.hear() == ["moon"]  # it answers by itself
    world.now_s += 2 * 86_400.0
    world.moon.lies["/engine"] = lambda request: send(request, 500, b"")
    assert world.hear() == []


def test_an_engine_that_left_is_forgotten(world: World) -> None:
    world.directory.show(world.moon)
    world.hear()
    world.directory.entries.clear()
    world.directory.show(world.moon, "leave")
    assert world.hear() == []


def test_an_old_leave_said_again_does_no_harm(world: World) -> None:
    world.directory.show(world.moon, "leave")
    world.directory.show(world.moon, "join")  # a greater serial
    assert world.hear() == ["moon"]


def test_an_older_description_is_not_believed(world: World) -> None:
    world.moon.version = 7
    world.directory.show(world.moon)
    world.hear()
    world.directory.entries.clear()
    world.moon.version = 3
    world.directory.show(world.moon)
    world.hear()
    [engine] = world.known.engines()
    assert engine.description is not None and engine.description.version == 7


def test_what_changed_is_heard(world: World) -> None:
    world.directory.show(world.moon)
    world.hear()
    world.moon.change({5: 50})
    world.directory.entries.clear()
    world.directory.show(world.moon)
    world.hear()
    assert world.known.snapshot.federation.shared.keys.tolist() == [5]


def test_statistics_that_are_not_the_signed_ones_are_refused(world: World) -> None:
    world.moon.lies["/engine/terms"] = b"other bytes"
    world.directory.show(world.moon)
    assert world.hear() == []
    [problem] = world.news.problems.values()
    assert "signed" in problem or "more than" in problem


def test_more_pages_than_it_says_are_a_finding(world: World) -> None:
    world.moon.changes = {"pages": 3}
    world.directory.show(world.moon)
    assert world.hear() == []
    [finding] = world.known.findings()
    assert finding.wrong == "a description that makes no sense"


def test_peers_need_no_directory(world: World) -> None:
    world.sources = NewsSources((), (world.moon.url, world.sun.url), LISTED)
    assert world.hear() == ["moon", "sun"]


def test_private_addresses_are_not_asked_unless_listed(world: World) -> None:
    world.directory.show(world.moon)
    only = read_listed([world.directory.url.removeprefix("http://")])
    world.sources = NewsSources((world.directory.url,), (), only)
    assert world.hear() == []
    assert "private" in world.news.problems[world.moon.url]
    assert not world.moon.asked
