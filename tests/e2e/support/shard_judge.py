"""What is in the stores of a crawl in shards once all its workers are dead."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crew.worker_process import WorkerWishes, settings_for
from trapline.app.shards.shard_engine import ShardOpener
from trapline.cluster.tenure import Tenure
from trapline.core.ledger import Lease, Ledger
from trapline.core.records import Kind, Outcome
from trapline.core.storage import Store
from trapline.live.reader_processes import ReaderProcesses


class ShardJudge:
    """For a crawl that nobody works on: it claims all shards itself."""

    def __init__(self, place: CrawlPlace, ledger: Ledger) -> None:
        self._place = place
        self._ledger = ledger
        founding = ledger.founding()
        assert founding is not None
        self._founding = founding
        for row in ledger.shards():
            ledger.release(row.owner, row.shard, row.epoch)
        self.leases = ledger.claim("the judge", founding.shards)

    def pages_held(self) -> Counter[str]:
        """URL → how many shards hold it."""
        found: Counter[str] = Counter()
        for lease in self.leases:
            with self._store(lease) as store:
                rows = list(store.urls())
                found.update(row.url for row in rows if store.held(row.page))
        return found

    def visits(self) -> Counter[str]:
        """Answers that were noted, by URL."""
        found: Counter[str] = Counter()
        for lease in self.leases:
            with self._store(lease) as store:
                urls = {row.page: row.url for row in store.urls()}
                for visit in store.history():
                    answered = visit.outcome is not Outcome.FAILED
                    if visit.kind is Kind.PAGE and answered:
                        found[urls[visit.page]] += 1
        return found

    def journal_holes(self) -> list[tuple[int, int]]:
        """(shard, call) of calls that do not follow the one before, or the checkpoint."""
        found = []
        for lease in self.leases:
            with self._store(lease) as store:
                checkpoint = store.load_checkpoint()
                last = checkpoint.calls if checkpoint else 0
                for call in store.calls(last):
                    if call.number != last + 1:
                        found.append((lease.shard, call.number))
                    last = call.number
        return found

    def diverged(self) -> list[int]:
        """Shards whose calls, made again, do not lead where they led."""
        return asyncio.run(self._open_all())

    async def _open_all(self) -> list[int]:
        stores = self._place.open_stores()
        opener = ShardOpener(
            settings_for(WorkerWishes(self._place), self._founding),
            self._ledger,
            self._founding.shards,
            self._place.shards_folder,
            stores.open,
            ReaderProcesses(0),
            words=self._place.words,
        )
        found = []
        for lease in self.leases:
            opened = await opener(lease, Tenure())
            if opened.engine.control.relearn:
                found.append(lease.shard)
            opened.stop()
            await opened.run()
        stores.close()
        return found

    @contextmanager
    def _store(self, lease: Lease) -> Iterator[Store]:
        stores = self._place.open_stores()
        store = stores.open(lease).store
        try:
            yield store
        finally:
            store.close()
            stores.close()
