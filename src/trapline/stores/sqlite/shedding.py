"""Letting go of hosts that another shard has taken over, in SQLite.

Their numbers and names stay, for numbers are dense; and so do counts of what others call their
pages. Everything else is the other shard's: a copy of this store holds it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import apsw

from trapline.core.records import Kind
from trapline.stores.checkpoint_files import sync_folder

_PAGES: Final = """
CREATE TEMP TABLE given AS SELECT page FROM urls WHERE host IN (SELECT value FROM json_each(?))
"""
_VISITS: Final = "FROM visits WHERE host IN (SELECT value FROM json_each(?))"
NAME: Final = "store.sqlite"
_DROPPED: Final = [
    "bodies",
    "links",
    "link_sources",
    "last_changes",
    "versions",
    "diffs",
]
_GONE: Final = """
UPDATE documents SET held = 0, relevance = 0, fingerprint = 0, etag = '', last_modified = '',
    fetched_s = 0, changed_s = 0, language = '', simhash = 0, same_as = -1, fields = '', rules = 0,
    revision = ? WHERE page = ?
"""


def copy_store(folder: Path, to: Path) -> None:
    """A store that nobody has open, and its checkpoints; its letters stay with the first."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for path in [*folder.glob("checkpoint-*.npz"), *folder.glob(f"{NAME}*")]:
        shutil.copy2(path, to / path.name)
    connection = apsw.Connection(str(to / NAME))
    try:
        connection.execute("DELETE FROM outbox; DELETE FROM read_letters")
    finally:
        connection.close()
    for path in to.iterdir():
        _sync(path)
    sync_folder(to)
    sync_folder(to.parent)


def shed_hosts(connection: apsw.Connection, hosts: Sequence[int]) -> None:
    """In a transaction of the caller's; doing it again changes nothing."""
    numbers = json.dumps(list(hosts))
    connection.execute("DROP TABLE IF EXISTS temp.given")
    connection.execute(_PAGES, (numbers,))
    sql = (
        f"UPDATE totals SET visits = visits - (SELECT count(*) {_VISITS} AND kind = ?)"
    )
    connection.execute(sql, (numbers, int(Kind.PAGE)))
    connection.execute(f"DELETE {_VISITS}", (numbers,))
    for table in _DROPPED:
        sql = f"DELETE FROM {table} WHERE page IN (SELECT page FROM given)"
        connection.execute(sql)
    _let_documents_go(connection)
    connection.execute("DROP TABLE temp.given")


def _let_documents_go(connection: apsw.Connection) -> None:
    held = "SELECT page FROM documents WHERE held AND page IN (SELECT page FROM given)"
    pages = [(page,) for (page,) in connection.execute(f"{held} ORDER BY page")]
    [(revision,)] = connection.execute("SELECT revision FROM totals")
    gone = [(revision + n, *page) for n, page in enumerate(pages, 1)]
    connection.executemany(_GONE, gone)
    sql = "UPDATE totals SET held = held - ?1, revision = revision + ?1"
    connection.execute(sql, (len(pages),))


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
