"""How much memory a process and its children have at most, looked at five times a second.

Of a page that several processes share each is charged its part (Pss of Linux's smaps_rollup): a
child that was forked costs what it does not have in common with its parent. Elsewhere than on Linux
nothing is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final

EVERY_S: Final = 0.2
_PSS: Final = re.compile(r"^Pss: +(\d+) kB", re.MULTILINE)


def memory_mb(pid: int) -> float:
    """Of a process and all that it has started, now; 0 if there is no such process."""
    try:
        own = _PSS.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
        children = [
            (task / "children").read_text().split()
            for task in Path(f"/proc/{pid}/task").iterdir()
        ]
    except OSError:
        return 0.0
    return (int(own[1]) / 1024 if own else 0.0) + sum(
        memory_mb(int(child)) for some in children for child in some
    )


@contextmanager
def watched(pid: int) -> Iterator[list[float]]:
    """What `memory_mb` says of a process, again and again until the block ends."""
    seen = [0.0]
    over = Event()

    def look() -> None:
        while not over.wait(EVERY_S):
            seen.append(memory_mb(pid))

    looking = Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()
