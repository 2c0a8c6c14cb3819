"""Commits: what visits bring is on disk within half a second, and in the index soon after.

A batch is sealed between two settled visits, so pages, the observations made of them and the
controller's calls are written together. A checkpoint is the controller's state at such a seal,
saved only after the batch it belongs to.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from itertools import count
from typing import Final, NamedTuple, Protocol

import numpy as np

from trapline.collection.collection import Collection
from trapline.core.errors import StoreAway, StoreLocked
from trapline.core.ports import Learner
from trapline.core.storage import Checkpoint, Store
from trapline.robot.journal import Journal

FLUSH_S: Final = 0.5
INDEX_S: Final = 2.0  # so that the index is never 5 s behind
CHECKPOINT_S: Final = 60.0
# tries to write into a locked store, some 1.5 s each: until nobody is visited any more,
HOLD_AFTER: Final = 20
LAST_TRIES: Final = 3  # and when the run is over


class Notes(NamedTuple):
    """What people are told: a note written with each batch (None = that of before will do), and a
    line when it cannot be.
    """

    status: Callable[[], str | None]
    say: Callable[[str], None]
    saved: Callable[[], None] = lambda: None  # a checkpoint has all there is


class Robot(Protocol):
    """What a committer needs of the live loop."""

    @property
    def is_over(self) -> bool: ...

    def hold(self, *, held: bool) -> None: ...


class Committer:
    def __init__(
        self,
        collection: Collection,
        store: Store,
        journal: Journal,
        notes: Notes,
        learners: Mapping[str, Learner],
        robot: Robot,
    ) -> None:
        """What `learners` know goes into checkpoints. `robot` is held while the store is locked."""
        self._collection = collection
        self._store = store
        self._journal = journal
        self._notes = notes
        self._learners = learners
        self._robot = robot
        self._saved_calls = -1
        self._refusals = 0  # in a row, of a locked store
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Flush, index and save, each in its time, until `stop`, and for work already begun."""
        indexing = asyncio.create_task(self._index())
        try:
            due = False
            async for beat in self._beats():
                if indexing.done():
                    break
                due = due or beat % round(CHECKPOINT_S / FLUSH_S) == 0
                if await self.save(checkpoint=due):
                    due = False
        finally:
            self._over.set()
            await indexing

    async def _index(self) -> None:
        """Its own task: an index that is made anew may take minutes, and nothing waits for it.

        It is due by the clock and not by beats, which come late where its work takes long.
        """
        collection = self._collection
        time_s = asyncio.get_running_loop().time
        due_s = time_s() + INDEX_S
        async for _ in self._beats():
            due = time_s() >= due_s
            work = collection.update_index if due else collection.prepare_index
            due_s = time_s() + INDEX_S if due else due_s
            await asyncio.to_thread(work)

    async def _beats(self) -> AsyncIterator[int]:
        """1, 2, 3 …, until `stop`."""
        for beat in count(1):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), FLUSH_S)
                return
            yield beat

    def stop(self) -> None:
        self._over.set()

    async def save(self, *, checkpoint: bool) -> bool:
        """False: an answer is being settled in parts, and only what was sealed before is written;
        the next beat is soon.
        """
        status = self._notes.status()
        if status is not None:
            self._collection.note("status", status)
        self._collection.seal()
        if self._collection.held_back:
            await self._insist(self._collection.write_sealed)
            return False
        changed = self._journal.calls != self._saved_calls
        state = self._state() if checkpoint and changed else None
        await self._insist(self._collection.write_sealed)
        if state is not None:
            await self._insist(partial(self._store.save_checkpoint, state))
            self._saved_calls = state.calls
        if checkpoint:
            self._notes.saved()
        return True

    async def _insist(self, write: Callable[[], None]) -> None:
        """Write, however long the store is locked or away; raise that if the run is over."""
        for tries in count(1):
            try:
                await asyncio.to_thread(write)
                break
            except (StoreLocked, StoreAway) as trouble:
                if self._robot.is_over and tries > LAST_TRIES:
                    raise
                self._bear(trouble)
                await asyncio.sleep(FLUSH_S)
        if self._refusals:
            self._refusals = 0
            self._robot.hold(held=False)
            self._notes.say("the store is free again, and all is saved")

    def _bear(self, trouble: StoreLocked | StoreAway) -> None:
        locked = isinstance(trouble, StoreLocked)
        self._refusals += 1
        if self._refusals == 1:
            what = "another program has locked the store" if locked else str(trouble)
            self._notes.say(f"{what}: waiting to save")
        if self._refusals == HOLD_AFTER:
            # What is learnt must not run away from what is saved.
            self._robot.hold(held=True)
            state, end = ("locked", "free") if locked else ("away", "back")
            self._notes.say(f"the store is still {state}: no visits until it is {end}")

    async def close(self) -> None:
        """Write, index and save everything, for the last time."""
        await self.save(checkpoint=True)
        await asyncio.to_thread(self._collection.update_index)

    def _state(self) -> Checkpoint:
        return state_of(self._journal, self._learners)


def state_of(journal: Journal, learners: Mapping[str, Learner]) -> Checkpoint:
    """What the controller and the learners know after the last call of the journal."""
    arrays = dict(journal.controller.save())
    for name, learner in learners.items():
        arrays |= {f"{name}.{part}": array for part, array in learner.state().items()}
    copies = {name: np.array(array) for name, array in arrays.items()}
    return Checkpoint(journal.calls, copies)
