"""The change feed beside a loop: in order, at least once, nobody waits for anybody."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.unit.app.output.test_changes import store_of
from trapline.app.output.changes import Line
from trapline.app.output.outlets import change_feed as feeding
from trapline.app.output.outlets.arrears import NOTE, arrears_of, progress_note
from trapline.app.output.outlets.change_feed import ChangeFeed
from trapline.app.output.outlets.outlet import Refused
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.errors import StoreCorrupt
from trapline.core.records import Diff, Turn
from trapline.core.storage import Batch
from trapline.stores.memory import MemoryStore


@dataclass
class Ear:
    """An outlet that refuses so many times, or never answers."""

    key: str = "ear"
    refuses: int = 0
    hangs: bool = False
    heard: list[int] = field(default_factory=list)
    tries: int = 0
    name: str = "an ear"
    gather_s: float = 0.0

    def resume(self, progress_note: int | None, newest: int) -> int:
        return progress_note or 0

    async def tell(self, lines: list[Line]) -> None:
        self.tries += 1
        if self.hangs:
            await asyncio.sleep(3600)
        if self.tries <= self.refuses:
            raise Refused("it answered 500")
        self.heard += [line.number for line in lines]

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "PATIENCE_S", 0.01)
    monkeypatch.setattr(feeding, "POLL_S", 0.01)
    monkeypatch.setattr(feeding, "LAST_WAIT_S", 0.3)


def tell(
    store: MemoryStore, *ears: Ear, for_s: float = 0.0, said: list[str] | None = None
) -> ChangeFeed:
    """One run of a feed, written down as the robot would."""
    collection = Collection(store, HashUrlBook.load(store, 1))
    feed = ChangeFeed(store, collection, Path("e"))
    say = (said if said is not None else list[str]()).append

    async def run() -> None:
        for ear in ears:
            feed.add(ear)
        running = asyncio.create_task(feed.run(say))
        await asyncio.sleep(for_s)
        await feed.finish(running)

    asyncio.run(run())
    collection.flush()
    return feed


def test_all_is_told_in_order_and_only_once() -> None:
    store = store_of(2, 248)
    ear = Ear()
    tell(store, ear)
    assert ear.heard == list(range(1, 251))
    assert ear.tries == 3, "a hundred at a time"
    store.commit(Batch(diffs=[Diff(0, 9.0, Turn.CHANGED)]))
    again = Ear()
    tell(store, again)
    assert again.heard == [251], "the next run goes on"


def test_who_refuses_is_told_again() -> None:
    store = store_of(2, 0)
    ear = Ear(refuses=4)
    feed = tell(store, ear, for_s=0.5)
    assert ear.heard == [1, 2]
    assert feed.waiting() == []
    assert progress_note(store)["ear"] == {
        "name": "an ear",
        "told": 2,
        "trouble": "",
        "since_s": None,
        "named": True,
    }


def test_nobody_waits_for_who_is_dead() -> None:
    store = store_of(2, 0)
    dead = Ear("dead", hangs=True)
    deaf = Ear("deaf", refuses=10**9)
    well = Ear("well")
    feed = tell(store, dead, deaf, well, for_s=0.1)
    assert well.heard == [1, 2]
    assert feed.waiting() == [("an ear", 2, ""), ("an ear", 2, "it answered 500")]
    assert progress_note(store)["deaf"]["told"] == 0
    revived = Ear("dead")
    tell(store, revived)
    assert revived.heard == [1, 2], "nothing was lost"


def test_who_is_not_named_keeps_his_place() -> None:
    store = store_of(2, 0)
    one = Ear("one")
    tell(store, one)
    tell(store, Ear("other"))
    assert progress_note(store)["one"] == {
        "name": "an ear",
        "told": 2,
        "trouble": "",
        "since_s": None,
        "named": False,
    }
    back = Ear("one")
    tell(store, back)
    assert back.heard == []


def test_without_outlets_it_lasts_as_long_as_the_robot() -> None:
    store = store_of(2, 0)
    feed = ChangeFeed(store, Collection(store, HashUrlBook.load(store, 1)), Path("e"))

    async def run() -> None:
        running = asyncio.create_task(feed.run(print))
        await asyncio.sleep(0.05)
        assert not running.done(), "its end would stop the robot"
        await feed.finish(running)

    asyncio.run(run())
    asyncio.run(run())  # also a second time


def test_an_outlet_without_a_key_leaves_no_note() -> None:
    store = store_of(2, 0)
    tell(store, Ear(""))
    assert json.loads(store.note(NOTE) or "{}") == {}


def test_a_store_that_fails_is_told_to_the_robot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = store_of(2, 0)

    def broken(*_: object) -> None:
        raise StoreCorrupt("store", "torn")

    monkeypatch.setattr(store, "diffs", broken)
    with pytest.raises(StoreCorrupt):
        tell(store, Ear(), for_s=0.1)


def test_trouble_is_said_when_it_begins_and_when_it_ends() -> None:
    store = store_of(2, 0)
    said: list[str] = []
    tell(store, Ear(refuses=3), for_s=0.5, said=said)
    assert said == [
        "changes cannot be told to an ear (it answered 500): trying again",
        "changes are told to an ear again",
    ]


def test_who_is_in_arrears() -> None:
    store = store_of(2, 0)
    tell(store, Ear(refuses=10**9), Ear("well"), for_s=0.1)
    deaf, well = arrears_of(store)
    assert (deaf.changes, deaf.trouble, well.changes) == (2, "it answered 500", 0)
    assert deaf.since_s is not None and well.since_s is None
    tell(store, Ear(refuses=10**9), for_s=0.1)
    assert arrears_of(store)[0].since_s == deaf.since_s, "it began in the first run"
    tell(store, Ear())
    assert [one for one in arrears_of(store) if one.changes or one.since_s] == []
