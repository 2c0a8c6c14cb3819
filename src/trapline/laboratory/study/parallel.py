"""Independent jobs of an experiment, side by side in processes.

>>> sorted(done_by(abs, [-3, 2], workers=0))
[2, 3]
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TypeVar

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")


def done_by(
    work: Callable[[Job], Outcome], jobs: Sequence[Job], workers: int
) -> Iterable[Outcome]:
    """Outcomes as they come; with no workers, one after the other in this process."""
    if workers == 0:
        yield from map(work, jobs)
        return
    # Spawned, not forked: the caller may have threads (a progress bar), and a fork copies their
    # locks as they stand.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_die_quietly)
    try:
        for future in as_completed([pool.submit(work, job) for job in jobs]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _die_quietly() -> None:
    """Ctrl-C reaches every process of a terminal: workers end without a traceback, the caller says
    what happened.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
