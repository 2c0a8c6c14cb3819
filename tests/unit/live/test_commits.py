"""Keeping in time: written at every beat, searchable every few, and at the end everything once."""

from __future__ import annotations

import asyncio
import time
from itertools import groupby
from typing import Any

import pytest

from trapline.core.errors import StoreLocked
from trapline.live import commits as keeping
from trapline.live.commits import Committer, Notes


class Heard:
    """Stands for collection, store and journal, and writes down what is asked of them."""

    calls = 0
    held_back = False

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.controller = self

    def __getattr__(self, name: str) -> Any:
        return lambda *_: self.asked.append(name)

    def save(self) -> dict[str, object]:
        return {}


class SlowIndex(Heard):
    """Whose index takes long to read what is new."""

    def prepare_index(self) -> None:
        self.asked.append("prepare_index")
        time.sleep(0.05)


def kept(beats: int, heard: Any = None) -> list[str]:
    heard = heard or Heard()

    async def main() -> None:
        keeper = Committer(heard, heard, heard, Notes(str, print), {}, heard)
        running = asyncio.create_task(keeper.run())
        while heard.asked.count("write_sealed") < beats:
            await asyncio.sleep(0.001)
        keeper.stop()
        await running
        heard.asked.append("over")
        await keeper.close()

    asyncio.run(main())
    return list(heard.asked)


@pytest.mark.parametrize(("heard", "most"), [(Heard, 4), (SlowIndex, 1)])
def test_the_index_is_searchable_in_time_however_long_it_reads(
    heard: type[Heard], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "FLUSH_S", 0.005)
    monkeypatch.setattr(keeping, "INDEX_S", 0.02)
    asked = kept(60, heard())
    words = [word for word in asked[: asked.index("over")] if word.endswith("index")]
    assert "update_index" in words
    readings = [len(list(group)) for word, group in groupby(words) if word[0] == "p"]
    assert readings and max(readings) <= most


def test_the_last_words_are_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FLUSH_S", 0.005)
    asked = kept(beats=2)
    assert asked[asked.index("over") :] == [
        "over",
        "note",
        "seal",
        "write_sealed",
        "save_checkpoint",
        "update_index",
    ]


def test_nothing_is_written_between_stop_and_the_last_words() -> None:
    """A beat that `stop` has cut short is none: `close` writes the same at once."""
    assert kept(beats=0) == [
        "over",
        "note",
        "seal",
        "write_sealed",
        "save_checkpoint",
        "update_index",
    ]


class Locked(Heard):
    """A store that is locked for so many tries, and a loop that may be held."""

    def __init__(self, tries: int, *, is_over: bool = False) -> None:
        super().__init__()
        self._tries = tries
        self.is_over = is_over

    def write_sealed(self) -> None:
        self.asked.append("write_sealed")
        if self.asked.count("write_sealed") <= self._tries:
            raise StoreLocked("store.sqlite")

    def hold(self, *, held: bool) -> None:
        self.asked.append(f"held: {held}")


def save(locked: Any) -> list[str]:
    """What people are told."""
    said: list[str] = []

    async def main() -> None:
        notes = Notes(str, said.append)
        keeper = Committer(locked, locked, locked, notes, {}, locked)
        await keeper.save(checkpoint=False)

    asyncio.run(main())
    return said


def test_a_locked_store_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FLUSH_S", 0.0)
    locked = Locked(keeping.HOLD_AFTER + 2)
    said = save(locked)
    assert ["waiting" in said[0], "no visits" in said[1], "free" in said[2]] == [
        True
    ] * 3
    held = [word for word in locked.asked if word.startswith("held")]
    assert held == ["held: True", "held: False"]


def test_a_short_lock_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FLUSH_S", 0.0)
    locked = Locked(2)
    assert len(save(locked)) == 2
    assert "held: True" not in locked.asked


def test_when_the_run_is_over_nobody_waits_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeping, "FLUSH_S", 0.0)
    locked = Locked(1000, is_over=True)
    with pytest.raises(StoreLocked):
        save(locked)
    assert locked.asked.count("write_sealed") == keeping.LAST_TRIES + 1
