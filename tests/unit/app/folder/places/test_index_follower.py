"""An index that is served follows its store, and says once what keeps it from that."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.search.small_collection import Collection
from trapline.app.folder.places.index_follower import (
    IndexFollower,
    drop_index_of_others,
    index_turn,
)
from trapline.core.errors import StoreAway
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex
from trapline.search.query_language import read_query
from trapline.stores.united.united_store import REVISIONS

PATIENCE_S = 60.0
AWAY = StoreAway("postgresql://lab", "it is restarted")


class Stubborn(FullTextIndex):
    """Fails as often as it is told to."""

    def __init__(self, failures: list[Exception]) -> None:
        super().__init__(None)
        self._failures = failures
        self.done = threading.Event()

    def catch_up(self, store: Store) -> bool:
        if self._failures:
            raise self._failures.pop(0)
        self.done.set()
        return super().catch_up(store)

    def close(self) -> None:
        """It is opened again and again."""


def wait_until(condition: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


def moons_in(path: Path) -> int:
    reader = FullTextIndex(path, read_only=True)
    return len(reader.rank(read_query("moon")).pages)


def follower_of(path: Path, store: Store) -> IndexFollower:
    return IndexFollower(path, store, lambda: FullTextIndex(path), every_s=0.01)


def test_it_catches_up_once_and_then_follows(tmp_path: Path) -> None:
    path = tmp_path / "index"
    collection = Collection()
    collection.put("Moon", "The moon orbits.")
    follower = follower_of(path, collection.store)
    assert follower.follow()
    assert moons_in(path) == 1
    follower.start()
    collection.put("Moons", "Two moons orbit.")
    wait_until(lambda: moons_in(path) == 2)
    follower.close()


def test_another_process_that_writes_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with index_turn(path) as is_ours:
        assert is_ours
        assert not follower_of(path, Collection().store).follow()


def test_what_is_in_the_way_is_told_once_and_tried_again(tmp_path: Path) -> None:
    index = Stubborn([AWAY, AWAY, AWAY])
    told: list[str] = []
    follower = IndexFollower(
        tmp_path / "index",
        Collection().store,
        lambda: index,
        every_s=0.001,
        say=told.append,
    )
    follower.start()
    assert index.done.wait(PATIENCE_S)
    follower.close()
    assert len(told) == 1
    assert "the index is not up to date" in told[0]


def test_what_fails_at_the_beginning_is_a_failure(tmp_path: Path) -> None:
    index = Stubborn([AWAY])
    store = Collection().store
    follower = IndexFollower(tmp_path / "index", store, lambda: index)
    with pytest.raises(StoreAway):
        follower.follow()


@pytest.mark.parametrize(("shards", "stays"), [(2, True), (4, False)])
def test_an_index_of_other_shards_is_dropped(
    tmp_path: Path, shards: int, stays: bool
) -> None:
    book = tmp_path / REVISIONS
    book.write_text("[[[3, 1], true]]")
    indexes = [tmp_path / "index", tmp_path / "index-1-of-2"]
    for index in indexes:
        index.mkdir()
    drop_index_of_others(tmp_path, shards)
    assert [index.exists() for index in indexes] == [stays, stays]
    assert book.exists() == stays
