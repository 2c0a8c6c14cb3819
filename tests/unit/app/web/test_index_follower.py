"""An index that is served follows its store, and says once what keeps it from that."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.unit.search.small_collection import Collection
from trapline.app.web.index_follower import IndexFollower
from trapline.core.errors import FolderBusy, StoreAway
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex
from trapline.search.query_language import read_query


class Stubborn(FullTextIndex):
    """Fails as often as it is told to."""

    def __init__(self, failures: list[Exception]) -> None:
        super().__init__(None)
        self._failures = failures
        self.rounds = 0
        self.done = threading.Event()

    def catch_up(self, store: Store) -> bool:
        self.rounds += 1
        if self.rounds > 1 and self._failures:
            raise self._failures.pop(0)
        if not self._failures:
            self.done.set()
        return super().catch_up(store)


def test_it_has_caught_up_before_anybody_is_answered(tmp_path: Path) -> None:
    collection = Collection()
    collection.put("Moon", "The moon orbits.")
    follower = IndexFollower(FullTextIndex(tmp_path / "index"), collection.store, 0.01)
    follower.start()
    reader = FullTextIndex(tmp_path / "index", read_only=True)
    assert [one.page for one in reader.rank(read_query("moon")).pages] == [0]
    collection.put("Moons", "Two moons orbit.")
    seen = threading.Event()
    for _ in range(6000):
        if len(reader.rank(read_query("moon")).pages) == 2:
            break
        seen.wait(0.01)
    assert len(reader.rank(read_query("moon")).pages) == 2
    follower.close()


def test_what_is_in_the_way_is_told_once_and_tried_again() -> None:
    away = StoreAway("postgresql://lab", "it is restarted")
    index = Stubborn([away, away, FolderBusy("index"), FolderBusy("index")])
    told: list[str] = []
    follower = IndexFollower(index, Collection().store, 0.001, told.append)
    follower.start()
    assert index.done.wait(60.0)
    follower.close()
    assert len(told) == 2
    assert "the index cannot follow the store" in told[0]
    assert told[1] == "another process keeps this index up to date"


def test_what_fails_at_the_beginning_is_a_failure() -> None:
    index = Stubborn([StoreAway("postgresql://lab", "it is restarted")])
    index.rounds = 1
    follower = IndexFollower(index, Collection().store)
    with pytest.raises(StoreAway):
        follower.start()
    follower.close()
