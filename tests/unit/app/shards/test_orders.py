"""What people order reaches all shards, and one of them carries it out."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from trapline.app.folder.orders.order_file import SEED, VISIT
from trapline.app.settings import settings_from
from trapline.app.shards.shard_engine import OpenedStore, ShardOpener
from trapline.cluster.partition import home_shard
from trapline.cluster.tenure import Tenure
from trapline.core.ledger import Founding, Lease
from trapline.core.urls import host_of
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.live.reader_processes import ReaderProcesses
from trapline.stores.sqlite.store import SqliteStore

SHARDS = 2
SITES = [f"http://site{n}.example/" for n in range(9)]


@pytest.mark.parametrize("order", [SEED, VISIT])
def test_pages_that_people_order_are_known_to_the_shard_that_visits_them(
    tmp_path: Path, order: str
) -> None:
    ledger = SqliteLedger(tmp_path)
    ledger.establish(Founding(SHARDS, "{}", 2.0))
    ledger.append(
        "orders", [json.dumps({"order": order, "target": url}) for url in SITES]
    )
    leases = ledger.claim("w", SHARDS)
    found = [pages_known(lease, ledger, tmp_path) for lease in leases]
    ledger.close()
    assert all(found)
    assert found == [
        {url for url in SITES if home_shard(host_of(url), SHARDS) == shard}
        for shard in range(SHARDS)
    ]


def pages_known(lease: Lease, ledger: SqliteLedger, folder: Path) -> set[str]:
    """The pages that a shard knows, once it has read the orders."""

    def open_store(_: Lease) -> OpenedStore:
        store = SqliteStore(folder / str(lease.shard))
        return OpenedStore(store, store)

    settings = settings_from("the test", {"seeds": ["http://127.0.0.1/"]})
    readers = ReaderProcesses(0)
    opener = ShardOpener(settings, ledger, SHARDS, folder, open_store, readers)
    engine = asyncio.run(opener.open_engine(lease, Tenure()))
    try:
        assert engine.instructions.orders.carry_out(1000.0)
        engine.holdings.collection.flush()
        return {row.url for row in engine.store.urls()}
    finally:
        engine.close()
