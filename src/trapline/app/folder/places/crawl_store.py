"""A crawl in shards, as one store to read, with what its ledger says of the shards."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trapline.app.folder.places.shard_notes import JOINED
from trapline.app.folder.places.store_link import linked_address
from trapline.app.folder.reach_figures import hosts_shut
from trapline.app.output.standard_output import print_remark
from trapline.app.shards.shard_figures import (
    CrawlFigures,
    figures_of_shards,
    figures_read,
)
from trapline.cluster.partition import Partition
from trapline.core.errors import CrawlDoubled
from trapline.core.ledger import Ledger
from trapline.core.storage import HostRow, SteadyStore, Store
from trapline.ledgers.open_ledger import open_ledger
from trapline.postgres.address import read_address
from trapline.scope.reach import Obstacle
from trapline.stores.sqlite.store import SqliteStore
from trapline.stores.united.empty_store import EmptyStore
from trapline.stores.united.shard_numbers import ShardNumbers
from trapline.stores.united.united_store import UnitedStore

if TYPE_CHECKING:
    from trapline.postgres.connection import Database

SHARDS: Final = "shards"  # the folder of their stores, and the note of what they say
PATIENCE_S: Final = 5.0  # of people with a server that is away


class CrawlStore(UnitedStore):
    """Besides the notes of the shards it has one of what the ledger says of them, as of now."""

    def __init__(
        self,
        stores: Sequence[SteadyStore],
        ledger: Ledger,
        folder: Path,
        never_run: Set[int] = frozenset(),
    ) -> None:
        """`never_run` are shards whose stores stand for what may come yet."""
        super().__init__(stores, folder, JOINED)
        self._ledger = ledger
        self._folder = folder
        self._never_run = set(never_run)

    def note(self, key: str) -> str | None:
        if key != SHARDS:
            return super().note(key)
        return json.dumps(asdict(self.figures()))

    def figures(self) -> CrawlFigures:
        """What the ledger says of the shards, as of now."""
        return figures_of_shards(self._ledger)

    def hosts(self) -> list[HostRow]:
        """Each in the shard that visits it: another may have met it before."""
        numbered = enumerate(self.shards)
        left = {(shard, name) for shard, part in numbered for name in hosts_left(part)}
        shards = len(self.shards)
        return [
            row
            for row in super().hosts()
            if (ShardNumbers.shard_of(row.host, shards), row.name) not in left
        ]

    def home_of(self, url: str) -> int:
        """The shard that visits a page, whether or not it is known there."""
        partition = Partition(len(self.shards), 0)
        partition.learn(self._ledger.moved_hosts(0))
        return partition.home(url)

    def look_again(self) -> None:
        """Open the stores of shards that have been run for the first time since.

        CrawlDoubled if the shards are others by now: pages have other numbers then.
        """
        founding = self._ledger.founding()
        if founding is not None and founding.shards != len(self.shards):
            raise CrawlDoubled(len(self.shards), founding.shards)
        for shard in sorted(self._never_run):
            if _has_run(self._folder, shard):
                self.shards[shard] = _shard_store(self._folder, shard)
                self._never_run.remove(shard)

    def close(self) -> None:
        super().close()
        self._ledger.close()


def hosts_left(part: Store) -> set[str]:
    """Hosts that one shard has left to another, because their address is there."""
    shut = hosts_shut(part).items()
    return {name for name, why in shut if why == Obstacle.ELSEWHERE}


def figures_noted(store: Store) -> CrawlFigures | None:
    """What shards say of themselves; None = it is an engine of one process."""
    said = store.note(SHARDS)
    return None if said is None else figures_read(json.loads(said))


def open_crawl(folder: Path) -> CrawlStore:
    """To read, by people: while the server is away they do not wait for long."""
    if address := linked_address(folder):
        return _open_database(folder, address)
    with ExitStack() as on_failure:
        ledger = open_ledger(folder, create=False)
        on_failure.callback(ledger.close)
        shards = range(len(ledger.owners()))
        never_run = {shard for shard in shards if not _has_run(folder, shard)}
        stores: list[SteadyStore] = []
        for shard in shards:
            store = EmptyStore() if shard in never_run else _shard_store(folder, shard)
            on_failure.callback(store.close)
            stores.append(store)
        on_failure.pop_all()
        return CrawlStore(
            stores,
            ledger,
            folder,
            never_run,
        )


def shard_folder(folder: Path, shard: int) -> Path:
    """Where this machine keeps what is of one shard: its store, its log, WARC files."""
    return folder / SHARDS / f"{shard:03}"


def _has_run(folder: Path, shard: int) -> bool:
    return (shard_folder(folder, shard) / "store.sqlite").exists()


def _shard_store(folder: Path, shard: int) -> SteadyStore:
    return SqliteStore(shard_folder(folder, shard), read_only=True, say=print_remark)


def _open_database(folder: Path, address: str) -> CrawlStore:
    ledger = open_ledger(address, create=False)  # says what is missing
    from trapline.postgres.connection import Database
    from trapline.stores.postgres.one_moment import OneMoment
    from trapline.stores.postgres.store import PostgresStore

    database = Database(read_address(address))
    moment = OneMoment(database)
    shards = range(len(ledger.owners()))
    stores = [
        PostgresStore(
            database,
            shard,
            moment=moment,
            patience_s=PATIENCE_S,
        )
        for shard in shards
    ]
    return _DatabaseCrawl(
        stores,
        ledger,
        folder,
        database,
    )


class _DatabaseCrawl(CrawlStore):
    """All its shards share the connections of one database."""

    def __init__(
        self,
        stores: Sequence[SteadyStore],
        ledger: Ledger,
        folder: Path,
        database: Database,
    ) -> None:
        super().__init__(stores, ledger, folder)
        self._database = database

    def close(self) -> None:
        super().close()
        self._database.close()
