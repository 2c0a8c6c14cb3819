"""The store of a directory: what was heard is there again, in bounds, and clocks may jump."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from trapline.app.directory.directory_store import FILE, DirectoryStore
from trapline.app.directory.engine_entry import State
from trapline.app.directory.pace import Pace
from trapline.app.directory.registrar import Registrar
from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.key_file import EngineKey, make_key
from trapline.core.errors import FolderNewer, StoreCorrupt
from trapline.oasis.description import Description, Packed
from trapline.oasis.signed_description import SignedDescription, sign_description
from trapline.oasis.statements import (
    JOIN,
    SignedStatement,
    Statement,
    sign_statement,
)

URL = "http://a.example.org"


def statement(key: EngineKey, serial: int = 1, url: str = URL) -> SignedStatement:
    said = Statement(JOIN, key.public, url, "moon \U0001f319", 1, serial)
    return sign_statement(said, key.sign)


def description(key: EngineKey) -> SignedDescription:
    part = Packed(3, 5, "digest", 1)
    found = Description("moon", URL, key.public, 1, 0.0, 10, terms=part)
    return sign_description(found, key.sign)


def test_what_was_heard_is_there_again(tmp_path: Path) -> None:
    key = make_key()
    store = DirectoryStore(tmp_path)
    store.hear(statement(key), State.ALIVE, "", 100.0)
    store.keep_parts(key.public, description(key), {"terms": b"12345"}, counts=True)
    store.note_findings(key.public, ["one", "x" * 1000])
    store.keep_table("v1", b"packed")
    before = store.engine(key.public)
    store.close()
    again = DirectoryStore(tmp_path)
    assert again.engine(key.public) == before
    assert again.part(key.public, "terms") == b"12345"
    assert again.engines_of_table() == {key.public: (3, 10)}
    assert again.table() == ("v1", b"packed")
    assert before is not None and [len(one) for one in before.findings] == [3, 300]
    again.forget([key.public])
    assert again.part(key.public, "terms") is None and again.packed_bytes() == 0
    again.close()


def test_a_state_begins_when_it_changes(tmp_path: Path) -> None:
    key = make_key()
    store = DirectoryStore(tmp_path)
    for serial, now_s in ((1, 100.0), (2, 130.0)):
        store.hear(statement(key, serial), State.ALIVE, "", now_s)
    entry = store.engine(key.public)
    assert entry is not None and (entry.since_s, entry.seen_s) == (100.0, 130.0)
    store.hear(statement(key, 3), State.LEFT, "it said so", 140.0)
    entry = store.engine(key.public)
    assert entry is not None and (entry.since_s, entry.state) == (140.0, State.LEFT)
    store.close()


def test_a_clock_that_was_set_back_keeps_nobody_alive(tmp_path: Path) -> None:
    now_s = 1_000_000.0
    store = DirectoryStore(tmp_path)
    pace = Pace(expires_s=120.0)
    client = guarded_client(frozenset())
    registrar = Registrar(store, client, pace, clock=lambda: now_s)
    key = make_key()
    store.hear(statement(key), State.ALIVE, "", now_s)
    now_s = 500.0
    registrar.sweep()
    now_s = 621.0
    registrar.sweep()
    entry = store.engine(key.public)
    assert entry is not None and entry.state is State.SILENT
    now_s += pace.forget_s + 1.0
    registrar.sweep()
    assert store.engine(key.public) is None
    store.close()


def test_refused_ones_are_few_and_the_oldest_go(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    keys = [make_key() for _ in range(5)]
    for age, key in enumerate(keys):
        store.hear(statement(key), State.REFUSED, "garbage", float(age))
    store.bound_refused(3)
    assert {one.key for one in store.engines()} == {key.public for key in keys[-2:]}
    store.close()


def test_refused_go_before_left_before_silent(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    states = (State.SILENT, State.ALIVE, State.LEFT, State.REFUSED)
    keys = {state: make_key() for state in states}
    for state, key in keys.items():
        store.hear(statement(key), state, "", 1.0)
    order = [keys[state].public for state in (State.REFUSED, State.LEFT, State.SILENT)]
    assert store.idle(10) == order
    assert store.idle(10, "elsewhere.org") == []
    store.close()


def test_statements_of_one_site_are_counted_together(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    for name in ("a", "b"):
        url = f"http://{name}.example.org"
        store.hear(statement(make_key(), url=url), State.ALIVE, "", 1.0)
    assert (store.count("example.org"), store.count("other.org")) == (2, 0)
    assert store.count() == 2
    store.close()


def test_foreign_and_newer_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, but long enough to be one" * 30)
    with pytest.raises(StoreCorrupt):
        DirectoryStore(tmp_path)
    newer = tmp_path / "newer"
    newer.mkdir()
    DirectoryStore(newer).close()
    connection = apsw.Connection(str(newer / FILE))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(FolderNewer):
        DirectoryStore(newer)


def test_changed_parts_are_missed(tmp_path: Path) -> None:
    key = make_key()
    store = DirectoryStore(tmp_path)
    store.hear(statement(key), State.ALIVE, "", 1.0)
    store.describe(key.public, description(key))
    entry = store.engine(key.public)
    assert entry is not None and entry.parts_missing
    assert not replace(entry, terms_digest="digest").parts_missing
    assert not replace(entry, description=None).parts_missing
    store.close()
