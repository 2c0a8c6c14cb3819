"""WARC files of a shard say whose they are, and of which owner: two may overlap for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from trapline.app.engine.parts import Engine
from trapline.app.engine.run import _warc_recorder
from trapline.app.settings import Settings, settings_from
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.shard_engine import ShardOpener
from trapline.cluster.tenure import Tenure
from trapline.core.ledger import Founding
from trapline.core.records import Fetched, Request
from trapline.live.reader_processes import ReaderProcesses


class Nobody:
    async def fetch(self, request: Request) -> Fetched:
        raise NotImplementedError

    async def locate(self, host_name: str) -> str | None:
        return None


def settings() -> Settings:
    return settings_from(
        "the test", {"topic": {"words": "x"}, "output": {"warc": True}}
    )


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Of shard 1, in its second epoch."""
    place = CrawlPlace(tmp_path)
    ledger = place.open_ledger(create=True)
    ledger.establish(Founding(2, "{}", 10.0))
    for lease in ledger.claim("before", 2):
        ledger.release("before", lease.shard, lease.epoch)
    leases = {lease.shard: lease for lease in ledger.claim("now", 2)}
    opener = ShardOpener(
        settings(),
        ledger,
        2,
        place.shards_folder,
        place.open_stores().open,
        ReaderProcesses(0),
    )
    opened = asyncio.run(opener(leases[1], Tenure())).engine
    yield opened
    opened.close()
    ledger.close()


def test_a_warc_file_is_named_after_shard_and_epoch(
    engine: Engine, tmp_path: Path
) -> None:
    async def begin() -> None:
        recorder = _warc_recorder(engine, Nobody(), 0.0)
        assert recorder is not None
        assert recorder._files._next_name() == (
            "trapline-19700101000000-shard001-epoch2-00001.warc.gz"
        )
        await recorder.close()

    asyncio.run(begin())
    assert engine.holdings.folder == tmp_path / "shards" / "001"
