"""Opening a shard whose folder another process still keeps."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from trapline.app.settings import settings_from
from trapline.app.shards import shard_engine
from trapline.app.shards.shard_engine import OpenedStore, ShardOpener
from trapline.cluster.tenure import Tenure
from trapline.core.errors import Fenced, FolderBusy
from trapline.core.ledger import Founding, Lease
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.live.reader_processes import ReaderProcesses


def test_it_waits_for_a_folder_until_the_shard_is_anothers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_engine, "BUSY_S", 0.01)
    tenure = Tenure()
    tries = 0

    def open_store(_: Lease) -> OpenedStore:
        nonlocal tries
        tries += 1
        if tries == 3:
            tenure.end()
        raise FolderBusy(tmp_path)

    ledger = SqliteLedger(tmp_path)
    ledger.establish(Founding(1, "{}", 1.0))
    settings = settings_from("the test", {"seeds": ["http://127.0.0.1/"]})
    readers = ReaderProcesses(0)
    opener = ShardOpener(settings, ledger, 1, tmp_path, open_store, readers)

    async def main() -> None:
        await opener(ledger.claim("w", 1)[0], tenure)

    with pytest.raises(Fenced):
        asyncio.run(main())
    assert tries == 3
    ledger.close()
