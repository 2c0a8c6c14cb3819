"""From an answer to the collection: copies are grouped, worth little to the controller, and not
searched for.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.live.test_links_kept import Scene
from trapline.core.records import Failure, Fetched, Kind, Observation, Ticket, Turn
from trapline.live.digest import COPY_WORTH
from trapline.scope.gate import Gate
from trapline.scope.scope import Scope
from trapline.scope.traps import ENOUGH
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Question

PROSE = " ".join(
    f"sentence number {number} speaks of telescopes and moons" for number in range(20)
)
HOME = "http://a.test/"


def brought(scene: Scene, name: str, body: str, at_s: float = 1.0) -> Observation:
    page, host = scene.book.number(HOME + name)
    scene.tickets += 1
    ticket = Ticket(scene.tickets, Kind.PAGE, page, host, at_s, 1.0)
    fetched = Fetched(
        ticket,
        HOME + name,
        at_s,
        status=200,
        content_type="text/html",
        body=body.encode(),
    )
    return scene.digester.digest(fetched, at_s)


def page(text: str, stamp: str = "") -> str:
    return f"<title>Telescopes</title><p>{text}</p><p>{stamp}</p>"


def test_copies_are_grouped_shown_once_and_worth_little() -> None:
    scene = Scene()
    first = brought(scene, "a", page(PROSE, "Last updated: 3 May 2024"))
    copy = brought(scene, "b", page(PROSE, "Last updated: 4 May 2024"))
    other = brought(scene, "c", page(PROSE[::-1]))
    assert first.relevance == other.relevance == 1.0
    assert copy.relevance == COPY_WORTH
    scene.collection.flush()
    assert scene.store.copies(0) == [1]
    index = FullTextIndex(None)
    index.catch_up(scene.store)
    answer = QueryProcessor(index, scene.store).ask(Question("telescopes"))
    assert [(hit.url, hit.copies) for hit in answer.hits if hit.page < 2] == [
        (HOME + "a", 1)
    ]


def test_when_the_original_changes_the_copy_takes_its_place() -> None:
    scene = Scene()
    brought(scene, "a", page(PROSE))
    brought(scene, "b", page(PROSE))
    brought(scene, "a", page("Quite another text now. " + PROSE[::-1]), at_s=9.0)
    scene.collection.flush()
    index = FullTextIndex(None)
    index.catch_up(scene.store)
    assert scene.store.copies(0) == []
    hits = QueryProcessor(index, scene.store).ask(Question("sentence")).hits
    assert {hit.url for hit in hits} == {HOME + "b"}
    assert brought(scene, "b", page(PROSE), at_s=10.0).relevance == 1.0


def test_the_page_that_its_copy_names_is_shown_as_soon_as_it_is_read() -> None:
    scene = Scene()
    named = f'<link rel="canonical" href="{HOME}b">'
    brought(scene, "a", named + page(PROSE))
    brought(scene, "b", page(PROSE), at_s=2.0)
    scene.collection.flush()
    assert scene.store.copies(1) == [0]


def test_a_page_that_names_itself_the_original_takes_nobodys_place() -> None:
    scene = Scene()
    brought(scene, "a", page(PROSE))
    brought(scene, "b", f'<link rel="canonical" href="{HOME}b">' + page(PROSE))
    brought(scene, "c", f'<link rel="canonical" href="{HOME}d">' + page(PROSE))
    brought(scene, "d", page(PROSE))
    scene.collection.flush()
    assert scene.store.copies(0) == [1, 2, 3]


def test_a_stamp_is_no_change_and_a_word_is_one() -> None:
    scene = Scene()
    brought(scene, "a", page(PROSE, "Generated on 2026-11-15 10:00:00. 17 views"))
    assert not brought(
        scene, "a", page(PROSE, "Generated on 2026-11-15 10:00:07. 18 views"), 2.0
    ).changed
    assert brought(scene, "a", page(PROSE, "Price 17 €. 18 views"), 3.0).changed
    assert brought(scene, "a", page(PROSE, "Price 18 €. 18 views"), 4.0).changed


def test_the_gate_closes_for_calendars_and_stays_open_for_articles() -> None:
    scene = Scene()
    gate = Gate()
    scene.digester._gate = gate
    for day in range(ENOUGH):
        brought(scene, f"calendar?day={day}", page(f"No events on day {day}."))
        brought(
            scene,
            f"article?id={day}",
            page(f"Article {day}. " + " ".join(f"w{day}x{k}" for k in range(50))),
        )
    closed = [gate.admits(f"{HOME}calendar?day={day}") for day in range(1000, 1100)]
    assert sum(closed) <= 6, "one in fifty is let through"
    assert all(gate.admits(f"{HOME}article?id={day}") for day in range(1000, 1100))


def test_the_gate_knows_scope_traps_and_what_people_said() -> None:
    barred = {HOME + "barred"}
    gate = Gate(
        Scope(hosts=("a.test",), include=("/docs/*", "/barred")), barred.__contains__
    )
    assert gate.admits(HOME + "docs/x")
    assert not gate.admits(HOME + "other")
    assert not gate.admits(HOME + "docs/" + "a/b/" * 9)
    assert not gate.admits(HOME + "barred")
    assert not gate.admits("http://b.test/sitemap.xml")
    barred.clear()
    assert gate.admits(HOME + "barred")
    barred.add(HOME + "docs/x")
    assert not gate.admits(HOME + "docs/x"), (
        "an order counts also for what was let in before"
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"status": 410}, "410 Gone"),
        ({"status": 403}, "403 Forbidden"),
        ({"failure": Failure.TOO_LARGE}, Failure.TOO_LARGE.value),
        ({"body": "<meta name=robots content=noindex>x"}, "noindex"),
    ],
)
def test_a_page_that_is_gone_says_why(answer: dict[str, Any], why: str) -> None:
    scene = Scene()
    scene.bring("a", page(PROSE))
    scene.bring("a", later_s=10.0, **answer)
    scene.bring("a", later_s=10_000.0, **answer)
    scene.collection.flush()
    told = [(diff.turn, diff.remark) for _, diff in scene.store.diffs(0)]
    assert told == [(Turn.NEW, ""), (Turn.GONE, why)]
