"""Where a crawl in shards is kept: a folder of this machine, or a PostgreSQL.

A folder has `ledger.sqlite`, a folder for each shard below `shards`, and `index`, in which all of
it is searched. Beside a PostgreSQL only logs and WARC files are written on the worker's own disk.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from trapline.app.folder.places.crawl_store import SHARDS
from trapline.app.folder.places.store_link import (
    PASSWORD,
    cache_folder,
    hand_over_password,
    link_folder,
    linked_address,
)
from trapline.app.output.standard_output import print_remark
from trapline.app.shards.shard_engine import OpenedStore
from trapline.core.errors import CrawlMissing, FolderMissing
from trapline.core.ledger import LEDGER_FILE, Lease, Ledger
from trapline.ledgers.open_ledger import open_ledger
from trapline.postgres.address import is_store_address, read_address
from trapline.stores.sqlite.shedding import copy_store
from trapline.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from trapline.postgres.connection import Database


class ShardStores(Protocol):
    """Opens stores; to be closed after all of them."""

    def open(self, lease: Lease) -> OpenedStore: ...

    def copy(self, shard: int, to: int) -> None:
        """All that a shard has once more, in place of what is there; nobody has either open."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class FolderStores:
    folder: Path

    def open(self, lease: Lease) -> OpenedStore:
        store = SqliteStore(self.folder / f"{lease.shard:03}", say=print_remark)
        return OpenedStore(store, store)

    def copy(self, shard: int, to: int) -> None:
        copy_store(self.folder / f"{shard:03}", self.folder / f"{to:03}")

    def close(self) -> None:
        """Each has been closed."""


@dataclass(frozen=True, slots=True)
class DatabaseStores:
    """All shards of a process share its connections."""

    database: Database

    def open(self, lease: Lease) -> OpenedStore:
        from trapline.stores.postgres.store import PostgresStore

        return OpenedStore(PostgresStore(self.database, lease.shard, lease.epoch), None)

    def copy(self, shard: int, to: int) -> None:
        from trapline.stores.postgres.shedding import copy_shard

        with self.database.transaction() as cursor:
            copy_shard(cursor, self.database.sql, shard, to)

    def close(self) -> None:
        self.database.close()


@dataclass(frozen=True, slots=True)
class CrawlPlace:
    """`folder` is where this machine writes; `address` names a PostgreSQL, "" = there is none."""

    folder: Path
    address: str = field(default="", repr=False)  # it may hold a password

    @property
    def where(self) -> str | Path:
        """What the ledger is opened by."""
        return self.address or self.folder

    @property
    def shown(self) -> str:
        """For people: without a password."""
        return read_address(self.address).shown if self.address else str(self.folder)

    def environment(self) -> dict[str, str]:
        """Of processes that open it: a password goes with it, as `shown` has none."""
        if not self.address:
            return dict(os.environ)
        from trapline.postgres.address import password_in

        password = password_in(self.address)
        return {**os.environ, **({PASSWORD: password} if password else {})}

    @property
    def words(self) -> Path | None:
        """The folder in which people leave orders; None = they are in the ledger."""
        return None if self.address else self.folder

    @property
    def shards_folder(self) -> Path:
        return self.folder / SHARDS

    def exists(self) -> bool:
        return bool(self.address) or (self.folder / LEDGER_FILE).exists()

    def link(self) -> None:
        """Have the folder stand for the crawl in PostgreSQL, so that it is found by it."""
        if self.address:
            link_folder(self.folder, self.address)

    def open_ledger(self, *, create: bool = False) -> Ledger:
        """CrawlMissing if there is none, and none is to be made."""
        if not create and not self.exists():
            raise CrawlMissing(str(self.folder), folder=True)
        try:
            return open_ledger(self.where, create=create)
        except FolderMissing:
            raise CrawlMissing(str(self.folder), folder=True) from None

    def clock_off_s(self) -> float:
        """How far the clock of this machine is ahead of the store's; nothing need be there yet."""
        if not self.address:
            return 0.0
        from trapline.ledgers.postgres.ledger import PostgresLedger
        from trapline.postgres.connection import Database

        ledger = PostgresLedger(Database(read_address(self.address)))
        try:
            return ledger.clock_off_s()
        finally:
            ledger.close()

    def open_stores(self) -> ShardStores:
        """The stores of shards, for their owner."""
        if not self.address:
            return FolderStores(self.shards_folder)
        from trapline.postgres.connection import Database

        return DatabaseStores(Database(read_address(self.address)))


def place_named(text: str, folder: Path | None = None) -> CrawlPlace:
    """The place of a store address, or of the folder of a crawl in shards.

    Beside a store this machine writes into `folder`, or else among the user's caches.
    """
    if is_store_address(text):
        address = hand_over_password(text)
        return CrawlPlace(folder or cache_folder(address), address)
    return CrawlPlace(Path(text), linked_address(Path(text)))
