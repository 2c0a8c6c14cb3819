"""Pages shown and opened, day by day: bounded, faded, forgotten."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from trapline.app.demand import demand_counter, demand_file
from trapline.app.demand.demand_counter import DemandCounter
from trapline.app.demand.demand_file import FILE, WANTED_D, add_demand, forget_demand
from trapline.app.demand.tally import MOST, Tally
from trapline.app.demand.wanted_pages import (
    NOBODY,
    Wanted,
    factors_wanted,
    wanted_lately,
)
from trapline.theory.demand import demand_factor

TODAY = 20_000
_FIRST = """
CREATE TABLE asked (query TEXT PRIMARY KEY, times INTEGER NOT NULL,
    missed INTEGER NOT NULL, day INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE opened (page INTEGER NOT NULL, query TEXT NOT NULL,
    times INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY (page, query)) WITHOUT ROWID;
INSERT INTO asked VALUES ('moon', 4, 0, 19000);
PRAGMA user_version = 1
"""


def count(folder: Path, page: int, shown: int, opened: int, day: int = TODAY) -> None:
    tally = Tally()
    for number in range(opened):
        tally.note_opened(f"query {number % 2}", page)
    for _ in range(shown):
        tally.note_shown(page)
    add_demand(folder, tally, day)


def rows(folder: Path) -> list[tuple[int, int]]:
    connection = apsw.Connection(str(folder / FILE))
    found = list(connection.execute("SELECT day, page FROM wanted ORDER BY day, page"))
    connection.close()
    return [(int(day), int(page)) for day, page in found]


def test_what_is_shown_and_opened_is_counted_by_day(tmp_path: Path) -> None:
    count(tmp_path, 7, shown=30, opened=2, day=TODAY - 1)
    count(tmp_path, 7, shown=10, opened=1)
    count(tmp_path, 7, shown=99, opened=9, day=TODAY - 40)
    assert wanted_lately(tmp_path, 7, TODAY) == Wanted(40, 3)
    assert wanted_lately(tmp_path, 8, TODAY) == NOBODY
    assert rows(tmp_path) == [(TODAY - 40, 7), (TODAY - 1, 7), (TODAY, 7)]


def test_the_factor_fades(tmp_path: Path) -> None:
    count(tmp_path, 1, shown=0, opened=14)
    count(tmp_path, 2, shown=0, opened=14, day=TODAY - 30)
    count(tmp_path, 3, shown=40, opened=3)
    factors = factors_wanted(tmp_path, TODAY, held=7, gain=1.0)
    assert factors == {
        1: demand_factor(14.0, usual=4.0),
        2: demand_factor(7.0, usual=4.0),
        3: demand_factor(7.0, usual=4.0),
    }
    assert factors_wanted(tmp_path, TODAY, held=7, gain=0.0) == {}
    alone = factors_wanted(tmp_path, TODAY, held=0, gain=1.0)
    assert 1.0 < alone[1] < factors[1]


def test_rows_are_bounded_and_old_days_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand_file, "MOST_WANTED", 3)
    count(tmp_path, 1, shown=5, opened=0, day=TODAY - WANTED_D - 1)
    for page in (2, 3, 4):
        count(tmp_path, page, shown=page, opened=0, day=TODAY - 1)
    count(tmp_path, 5, shown=1, opened=0)
    assert rows(tmp_path) == [(TODAY - 1, 3), (TODAY - 1, 4), (TODAY, 5)]


def test_a_forgotten_page_leaves_no_counts(tmp_path: Path) -> None:
    for page in (1, 2):
        count(tmp_path, page, shown=3, opened=3)
    forget_demand(tmp_path, [1])
    assert list(factors_wanted(tmp_path, TODAY, held=9, gain=1.0)) == [2]


def test_a_file_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / FILE))
    connection.execute(_FIRST)
    connection.close()
    assert factors_wanted(tmp_path, TODAY, held=9, gain=1.0) == {}
    assert wanted_lately(tmp_path, 7, TODAY) == NOBODY
    forget_demand(tmp_path, [7])
    count(tmp_path, 7, shown=1, opened=1)
    assert wanted_lately(tmp_path, 7, TODAY) == Wanted(1, 1)
    assert demand_file.read_demand(tmp_path).asked[0].times == 4


@pytest.mark.parametrize("text", [None, b"", b"no database" * 100])
def test_without_a_file_nobody_wants_anything(
    tmp_path: Path, text: bytes | None
) -> None:
    if text is not None:
        (tmp_path / FILE).write_bytes(text)
    assert factors_wanted(tmp_path, TODAY, held=9, gain=1.0) == {}
    assert wanted_lately(tmp_path, 7, TODAY) == NOBODY


def test_scripts_are_shown_no_more_than_people_could_look_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand_counter, "SHOWN_PER_S", 0.0)
    counter = DemandCounter(tmp_path, lambda _: None)
    for _ in range(200):
        counter.note_shown(range(10))
    counter.close()
    today = demand_file.day_now()
    shown = [wanted_lately(tmp_path, page, today).shown for page in range(10)]
    assert sum(shown) == 500


def test_memory_is_bounded_between_two_writings() -> None:
    tally = Tally()
    for page in [*range(MOST + 10), 0]:
        tally.note_shown(page)
    assert len(tally.shown) == MOST and tally.shown[0] == 2
