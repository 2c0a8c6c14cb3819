"""An index that no robot writes, that of a crawl in shards or of a part: whoever searches has it
follow the store.

One process at a time writes; the others read what it commits.
"""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Final

from trapline.app.output.standard_output import print_remark
from trapline.core.errors import TraplineError, disk_trouble
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex
from trapline.stores.united.united_store import REVISIONS
from trapline.stores.united.walk_book import shards_counted

INDEX: Final = "index"
EVERY_S: Final = 2.0


def _do_nothing() -> None:
    """A store of one engine has all that there is."""


class IndexFollower:
    """Follows a store that somebody else closes, after it."""

    def __init__(
        self,
        path: Path,
        store: Store,
        open_index: Callable[[], FullTextIndex],
        look_again: Callable[[], None] = _do_nothing,
        every_s: float = EVERY_S,
        say: Callable[[str], None] = print_remark,
    ) -> None:
        """`open_index` opens the index in `path` for writing; `look_again` has the store see what
        is new beside it.
        """
        self._path = path
        self._store = store
        self._open_index = open_index
        self._look_again = look_again
        self._every_s = every_s
        self._say = say
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def follow(self) -> bool:
        """Put in what the store has and the index has not; False = another process does it."""
        with index_turn(self._path) as is_ours:
            if is_ours:
                with closing(self._open_index()) as index:
                    index.catch_up(self._store)
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
        while not self._over.wait(self._every_s):
            try:
                self._look_again()
                with index_turn(self._path) as is_ours:
                    if is_ours:
                        self._keep_up()
                self._trouble = ""
            except (TraplineError, OSError) as trouble:
                self._say_once(str(trouble))

    def _keep_up(self) -> None:
        """As long as this process may write, with one index."""
        with closing(self._open_index()) as index:
            while True:
                index.catch_up(self._store)
                self._trouble = ""
                if self._over.wait(self._every_s):
                    break
                self._look_again()

    def _say_once(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._say(f"the index is not up to date: {trouble}; trying again")


def drop_index_of_others(folder: Path, shards: int) -> None:
    """Made before the shards were doubled: pages have other numbers by now."""
    book = folder / REVISIONS
    if shards_counted(book) in (0, shards):
        return
    for path in (folder / INDEX, *folder.glob(f"{INDEX}-*-of-*")):
        with index_turn(path) as is_ours:
            if is_ours:
                rmtree(path, ignore_errors=True)
    book.unlink(missing_ok=True)


@contextmanager
def index_turn(path: Path) -> Iterator[bool]:
    """Whether it is this process that may write the index in `path`, inside."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.with_name(f"{path.name}.lock").open("ab")
    except OSError as failure:
        raise disk_trouble(path.parent, failure) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
