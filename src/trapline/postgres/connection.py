"""Connections to a PostgreSQL: taken for one transaction each, and made anew when they break.

Nothing is left in a session (no settings, prepared statements or locks beyond a transaction), so a
pooler such as PgBouncer may stand between. psycopg is loaded when the first connection is made.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from trapline.core.errors import (
    CrawlMissing,
    StoreAway,
    StoreNewer,
    StoreSilent,
    StoreUnusable,
)
from trapline.postgres.address import StoreAddress
from trapline.postgres.password_hiding import redact
from trapline.postgres.tables import EVERYTHING, VERSION

if TYPE_CHECKING:
    import psycopg

OLDEST: Final = 15  # version of the server
CONNECT_S: Final = 10
SILENT_S: Final = 20  # a way to the server that answers nothing for so long is given up
MOST: Final = 12  # connections of one process at once, for a ledger or for stores
KEPT: Final = (
    3  # of these, while nobody uses them: a server has a hundred for everybody
)
IDLE_S: Final = (
    10  # between two statements, until a transaction is undone; less than a lease
)
# A process that stands still, or a machine that is gone, must not keep locks from everybody: its
# shard could not be claimed, nor rates be set. And a server that is told not to wait for its disk
# would forget who owns what when it crashes. Said with BEGIN, it costs no round trip.
_BEGIN: Final = (
    f"BEGIN; SET LOCAL idle_in_transaction_session_timeout = '{IDLE_S}s';"
    " SET LOCAL synchronous_commit = on"
)
_ONE_MOMENT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_PASSWORD: Final = ("28P01", "28000")
# it is starting up, shutting down or in recovery; it has all the connections that it takes
_NOT_NOW: Final = ("the database system is", "too many c", "connection slots are res")
_NO_DATABASE: Final = "3D000"
# somebody else makes the same tables at this moment
_MADE_ALREADY: Final = ("42P06", "42P07", "23505", "42710")
_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # milliseconds; else what was sent to a machine that is gone is sent for a quarter of an hour
    "tcp_user_timeout": 1000 * SILENT_S,
    "application_name": "trapline",
}


class Database:
    """The tables of one crawl. Any thread may use it."""

    def __init__(self, address: StoreAddress) -> None:
        self.address = address
        self.schema = address.schema
        self.shown = address.shown
        self._idle: list[psycopg.Connection[Any]] = []
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(MOST)

    @contextmanager
    def transaction(self, *, one_moment: bool = False) -> Iterator[Any]:
        """A cursor; what is done with it is durable in the end, or undone.

        StoreAway if nobody answers. `one_moment`: all is read as of its beginning.
        """
        import psycopg

        with self._room:
            connection = self._begin(_ONE_MOMENT if one_moment else _BEGIN)
            sound = False
            try:
                with (
                    _naming(self.shown),
                    _ending(connection),
                    connection.cursor() as cursor,
                ):
                    yield cursor
                sound = True
            except (StoreAway, psycopg.Error):
                raise
            except BaseException:
                sound = not connection.closed and not connection.broken
                raise
            finally:
                self._give_back(connection, sound=sound)

    def sql(self, text: str) -> str:
        """With every table named by its schema: a pooled session has no search path of ours."""
        return text.replace("@", f"{self.schema}.")

    def close(self) -> None:
        with self._lock:
            idle = self._idle
            self._idle = []
        for connection in idle:
            with suppress(Exception):
                connection.close()

    def _begin(self, text: str) -> psycopg.Connection[Any]:
        """A connection in a transaction: one that has broken while it was idle is no news."""
        while (idle := self._take_idle()) is not None:
            with suppress(StoreAway), _naming(self.shown):
                idle.execute(text)
                return idle
            self._give_back(idle, sound=False)
        with _naming(self.shown):
            connection = connect(self.address)
            try:
                connection.execute(text)
            except BaseException:
                connection.close()
                raise
            return connection

    def _take_idle(self) -> psycopg.Connection[Any] | None:
        with self._lock:
            while self._idle:
                connection = self._idle.pop()
                if not connection.closed:
                    return connection
        return None

    def _give_back(self, connection: psycopg.Connection[Any], *, sound: bool) -> None:
        if sound and not connection.closed and self._keep(connection):
            return
        with suppress(Exception):
            connection.close()
        if not sound:  # those that are idle have probably broken, too
            self.close()

    def _keep(self, connection: psycopg.Connection[Any]) -> bool:
        with self._lock:
            if len(self._idle) >= KEPT:
                return False
            self._idle.append(connection)
            return True


def connect(address: StoreAddress) -> psycopg.Connection[Any]:
    import psycopg

    return psycopg.connect(
        address.uri, autocommit=True, prepare_threshold=None, **_OPTIONS
    )


@contextmanager
def _ending(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """A transaction that has begun."""
    try:
        yield
    except BaseException:
        with suppress(Exception):  # it has broken, and is undone anyway
            connection.rollback()
        raise
    connection.commit()


@contextmanager
def _naming(shown: str) -> Iterator[None]:
    import psycopg
    from psycopg.errors import (
        IdleInTransactionSessionTimeout,
        InsufficientPrivilege,
        ReadOnlySqlTransaction,
    )

    breaks = (psycopg.OperationalError, psycopg.InterfaceError)
    # who stood still in a transaction is cut off; one that only reads is to follow another
    others = (IdleInTransactionSessionTimeout, ReadOnlySqlTransaction)
    try:
        yield
    except (*breaks, *others) as failure:
        raise StoreAway(shown, _last_line(failure)) from failure
    except InsufficientPrivilege as failure:
        remedy = "come as the user who made the crawl, or have that user GRANT it"
        raise StoreUnusable(shown, _last_line(failure), remedy) from failure


def _last_line(failure: Exception) -> str:
    """What the server said, without where it was asked, and what that probably means."""
    lines = [
        line
        for line in str(failure).splitlines()
        if line.strip() and not line.startswith(("\t", "DETAIL:", "HINT:"))
    ]
    said = lines[-1].strip() if lines else type(failure).__name__
    return said.rpartition("FATAL:  ")[2].rpartition("failed: ")[2].rstrip(".")


def open_database(address: StoreAddress, *, create: bool) -> Database:
    """A database that can be used, with its tables.

    StoreUnusable, StoreSilent, StoreNewer or CrawlMissing; StoreAway if it will be one soon.
    """
    _check_server(address)
    database = Database(address)
    try:
        version = _version(database)
        if version is None and not create:
            raise CrawlMissing(address.shown)
        if version is None:
            _make_tables(database)
        elif version > VERSION:
            raise StoreNewer(address.shown, version, VERSION)
    except BaseException:
        database.close()
        raise
    return database


def _check_server(address: StoreAddress) -> None:
    """Before anything is written: whether it is there, lets us in, and is new enough."""
    import psycopg

    try:
        with connect(address) as connection:
            check_version(address, connection.info.server_version)
    except psycopg.OperationalError as failure:
        if any(sign in str(failure) for sign in _NOT_NOW):
            raise StoreAway(address.shown, _last_line(failure)) from None
        raise _name_refusal(address, failure) from None
    except psycopg.ProgrammingError as failure:
        problem = redact(_last_line(failure), address.uri)
        raise StoreUnusable(address.shown, problem, "check the address") from None


def check_version(address: StoreAddress, version: int) -> None:
    """
    >>> from trapline.postgres.address import read_address
    >>> check_version(read_address("postgresql://db/x"), 140009)
    Traceback (most recent call last):
    trapline.core.errors.StoreUnusable: cannot use postgresql://db/x: its server is PostgreSQL \
14; use one of version 15 or newer
    """
    if version // 10_000 < OLDEST:
        raise StoreUnusable(
            address.shown,
            f"its server is PostgreSQL {version // 10_000}",
            f"use one of version {OLDEST} or newer",
        )


def _name_refusal(
    address: StoreAddress, failure: psycopg.OperationalError
) -> StoreUnusable:
    said = _last_line(failure)
    state = getattr(failure, "sqlstate", None) or ""
    if state in _PASSWORD or "password" in said:
        remedy = "set PGPASSWORD, or write it into ~/.pgpass"
    elif state == _NO_DATABASE or "does not exist" in said:
        remedy = "check the name of the database"
    else:
        return StoreSilent(address.shown, said)
    return StoreUnusable(address.shown, said, remedy)


def _version(database: Database) -> int | None:
    """Of the tables; None = there are none."""
    with database.transaction() as cursor:
        about = f"{database.schema}.about"
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", (about,))
        if not cursor.fetchone()[0]:
            return None
        cursor.execute(f"SELECT version FROM {about}")
        row = cursor.fetchone()
        return None if row is None else int(row[0])


def _make_tables(database: Database) -> None:
    """All or none; several workers may try at once."""
    import psycopg

    text = database.sql(EVERYTHING)
    try:
        with database.transaction() as cursor:
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {database.schema}")
            cursor.execute(text)
            cursor.execute(
                database.sql("INSERT INTO @about VALUES (1, %s)"), (VERSION,)
            )
    except StoreUnusable:
        raise StoreUnusable(
            database.shown,
            "its user may not create tables there",
            "let the owner say GRANT CREATE ON DATABASE … TO that user",
        ) from None
    except psycopg.Error as failure:
        if failure.sqlstate not in _MADE_ALREADY or _version(database) is None:
            raise
