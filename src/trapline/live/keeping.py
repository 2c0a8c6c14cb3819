"""Keeping: what visits bring goes to the collection at once, to the disk twice a second, to the index soon after.

A batch is sealed between two settled visits, so pages, the observations made of them and the controller's calls are
written together. A checkpoint is the controller's state at such a seal, saved only after the batch it belongs to.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import numpy as np

from trapline.collection.collection import Collection
from trapline.core.ports import Checkpoint, Store
from trapline.core.records import Fetched, Kind, Observation, Outcome
from trapline.robot.journal import Journal
from trapline.robot.response_processor import ResponseProcessor
from trapline.topic.relevance import Topic

FLUSH_S: Final = 0.5
INDEX_S: Final = 2.0
CHECKPOINT_S: Final = 60.0
TOPIC: Final = "topic."  # begins the names of its arrays in a checkpoint


class Keeper:
    def __init__(
        self,
        collection: Collection,
        store: Store,
        journal: Journal,
        processor: ResponseProcessor,
        status: Callable[[], str],
        topic: Topic,
    ) -> None:
        """`status()` is a note for people, kept with each batch; what `topic` has learnt is kept in checkpoints."""
        self._collection = collection
        self._store = store
        self._journal = journal
        self._processor = processor
        self._status = status
        self._topic = topic
        self._saved_calls = -1
        self._over = asyncio.Event()

    def digest(self, fetched: Fetched, now_s: float) -> Observation:
        """Read an answer and hand what is in it to the collection."""
        found = self._processor.process(fetched, now_s)
        page, collection = fetched.ticket.page, self._collection
        if found.page is not None:
            collection.add(found.page)
        if found.seen:
            collection.seen(page, fetched.ended_s)
        if found.gone:
            collection.gone(page)
        read = found.observation.outcome in (Outcome.OK, Outcome.MOVED) and not found.seen
        if read and fetched.ticket.kind is Kind.PAGE:
            collection.leads_to(page, found.observation.links)
        if found.robots is not None:
            collection.robots(fetched.ticket.host, found.robots)
        collection.visited(found.visit)
        return found.observation

    async def run(self) -> None:
        """Flush, index and save, each in its time, until `stop`: work that a thread has begun is waited for."""
        beats = 0
        while not self._over.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), FLUSH_S)
            beats += 1
            await self.save(checkpoint=beats % round(CHECKPOINT_S / FLUSH_S) == 0)
            if beats % round(INDEX_S / FLUSH_S) == 0:
                await asyncio.to_thread(self._collection.update_index)

    def stop(self) -> None:
        self._over.set()

    async def save(self, *, checkpoint: bool) -> None:
        self._collection.note("status", self._status())
        self._collection.seal()
        state = self._state() if checkpoint and self._journal.calls != self._saved_calls else None
        await asyncio.to_thread(self._collection.flush)
        if state is not None:
            await asyncio.to_thread(self._store.save_checkpoint, state)
            self._saved_calls = state.calls

    async def close(self) -> None:
        """The last words: everything written, indexed and saved."""
        await self.save(checkpoint=True)
        await asyncio.to_thread(self._collection.update_index)

    def _state(self) -> Checkpoint:
        saved = dict(self._journal.controller.save())
        saved.update({f"{TOPIC}{name}": array for name, array in self._topic.state().items()})
        return Checkpoint(self._journal.calls, {name: np.array(array) for name, array in saved.items()})
