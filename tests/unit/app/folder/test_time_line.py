"""The time line of a page."""

from __future__ import annotations

import math

import pytest

from trapline.app.folder.time_line import time_line
from trapline.core.errors import UnknownPage
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore


def visit(number: int, outcome: Outcome = Outcome.OK, price: float = 1.0) -> Visit:
    at_s = 10.0 * number
    return Visit(
        number, 0, 0, Kind.PAGE, at_s - 2.0, at_s, price, outcome, 200, True, 0.5, "so"
    )


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.commit(
        Batch(
            hosts=[HostRow(0, "h.example:80", "http://h.example/")],
            urls=[UrlRow(0, "http://h.example/", 0)],
            visits=[visit(1), visit(2, Outcome.FAILED), visit(3, price=math.inf)],
        )
    )
    return made


def test_visits_come_oldest_first(store: MemoryStore) -> None:
    found = time_line(store, 0)
    assert [seen.ended_s for seen in found.visits] == [10.0, 20.0, 30.0]
    assert [seen.outcome for seen in found.visits] == ["ok", "failed", "ok"]
    assert [seen.first for seen in found.visits] == [True, False, False]
    assert [seen.price for seen in found.visits] == [1.0, 1.0, None]
    assert found.visits[0].seconds == 2.0
    assert not found.earlier


def test_of_many_visits_the_newest_are_told(store: MemoryStore) -> None:
    found = time_line(store, 0, limit=2)
    assert [seen.ended_s for seen in found.visits] == [20.0, 30.0]
    assert not any(seen.first for seen in found.visits)
    assert found.earlier
    assert found.as_dict()["visits"][1]["ended_s"] == 30.0


def test_the_first_document_read_is_new_and_so_is_one_that_came_back() -> None:
    store = MemoryStore()
    store.commit(
        Batch(
            hosts=[HostRow(0, "h.example:80", "http://h.example/")],
            urls=[UrlRow(0, "http://h.example/", 0)],
            visits=[
                visit(1, Outcome.FAILED),
                visit(2),
                visit(3),
                visit(4, Outcome.GONE),
                visit(5),
            ],
        )
    )
    words = [seen.found for seen in time_line(store, 0).visits]
    assert words == ["failed", "new", "changed", "gone", "new"]
    newest = [seen.found for seen in time_line(store, 0, limit=3).visits]
    assert newest == ["changed", "gone", "new"]


def test_a_page_without_a_number_is_named(store: MemoryStore) -> None:
    with pytest.raises(UnknownPage):
        time_line(store, 7)
