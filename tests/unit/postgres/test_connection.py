"""Connections that stand still or break must not stop others, nor whoever uses them next."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from urllib.parse import parse_qs, urlsplit

import pytest

import trapline.postgres.connection as connection_module
from tests.postgres_server import cut_connections, fresh_address
from trapline.core.errors import Fenced, StoreAway
from trapline.core.ledger import Founding
from trapline.core.records import Visit
from trapline.core.storage import Batch
from trapline.ledgers.postgres.ledger import PostgresLedger
from trapline.postgres.address import read_address
from trapline.postgres.connection import Database, connect, open_database
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


def test_few_are_kept_while_nobody_uses_them(database: Database) -> None:
    """A server has about a hundred of them for all workers."""
    with ExitStack() as all_at_once:
        for _ in range(connection_module.MOST):
            all_at_once.enter_context(database.transaction())
    assert len(database._idle) == connection_module.KEPT
    assert not any(connection.closed for connection in database._idle)


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


def test_what_is_done_is_durable_also_where_the_server_need_not_be() -> None:
    """It would give one epoch to two owners after a crash."""
    hasty = fresh_address().replace("#", "&options=-csynchronous_commit%3Doff#")
    opened = open_database(read_address(hasty), create=True)
    show = "SHOW synchronous_commit"
    try:
        with connect(opened.address) as connection:
            assert connection.execute(show).fetchone() == ("off",)
        with opened.transaction() as cursor:
            assert cursor.execute(show).fetchone() == ("on",)
    finally:
        opened.close()


def test_a_way_that_swallows_what_is_sent_is_given_up() -> None:
    """The system would try for a quarter of an hour."""
    address = read_address(fresh_address())
    (folder,) = parse_qs(urlsplit(address.uri).query)["host"]
    with way_to(f"{folder}/.s.PGSQL.5432") as port:
        uri = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        connection = connect(read_address(uri))
        with socket.socket(fileno=os.dup(connection.fileno())) as ours, connection:
            said = ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert said == 1000 * connection_module.SILENT_S
            assert connection.execute("SELECT 1").fetchone() == (1,)


@contextmanager
def way_to(path: str) -> Iterator[int]:
    """A port of this machine that leads to a server's own socket, for one connection."""

    def carry(come: socket.socket, go: socket.socket) -> None:
        while content := come.recv(4096):
            go.sendall(content)
        go.shutdown(socket.SHUT_WR)

    with (
        socket.create_server(("127.0.0.1", 0)) as door,
        socket.socket(socket.AF_UNIX) as server,
        ThreadPoolExecutor(3) as pool,
    ):
        server.connect(path)

        def serve() -> None:
            with door.accept()[0] as client:
                back = pool.submit(carry, server, client)
                carry(client, server)
                back.result()

        pool.submit(serve)
        yield int(door.getsockname()[1])


class Waiting(list[Visit]):
    """Visits that whoever writes them must wait for, as if its process stood still."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def __iter__(self) -> Iterator[Visit]:
        self.asked.set()
        assert self.go_on.wait(PATIENCE_S)
        return super().__iter__()

    def __bool__(self) -> bool:
        return True


def test_an_owner_that_stands_still_while_it_commits_keeps_its_shard_from_nobody(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the lock of the shard's row; awake again, it writes nothing."""
    quick = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '300ms'"
    monkeypatch.setattr(connection_module, "_BEGIN", quick)
    ledger = PostgresLedger(database)
    (stopped,) = ledger.claim("stopped", 1)
    with database.transaction() as cursor:
        cursor.execute(database.sql("UPDATE @shards SET until = '-infinity'"))
    visits = Waiting()
    store = PostgresStore(database, stopped.shard, stopped.epoch)
    batch = Batch(visits=visits, notes={"key": "value"})
    with ThreadPoolExecutor() as pool:
        commit = pool.submit(store.commit, batch)
        try:
            assert visits.asked.wait(PATIENCE_S)
            monkeypatch.undo()  # whoever is slow from here on need not be quick
            assert ledger.be_treasurer("b")
            assert ledger.grant("b", {0: 0.5, 1: 0.5}), "rates wait for it no longer"
            wait_until(lambda: stopped.shard in owned_by(ledger, "b"))
        finally:
            visits.go_on.set()
        with pytest.raises(StoreAway):
            commit.result()
    with pytest.raises(Fenced):
        store.commit(batch)
    assert store.note("key") is None


def owned_by(ledger: PostgresLedger, worker: str) -> list[int]:
    """With all that it can claim."""
    ledger.claim(worker, 9)
    return [row.shard for row in ledger.shards() if row.owner == worker]
