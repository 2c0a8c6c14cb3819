"""The durable store: folders that must be refused, two processes at once, kills and damage."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import apsw
import numpy as np
import pytest

from trapline.core.errors import (
    DiskFull,
    FolderBusy,
    FolderMissing,
    FolderNewer,
    FolderUnwritable,
    StoreCorrupt,
)
from trapline.core.ledger import Posting
from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Page, Visit
from trapline.core.storage import (
    Batch,
    Call,
    Checkpoint,
    Held,
    HostRow,
    LinkText,
    UrlRow,
)
from trapline.stores.sqlite.schema import VERSION
from trapline.stores.sqlite.store import SqliteStore

KNOWN = Batch(
    hosts=[HostRow(0, "a:80", "http://a/")],
    urls=[UrlRow(page, f"http://a/{page}", 0) for page in range(2000)],
)
DOCUMENT = Page(0, "http://a/0", "title", "text " * 200, 0.5, 1, "", "", 1.0, 1.0)
VISIT = Visit(1, 0, 0, Kind.PAGE, 1.0, 2.0, 0.5, Outcome.OK, 200, True, 0.5)
# as before version 6
WITHOUT_FIELDS = (
    "DROP TABLE outbox; DROP TABLE read_letters; "
    "ALTER TABLE documents DROP COLUMN fields; ALTER TABLE documents DROP COLUMN rules;"
)
WITHOUT_FORMS = "ALTER TABLE bodies DROP COLUMN form; DROP TABLE last_changes;"
WITHOUT_VERSIONS = (
    f"{WITHOUT_FIELDS} DROP TABLE versions; DROP INDEX diffs_of_trouble; "
    "ALTER TABLE diffs DROP COLUMN remark;"
)
WITHOUT_TEXTS = "DROP TABLE link_texts; DROP TABLE link_sources;"


def make(folder: Path) -> Path:
    store = SqliteStore(folder)
    store.commit(KNOWN)
    store.commit(
        Batch(pages=[DOCUMENT], calls=[Call(number, "x") for number in range(1, 101)])
    )
    store.close()
    return folder / "store.sqlite"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def edit(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_newer_folder_is_refused_and_nothing_is_written(
    tmp_path: Path, read_only: bool
) -> None:
    path = make(tmp_path)
    edit(path, f"PRAGMA user_version = {VERSION + 1}")
    (tmp_path / "lock").unlink()
    before = contents(tmp_path)
    wanted = f"store version {VERSION + 1}, this one reads up to {VERSION}"
    with pytest.raises(FolderNewer, match=wanted):
        SqliteStore(tmp_path, read_only=read_only)
    assert contents(tmp_path) == before


def test_a_newer_version_that_only_the_write_ahead_log_knows(tmp_path: Path) -> None:
    path = make(tmp_path)
    connection = apsw.Connection(str(path))
    # a reader keeps it from being moved into the database
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(FolderNewer):
        SqliteStore(tmp_path)
    connection.close()


def of_version_1(path: Path) -> None:
    edit(
        path,
        f"{WITHOUT_VERSIONS} {WITHOUT_TEXTS} "
        "DROP TABLE links; DROP TABLE diffs; DROP INDEX documents_by_original; "
        "ALTER TABLE documents DROP COLUMN language; "
        "ALTER TABLE documents DROP COLUMN simhash; ALTER TABLE documents DROP COLUMN "
        "same_as; ALTER TABLE hosts DROP COLUMN robots_rules; "
        f"{WITHOUT_FORMS} PRAGMA user_version = 1",
    )


def test_an_older_folder_is_read_as_it_is(tmp_path: Path) -> None:
    path = make(tmp_path)
    of_version_1(path)
    before = path.read_bytes()
    store = SqliteStore(tmp_path, read_only=True)
    assert (store.counts().held, list(store.links())) == (1, [])
    store.close()
    assert path.read_bytes() == before


def test_an_older_folder_is_brought_up_to_date_by_who_may_write(tmp_path: Path) -> None:
    of_version_1(make(tmp_path))
    onlooker = SqliteStore(tmp_path, read_only=True)
    store = SqliteStore(tmp_path)
    store.commit(Batch(links=[(0, links_to([1], [0]))]))
    assert [page for page, _ in onlooker.links()] == [0]
    assert store.page(0) == DOCUMENT
    for one in (onlooker, store):
        one.close()
    store = SqliteStore(tmp_path)
    assert [page for page, _ in store.links()] == [0]
    store.close()


def test_a_folder_of_version_5_gets_link_texts(tmp_path: Path) -> None:
    path = make(tmp_path)
    edit(
        path,
        f"{WITHOUT_VERSIONS} {WITHOUT_TEXTS} {WITHOUT_FORMS} PRAGMA user_version = 5",
    )
    onlooker = SqliteStore(tmp_path, read_only=True)
    assert onlooker.link_texts(1) == []
    store = SqliteStore(tmp_path)
    assert store.link_texts(1) == []
    store.commit(Batch(gone=[3], links=[(4, links_to([1], [0]))]))
    store.commit(Batch(texts=[(0, [(1, "the Sun")])]))
    for one in (onlooker, store):
        assert one.link_texts(1) == [LinkText("the Sun", 1, 1)]
        one.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE link_texts SET entries = x'ff'",
        "UPDATE link_texts SET entries = CAST(char(10) || 'x' AS BLOB)",
        "UPDATE link_texts SET entries = x'0a7468652053756e093009'",  # cut short
    ],
)
def test_damaged_link_texts_are_named(tmp_path: Path, damage: str) -> None:
    path = make(tmp_path)
    store = SqliteStore(tmp_path)
    store.commit(Batch(texts=[(0, [(1, "the Sun")])]))
    store.close()
    edit(path, damage)
    store = SqliteStore(tmp_path)
    with pytest.raises(StoreCorrupt, match="link texts that cannot be read"):
        store.link_texts(1)
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE link_texts SET entries = x'ff'",
        "UPDATE link_texts SET entries = x'0a7468652053756e093009'",
        "UPDATE link_sources SET texts = x'ff'",
    ],
)
def test_no_commit_builds_on_damaged_link_texts(tmp_path: Path, damage: str) -> None:
    path = make(tmp_path)
    store = SqliteStore(tmp_path)
    store.commit(Batch(texts=[(0, [(1, "the Sun")])]))
    store.close()
    edit(path, damage)
    store = SqliteStore(tmp_path)
    with pytest.raises(StoreCorrupt):
        store.commit(Batch(gone=[0]))
    assert store.counts().held == 1
    store.close()


def test_texts_and_links_of_version_3_are_read_beside_newer_ones(
    tmp_path: Path,
) -> None:
    path = make(tmp_path)
    links = links_to([1], [0])
    edit(
        path,
        f"UPDATE bodies SET text = x'{zlib.compress(DOCUMENT.text.encode(), 1).hex()}'; "
        f"{WITHOUT_VERSIONS} {WITHOUT_TEXTS} ALTER TABLE hosts DROP COLUMN robots_rules; "
        f"{WITHOUT_FORMS} PRAGMA user_version = 3",
    )
    edit(
        path,
        f"INSERT INTO links VALUES (0, x'01{zlib.compress(links.tobytes(), 1).hex()}')",
    )
    onlooker = SqliteStore(tmp_path, read_only=True)
    store = SqliteStore(tmp_path)
    store.commit(
        Batch(pages=[replace(DOCUMENT, page=1, url="http://a/1")], links=[(1, links)])
    )
    for one in (onlooker, store):
        assert [
            change.document.text for change in one.changes() if change.document
        ] == [DOCUMENT.text] * 2
        assert [(page, found.tobytes()) for page, found in one.links()] == [
            (page, links.tobytes()) for page in (0, 1)
        ]
        one.close()


def test_forms_are_kept_and_older_pages_have_none(tmp_path: Path) -> None:
    edit(
        make(tmp_path),
        f"{WITHOUT_VERSIONS} {WITHOUT_FORMS} PRAGMA user_version = 6",
    )
    onlooker = SqliteStore(tmp_path, read_only=True)
    assert onlooker.page(0) == DOCUMENT
    assert onlooker.changed_lines(0) is None
    store = SqliteStore(tmp_path)
    shaped = replace(DOCUMENT, page=1, url="http://a/1", form=b"\1\2\0")
    store.commit(Batch(pages=[shaped]))
    for one in (onlooker, store):
        assert one.page(0) == DOCUMENT
        assert one.page(1) == shaped
        one.close()


def test_fields_are_kept_and_older_pages_have_none(tmp_path: Path) -> None:
    edit(make(tmp_path), f"{WITHOUT_FIELDS} PRAGMA user_version = 8")
    onlooker = SqliteStore(tmp_path, read_only=True)
    assert onlooker.page(0) == DOCUMENT
    assert onlooker.held(0) == Held.of(DOCUMENT)
    store = SqliteStore(tmp_path)
    picked = replace(DOCUMENT, page=1, url="http://a/1", fields='{"a":1}', rules=-7)
    store.commit(Batch(pages=[picked]))
    for one in (onlooker, store):
        assert one.page(0) == DOCUMENT
        assert one.page(1) == picked
        assert one.held(1) == Held.of(picked)
        one.close()


def test_a_folder_of_version_9_gets_room_for_letters(tmp_path: Path) -> None:
    edit(
        make(tmp_path),
        "DROP TABLE outbox; DROP TABLE read_letters; PRAGMA user_version = 9",
    )
    onlooker = SqliteStore(tmp_path, read_only=True)
    assert onlooker.page(0) == DOCUMENT
    store = SqliteStore(tmp_path)
    assert (store.outbox(), store.read_letters()) == ([], [])
    posting = Posting(1, b"letter")
    store.commit(Batch(postings=[posting], read=[4]))
    assert [one for _, one in store.outbox()] == [posting]
    assert store.read_letters() == [4]
    for one in (onlooker, store):
        assert one.page(0) == DOCUMENT
        one.close()


def test_the_text_of_an_older_folder_is_kept_when_it_changes(tmp_path: Path) -> None:
    edit(make(tmp_path), f"{WITHOUT_VERSIONS} PRAGMA user_version = 7")
    onlooker = SqliteStore(tmp_path, read_only=True)
    assert [version.number for version in onlooker.versions(0)] == [1]
    assert onlooker.version_text(0, 1) == DOCUMENT.text
    assert onlooker.failing() == {} and list(onlooker.diffs()) == []
    store = SqliteStore(tmp_path)
    changed = replace(DOCUMENT, text="quite another text", changed_s=9e9)
    store.commit(Batch(pages=[changed], versions=3))
    for one in (onlooker, store):
        texts = [one.version_text(0, version.number) for version in one.versions(0)]
        assert texts == [DOCUMENT.text, "quite another text"]
        one.close()


def test_a_newer_folder_without_its_links(tmp_path: Path) -> None:
    edit(make(tmp_path), "DROP TABLE links")
    with pytest.raises(StoreCorrupt, match="no table links"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize(
    "blob", ["", "01", "02789c030000000001", "01789c63000000010001"]
)
def test_links_that_cannot_be_read(tmp_path: Path, blob: str) -> None:
    path = make(tmp_path)
    store = SqliteStore(tmp_path)
    store.commit(Batch(links=[(0, links_to([1], [0]))]))
    store.close()
    edit(path, f"UPDATE links SET links = x'{blob}'")
    store = SqliteStore(tmp_path)
    with pytest.raises(StoreCorrupt):
        list(store.links())
    store.close()


def not_a_database(path: Path) -> None:
    path.write_bytes(b"hello " * 1000)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def somebody_elses(path: Path) -> None:
    edit(path, "PRAGMA application_id = 77")


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribbled_over(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : 5 * 4096] = os.urandom(4 * 4096)
    path.write_bytes(bytes(data))


def without_a_table(path: Path) -> None:
    edit(path, "DROP TABLE totals")


@pytest.mark.parametrize(
    "damage",
    [
        not_a_database,
        emptied,
        somebody_elses,
        cut_in_half,
        scribbled_over,
        without_a_table,
    ],
)
def test_a_corrupt_store_is_refused_and_left_untouched(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = make(tmp_path)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt):
        SqliteStore(tmp_path)
    assert path.read_bytes() == before


TABLES = [
    "hosts",
    "urls",
    "documents",
    "bodies",
    "visits",
    "links",
    "calls",
    "notes",
    "totals",
]


def killed(folder: Path, into: Path) -> Path:
    """A folder as a kill leaves it: with much in the database, and the last commits only in its
    write-ahead log.
    """
    store = SqliteStore(folder)
    store.commit(KNOWN)
    pages = [
        replace(DOCUMENT, page=page, url=f"http://a/{page}") for page in range(500)
    ]
    store.commit(
        Batch(
            pages=pages,
            links=[(page, links_to([1], [0])) for page in range(500)],
            visits=[replace(VISIT, number=number) for number in range(500)],
            calls=[Call(number, "x" * 50) for number in range(1, 501)],
            notes={f"note {number}": "x" for number in range(100)},
        )
    )
    store.close()
    store = SqliteStore(folder)
    store.commit(Batch(notes={"last": "words"}))
    shutil.copytree(folder, into, ignore=shutil.ignore_patterns("*-shm", "lock"))
    store.close()
    return into / "store.sqlite"


def roots(path: Path) -> dict[str, int]:
    """Where in the file each table begins: its first b-tree page."""
    connection = apsw.Connection(
        f"{path.as_uri()}?immutable=1",
        flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
    )
    found: list[Any] = connection.execute(
        "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'"
    ).fetchall()
    size = connection.pragma("page_size")
    connection.close()
    return {name: (page - 1) * size for name, page in found}


@pytest.mark.parametrize(
    "where",
    ["the magic", "the page size", "the schema", *TABLES, "half", "the last byte"],
)
def test_whatever_is_overwritten_or_cut_off_is_noticed_and_left_as_it_is(
    tmp_path: Path, where: str
) -> None:
    path = killed(tmp_path / "first", tmp_path / "second")
    data = bytearray(path.read_bytes())
    rng = random.Random(where)
    if where in TABLES:
        edit(tmp_path / "first" / "store.sqlite", "PRAGMA wal_checkpoint(TRUNCATE)")
        data = bytearray((tmp_path / "first" / "store.sqlite").read_bytes())
        place = roots(tmp_path / "first" / "store.sqlite")[where]
        data[place : place + 64] = rng.randbytes(64)
        (tmp_path / "second" / "store.sqlite-wal").unlink()
    elif where in ("half", "the last byte"):
        data = data[: len(data) // 2 if where == "half" else -1]
        (tmp_path / "second" / "store.sqlite-wal").unlink()
    else:
        start, length = {
            "the magic": (0, 16),
            "the page size": (16, 2),
            "the schema": (100, 300),
        }[where]
        data[start : start + length] = rng.randbytes(length)
        (tmp_path / "second" / "store.sqlite-wal").unlink()
    path.write_bytes(bytes(data))
    before = contents(path.parent)
    for _ in range(2):  # nor does the first refusal make a second one less sure
        with pytest.raises(StoreCorrupt):
            SqliteStore(path.parent)
    after = contents(path.parent)
    assert {name: after[name] for name in before} == before
    assert after.keys() - before.keys() <= {
        "lock",
        "store.sqlite-shm",
        "store.sqlite-wal",
    }
    assert not after.get("store.sqlite-wal")


def test_damage_beside_a_write_ahead_log_leaves_both_untouched(tmp_path: Path) -> None:
    path = killed(tmp_path / "first", tmp_path / "second")
    data = bytearray(path.read_bytes())
    place = roots(path)["urls"]
    data[place : place + 64] = random.Random(1).randbytes(64)
    path.write_bytes(bytes(data))
    before = contents(path.parent)
    assert before["store.sqlite-wal"], "there is one to be spoilt"
    with pytest.raises(StoreCorrupt):
        SqliteStore(path.parent)
    after = contents(path.parent)
    assert {name: after[name] for name in before} == before


def test_a_torn_end_of_the_write_ahead_log_is_what_a_kill_leaves(
    tmp_path: Path,
) -> None:
    path = killed(tmp_path / "first", tmp_path / "second")
    log = path.with_name("store.sqlite-wal")
    log.write_bytes(log.read_bytes() + random.Random(2).randbytes(3000))
    store = SqliteStore(path.parent)
    assert store.note("last") == "words"
    assert store.counts().held == 500
    store.close()


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """SQLite is told that the file may not grow: it answers as it does when the disk cannot."""
    make(tmp_path)
    store = SqliteStore(tmp_path)
    before = store.counts()
    writer = store._writer
    assert writer is not None
    writer.pragma("max_page_count", 1)  # the least it takes is the present size
    big = Batch(
        pages=[
            replace(DOCUMENT, page=page, text=os.urandom(3000).hex())
            for page in range(100)
        ]
    )
    with pytest.raises(DiskFull, match="make room"):
        store.commit(big)
    assert store.counts() == before
    assert store.page(1) is None
    writer.pragma("max_page_count", 1_000_000)
    store.commit(big)
    assert store.counts().held == 100
    store.close()


def test_a_disk_that_is_full_when_the_store_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lock").symlink_to("/dev/full")
    SqliteStore(tmp_path).close()  # the lock holds nothing, so it needs no room
    assert (tmp_path / "store.sqlite").exists()
    monkeypatch.setattr("trapline.stores.sqlite.file.fill", fail_for_want_of_room)
    with pytest.raises(DiskFull):
        SqliteStore(tmp_path / "new")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["lock"]


def fail_for_want_of_room(_: apsw.Connection) -> None:
    raise apsw.FullError("database or disk is full")


@pytest.mark.parametrize(
    "folder", ["/proc/nowhere/engine", "/dev/null", "/dev/null/engine"]
)
def test_a_folder_that_cannot_be_made(folder: str) -> None:
    with pytest.raises(FolderUnwritable, match="another --dir"):
        SqliteStore(Path(folder))


def test_a_folder_that_may_not_be_written_into() -> None:
    """Root may write everywhere, so the folder belongs to somebody whom the process becomes."""
    nobody = 65534 if os.geteuid() == 0 else -1
    with TemporaryDirectory() as place:
        folder = Path(place)
        os.chown(folder, nobody, -1)
        folder.chmod(0o500)
        with (
            as_user(nobody),
            pytest.raises(FolderUnwritable, match="Permission denied"),
        ):
            SqliteStore(folder)
        folder.chmod(0o700)
        assert list(folder.iterdir()) == []


@contextmanager
def as_user(number: int) -> Iterator[None]:
    """-1 = the present one."""
    before = os.geteuid()
    os.seteuid(number if number >= 0 else before)
    try:
        yield
    finally:
        os.seteuid(before)


def test_damage_that_shows_only_when_read(tmp_path: Path) -> None:
    path = make(tmp_path)
    edit(path, "UPDATE bodies SET text = x'789c00'")
    store = SqliteStore(tmp_path)
    with pytest.raises(StoreCorrupt):
        store.page(0)
    with pytest.raises(StoreCorrupt):
        list(store.changes())
    store.close()


def test_a_refused_folder_is_not_locked_for_ever(tmp_path: Path) -> None:
    path = make(tmp_path)
    good = path.read_bytes()
    without_a_table(path)
    with pytest.raises(StoreCorrupt):
        SqliteStore(tmp_path)
    path.write_bytes(good)
    SqliteStore(tmp_path).close()


def test_reading_where_nothing_is(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(FolderMissing):
            SqliteStore(folder, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_one_robot_per_folder(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path)
    with pytest.raises(FolderBusy):
        SqliteStore(tmp_path)
    SqliteStore(tmp_path, read_only=True).close()
    first.commit(KNOWN)  # the refused one has broken nothing
    first.close()
    SqliteStore(tmp_path).close()


def test_a_read_only_store_refuses_to_write(tmp_path: Path) -> None:
    make(tmp_path)
    store = SqliteStore(tmp_path, read_only=True)
    with pytest.raises(ValueError, match="reading only"):
        store.commit(Batch(notes={"a": "b"}))
    with pytest.raises(ValueError, match="reading only"):
        store.save_checkpoint(Checkpoint(1, {}))
    store.close()
    with pytest.raises(ValueError, match="closed"):
        store.counts()


def test_a_failure_in_the_middle_of_a_commit_leaves_nothing(tmp_path: Path) -> None:
    make(tmp_path)
    store = SqliteStore(tmp_path)
    before = store.counts()
    unwritable = replace(VISIT, remark=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        store.commit(
            Batch(
                pages=[replace(DOCUMENT, text="new")],
                gone=[1],
                visits=[VISIT, unwritable],
            )
        )
    assert store.counts() == before
    assert store.page(0) == DOCUMENT
    assert store.visits() == []
    store.close()


READER = """
import sys
from pathlib import Path
from trapline.stores.sqlite.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]), read_only=True)
for line in sys.stdin:
    print(store.counts().known, flush=True)
"""


def test_another_process_reads_while_one_writes(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin
        assert reader.stdout
        for page in range(3):
            store.commit(Batch(urls=[UrlRow(page, f"http://a/{page}", 0)]))
            reader.stdin.write("count\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == f"{page + 1}\n"
        reader.stdin.close()
        assert reader.wait(10) == 0
    store.close()


WRITER = """
import sys
from pathlib import Path
from trapline.core.links import links_to
from trapline.core.storage import Batch, Call, UrlRow
from trapline.core.records import Page
from trapline.stores.sqlite.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
first = store.counts().known // 20
for step in range(first, 100_000):
    pages = range(step * 20, step * 20 + 20)
    store.commit(Batch(
        urls=[UrlRow(page, f"http://a/{page}", 0) for page in pages],
        pages=[Page(page, f"http://a/{page}", "t", "x" * 2000, .5, page, "", "", 1., 1.)
               for page in pages],
        calls=[Call(step + 1, "call")],
        notes={"step": str(step)},
    ))
    print(step, flush=True)
"""


def test_a_kill_loses_no_committed_batch(tmp_path: Path) -> None:
    for steps in (5, 12, 3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdout
            lines = [writer.stdout.readline() for _ in range(steps)]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.readlines()
        last = int(lines[-1]) if lines[-1].endswith("\n") else int(lines[-2])
        store = SqliteStore(tmp_path)  # the dead robot's lock is free
        counts = store.counts()
        assert counts.known >= (last + 1) * 20
        assert counts.known % 20 == 0, "half a batch"
        assert (
            counts.held
            == counts.known
            == len(list(store.changes()))
            == len(list(store.urls()))
        )
        assert [call.number for call in store.calls(0)] == list(
            range(1, counts.known // 20 + 1)
        )
        assert store.note("step") == str(counts.known // 20 - 1)
        store.close()


def test_commits_in_one_thread_while_another_reads(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.commit(KNOWN)

    def work() -> None:
        for step in range(30):
            store.commit(
                Batch(
                    pages=[
                        replace(DOCUMENT, page=page, url=f"http://a/{page}")
                        for page in range(20)
                    ]
                )
            )
            store.save_checkpoint(Checkpoint(step, {"x": np.arange(10)}))

    worker = Thread(target=work)
    worker.start()
    while worker.is_alive():
        assert store.url(1999) == "http://a/1999"
        assert store.counts().held in (0, 20)
        assert len({change.page for change in store.changes()}) in (0, 20)
        store.held(3)
        store.load_checkpoint()
    worker.join()
    assert store.counts().revision == 600
    store.close()
