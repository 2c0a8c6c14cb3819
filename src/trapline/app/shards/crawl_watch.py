"""A look at a crawl in shards and at its workers, again and again until it is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from signal import signal
from typing import Final, Protocol

from trapline.app.crawl.crawl_settings import CrawlWishes
from trapline.app.shards.crawl_charge import Charge
from trapline.app.shards.crawl_ends import CrawlEnds
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.shard_figures import CrawlFigures, figures_of_shards
from trapline.app.shards.shard_progress import shards_shown
from trapline.app.stop_signals import stop_signals
from trapline.core.errors import StoreAway
from trapline.core.ledger import Ledger
from trapline.live.awake_loop import unstopped_s

LOOK_S: Final = 0.5


class Crew(Protocol):
    """Who keeps workers running."""

    @property
    def is_over(self) -> bool:
        """Whether all workers have ended by themselves: they were drained."""

    def look_after(self) -> None:
        """Start anew what has died; WorkersFail if that is of no use."""

    def stop(self) -> None:
        """Have all shards saved and given up, then all workers end."""


@contextmanager
def stopping() -> Iterator[SimpleQueue[int]]:
    """Signals that came; from here on they end the crawl in order."""
    came: SimpleQueue[int] = SimpleQueue()
    before = {
        sign: signal(sign, lambda number, _: came.put(number))
        for sign in stop_signals()
    }
    try:
        yield came
    finally:
        for sign, handler in before.items():
            signal(sign, handler)


def watch_over(
    crew: Crew,
    charge: Charge,
    ledger: Ledger,
    wishes: CrawlWishes,
    place: CrawlPlace,
    came: SimpleQueue[int],
) -> CrawlFigures:
    """Until Ctrl-C, so many seconds or visits, or nothing is left to do."""
    title = f"crawling into {place.shown}"
    try:
        figures = _look(ledger, None)
        ends = CrawlEnds(wishes.seconds, wishes.visits, figures)
        with shards_shown(title, quiet=wishes.as_json or wishes.quiet) as show:
            while not _is_stopped(came) and not crew.is_over:
                charge.check()
                crew.look_after()
                figures = _look(ledger, figures)
                show(figures)
                if ends.has_come(figures, unstopped_s()):
                    break
    finally:
        crew.stop()
    return _look(ledger, figures)


def _look(ledger: Ledger, last: CrawlFigures | None) -> CrawlFigures:
    """While the store is away, the figures of before."""
    try:
        return figures_of_shards(ledger)
    except StoreAway:
        if last is None:
            raise
        return last


def _is_stopped(came: SimpleQueue[int]) -> bool:
    try:
        came.get(timeout=LOOK_S)
    except Empty:
        return False
    return True
