"""The ledger of a crawl in shards, by its folder."""

from __future__ import annotations

from pathlib import Path

from trapline.app.folder.places.store_link import linked_address
from trapline.core.ledger import LEDGER_FILE, Ledger
from trapline.ledgers.open_ledger import open_ledger


def is_in_shards(folder: Path) -> bool:
    """Whether it is a crawl in shards, of this machine or in PostgreSQL."""
    return (folder / LEDGER_FILE).exists() or bool(linked_address(folder))


def open_crawl_ledger(folder: Path) -> Ledger:
    return open_ledger(linked_address(folder) or folder, create=False)
