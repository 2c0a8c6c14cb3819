"""Writing into the stores of a crawl in shards while nobody runs them: what people have dropped.

A shard that a worker runs is left to it: it reads the same order within seconds.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from trapline.app.folder.places.crawl_ledger import open_crawl_ledger
from trapline.app.folder.places.crawl_store import SHARDS
from trapline.app.folder.places.store_link import linked_address
from trapline.app.output.standard_output import print_remark
from trapline.core.errors import Fenced, FolderBusy
from trapline.core.storage import Store
from trapline.postgres.address import read_address
from trapline.stores.sqlite.store import SqliteStore

Write = Callable[[Store], None]


def write_free_shards(folder: Path, write: Write) -> None:
    """Have something written into the store of each shard that nobody runs."""
    if address := linked_address(folder):
        _write_database(folder, address, write)
        return
    for own in sorted((folder / SHARDS).iterdir()):
        if (own / "store.sqlite").exists():
            with suppress(FolderBusy):
                store = SqliteStore(own, say=print_remark)
                try:
                    write(store)
                finally:
                    store.close()


def _write_database(folder: Path, address: str, write: Write) -> None:
    """As the owner of all free shards, for a moment."""
    from trapline.postgres.connection import Database
    from trapline.stores.postgres.store import PostgresStore

    name = f"orders-{secrets.token_hex(4)}"
    ledger = open_crawl_ledger(folder)
    database = Database(read_address(address))
    held: dict[int, int] = {}
    try:
        for lease in ledger.claim(name, len(ledger.owners())):
            held[lease.shard] = lease.epoch
            with suppress(Fenced):  # it took so long that somebody else runs it
                write(PostgresStore(database, lease.shard, lease.epoch))
    finally:
        ledger.leave(name, held)
        database.close()
        ledger.close()
