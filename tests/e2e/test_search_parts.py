"""An index in four parts and a front over them, beside one index of the whole: real servers."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from tests.e2e.support.command import free_port, started, trapline, wait_until
from tests.e2e.support.forks import Forked
from tests.e2e.support.parts_collection import (
    PAGES,
    page_of,
    put_pages,
    write_collection,
)
from tests.e2e.support.served import Said, ask
from trapline.app.parts.part_list import ask_who_they_are
from trapline.app.web.front.front_server import FrontServer
from trapline.app.web.server import WebServer, bind
from trapline.core.storage import Batch
from trapline.search.parts.index_part import IndexPart
from trapline.stores.sqlite.store import SqliteStore

PATIENT_S = 30.0  # a busy machine is no failure
MIRRORED = "lumen orbit station relay " * 30 + "mirrored far away"


@dataclass(frozen=True)
class Served:
    folder: Path
    queries: list[str]
    whole: WebServer
    parts: list[WebServer]
    front: FrontServer

    def both(self, query: str, **wishes: object) -> tuple[Any, Any]:
        """What one index answers, and what all parts do."""
        path = "/api/search?" + urlencode({"q": query, "typing": "true", **wishes})
        return ask(self.whole, path).data, answer_of(self.front, path)


def answer_of(front: FrontServer, path: str) -> Any:
    said = ask_front(front, path)
    assert said.status == 200, said.text
    assert said.data["complete"], said.data["note"]
    return said.data


def ask_front(front: FrontServer, path: str) -> Said:
    return ask(front, path)  # type: ignore[arg-type]  # it has a URL, too


def pages(answer: Any) -> list[int]:
    return [hit["page"] for hit in answer["hits"]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("engine")
    queries = write_collection(folder)
    with ExitStack() as stack:
        whole = stack.enter_context(WebServer(folder, bind(0)))
        parts = [
            stack.enter_context(
                WebServer(folder, bind(0), part=IndexPart(number, 4)),
            )
            for number in (1, 2, 3, 4)
        ]
        known = ask_who_they_are([one.url.rstrip("/") for one in parts], PATIENT_S)
        front = stack.enter_context(FrontServer(known, bind(0), (), PATIENT_S))
        yield Served(
            folder,
            queries,
            whole,
            parts,
            front,
        )


def test_every_page_is_in_one_part(served: Served) -> None:
    found = [
        ask(part, "/api/search?q=*&limit=1").data["total"] for part in served.parts
    ]
    assert sum(found) == PAGES
    assert min(found) > PAGES / 4 * 0.7


def test_parts_find_what_one_index_finds_in_nearly_its_order(served: Served) -> None:
    shared, first = 0.0, 0
    for query in served.queries:
        one, all_parts = served.both(query)
        assert all_parts["total"] == one["total"], query
        assert (all_parts["meant"], all_parts["corrected"]) == (
            one["meant"],
            one["corrected"],
        )
        assert all_parts["statistics"] == one["statistics"]
        wanted, found = pages(one), pages(all_parts)
        shared += len(set(wanted) & set(found)) / max(1, len(wanted))
        first += wanted[:1] == found[:1]
    # lengths of texts differ a little between parts, all else is the same
    assert shared / len(served.queries) > 0.95
    assert first / len(served.queries) > 0.9


def test_by_date_the_order_is_the_same(served: Served) -> None:
    for query in served.queries[:10]:
        one, all_parts = served.both(query, sort="changed")
        assert pages(all_parts) == pages(one)


def test_facets_are_summed(served: Served) -> None:
    one, all_parts = served.both(served.queries[0], facets="true")
    assert sorted(all_parts["facets"]["hosts"]) == sorted(one["facets"]["hosts"])
    assert all_parts["facets"]["languages"] == one["facets"]["languages"]
    assert all_parts["facets"]["ages"] == one["facets"]["ages"]


def test_pages_of_results_go_on_where_the_last_ended(served: Served) -> None:
    query = quote(max(served.queries, key=len))
    front = served.front
    path = f"/api/search?q={query}&limit=7&typing=true"
    answer = answer_of(front, path)
    read = pages(answer)
    while answer["cursor"]:
        answer = answer_of(front, f"{path}&cursor={answer['cursor']}")
        read += pages(answer)
    assert len(read) == len(set(read)) == answer["total"]
    beside = [
        page
        for offset in range(0, 35, 7)
        for page in pages(answer_of(front, f"{path}&offset={offset}"))
    ]
    assert beside == read[:35]


def test_filters_and_explanations_are_those_of_the_parts(served: Served) -> None:
    one, all_parts = served.both(served.queries[0], host="h3.test", explain="true")
    assert set(pages(all_parts)) == set(pages(one))
    assert {hit["host"] for hit in all_parts["hits"]} == {"h3.test"}
    best = all_parts["hits"][0]
    points = sum(points for _, _, points in best["factors"])
    assert points == pytest.approx(best["score"], rel=1e-3)


def test_misspelt_words_are_corrected_by_all_parts(served: Served) -> None:
    common = ask(served.whole, "/api/suggest?q=ba&limit=20").data["suggestions"]
    word = next(one for one in common if " " not in one)
    typed = word[:3] + "x" + word[4:]
    one, all_parts = served.both(typed)
    assert one["corrected"]
    assert (all_parts["meant"], all_parts["total"]) == (one["meant"], one["total"])


def test_suggestions_come_from_all_parts(served: Served) -> None:
    found = ask_front(served.front, "/api/suggest?q=ba").data["suggestions"]
    assert found
    assert len({one.lower() for one in found}) == len(found) <= 8


def test_copies_in_two_parts_are_shown_once(served: Served) -> None:
    """Those that the store knows, and those of another shard, which only their texts tell."""
    text = MIRRORED
    copies = [page_of(PAGES, "Lumen relay", text)]
    copies += [page_of(PAGES + n, "Lumen relay", text, same_as=PAGES) for n in (1, 2)]
    copies += [page_of(PAGES + n, "Lumen relay", text) for n in (3, 4, 5)]
    held_by = {
        part.number
        for one in copies
        for part in (IndexPart(n, 4) for n in (1, 2, 3, 4))
        if part.holds(one.url)
    }
    assert len(held_by) > 1
    store = SqliteStore(served.folder)
    put_pages(store, copies)
    path = "/api/search?q=lumen+relay&typing=true"
    wait_until(lambda: answer_of(served.front, path)["total"] == len(copies))
    [hit] = answer_of(served.front, path)["hits"]
    assert hit["page"] == PAGES
    assert hit["copies"] == len(copies) - 1
    # gone pages leave their parts
    store.commit(Batch(gone=[one.page for one in copies]))
    store.close()
    wait_until(lambda: answer_of(served.front, path)["total"] == 0)


def test_one_part_tells_of_any_page(served: Served) -> None:
    front = served.front
    for number in (3, 4, 5, 6):
        text = ask_front(front, f"/cached/{number}?q=moon")
        assert (text.status, f"h{number}.test" in text.text) == (200, True)
        assert ask_front(front, f"/api/pages/{number}").data["page"] == number
    assert ask_front(front, "/api/status").data["pages_held"] >= PAGES
    unknown = ask_front(front, "/api/why?url=http://nowhere.test/")
    assert unknown.status == 404
    assert unknown.problem


def test_what_a_front_cannot_do_it_says(served: Served) -> None:
    front = served.front
    for path in ("/api/dashboard", "/api/changes", "/metrics", "/engine"):
        said = ask_front(front, path)
        assert said.status == 404
        assert f"{served.parts[0].url.rstrip('/')}{path}" in said.problem
    ordered = ask(front, "/api/pause", {"host": "h1.test"})  # type: ignore[arg-type]
    assert ordered.status == 404


def test_the_pages_of_a_front(served: Served) -> None:
    front = served.front
    home = ask_front(front, "/")
    assert f"Search {served.folder.name}" in home.text
    assert "/dashboard" not in home.text
    found = ask_front(front, f"/search?q={quote(served.queries[0])}")
    assert '<article class="hit">' in found.text
    assert "A part of the index is missing" not in found.text
    wrong = ask_front(front, "/search?q=a&page=0")
    assert wrong.status == 422
    assert ask_front(front, "/api/search?q=a&limit=0").status == 422
    assert ask_front(front, "/opensearch.xml").status == 200
    feed = ask_front(front, f"/api/plain-search?q={quote(served.queries[0])}")
    assert feed.data["results"]
    assert ask_front(front, "/healthz").data["status"] == "ok"


def test_what_is_asked_of_a_front_is_counted_once(served: Served) -> None:
    token = (served.folder / "token").read_text().strip()

    def times() -> int:
        path = "/api/demand?limit=100"
        bearer = f"Bearer {token}"
        demand = ask(served.parts[0], path, Authorization=bearer).data
        return sum(
            one["times"] for one in demand["asked"] if one["query"] == "counted once"
        )

    assert ask_front(served.front, "/api/search?q=counted+once").status == 200
    wait_until(lambda: times() > 0)
    assert times() == 1


# Parts as processes of their own


def start_part(stack: ExitStack, folder: Path, part: str) -> tuple[Forked, str]:
    port = free_port()
    words = ("serve", folder, "--part", part, "--port", port, "--json")
    running = stack.enter_context(started(*words))
    url = json.loads(running.stdout.readline())["url"]
    return running, url.rstrip("/")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_collection(tmp_path / "engine")
    return tmp_path / "engine"


def test_a_part_that_dies_or_hangs_is_named(folder: Path) -> None:
    within_s = 6.0
    with ExitStack() as stack:
        parts = [start_part(stack, folder, f"{number}/3") for number in (1, 2, 3)]
        known = ask_who_they_are([url for _, url in parts], PATIENT_S)
        front = stack.enter_context(FrontServer(known, bind(0), (), within_s))
        path = "/api/search?q=*&typing=true"
        wait_until(lambda: ask_front(front, path).data["total"] == PAGES)
        parts[1][0].send_signal(signal.SIGSTOP)
        began_s = time.monotonic()
        answer = ask_front(front, path).data
        took_s = time.monotonic() - began_s
        states = {one["part"]: one["state"] for one in answer["parts"]}
        assert (answer["complete"], states["2/3"]) == (False, "failed")
        assert "2/3" in answer["note"]
        assert "did not answer within" in answer["note"]
        assert 0 < answer["total"] < PAGES
        assert took_s < PATIENT_S, "it waits for nobody for ever"
        parts[1][0].kill()
        parts[1][0].wait()
        answer = ask_front(front, path).data
        assert answer["complete"] is False
        assert parts[1][1] in answer["note"]
        page = ask_front(front, "/search?q=*").text
        assert "A part of the index is missing" in page
        assert "2/3" in page
        health = ask_front(front, "/healthz")
        assert (health.status, health.data["status"]) == (503, "failing")
        for running, _ in parts:
            running.kill()
            running.wait()
        nobody = ask_front(front, path)
        assert nobody.status == 503
        assert "no part of the index answers" in nobody.problem


def test_a_part_comes_back_where_it_was(folder: Path) -> None:
    with ExitStack() as stack:
        running, _ = start_part(stack, folder, "1/2")
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate(timeout=60.0)
        assert (running.returncode, err) == (0, "")
        made = (folder / "index-1-of-2" / "meta.json").stat().st_mtime_ns
        start_part(stack, folder, "1/2")
        assert (folder / "index-1-of-2" / "meta.json").stat().st_mtime_ns == made


def test_an_index_of_another_part_is_not_taken_for_ours(folder: Path) -> None:
    with WebServer(folder, bind(0), part=IndexPart(1, 2)) as first:
        wanted = ask(first, "/api/search?q=*&limit=100&sort=changed").data
    (folder / "index-1-of-2").rename(folder / "index-2-of-2")
    with WebServer(folder, bind(0), part=IndexPart(2, 2)) as second:
        found = ask(second, "/api/search?q=*&limit=100&sort=changed").data
    assert wanted["total"] + found["total"] == PAGES
    assert not set(pages(wanted)) & set(pages(found))


def test_the_words_of_the_command(folder: Path) -> None:
    with ExitStack() as stack:
        parts = [start_part(stack, folder, f"{number}/2")[1] for number in (1, 2)]
        front = stack.enter_context(
            started("serve", "--parts", ",".join(parts), "--port", free_port())
        )
        said = front.stdout.readline()
        assert said.startswith("Search of engine in 2 parts: http://127.0.0.1:")
        again = f"{parts[0]},{parts[0]}/"
        nobody = f"http://127.0.0.1:{free_port()}"
        complaints = (
            (again, PATIENT_S, f"{parts[0]} is named twice"),
            (parts[0], PATIENT_S, "nobody holds 2/2"),
            (nobody, 0.5, "refused the connection"),
            (f"{parts[0]},ftp://a", PATIENT_S, "cannot use 'ftp://a'"),
        )
        for named, within_s, complaint in complaints:
            wrong = trapline("serve", "--parts", named, "--within", within_s)
            assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
            assert complaint in wrong.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "what is to be served?"),
        (("DIR", "--parts", "http://127.0.0.1:1"), "needs no folder"),
        (("--parts", "http://127.0.0.1:1", "--broker"), "cannot be combined"),
        (("--parts", "http://127.0.0.1:1", "--part", "1/2"), "cannot be combined"),
        (("DIR", "--part", "5/4"), "there is no part 5/4"),
        (("DIR", "--part", "two"), "there is no part two"),
        (("DIR", "--part", "1/2", "--broker"), "no engine of a federation"),
    ],
)
def test_misuse_is_one_line(
    folder: Path, words: tuple[str, ...], complaint: str
) -> None:
    before = sorted(path.name for path in folder.iterdir())
    named = [str(folder) if word == "DIR" else word for word in words]
    wrong = trapline("serve", *named)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert complaint in wrong.stderr
    assert sorted(path.name for path in folder.iterdir()) == before
