"""Checkpoints in PostgreSQL: of several chunks, written beside readers, by owners that die."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.postgres_server import OnlyStore, fresh_store
from trapline.core.storage import Checkpoint
from trapline.stores.postgres import checkpoints


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlyStore]:
    monkeypatch.setattr(checkpoints, "CHUNK", 1_000)
    made = fresh_store()
    yield made
    made.close()


def noise(seed: int, calls: int = 5) -> Checkpoint:
    """It cannot be packed into one chunk."""
    return Checkpoint(calls, {"x": np.random.default_rng(seed).normal(size=1_000)})


def is_loaded(store: OnlyStore, wanted: Checkpoint) -> bool:
    loaded = store.load_checkpoint()
    return loaded is not None and np.array_equal(loaded.arrays["x"], wanted.arrays["x"])


def test_who_dies_between_two_chunks_leaves_the_last_one_whole(
    store: OnlyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing was called since: at the start of a run."""
    first, second, third = noise(1), noise(2), noise(3)
    store.save_checkpoint(first)
    fence = store._fence
    steps = iter(range(3))  # a number, two chunks, and it is dead

    def fence_and_die(cursor: object) -> None:
        next(steps)
        fence(cursor)

    monkeypatch.setattr(store, "_fence", fence_and_die)
    with pytest.raises(StopIteration):
        store.save_checkpoint(second)
    assert is_loaded(store, first)
    monkeypatch.setattr(store, "_fence", fence)
    store.save_checkpoint(third)
    assert is_loaded(store, third)


def test_who_reads_while_the_next_one_is_written_reads_one_of_them(
    store: OnlyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = noise(1), noise(2, calls=9)
    store.save_checkpoint(first)
    reader = fresh_reader(store)
    read_dropped = reader._calls_dropped

    def dropped_then_saved() -> int:
        dropped = read_dropped()
        store.save_checkpoint(second)
        return dropped

    monkeypatch.setattr(reader, "_calls_dropped", dropped_then_saved)
    assert is_loaded(reader, first)
    monkeypatch.undo()
    assert is_loaded(reader, second)


def fresh_reader(store: OnlyStore) -> OnlyStore:
    """As another process would read the same shard."""
    return OnlyStore(store._database, store._shard)
