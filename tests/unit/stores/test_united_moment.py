"""All shards of a crawl in PostgreSQL, read as of one moment."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.postgres_server import fresh_address
from trapline.core.ledger import Founding
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.ledgers.postgres.ledger import PostgresLedger
from trapline.postgres.address import read_address
from trapline.postgres.connection import MOST, Database, open_database
from trapline.stores.postgres.one_moment import OneMoment
from trapline.stores.postgres.store import PostgresStore
from trapline.stores.united.united_store import UnitedStore

SHARDS = 2 * MOST  # more than there are connections


class Crawl:
    def __init__(self, database: Database) -> None:
        self.database = database
        ledger = PostgresLedger(database)
        ledger.establish(Founding(SHARDS, "{}", 10.0))
        self._epochs = {one.shard: one.epoch for one in ledger.claim("test", SHARDS)}

    def add_visit(self, shard: int, number: int, ended_s: float) -> None:
        store = PostgresStore(self.database, shard, self._epochs[shard])
        times = (ended_s, ended_s, 1.0)
        visit = Visit(number, 0, 0, Kind.PAGE, *times, Outcome.OK, 200, True, 0.5)
        batch = Batch(visits=[visit])
        if number == 0:
            name = f"h{shard}.example"
            batch.hosts = [HostRow(0, f"{name}:80", f"http://{name}/")]
            batch.urls = [UrlRow(0, f"http://{name}/", 0)]
        store.commit(batch)

    def united(self) -> UnitedStore:
        moment = OneMoment(self.database)
        return UnitedStore(
            [
                PostgresStore(self.database, shard, moment=moment)
                for shard in range(SHARDS)
            ]
        )


@pytest.fixture
def crawl() -> Iterator[Crawl]:
    database = open_database(read_address(fresh_address()), create=True)
    yield Crawl(database)
    database.close()


@pytest.mark.parametrize("hold", ["snapshot", "one_moment"])
def test_more_shards_than_connections_hold_still_together(
    crawl: Crawl, hold: str
) -> None:
    for shard in range(SHARDS):
        crawl.add_visit(shard, 0, float(shard))
    united = crawl.united()
    with getattr(united, hold)():
        assert united.counts().visits == SHARDS
        for shard in range(SHARDS):
            crawl.add_visit(shard, 1, 100.0 + shard)
        assert united.counts().visits == SHARDS
        assert max(one.ended_s for one in united.visits(last=3)) < 100.0
    assert united.counts().visits == 2 * SHARDS


def test_a_moment_is_of_the_thread_that_holds_it(crawl: Crawl) -> None:
    """A server's dashboard holds one while the index follows the same store."""
    crawl.add_visit(0, 0, 1.0)
    united = crawl.united()
    with ThreadPoolExecutor(1) as another, united.shards[0].one_moment():
        before = united.counts().visits
        crawl.add_visit(0, 1, 2.0)
        beside = another.submit(united.counts).result()
        assert beside.visits == before + 1
        assert united.counts().visits == before


def test_the_newest_visits_may_all_be_of_one_shard(crawl: Crawl) -> None:
    """Each shard is first asked for little more than its share."""
    for shard in range(SHARDS):
        crawl.add_visit(shard, 0, float(shard))
    for number in range(1, 60):
        crawl.add_visit(5, number, 1_000.0 + number)
    newest = crawl.united().visits(last=50)
    assert [one.ended_s for one in newest] == [1_059.0 - n for n in range(50)]
