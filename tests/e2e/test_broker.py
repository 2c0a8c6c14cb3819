"""A federation of real processes over real HTTP: a directory, engines, and a broker among them."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.e2e.support.command import free_port, said, started, trapline, wait_until
from tests.e2e.support.fake_engine import FakeEngine, ask
from tests.e2e.support.forks import Forked
from tests.e2e.support.served import fill_folder
from trapline.oasis.terms import term_key

LISTED = ("--listed", "127.0.0.1:*")


class Served:
    """A command that serves something until it is killed."""

    def __init__(self, stack: ExitStack, *words: object) -> None:
        self.words = words
        serving = started(*words, "--port", free_port(), "--json")
        self.process: Forked = stack.enter_context(serving)
        self.url = str(json.loads(self.process.stdout.readline())["url"]).rstrip("/")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60.0)


class Federation:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.stack = stack
        self.home = fill_folder(folder / "home")
        self.other = fill_folder(folder / "other")
        self.directory = Served(stack, "directory", folder / "directory", *LISTED)
        join = ("--directory", self.directory.url, *LISTED)
        self.engine = Served(stack, "serve", self.other, *join)
        self.broker = Served(stack, "serve", self.home, "--broker", *join)

    def search(self, words: str) -> Any:
        answer = ask(self.broker.url, f"/api/search?{words}")
        assert answer.status == 200, answer
        return answer.data

    def states(self, words: str) -> dict[str, str]:
        engines = self.search(words)["engines"]
        return {one["name"]: one["state"] for one in engines}


@pytest.fixture(scope="module")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Federation]:
    with ExitStack() as stack:
        found = Federation(tmp_path_factory.mktemp("federation"), stack)
        wait_until(lambda: "other" in found.states("q=space&limit=1"))
        yield found


def test_a_broker_finds_engines_by_the_directory_and_asks_them(
    federation: Federation,
) -> None:
    found = federation.search("q=space+probe&engines=own,other&limit=30")
    assert {one["state"] for one in found["engines"]} == {"answered"}
    assert all(one["comparable"] for one in found["engines"])
    origins = {name for one in found["hits"] for name in one["origins"]}
    assert origins == {"home", "other"}
    scores = [one["score"] for one in found["hits"]]
    assert scores == sorted(scores, reverse=True)
    pages = {one["page"] >= 0 for one in found["hits"] if "home" in one["origins"]}
    assert True in pages
    assert found["statistics"] not in ("own", "given", "")


def test_the_engine_hears_a_query_that_was_passed_on(federation: Federation) -> None:
    answer = ask(
        federation.engine.url, "/api/search?q=space&hops=1&query_id=ab&as_typed=1"
    )
    assert answer.status == 200
    assert "engines" not in answer.data


@pytest.mark.parametrize(
    "query",
    ["space " + " ".join(f"orbit{n}of{n}" for n in range(70)), "月面の宇宙" * 200],
)
def test_the_longest_queries_are_passed_on(federation: Federation, query: str) -> None:
    assert 700 < len(query) <= 1000
    words = urlencode({"q": query, "engines": "own,other"})
    assert federation.states(words) == {"home": "answered", "other": "answered"}


def test_from_the_command_line(federation: Federation) -> None:
    words = ("engines", "ask", federation.home, "space probe", "--engines", "own,other")
    found = said(
        trapline(*words, "--directory", federation.directory.url, *LISTED, "--json")
    )
    assert {one["state"] for one in found["engines"]} == {"answered"}
    shown = trapline(*words, "--directory", federation.directory.url, *LISTED)
    assert shown.returncode == 0, shown.stderr
    assert "other answered in" in shown.stdout
    known = said(trapline("engines", "list", federation.home, "--json"))
    assert [one["name"] for one in known["engines"]] == ["other"], "not itself"
    wrong = trapline("engines", "ask", federation.home, "space", "--engines", "nobody")
    assert wrong.returncode == 2
    assert "there is no engine named 'nobody'" in wrong.stderr
    for url in ("ftp://x", "x"):
        wrong = trapline("engines", "join", federation.home, url)
        line = f"trapline: cannot use {url!r}: it is not an http:// or https:// URL"
        assert (wrong.returncode, wrong.stderr.strip()) == (2, line)
    wrong = trapline("engines", "list", "ftp://x")
    assert "cannot use 'ftp://x'" in wrong.stderr


def test_neighbours_of_other_makes_are_merged_by_rank(federation: Federation) -> None:
    """One engine, asked in three foreign tongues, each by a broker of its own."""
    for kind in ("plain", "searxng", "opensearch"):
        with FakeEngine("neighbour") as engine:
            results = [{"url": "http://n.org/", "title": "Space", "content": "space"}]
            hits = [{"url": "http://n.org/", "title": "Space", "snippet": "space"}]
            feed = (
                b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Space</title>'
                b'<link href="http://n.org/"/></entry></feed>'
            )
            description = (
                '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
                f'<Url type="application/atom+xml" template="{engine.url}/feed'
                '?q={searchTerms}"/></OpenSearchDescription>'
            )
            engine.lies = {
                "/search": json.dumps({"results": results}).encode(),
                "/api/search": json.dumps({"hits": hits}).encode(),
                "/opensearch.xml": description.encode(),
                "/feed": feed,
            }
            answer = said(
                trapline(
                    "engines",
                    "ask",
                    federation.home,
                    "space",
                    "--neighbour",
                    f"{kind}={engine.url}",
                    "--limit",
                    30,
                    "--json",
                )
            )
            [report] = [one for one in answer["engines"] if one["kind"] == kind]
            assert report["state"] == "answered", report
            assert not report["comparable"]
            urls = [one["url"] for one in answer["hits"]]
            assert "http://n.org/" in urls[1:]


def test_findings_are_shown_by_engines_list(federation: Federation) -> None:
    words = {term_key("en", "space"): 20}
    with FakeEngine("liar", words) as liar:
        spam = [
            {"url": f"http://s{n}.org/", "title": "space", "score": 9e5, "snippet": []}
            for n in range(3)
        ]
        body = {"hits": spam, "total": 3, "statistics": "given"}
        liar.lies["/api/search"] = json.dumps(body).encode()
        trapline(
            "engines",
            "ask",
            federation.home,
            "space",
            "--engines",
            "own,liar",
            "--peer",
            liar.url,
        )
        found = said(trapline("engines", "list", federation.home, "--json"))
    [row] = [one for one in found["engines"] if one["name"] == "liar"]
    assert any("inflated scores" in finding for finding in row["findings"])


def test_search_goes_on_without_the_directory(federation: Federation) -> None:
    """The last test: it kills."""
    federation.directory.kill()
    found = federation.states("q=space+station&engines=own,other")
    assert found == {"home": "answered", "other": "answered"}
    # and after a restart of the broker it knows whom to ask
    federation.broker.kill()
    federation.broker = Served(
        federation.stack, "serve", federation.home, "--broker", *LISTED
    )
    found = federation.states("q=space+rocket&engines=own,other")
    assert found == {"home": "answered", "other": "answered"}
    federation.engine.kill()
    found = federation.states("q=space+comet&engines=own,other")
    assert found == {"home": "answered", "other": "failed"}
