"""Connections that stand still or break must not stop others, nor whoever uses them next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

import trapline.postgres.connection as connection_module
from tests.postgres_server import cut_connections, fresh_address
from trapline.core.errors import Fenced, StoreAway
from trapline.core.ledger import Founding
from trapline.core.storage import Batch
from trapline.ledgers.postgres.ledger import PostgresLedger
from trapline.postgres.address import read_address
from trapline.postgres.connection import Database, open_database
from trapline.stores.postgres.store import PostgresStore

PATIENCE_S = 60.0


@pytest.fixture
def database() -> Iterator[Database]:
    opened = open_database(read_address(fresh_address()), create=True)
    PostgresLedger(opened).establish(Founding(2, "{}", 2.0))
    yield opened
    opened.close()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline_s
        time.sleep(0.05)


def test_connections_that_broke_while_they_were_idle_are_no_news(
    database: Database,
) -> None:
    ledger = PostgresLedger(database)
    with database.transaction(), database.transaction():
        pass  # two of them
    assert cut_connections() >= 2
    assert len(ledger.shards()) == 2


def test_one_that_breaks_in_a_transaction_is_named(database: Database) -> None:
    with pytest.raises(StoreAway), database.transaction() as cursor:
        cut_connections()
        cursor.execute("SELECT 1")
    assert len(PostgresLedger(database).shards()) == 2


def test_a_transaction_that_fails_is_undone(database: Database) -> None:
    ledger = PostgresLedger(database)
    with pytest.raises(ValueError), database.transaction() as cursor:
        cursor.execute(database.sql("UPDATE @shards SET rate = 99"))
        raise ValueError
    assert [row.rate_per_s for row in ledger.shards()] == [1.0, 1.0]


def test_an_owner_that_stands_still_while_it_commits_keeps_its_shard_from_nobody(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the lock of the row; awake again, it writes nothing."""
    quick = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '300ms'"
    monkeypatch.setattr(connection_module, "_BEGIN", quick)
    ledger = PostgresLedger(database)
    leases = ledger.claim("stopped", 2)
    store = PostgresStore(database, 0, leases[0].epoch)
    with pytest.raises(StoreAway), database.transaction() as cursor:
        store._fence(cursor)
        cursor.execute(database.sql("UPDATE @totals SET visits = 99 WHERE shard = 0"))
        ledger_of_others = PostgresLedger(database)
        with database.transaction() as clock:
            clock.execute(
                database.sql("UPDATE @shards SET until = '-infinity' WHERE shard = 1")
            )
        assert [lease.shard for lease in ledger_of_others.claim("b", 2)] == [1]
        # whoever sets rates waits for it no longer either
        assert ledger_of_others.be_treasurer("b")
        assert ledger_of_others.grant("b", {0: 0.5, 1: 0.5})
    ledger.release("stopped", 0, leases[0].epoch)
    assert [lease.epoch for lease in ledger.claim("b", 1)] == [2]
    with pytest.raises(Fenced):
        store.commit(Batch(notes={"key": "value"}))
    assert store.note("key") is None
