"""A shard at work, as its worker sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trapline.cluster.tenure import Tenure
from trapline.core.ledger import Bid, Lease


class ShardRun(Protocol):
    """A shard at work."""

    async def run(self) -> None:
        """Until `stop`, then all is saved. Fenced: it has another owner by now."""

    def stop(self) -> None: ...

    def wake(self) -> None:
        """Visits may be made again."""

    def spend(self, per_s: float) -> None:
        """From now on so many visits a second."""

    def bid(self) -> Bid | None: ...

    def report(self) -> str:
        """JSON, for those who look at the ledger."""


@dataclass(slots=True, eq=False)
class Post:
    """A shard that the worker owns."""

    lease: Lease
    tenure: Tenure
    rate_per_s: float  # by which it spends
    told_per_s: float  # by which it will spend as soon as its loop hears of it
    run: ShardRun | None = None  # None = it is being opened
    report: str = ""
    leaving: bool = False  # it is saved, then given up
