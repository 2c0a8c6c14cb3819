"""The HTTP API as programs use it: what is asked, what comes back, what is refused in one line."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

import pytest

from tests.e2e.support.command import trapline
from tests.e2e.support.served import ask, fill_folder
from trapline.app.folder.forget import forget
from trapline.app.web.server import WebServer, bind

ROOT = Path(__file__).parents[2]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_folder(tmp_path_factory.mktemp("engine"))


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[WebServer]:
    with WebServer(folder, bind(0)) as server:
        yield server


def found(server: WebServer, words: str) -> Any:
    answer = ask(server, f"/api/search?{words}")
    assert answer.status == 200, answer.text
    return answer.data


def test_search_with_all_its_parameters(server: WebServer) -> None:
    best = found(server, "q=space&limit=3")
    assert len(best["hits"]) == 3 < best["total"]
    assert found(server, "q=space&limit=2&offset=1")["hits"] == best["hits"][1:]
    all_of_it = (
        "q=space&sort=changed&lang=en&changed_from=2020-01-01&changed_to=2999-12-31"
        "&facets=true&explain=true&host=127.0.0.2"
    )
    assert {"hits", "total", "meant", "cursor", "facets"} <= set(
        found(server, all_of_it)
    )


def test_suggestions_for_programs_and_for_browsers(server: WebServer) -> None:
    said = ask(server, "/api/suggest?q=spa").data
    assert said["query"] == "spa" and isinstance(said["suggestions"], list)
    answer = ask(server, "/api/opensearch-suggest?q=spa")
    assert answer.headers["Content-Type"].startswith("application/x-suggestions+json")
    assert answer.data == ["spa", said["suggestions"]]


def test_browsers_can_add_the_collection(server: WebServer) -> None:
    answer = ask(server, "/opensearch.xml", Host="localhost:8765")
    kind = "application/opensearchdescription+xml"
    assert answer.headers["Content-Type"].startswith(kind)
    name = "{http://a9.com/-/spec/opensearch/1.1/}Url"
    urls = Xml.fromstring(answer.text).findall(name)
    assert all(
        url.get("template", "").startswith("http://localhost:8765/") for url in urls
    )
    assert {url.get("type") for url in urls} >= {
        "text/html",
        "application/x-suggestions+json",
    }


def test_a_page_with_marks_and_as_markdown(server: WebServer) -> None:
    hit = found(server, "q=space&limit=1")["hits"][0]
    page = ask(server, f"/api/pages/{hit['page']}?q=space").data
    assert (page["url"], page["title"]) == (hit["url"], hit["title"])
    assert (
        "space" in "".join(text for line in page["lines"] for text, _ in line).lower()
    )
    markdown = ask(server, f"/api/pages/{hit['page']}?format=markdown")
    assert markdown.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert markdown.text.startswith(
        f'---\nurl: "{hit["url"]}"\ntitle: "{hit["title"]}"'
    )
    head = markdown.text.split("---\n")[1]
    assert {"fetched", "changed", "relevance"} <= {
        line.partition(":")[0] for line in head.splitlines()
    }
    assert markdown.text.count(f"# {hit['title']}\n") == 1  # the page's own heading


def test_why_says_when_and_what_was_found(server: WebServer, folder: Path) -> None:
    url = found(server, "q=space&limit=1")["hits"][0]["url"]
    said = ask(server, f"/api/why?url={quote(url, safe='')}").data
    assert said["url"] == url and said["state"] == "held"
    first = said["time_line"]["visits"][0]
    assert first["first"] and first["outcome"] == "ok"
    [printed] = trapline("why", folder, url, "--json").stdout.splitlines()
    assert set(json.loads(printed)) == set(said)


def test_status_is_what_the_command_prints(server: WebServer, folder: Path) -> None:
    said = ask(server, "/api/status").data
    assert said["robot_state"] == "ended"
    assert json.loads(trapline("status", folder, "--json").stdout) == said


def test_hosts_are_sorted_and_bounded(server: WebServer) -> None:
    said = ask(server, "/api/hosts").data
    held = [host["pages_held"] for host in said["hosts"]]
    assert said["total"] == len(held) == 2 and held == sorted(held, reverse=True)
    names = [host["host"] for host in ask(server, "/api/hosts?sort=name").data["hosts"]]
    assert names == sorted(names)
    second = ask(server, "/api/hosts?sort=name&limit=1&offset=1").data
    assert [host["host"] for host in second["hosts"]] == names[1:]


@pytest.mark.parametrize(
    "path", ["/api/status", "/api/plan", "/api/dashboard", "/healthz", "/metrics"]
)
def test_the_folder_tells_of_itself(server: WebServer, path: str) -> None:
    answer = ask(server, path)
    assert answer.status == 200 and "pages_held" in answer.text


def test_changes_as_json_as_a_feed_and_as_they_happen(server: WebServer) -> None:
    lines = ask(server, "/api/changes?limit=1000").data["changes"]
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    after = ask(server, f"/api/changes?after={lines[-2]['number']}").data["changes"]
    assert after == lines[-1:]
    whole = "/api/changes?limit=1000&since="
    for time, number in (
        ("1970-01-01", 0),
        (quote(lines[5]["at"]), 5),
        ("2999-12-31T23:59:59%2B01:00", len(lines)),
    ):
        assert ask(server, f"{whole}{time}").data["changes"] == lines[number:]
    feed = ask(server, f"/api/changes?format=atom&limit=2&after={lines[-4]['number']}")
    ids = [entry.get("href") for entry in Xml.fromstring(feed.text).iter(f"{ATOM}link")]
    assert ids == [line["url"] for line in lines[:-3:-1]]
    either = "application/json, application/atom+xml;q=0.1, text/event-stream;q=0"
    assert (
        ask(server, "/api/changes?limit=1000", Accept=either).data["changes"] == lines
    )
    for feed in (
        ask(server, "/api/changes?format=atom"),
        ask(server, "/api/changes", Accept="application/atom+xml"),
        ask(server, "/changes.atom"),
    ):
        assert feed.headers["Content-Type"].startswith("application/atom+xml")
        assert lines[-1]["url"] in feed.text
    events = read_events(server, "/api/changes?format=sse&after=3", most=2)
    assert [event["number"] for event in events] == [4, 5]
    again = read_events(server, "/api/changes", most=1, Last_Event_ID="5")
    assert [event["number"] for event in again] == [6]
    [figures] = read_events(server, "/api/live", most=1)
    assert figures["pages_held"] > 3


def read_events(server: WebServer, path: str, most: int, **headers: str) -> list[Any]:
    port = int(server.url.split(":")[2].strip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60.0)
    said = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("GET", path, headers={"Accept": "text/event-stream", **said})
        answer = connection.getresponse()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        events: list[Any] = []
        while len(events) < most:
            line = answer.readline().decode()
            if line.startswith("data: "):
                events.append(json.loads(line.removeprefix("data: ")))
        return events
    finally:
        connection.close()


def test_streams_end_with_the_server(folder: Path) -> None:
    with WebServer(folder, bind(0)) as server:
        port = int(server.url.split(":")[2].strip("/"))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60.0)
        connection.request("GET", "/api/live")
        answer = connection.getresponse()
        assert answer.readline()
    server._thread.join(timeout=60.0)
    assert not server._thread.is_alive()
    connection.close()


def test_a_stream_has_a_head_without_end(server: WebServer) -> None:
    for path in ("/api/live", "/api/changes?format=sse", "/api/search?q=space", "/api"):
        answer = ask(server, path, method="HEAD")
        assert (answer.status, answer.text) == (200, "")


def test_the_document_names_every_endpoint_and_the_page_shows_it(
    server: WebServer,
) -> None:
    document = ask(server, "/api/openapi.json").data
    page = ask(server, "/api", Accept="application/json")
    assert page.headers["Content-Type"].startswith("text/html")
    for path in document["paths"]:
        assert path in page.text
    scripts = re.findall(r"<script[^>]*>", page.text)
    assert all(' src="/static/' in script for script in scripts)
    assert "style=" not in page.text and "//cdn" not in page.text
    reference = (ROOT / "docs/reference/http-api.md").read_text(encoding="utf-8")
    for path, methods in document["paths"].items():
        assert f"{path}`" in reference or f"{path}?" in reference, "undocumented"
        for operation in methods.values():
            assert {"4XX", "5XX"} <= set(operation["responses"]), path


def test_what_is_asked_and_opened_is_counted(folder: Path) -> None:
    with WebServer(folder, bind(0)) as server:
        token = {"Authorization": f"Bearer {server.served.token}"}
        hit = found(server, "q=Galaxy%20%20MOON&limit=1")["hits"][0]
        found(server, "q=galaxy%20moon&offset=1")
        found(server, "q=galaxy%20mo&typing=true")
        found(server, "q=zxqwv")
        for headers in ({"Trapline_Typing": "1"}, {}):
            assert ask(server, "/search?q=on+a+page", **headers).status == 200
        opened = {"page": hit["page"], "q": "galaxy moon"}
        assert ask(server, "/api/opened", opened).status == 204
        assert ask(server, "/api/demand").status == 401
        said = ask(server, "/api/demand", **token).data
        asked = {one["query"]: one["times"] for one in said["asked"]}
        assert asked["galaxy moon"] == 1 and "galaxy mo" not in asked
        assert asked["on a page"] == 1
        assert "zxqwv" in [one["query"] for one in said["missed"]]
        assert [one["page"] for one in said["opened"]] == [hit["page"]]
        forget(folder, hit["url"], undo=False)
        assert ask(server, "/api/demand", **token).data["opened"] == []
        assert ask(server, "/api/opened", opened).status == 404
