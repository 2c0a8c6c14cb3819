"""The index of a crawl in shards: no robot writes it, so whoever searches has it follow the shards.

One process at a time writes; the others read what it commits.
"""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from trapline.app.folder.places.crawl_store import CrawlStore
from trapline.app.output.standard_output import print_remark
from trapline.core.errors import TraplineError, disk_trouble
from trapline.search.index import FullTextIndex

INDEX: Final = "index"
EVERY_S: Final = 2.0
_LOCK: Final = "index.lock"


class IndexFollower:
    """Follows a store that somebody else closes, after it."""

    def __init__(self, folder: Path, store: CrawlStore) -> None:
        self._folder = folder
        self._store = store
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def follow(self) -> bool:
        """Put in what shards have and the index has not; False = another process does it."""
        with index_turn(self._folder) as is_ours:
            if is_ours:
                self._catch_up()
            return is_ours

    def start(self) -> None:
        """Go on with it, every few seconds, until `close`."""
        thread = threading.Thread(target=self._run, name="index follower", daemon=True)
        self._thread = thread
        thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(EVERY_S):
            try:
                self._store.look_again()
                with index_turn(self._folder) as is_ours:
                    if is_ours:
                        self._keep_up()
                self._trouble = ""
            except (TraplineError, OSError) as trouble:
                self._say_once(str(trouble))

    def _keep_up(self) -> None:
        """As long as this process may write, with one index."""
        index = FullTextIndex(self._folder / INDEX, say=print_remark)
        try:
            while True:
                index.catch_up(self._store)
                self._trouble = ""
                if self._over.wait(EVERY_S):
                    break
                self._store.look_again()
        finally:
            index.close()

    def _catch_up(self) -> None:
        index = FullTextIndex(self._folder / INDEX, say=print_remark)
        try:
            index.catch_up(self._store)
        finally:
            index.close()

    def _say_once(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            print_remark(f"the index is not up to date: {trouble}; trying again")


@contextmanager
def index_turn(folder: Path) -> Iterator[bool]:
    """Whether it is this process that may write the index, inside."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / _LOCK).open("ab")
    except OSError as failure:
        raise disk_trouble(folder, failure) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
