"""The tables of `store.sqlite`, and how older stores are brought up to date.

Keys are integers, so rows are appended at the end of a table and never scattered over it. Bodies
lie apart: noting that a page was seen again rewrites a short row and not the text. The row of
`totals` makes counting free for readers.
"""

from __future__ import annotations

from typing import Final

import apsw

VERSION: Final = 10
LINKS_SINCE: Final = 2  # version
DIFFS_SINCE: Final = 3  # version, also of languages and simhashes
RULES_SINCE: Final = 5  # version, of compiled rules of robots.txt
TEXTS_SINCE: Final = 6  # version, of what links call their targets
FORMS_SINCE: Final = (
    7  # version, of the forms that Markdown needs, and of changed lines
)
VERSIONS_SINCE: Final = 8  # version, of earlier texts, and of remarks on changes
FIELDS_SINCE: Final = 9  # version, of what rules pick out of pages
APPLICATION_ID: Final = int.from_bytes(b"TrpL", "big")

# readable by their ends only: they are most of the bytes
BULKY: Final = frozenset(
    (
        "bodies",
        "visits",
        "links",
        "link_texts",
        "link_sources",
        "diffs",
        "last_changes",
        "versions",
    )
)
_FIRST_TABLES: Final = frozenset(
    ("hosts", "urls", "documents", "bodies", "visits", "calls", "notes", "totals")
)
_FIRST_SCHEMA: Final = """
CREATE TABLE hosts (host INTEGER PRIMARY KEY, name TEXT NOT NULL, home TEXT NOT NULL,
    robots_text TEXT, robots_until_s REAL);
CREATE TABLE urls (page INTEGER PRIMARY KEY, url TEXT NOT NULL, host INTEGER NOT NULL);
CREATE TABLE documents (page INTEGER PRIMARY KEY, revision INTEGER NOT NULL, held INTEGER NOT NULL,
    relevance REAL NOT NULL, fingerprint INTEGER NOT NULL, etag TEXT NOT NULL,
    last_modified TEXT NOT NULL, fetched_s REAL NOT NULL, changed_s REAL NOT NULL);
CREATE INDEX documents_by_revision ON documents (revision);
CREATE TABLE bodies (page INTEGER PRIMARY KEY, title TEXT NOT NULL, text BLOB NOT NULL);
CREATE TABLE visits (number INTEGER PRIMARY KEY, page INTEGER NOT NULL, host INTEGER NOT NULL,
    kind INTEGER NOT NULL, issued_s REAL NOT NULL, ended_s REAL NOT NULL, price REAL NOT NULL,
    outcome INTEGER NOT NULL, status INTEGER NOT NULL, changed INTEGER NOT NULL,
    relevance REAL NOT NULL, remark TEXT NOT NULL);
CREATE INDEX visits_by_page ON visits (page, number);
CREATE TABLE calls (number INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE notes (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
CREATE TABLE totals (id INTEGER PRIMARY KEY, hosts INTEGER NOT NULL, known INTEGER NOT NULL,
    held INTEGER NOT NULL, visits INTEGER NOT NULL, revision INTEGER NOT NULL,
    calls_dropped INTEGER NOT NULL);
INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0, 0);
"""
_DIFFS_SCHEMA: Final = """
CREATE TABLE diffs (number INTEGER PRIMARY KEY, page INTEGER NOT NULL, at_s REAL NOT NULL,
    turn TEXT NOT NULL, added INTEGER NOT NULL, removed INTEGER NOT NULL);
ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN simhash INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN same_as INTEGER NOT NULL DEFAULT -1;
CREATE INDEX documents_by_original ON documents (same_as) WHERE same_as >= 0
"""
# of a target what others call it, of a page what it is counted for there
_TEXTS_SCHEMA: Final = """
CREATE TABLE link_texts (page INTEGER PRIMARY KEY, changes INTEGER NOT NULL, entries BLOB NOT NULL);
CREATE TABLE link_sources (page INTEGER PRIMARY KEY, texts BLOB NOT NULL)
"""
# of paragraphs only, and of older pages, there is no form
_FORMS_SCHEMA: Final = """
ALTER TABLE bodies ADD COLUMN form BLOB;
CREATE TABLE last_changes (page INTEGER PRIMARY KEY, at_s REAL NOT NULL, lines BLOB NOT NULL)
"""
# a text that is not there is that of another version of the page with the same fingerprint
_VERSIONS_SCHEMA: Final = """
CREATE TABLE versions (id INTEGER PRIMARY KEY, page INTEGER NOT NULL, number INTEGER NOT NULL,
    at_s REAL NOT NULL, title TEXT NOT NULL, fingerprint INTEGER NOT NULL, text BLOB);
CREATE UNIQUE INDEX versions_by_page ON versions (page, number);
ALTER TABLE diffs ADD COLUMN remark TEXT NOT NULL DEFAULT '';
CREATE INDEX diffs_of_trouble ON diffs (page, number) WHERE turn IN ('failing', 'back')
"""
# of pages that were read without rules, and of older ones, there are none
_FIELDS_SCHEMA: Final = """
ALTER TABLE documents ADD COLUMN fields TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN rules INTEGER NOT NULL DEFAULT 0
"""
# letters that left with a batch and wait to be handed on, and those that were read; numbers are
# never given twice
_MAIL_SCHEMA: Final = """
CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, receiver INTEGER NOT NULL,
    body BLOB NOT NULL);
CREATE TABLE read_letters (number INTEGER PRIMARY KEY)
"""
# by version: (a table that it has, how to get there from the version before)
_STEPS: Final = {
    2: ("links", "CREATE TABLE links (page INTEGER PRIMARY KEY, links BLOB NOT NULL)"),
    3: ("diffs", _DIFFS_SCHEMA),
    # no new table: since then texts and links are packed by zstd, which older readers do not know
    4: ("bodies", ""),
    # since then texts of robots.txt are packed, and compiled rules lie beside them
    5: ("hosts", "ALTER TABLE hosts ADD COLUMN robots_rules BLOB"),
    6: ("link_texts", _TEXTS_SCHEMA),
    7: ("last_changes", _FORMS_SCHEMA),
    8: ("versions", _VERSIONS_SCHEMA),
    9: ("documents", _FIELDS_SCHEMA),
    10: ("outbox", _MAIL_SCHEMA),
}


def tables_of(version: int) -> frozenset[str]:
    """The tables that a store of this version must have."""
    added = (table for since, (table, _) in _STEPS.items() if since <= version)
    return _FIRST_TABLES.union(added)


def fill(connection: apsw.Connection) -> None:
    """Make the tables of a new store."""
    with connection:
        connection.execute(_FIRST_SCHEMA)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", 1)
        upgrade(connection)
    connection.pragma("journal_mode", "wal")


def upgrade(connection: apsw.Connection) -> None:
    """Bring an older store up to date: all of it or nothing."""
    with connection:
        for version in range(connection.pragma("user_version") + 1, VERSION + 1):
            connection.execute(_STEPS[version][1])
            connection.pragma("user_version", version)
