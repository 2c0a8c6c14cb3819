"""The tables of `ledger.sqlite`.

A moment at which something ends is (boot, until_s): in another boot it has ended. Ages are of the
wall clock (…_at_s): people read them, nothing hangs on them.

`treasurer` has what one process does at a time: 1 = it sets the rates, 2 = it starts the workers.
"""

from __future__ import annotations

from typing import Final

import apsw

VERSION: Final = 1
APPLICATION_ID: Final = int.from_bytes(b"TrpG", "big")

# AUTOINCREMENT: a number of a letter that was read is never given to another
_SCHEMA: Final = """
CREATE TABLE founding (id INTEGER PRIMARY KEY, shards INTEGER NOT NULL, settings TEXT NOT NULL,
    budget_per_s REAL NOT NULL);
CREATE TABLE shards (shard INTEGER PRIMARY KEY, epoch INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', boot TEXT NOT NULL DEFAULT '', until_s REAL NOT NULL DEFAULT 0,
    rate REAL NOT NULL, heard REAL NOT NULL, report TEXT NOT NULL DEFAULT '', reported_at_s REAL);
CREATE TABLE workers (name TEXT PRIMARY KEY, boot TEXT NOT NULL, until_s REAL NOT NULL,
    load REAL NOT NULL, draining INTEGER NOT NULL DEFAULT 0);
CREATE TABLE letters (number INTEGER PRIMARY KEY AUTOINCREMENT, shard INTEGER NOT NULL,
    sender INTEGER NOT NULL, posted_at_s REAL NOT NULL, body BLOB NOT NULL);
CREATE INDEX letters_by_shard ON letters (shard, number);
CREATE TABLE posted (sender INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE homes (address TEXT PRIMARY KEY, shard INTEGER NOT NULL);
CREATE TABLE moved_hosts (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    shard INTEGER NOT NULL, address TEXT NOT NULL);
CREATE TABLE bids (shard INTEGER PRIMARY KEY, prices TEXT NOT NULL, per_s TEXT NOT NULL);
CREATE TABLE treasurer (id INTEGER PRIMARY KEY, worker TEXT NOT NULL, boot TEXT NOT NULL,
    until_s REAL NOT NULL);
CREATE TABLE lines (kind TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (kind, number)) WITHOUT ROWID;
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def fill(connection: apsw.Connection) -> None:
    """Make the tables of a new ledger."""
    with connection:
        connection.execute(_SCHEMA)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", VERSION)
    connection.pragma("journal_mode", "wal")
