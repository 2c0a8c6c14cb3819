"""Demand: counted without who, bounded, by several servers at once, whatever becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from trapline.app.demand import demand_counter, demand_file
from trapline.app.demand.demand_counter import DemandCounter
from trapline.app.demand.demand_file import (
    FILE,
    AskedQuery,
    OpenedPage,
    add_demand,
    forget_demand,
    read_demand,
)
from trapline.app.demand.tally import MOST, Tally

WRITER = """
import os, sys
from pathlib import Path
from trapline.app.demand.demand_file import add_demand
from trapline.app.demand.tally import Tally
for number in range(1000):
    tally = Tally()
    tally.note_asked("moon", found=True)
    add_demand(Path(sys.argv[1]), tally, 1)
    print(number + 1, flush=True)
"""


def tally_of(*queries: str, found: bool = True) -> Tally:
    tally = Tally()
    for query in queries:
        tally.note_asked(query, found=found)
    return tally


def test_queries_are_counted_as_they_are_meant(tmp_path: Path) -> None:
    said: list[str] = []
    counter = DemandCounter(tmp_path, said.append)
    for query in ("Moon landing", "moon  LANDING ", "\x00\ud800", "", "x" * 500):
        counter.note_asked(query, found=True)
    counter.note_asked("tranzaction", found=False)
    assert counter.note_opened("Moon  landing", 7) and counter.note_opened("", 7)
    counter.close()
    demand = read_demand(tmp_path)
    assert said == []
    day = demand.asked[0].day
    assert AskedQuery("moon landing", 2, 0, day) in demand.asked
    assert demand.missed == [AskedQuery("tranzaction", 1, 1, day)]
    assert demand.opened == [OpenedPage(7, 2, day)]
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_nobody_and_no_time_is_written_down(tmp_path: Path) -> None:
    add_demand(tmp_path, tally_of("moon"), day=20_000)
    [asked] = read_demand(tmp_path).asked
    assert asked == AskedQuery("moon", 1, 0, 20_000)
    assert (tmp_path / FILE).stat().st_size < 40_000


def test_rows_are_bounded_and_the_rarest_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand_file, "MOST_QUERIES", 5)
    monkeypatch.setattr(demand_file, "MOST_OPENED", 3)
    tally = tally_of("often", "often", *(f"q{n}" for n in range(9)))
    for page in range(9):
        tally.note_opened("", page)
    tally.note_opened("", 8)
    add_demand(tmp_path, tally, 1)
    add_demand(tmp_path, tally_of("new"), 2)
    demand = read_demand(tmp_path, most=100)
    assert len(demand.asked) == 5 and demand.asked[0].query == "often"
    assert demand.asked[1].query == "new", "of those as rare, the older ones go"
    assert [one.page for one in demand.opened] == [8, 0, 1]


def test_memory_is_bounded_between_two_writings() -> None:
    tally = tally_of(*map(str, range(MOST + 10)), "0")
    for page in range(MOST + 10):
        tally.note_opened("", page)
    assert len(tally.asked) == len(tally.opened) == MOST
    assert tally.asked["0"] == 2


def test_scripts_cannot_make_pages_popular(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand_counter, "OPENED_PER_S", 0.0)
    counter = DemandCounter(tmp_path, lambda _: None)
    taken = sum(counter.note_opened("", 1) for _ in range(200))
    counter.close()
    assert taken == 50


def test_a_forgotten_page_leaves_no_counts(tmp_path: Path) -> None:
    forget_demand(tmp_path, [1])
    assert not (tmp_path / FILE).exists()
    tally = Tally()
    for page in (1, 2):
        tally.note_opened("moon", page)
    add_demand(tmp_path, tally, 1)
    forget_demand(tmp_path, [1])
    assert [one.page for one in read_demand(tmp_path).opened] == [2]


@pytest.mark.parametrize("text", [b"", b"no database" * 100])
def test_a_file_that_is_none_is_told_once_and_read_as_nothing(
    tmp_path: Path, text: bytes
) -> None:
    (tmp_path / FILE).write_bytes(text)
    assert read_demand(tmp_path).asked == []
    forget_demand(tmp_path, [1])
    said: list[str] = []
    counter = DemandCounter(tmp_path, said.append)
    for _ in range(2):
        counter.note_asked("moon", found=True)
        counter.write()
    counter.close()
    assert len(said) == bool(text)
    assert bool(read_demand(tmp_path).asked) != bool(text)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    said: list[str] = []
    counter = DemandCounter(tmp_path / "missing", said.append)
    counter.note_asked("moon", found=True)
    counter.close()
    assert len(said) == 1
    assert read_demand(tmp_path / "missing").asked == []


def test_two_at_once_and_a_kill_lose_nothing_that_was_written(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    written = 0
    start = partial(subprocess.Popen[str], command, stdout=subprocess.PIPE, text=True)
    with start() as one, start() as other:
        for writer in (one, other):
            assert writer.stdout is not None
            for _ in range(20):
                assert writer.stdout.readline()
        for writer in (one, other):
            os.kill(writer.pid, signal.SIGKILL)
            out, _ = writer.communicate()
            written += 20 + out.count("\n")
    add_demand(tmp_path, tally_of("moon"), 1)
    [asked] = read_demand(tmp_path).asked
    # each may have written one more than it could say
    assert written + 1 <= asked.times <= written + 3
