"""The ledger of a crawl in shards, by its address: a folder, or a database in PostgreSQL."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from trapline.core.errors import CrawlMissing, ExtraMissing, FolderMissing
from trapline.core.ledger import Ledger
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.postgres.address import is_store_address, read_address


def open_ledger(place: str | Path, *, create: bool) -> Ledger:
    """FolderMissing or CrawlMissing if no crawl was established there, unless one is to be made.

    Its tables are made here, the crawl itself by `establish`.
    """
    if isinstance(place, str) and is_store_address(place):
        return _open_database(place, create=create)
    ledger = SqliteLedger(Path(place), create=create)
    if not create and ledger.founding() is None:
        ledger.close()
        raise FolderMissing(place)
    return ledger


def _open_database(place: str, *, create: bool) -> Ledger:
    if find_spec("psycopg") is None:
        raise ExtraMissing("a store in PostgreSQL", "psycopg", "cluster")
    from trapline.ledgers.postgres.ledger import PostgresLedger
    from trapline.postgres.connection import open_database

    address = read_address(place)
    ledger = PostgresLedger(open_database(address, create=create))
    if not create and ledger.founding() is None:
        ledger.close()
        raise CrawlMissing(address.shown)
    return ledger
