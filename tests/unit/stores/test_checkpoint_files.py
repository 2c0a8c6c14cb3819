"""Checkpoints on disk: half-written, damaged and missing ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.core.errors import CheckpointLost
from trapline.core.storage import Batch, Call, Checkpoint
from trapline.stores.checkpoint_files import CheckpointFiles
from trapline.stores.sqlite.store import SqliteStore


def saved(calls: int) -> Checkpoint:
    return Checkpoint(calls, {"x": np.arange(1000) + calls, "y": np.array([1.5])})


def test_only_the_newest_file_stays(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.commit(Batch(calls=[Call(number, "") for number in range(1, 21)]))
    (tmp_path / "checkpoint-3.unfinished").write_bytes(b"killed while writing")
    for calls in (5, 9, 10):
        store.save_checkpoint(saved(calls))
    assert [path.name for path in tmp_path.glob("checkpoint-*")] == [
        "checkpoint-10.npz"
    ]
    store.close()


def test_a_damaged_one_gives_way_to_an_older_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.commit(Batch(calls=[Call(number, "") for number in range(1, 21)]))
    store.save_checkpoint(saved(5))
    # and here the robot was killed, before it trimmed the journal
    CheckpointFiles(tmp_path).save(saved(9))
    damage(tmp_path / "checkpoint-9.npz")
    (tmp_path / "checkpoint-12.npz").write_bytes(b"")
    loaded = store.load_checkpoint()
    assert loaded is not None
    assert loaded.calls == 5
    assert np.array_equal(loaded.arrays["x"], saved(5).arrays["x"])
    assert next(store.calls(5)).number == 6
    store.close()


@pytest.mark.parametrize("lost", ["damaged", "missing", "an older one came back"])
def test_a_hole_in_the_journal_is_not_papered_over(tmp_path: Path, lost: str) -> None:
    store = SqliteStore(tmp_path)
    store.commit(Batch(calls=[Call(number, "") for number in range(1, 21)]))
    store.save_checkpoint(saved(9))
    damage(tmp_path / "checkpoint-9.npz")
    if lost == "missing":
        (tmp_path / "checkpoint-9.npz").unlink()
    if lost == "an older one came back":
        CheckpointFiles(tmp_path).save(saved(5))
    with pytest.raises(CheckpointLost, match="checkpoint after call 9"):
        store.load_checkpoint()
    store.close()


def test_no_damaged_number_is_ever_believed(tmp_path: Path) -> None:
    files = CheckpointFiles(tmp_path)
    files.save(saved(5))
    path = tmp_path / "checkpoint-5.npz"
    whole = path.read_bytes()
    # the end lists what there is
    for place in [*range(0, len(whole), 40), *range(len(whole) - 180, len(whole))]:
        path.unlink()
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        loaded = files.newest()
        # the flipped bit was one that nobody reads, such as a date
        if loaded is not None:
            assert loaded.arrays.keys() == {"x", "y"}
            assert all(
                np.array_equal(array, saved(5).arrays[name])
                for name, array in loaded.arrays.items()
            )


def test_an_array_that_claims_to_be_shorter(tmp_path: Path) -> None:
    files = CheckpointFiles(tmp_path)
    files.save(Checkpoint(5, {"x": np.arange(9000)}))
    path = tmp_path / "checkpoint-5.npz"
    whole = path.read_bytes()
    assert whole.count(b"(9000,)") == 1
    path.write_bytes(whole.replace(b"(9000,)", b"(1000,)"))
    assert files.newest() is None


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(bytes(data))


def test_objects_are_refused_before_anything_is_dropped(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.commit(Batch(calls=[Call(1, "")]))
    with pytest.raises(ValueError, match="Object arrays"):
        store.save_checkpoint(Checkpoint(1, {"x": np.array([object()])}))
    assert store.load_checkpoint() is None
    assert list(store.calls(0)) == [Call(1, "")]
    store.close()
