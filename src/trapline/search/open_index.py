"""An index that is open: on disk if it can be trusted, else in memory until it is made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import tantivy

from trapline.core.errors import FolderBusy, UserMistake
from trapline.core.storage import Store
from trapline.search.furniture import Furniture
from trapline.search.host_furniture import HostFurniture
from trapline.search.index_documents import index_schema, register_tongues
from trapline.search.index_folder import IndexFolder, is_damage, name_damage
from trapline.search.meaning import WordVectors, open_word_vectors
from trapline.search.parts.index_part import WHOLE, IndexPart
from trapline.search.ranking.spelling import Speller
from trapline.search.ranking.word_queries import View

# bytes that the writer gathers before it makes a segment (15 MB is the least it takes)
_HEAP: Final = 20_000_000


class OpenIndex:
    """What searching and writing share."""

    def __init__(
        self,
        folder: Path | None,
        *,
        read_only: bool = False,
        say: Callable[[str], None] = lambda _: None,
        vectors: WordVectors | None = None,
        part: IndexPart = WHOLE,
        copies_apart: bool = False,
    ) -> None:
        """`say` tells people that the index is made anew, and how far that has come. `vectors` are
        for a new index; one on disk keeps to what it was made with. Only pages of `part` go in.
        `copies_apart`: pages that say the same may not know of each other (those of two shards).
        """
        self._say = say
        self._part = part
        self._with_texts = copies_apart or part != WHOLE
        self._disk = (
            None
            if folder is None
            else IndexFolder(folder, part, with_texts=self._with_texts)
        )
        self._read_only = read_only
        self._schema = index_schema(with_texts=self._with_texts)
        # in memory, until one is found or made on disk
        self._index = register_tongues(tantivy.Index(self._schema))
        self._vectors = vectors
        self._meaning = vectors is not None
        self._furniture = HostFurniture()
        self._speller = Speller()
        self._on_disk = False
        self._writer: tantivy.IndexWriter | None = None
        self.revision = 0
        self._reached = 0
        self._stamp = 0
        self._hurt = False  # whether it was the index that failed
        self._open_from_disk()
        # to be made anew
        self.damaged = (
            self._disk is not None and not self._on_disk and self._disk.exists()
        )
        if self.damaged:
            self._say_anew()

    def view(self) -> View:
        """The index as it is now."""
        return View(self._index.searcher(), self._schema, self._vectors)

    def _follow_meaning(self, disk: IndexFolder) -> None:
        """Word vectors if the index on disk was made with them, else none."""
        if disk.has_meaning() == self._meaning:
            return
        self._meaning = not self._meaning
        self._vectors = None
        if self._meaning:
            try:
                self._vectors = open_word_vectors()
            except UserMistake as mistake:
                self._say(f"the index {disk.path} has meanings, but {mistake}")

    def furniture_of(self, site: str, store: Store) -> Furniture:
        """What the pages of a host repeat."""
        with self._naming_damage():
            return self._furniture.of(site, self.view(), store)

    @contextmanager
    def _naming_damage(self) -> Iterator[None]:
        try:
            yield
        except BaseException as failure:
            if not is_damage(failure):
                raise
            self._hurt = True
            self._reached = self.revision  # what was put in since may be lost
            path = self._disk.path if self._disk else None
            raise name_damage(failure, path) from None

    def _start_over(self) -> None:
        """What is on disk is gone or damaged: nothing of it is used any more."""
        self._say_anew()
        self._writer = None
        self._index = register_tongues(tantivy.Index(self._schema))
        self._on_disk = False
        self.revision = 0
        self._reached = 0

    def _say_anew(self) -> None:
        assert self._disk is not None
        self._say(
            f"the index {self._disk.path} is missing or cannot be trusted: it is made anew from "
            "the store"
        )

    def _disk_stamp(self) -> int:
        return self._disk.stamp() if self._disk else 0

    def _open_from_disk(self) -> None:
        """Take the index on disk if there is a readable one; try again only when it has changed."""
        stamp = self._disk_stamp()
        if self._disk is None or stamp == self._stamp:
            return
        self._stamp = stamp
        self._follow_meaning(self._disk)
        opened = self._disk.open(thorough=not self._read_only)
        if opened is not None:
            self._index, self.revision = opened
            self._reached = self.revision
            self._on_disk = True
            self._writer = None

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._read_only and self._on_disk:
            raise ValueError("the index was opened for reading only")
        with self._naming_damage():
            if self._disk is not None and not self._on_disk and not self._read_only:
                self._index = self._disk.create(self._schema)
                self._on_disk = True
            try:
                self._writer = self._index.writer(_HEAP, num_threads=1)
            except ValueError as failure:
                if "LockBusy" in str(failure) and self._disk is not None:
                    raise FolderBusy(self._disk.path) from None
                raise
            # What a kill left of a commit has the very names that the next one would give, which
            # refuses to overwrite.
            self._writer.garbage_collect_files()
        return self._writer
