"""Other engines ask this one over HTTP, each in its own way, and get the same results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from tests.e2e.support.served import Said, ask, fill_folder
from trapline.app.web.server import WebServer, bind
from trapline.oasis.neighbours.foreign_answers import read_answer
from trapline.oasis.neighbours.opensearch_description import (
    read_opensearch,
    searxng_template,
    trapline_template,
)

NAMESPACE = "{http://a9.com/-/spec/opensearch/1.1/}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    folder = fill_folder(tmp_path_factory.mktemp("engine"))
    with WebServer(folder, bind(0)) as server:
        yield server


def found(server: WebServer, words: str) -> list[str]:
    """By our own API."""
    return [hit["url"] for hit in ask(server, f"/api/search?{words}").data["hits"]]


def urls_in(said: Said) -> list[str]:
    assert said.status == 200, said.text
    return [
        hit.url for hit in read_answer(said.text.encode(), said.headers["Content-Type"])
    ]


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def test_whoever_reads_the_description_finds_the_same(server: WebServer) -> None:
    document = ask(server, "/opensearch.xml").text
    template = read_opensearch(document.encode())
    for start in (0, 3):
        said = ask(server, path_of(template.fill("space", count=3, start=start)))
        assert said.headers["Content-Type"].startswith("application/atom+xml")
        assert urls_in(said) == found(server, f"q=space&limit=3&offset={start}")
        assert len(urls_in(said)) == 3


def test_the_example_finds_something(server: WebServer) -> None:
    document = etree.fromstring(ask(server, "/opensearch.xml").text.encode())
    [query] = document.findall(f"{NAMESPACE}Query")
    assert found(server, f"q={query.get('searchTerms').replace(' ', '+')}")


@pytest.mark.parametrize("form", ["atom", "rss"])
@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("", "limit=10"),
        ("&count=&start_index=&start_page=&language=", "limit=10"),
        ("&count=2&start_page=3", "limit=2&offset=4"),
        ("&count=2&start_index=2&start_page=3", "limit=2&offset=1"),
        ("&count=2&start_index=0", "limit=2"),
        ("&count=0", "limit=10"),
        ("&count=999", "limit=100"),
        ("&language=en-GB", "lang=en"),
        ("&language=de", "lang=de"),
        ("&language=*", "limit=10"),
    ],
)
def test_feeds_have_the_results_that_were_wanted(
    server: WebServer, form: str, words: str, same: str
) -> None:
    said = ask(server, f"/api/opensearch?q=space&format={form}{words}")
    assert said.headers["Content-Type"].startswith(f"application/{form}+xml")
    assert said.headers["Cache-Control"] == "no-store"
    assert urls_in(said) == found(server, f"q=space&{same}")


def test_a_program_that_knows_searxng_only(server: WebServer) -> None:
    template = searxng_template(server.url)
    for start in (0, 10):
        same = found(server, f"q=space&offset={start}")
        said = ask(server, path_of(template.fill("space", count=10, start=start)))
        assert said.headers["Content-Type"] == "application/json"
        assert urls_in(said) == same and same
    more = (
        "categories=general&language=all&time_range=&safesearch=0&theme=simple&pageno=x"
    )
    assert urls_in(ask(server, f"/search?q=space&format=json&{more}")) == found(
        server, "q=space"
    )
    assert "<!doctype html>" in ask(server, "/search?q=space&format=html").text


def test_the_generic_engine_of_searxng_reads_texts(server: WebServer) -> None:
    answer = ask(server, "/api/plain-search?q=space&pageno=2&count=4&language=all").data
    assert answer["query"] == "space" and answer["number_of_results"] > 8
    urls = [result["url"] for result in answer["results"]]
    assert urls == found(server, "q=space&limit=4&offset=4")
    for result in answer["results"]:
        for name in ("url", "title", "content", "publishedDate"):
            assert isinstance(result[name], str) and result[name]
    assert ask(server, "/api/plain-search?q=spcae").data["corrections"] == ["space"]


def test_a_trapline_without_shared_statistics(server: WebServer) -> None:
    place = trapline_template(server.url).fill("space", count=4, start=2)
    assert urls_in(ask(server, path_of(place))) == found(
        server, "q=space&limit=4&offset=2"
    )


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/api/opensearch", "q is missing"),
        ("/api/opensearch?q=moon&format=html", "format"),
        ("/api/opensearch?q=moon&count=-1", "count must be a number"),
        ("/api/opensearch?q=moon&count=ten", "count must be a number"),
        ("/api/opensearch?q=moon&start_index=99999", "0 to 10000"),
        ("/api/opensearch?q=moon&start_page=" + "9" * 10, "at most nine digits"),
        ("/api/opensearch?q=moon&language=e", "language must be a language"),
        ("/api/opensearch?q=" + "x" * 2000, "q must have at most 1000"),
        ("/api/plain-search?q=moon&pageno=0.5", "pageno must be a number"),
        ("/api/plain-search?q=moon&page=2", "no parameter 'page'"),
        ("/api/plain-search?q=%00", "control characters"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    server: WebServer, path: str, hint: str
) -> None:
    said = ask(server, path)
    assert said.status == 422 and hint in said.problem


def test_a_searxng_question_without_sense_harms_nobody(server: WebServer) -> None:
    for words in ("", "&q=", "&q=" + "x" * 5000, "&q=moon&pageno=99999999"):
        assert ask(server, f"/search?format=json{words}").status in (200, 422)


def test_neighbours_are_counted_as_asking(server: WebServer, tmp_path: Path) -> None:
    for path in ("/api/opensearch?q=comet", "/api/plain-search?q=comet"):
        assert ask(server, path).status == 200
    token = {"Authorization": f"Bearer {server.served.token}"}
    asked = ask(server, "/api/demand", **token).data["asked"]
    assert [one["times"] for one in asked if one["query"] == "comet"] == [2]
