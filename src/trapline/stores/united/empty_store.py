"""The store of a shard that has never been run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from trapline.core.storage import SteadyStore
from trapline.stores.memory import MemoryStore


class EmptyStore(MemoryStore):
    """Nothing is in it, so that it always holds still."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        yield

    one_moment = snapshot

    def parts(self) -> Sequence[SteadyStore]:
        return (self,)
