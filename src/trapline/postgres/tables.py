"""The tables of a crawl in PostgreSQL, in a schema of their own.

Every key of a shard's rows begins with the shard: rows of one shard lie together, and could lie on
a server of their own. Texts, links and calls are packed before they come here.

`treasurer` has what one process does at a time: 1 = it sets the rates, 2 = it starts the workers.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 1

LEDGER_TABLES: Final = """
CREATE TABLE @founding (id int PRIMARY KEY, shards int NOT NULL, settings text NOT NULL,
    budget_per_s float8 NOT NULL);
CREATE TABLE @shards (shard int PRIMARY KEY, epoch bigint NOT NULL, owner text NOT NULL,
    until timestamptz NOT NULL, rate float8 NOT NULL, heard float8 NOT NULL, report text NOT NULL,
    reported timestamptz);
CREATE TABLE @workers (name text PRIMARY KEY, until timestamptz NOT NULL, load float8 NOT NULL,
    draining boolean NOT NULL);
CREATE TABLE @mail (shard int NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY,
    sender int NOT NULL, posted timestamptz NOT NULL DEFAULT clock_timestamp(),
    body bytea NOT NULL, PRIMARY KEY (shard, number));
CREATE TABLE @homes (address text PRIMARY KEY, shard int NOT NULL);
CREATE TABLE @moved_hosts (number bigint PRIMARY KEY, name text NOT NULL UNIQUE,
    shard int NOT NULL, address text NOT NULL);
CREATE TABLE @bids (shard int PRIMARY KEY, prices float8[] NOT NULL, per_s float8[] NOT NULL);
CREATE TABLE @treasurer (id int PRIMARY KEY, worker text NOT NULL, until timestamptz NOT NULL);
CREATE TABLE @counters (name text PRIMARY KEY, last bigint NOT NULL);
CREATE TABLE @lines (kind text NOT NULL, number bigint NOT NULL, line text NOT NULL,
    PRIMARY KEY (kind, number));
CREATE TABLE @ledger_notes (key text PRIMARY KEY, value text NOT NULL);
"""
STORE_TABLES: Final = """
CREATE TABLE @totals (shard int PRIMARY KEY, hosts int NOT NULL DEFAULT 0,
    known bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0,
    visits bigint NOT NULL DEFAULT 0, revision bigint NOT NULL DEFAULT 0,
    diffs bigint NOT NULL DEFAULT 0, calls_dropped bigint NOT NULL DEFAULT 0,
    batch text NOT NULL DEFAULT '');
CREATE TABLE @hosts (shard int NOT NULL, host int NOT NULL, name text NOT NULL, home text NOT NULL,
    robots_text bytea, robots_until_s float8, robots_rules bytea, PRIMARY KEY (shard, host));
CREATE TABLE @urls (shard int NOT NULL, page bigint NOT NULL, url text NOT NULL, host int NOT NULL,
    PRIMARY KEY (shard, page));
CREATE INDEX urls_by_hash ON @urls (shard, hashtext(url));
CREATE TABLE @documents (shard int NOT NULL, page bigint NOT NULL, revision bigint NOT NULL,
    held boolean NOT NULL, relevance float8 NOT NULL, fingerprint bigint NOT NULL,
    etag text NOT NULL, last_modified text NOT NULL, fetched_s float8 NOT NULL,
    changed_s float8 NOT NULL, language text NOT NULL, simhash bigint NOT NULL,
    same_as bigint NOT NULL, fields text NOT NULL, rules bigint NOT NULL,
    PRIMARY KEY (shard, page));
CREATE INDEX documents_by_revision ON @documents (shard, revision);
CREATE INDEX documents_by_original ON @documents (shard, same_as) WHERE same_as >= 0;
CREATE TABLE @bodies (shard int NOT NULL, page bigint NOT NULL, title text NOT NULL,
    body bytea NOT NULL, form bytea, PRIMARY KEY (shard, page));
CREATE TABLE @links (shard int NOT NULL, page bigint NOT NULL, links bytea NOT NULL,
    PRIMARY KEY (shard, page));
CREATE TABLE @link_texts (shard int NOT NULL, page bigint NOT NULL, changes bigint NOT NULL,
    entries bytea NOT NULL, PRIMARY KEY (shard, page));
CREATE TABLE @link_sources (shard int NOT NULL, page bigint NOT NULL, texts bytea NOT NULL,
    PRIMARY KEY (shard, page));
CREATE TABLE @visits (shard int NOT NULL, number bigint NOT NULL, page bigint NOT NULL,
    host int NOT NULL, kind smallint NOT NULL, issued_s float8 NOT NULL, ended_s float8 NOT NULL,
    price float8 NOT NULL, outcome smallint NOT NULL, status int NOT NULL, changed boolean NOT NULL,
    relevance float8 NOT NULL, remark text NOT NULL, PRIMARY KEY (shard, number));
CREATE INDEX visits_by_page ON @visits (shard, page, number);
CREATE TABLE @diffs (shard int NOT NULL, number bigint NOT NULL, page bigint NOT NULL,
    at_s float8 NOT NULL, turn text NOT NULL, added int NOT NULL, removed int NOT NULL,
    remark text NOT NULL, PRIMARY KEY (shard, number));
CREATE INDEX diffs_of_trouble ON @diffs (shard, page, number) WHERE turn IN ('failing', 'back');
CREATE TABLE @last_changes (shard int NOT NULL, page bigint NOT NULL, at_s float8 NOT NULL,
    lines bytea NOT NULL, PRIMARY KEY (shard, page));
CREATE TABLE @versions (shard int NOT NULL, page bigint NOT NULL, number int NOT NULL,
    at_s float8 NOT NULL, title text NOT NULL, fingerprint bigint NOT NULL, body bytea,
    PRIMARY KEY (shard, page, number));
CREATE TABLE @calls (shard int NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
    body bytea NOT NULL, PRIMARY KEY (shard, first));
CREATE TABLE @checkpoints (shard int NOT NULL, number bigint NOT NULL, chunk int NOT NULL,
    chunks int NOT NULL, calls bigint NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (shard, number, chunk));
CREATE TABLE @notes (shard int NOT NULL, key text NOT NULL, value text NOT NULL,
    PRIMARY KEY (shard, key));
"""
# Texts and links are packed already: the server need not try.
STORAGE: Final = """
ALTER TABLE @bodies ALTER body SET STORAGE EXTERNAL, ALTER form SET STORAGE EXTERNAL;
ALTER TABLE @links ALTER links SET STORAGE EXTERNAL;
ALTER TABLE @calls ALTER body SET STORAGE EXTERNAL;
ALTER TABLE @checkpoints ALTER body SET STORAGE EXTERNAL;
ALTER TABLE @mail ALTER body SET STORAGE EXTERNAL;
"""
ABOUT: Final = "CREATE TABLE @about (id int PRIMARY KEY, version int NOT NULL)"
EVERYTHING: Final = f"{LEDGER_TABLES}{STORE_TABLES}{STORAGE}{ABOUT}"
