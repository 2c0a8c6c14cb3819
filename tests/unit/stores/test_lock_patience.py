"""Whoever waits for a lock says so once, and not for ever."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from trapline.core.errors import StoreLocked
from trapline.core.storage import Batch
from trapline.stores.lock_patience import LockPatience
from trapline.stores.sqlite.store import SqliteStore

WHERE = "trapline.stores.lock_patience.time"


def test_it_says_so_once_and_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.5, 1.5, 2.5, 3.0, 10.0, 11.5])
    monkeypatch.setattr(f"{WHERE}.monotonic", lambda: next(times))
    monkeypatch.setattr(f"{WHERE}.sleep", lambda _: None)
    said: list[str] = []
    patience = LockPatience(Path("store.sqlite"), said.append, most_s=3.0)
    assert [patience.wait(tries) for tries in range(5)] == [True] * 4 + [False]
    assert said == ["another program has locked store.sqlite: waiting for it"]
    assert [patience.wait(tries) for tries in range(2)] == [True, True]
    assert len(said) == 2, "of another lock, once more"


def test_a_commit_that_is_kept_from_the_store_can_be_made_later(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    other = apsw.Connection(str(tmp_path / "store.sqlite"))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreLocked):
        store.commit(Batch(notes={"a": "b"}))
    assert store.note("a") is None, "who reads does not wait"
    other.execute("ROLLBACK")
    other.close()
    store.commit(Batch(notes={"a": "b"}))
    assert store.note("a") == "b"
    store.close()
