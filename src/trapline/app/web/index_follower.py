"""Keeping an index up with a store that others write, as long as it is served.

The index has one writer, this one. Whoever searches opens it once more for reading and sees each
commit, as beside a robot.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from trapline.app.output.standard_output import print_remark
from trapline.core.errors import FolderBusy, TraplineError
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex

EVERY_S: Final = 2.0


class IndexFollower:
    """Both are its own: it closes them."""

    def __init__(
        self,
        index: FullTextIndex,
        store: Store,
        every_s: float = EVERY_S,
        say: Callable[[str], None] = print_remark,
    ) -> None:
        self._index = index
        self._store = store
        self._every_s = every_s
        self._say = say
        self._said = ""
        self._over = threading.Event()
        self._thread = threading.Thread(
            target=self._run, daemon=True, name="index follower"
        )

    def start(self) -> None:
        """Catch up first, so that nobody finds an old index; then again and again."""
        self._catch_up()
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=60.0)
        self._index.close()
        self._store.close()

    def _run(self) -> None:
        while not self._over.wait(self._every_s):
            try:
                self._catch_up()
            except TraplineError as failure:
                # searching goes on with what is there; the next time it may go well
                self._tell(f"the index cannot follow the store: {failure}")

    def _catch_up(self) -> None:
        try:
            self._index.catch_up(self._store)
        except FolderBusy:
            self._tell("another process keeps this index up to date")
        else:
            self._said = ""

    def _tell(self, trouble: str) -> None:
        """Once, as long as it is the same."""
        if trouble != self._said:
            self._said = trouble
            self._say(trouble)
