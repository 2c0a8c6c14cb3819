"""The query memory: what was asked and how well it was answered, without who; bounded, private."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import apsw
import pytest

from trapline.app.demand.demand_file import day_now
from trapline.app.federation import query_memory, query_memory_file
from trapline.app.federation.query_memory import (
    OWN,
    AnsweredPage,
    QueryMemory,
    answered_query,
    opened_query,
)
from trapline.app.federation.query_memory_file import (
    FILE,
    LONGEST_URL,
    MOST_DAYS,
    MOST_ENGINES,
    MOST_PAGES,
    add_queries,
    first_day,
    read_queries,
)

PAGES = [
    AnsweredPage("http://a.org/1", (OWN, "k1")),
    AnsweredPage("http://b.org/2", ("k1",)),
]


def test_what_was_asked_is_remembered(tmp_path: Path) -> None:
    said: list[str] = []
    memory = QueryMemory(tmp_path, said.append)
    for best in (1.0, 3.0):
        memory.note("Mars  ROVER", asked=[OWN, "k1"], pages=PAGES, found=9, best=best)
    memory.note_opened("mars rover", "http://b.org/2")
    memory.note("\ud800", asked=[], pages=[], found=0, best=0.0)
    memory.close()
    [row] = read_queries(tmp_path)
    assert (row.query, row.times, row.found, row.best) == ("mars rover", 2, 9, 2.0)
    assert row.asked == {OWN: 2, "k1": 2}
    assert row.hits == {OWN: 2, "k1": 4}
    assert row.pairs == {f"k1 {OWN}": 2}
    assert (row.opened, row.opened_pages) == (1, ("http://b.org/2",))
    assert list(row.pages) == ["http://b.org/2", "http://a.org/1"], "opened ones first"
    assert said == []
    assert row.day == first_day(tmp_path, 0) == day_now()


def test_the_file_is_private_and_shared_with_the_broker(tmp_path: Path) -> None:
    add_queries(tmp_path, [answered_query("moon", 7, [], PAGES, 1, 1.0)])
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    connection = apsw.Connection(str(tmp_path / FILE))
    connection.execute("CREATE TABLE engines (key TEXT); PRAGMA user_version = 1")
    connection.close()
    add_queries(tmp_path, [answered_query("moon", 7, [], PAGES, 1, 1.0)])
    assert read_queries(tmp_path)[0].times == 2


def test_days_are_added_up_and_old_ones_end(tmp_path: Path) -> None:
    for day in (100, 130, 131 + MOST_DAYS):
        add_queries(tmp_path, [answered_query("moon", day, [], PAGES, day, 1.0)])
    assert first_day(tmp_path, 0) == 131 + MOST_DAYS
    add_queries(tmp_path, [answered_query("moon", 132 + MOST_DAYS, [], [], 3, 2.0)])
    [row] = read_queries(tmp_path)
    assert (row.times, row.best, row.day) == (2, 1.5, 132 + MOST_DAYS)
    [row] = read_queries(tmp_path, since_day=132 + MOST_DAYS)
    assert row.times == 1


def test_rows_and_what_is_in_them_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_memory_file, "MOST_ROWS", 3)
    rows = [answered_query(f"q{n}", 1, [], [], 0, 0.0) for n in range(9)]
    many = [f"k{n}" for n in range(100)]
    pages = [AnsweredPage(f"http://a.org/{n}", tuple(many)) for n in range(10)]
    pages[0] = AnsweredPage("http://a.org/" + "x" * LONGEST_URL, ("k1",))
    add_queries(tmp_path, [*rows, *[answered_query("often", 1, many, pages, 1, 1)] * 2])
    found = read_queries(tmp_path)
    assert len(found) == 3
    [often] = [row for row in found if row.query == "often"]
    assert len(often.asked) == len(often.hits) == len(often.pairs) == MOST_ENGINES
    assert len(often.pages) == MOST_PAGES and "http://a.org/1" in often.pages
    assert all(len(url) <= LONGEST_URL for url in often.pages)
    assert all(len(engines) <= MOST_ENGINES for engines in often.pages.values())


def test_memory_is_bounded_between_two_writings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_memory, "WRITE_S", 1e6)
    monkeypatch.setattr(query_memory, "MOST", 3)
    memory = QueryMemory(tmp_path)
    for number in range(9):
        memory.note(f"q{number % 5}", asked=[], pages=[], found=0, best=0.0)
    memory._over.set()
    memory.write()
    assert sorted(row.query for row in read_queries(tmp_path)) == ["q0", "q1", "q2"]


@pytest.mark.parametrize("best", [math.nan, math.inf, -math.inf, -1.0])
def test_scores_that_are_none_count_as_nothing(tmp_path: Path, best: float) -> None:
    add_queries(tmp_path, [answered_query("moon", 1, [], PAGES, -5, best)])
    assert [(row.best, row.found) for row in read_queries(tmp_path)] == [(0.0, 0)]


def test_urls_that_nobody_could_read_are_not_kept() -> None:
    assert (
        opened_query("moon", 1, "http://a.org/" + "x" * LONGEST_URL).opened_pages == ()
    )


@pytest.mark.parametrize("text", [None, b"", b"no database" * 100])
def test_without_a_file_nothing_is_remembered(
    tmp_path: Path, text: bytes | None
) -> None:
    if text is not None:
        (tmp_path / FILE).write_bytes(text)
    assert read_queries(tmp_path) == []
    assert first_day(tmp_path, 9) == 9


def test_a_row_that_is_none_is_passed_over_with_all_others(tmp_path: Path) -> None:
    add_queries(tmp_path, [answered_query("moon", 1, [], PAGES, 1, 1.0)])
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE past_queries SET counts = 'x'")
    connection.close()
    assert read_queries(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    said: list[str] = []
    memory = QueryMemory(tmp_path / "missing", said.append)
    for _ in range(2):
        memory.note("moon", asked=[], pages=[], found=0, best=0.0)
        memory.write()
    memory.close()
    assert len(said) == 1
