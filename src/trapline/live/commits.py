"""Keeping: what visits bring goes to the collection at once, to the disk twice a second, to the
index soon after.

A batch is sealed between two settled visits, so pages, the observations made of them and the
controller's calls are written together. A checkpoint is the controller's state at such a seal,
saved only after the batch it belongs to.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from itertools import count
from typing import Final

import numpy as np

from trapline.collection.collection import Collection
from trapline.core.ports import Checkpoint, Learner, Store
from trapline.robot.journal import Journal

FLUSH_S: Final = 0.5
INDEX_S: Final = 2.0
CHECKPOINT_S: Final = 60.0


class Committer:
    def __init__(
        self,
        collection: Collection,
        store: Store,
        journal: Journal,
        status: Callable[[], str],
        learners: Mapping[str, Learner],
    ) -> None:
        """`status()` is a note for people, kept with each batch; what `learners` know is kept in
        checkpoints.
        """
        self._collection = collection
        self._store = store
        self._journal = journal
        self._status = status
        self._learners = learners
        self._saved_calls = -1
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Flush, index and save, each in its time, until `stop`: work that a thread has begun is
        waited for.
        """
        indexing = asyncio.create_task(self._index())
        try:
            async for beat in self._beats():
                if indexing.done():
                    break
                await self.save(checkpoint=beat % round(CHECKPOINT_S / FLUSH_S) == 0)
        finally:
            self._over.set()
            await indexing

    async def _index(self) -> None:
        """Apart: an index that is made anew may take minutes, and what is learnt meanwhile is not
        to wait for it.
        """
        async for beat in self._beats():
            seen = beat % round(INDEX_S / FLUSH_S) == 0
            await asyncio.to_thread(
                self._collection.update_index
                if seen
                else self._collection.prepare_index
            )

    async def _beats(self) -> AsyncIterator[int]:
        """1, 2, 3 …, until `stop`."""
        for beat in count(1):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), FLUSH_S)
                return
            yield beat

    def stop(self) -> None:
        self._over.set()

    async def save(self, *, checkpoint: bool) -> None:
        self._collection.note("status", self._status())
        self._collection.seal()
        state = (
            self._state()
            if checkpoint and self._journal.calls != self._saved_calls
            else None
        )
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
        for learner, found in self._learners.items():
            saved.update(
                {f"{learner}.{name}": array for name, array in found.state().items()}
            )
        return Checkpoint(
            self._journal.calls,
            {name: np.array(array) for name, array in saved.items()},
        )
