"""Making the full-text index of a folder anew, from its store.

It is made beside the old one, which answers until the new one takes its place.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.crawl_store import open_crawl
from trapline.app.folder.places.index_follower import index_turn
from trapline.app.folder.places.store_link import shown_place
from trapline.core.errors import FolderMissing, UserMistake, disk_trouble
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex
from trapline.search.index_folder import IndexFolder
from trapline.search.meaning import WordVectors, open_word_vectors
from trapline.stores.sqlite.store import SqliteStore

INDEX: Final = "index"
_NEW: Final = "index.new"
_OLD: Final = "index.old"


@dataclass(frozen=True, slots=True)
class Reindexed:
    folder: str
    pages_held: int
    size: int  # bytes
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"The index of {self.folder} is made anew: {self.pages_held:,} pages, "
            f"{self.size / 1e6:,.1f} MB, {self.seconds:.1f} s."
        )


def reindex(
    folder: Path,
    say: Callable[[str], None] = lambda _: None,
    *,
    meaning: bool | None = None,
) -> Reindexed:
    """Make the index anew; FolderBusy while a robot is at work, nothing is touched then.

    With `meaning` word vectors go in (None = if the old index has them). `say` tells how far it has
    come. After a kill the old index is there, or none: then the next
    robot makes one.
    """
    began_s = perf_counter()
    if meaning is None:
        meaning = IndexFolder(folder / INDEX).has_meaning()
    vectors = open_word_vectors() if meaning else None
    with _alone(folder, say) as store:
        try:
            _build(folder / _NEW, store, say, vectors, in_shards=is_in_shards(folder))
            _replace(folder)
            held = store.counts().held
        finally:
            _remove(folder / _NEW)
    size = sum(file.stat().st_size for file in (folder / INDEX).iterdir())
    return Reindexed(shown_place(folder), held, size, perf_counter() - began_s)


@contextmanager
def _alone(folder: Path, say: Callable[[str], None]) -> Iterator[Store]:
    """The store, while nobody else writes the index."""
    if is_in_shards(folder):
        with (
            closing(open_crawl(folder)) as shards,
            index_turn(folder / INDEX) as is_ours,
        ):
            if not is_ours:
                raise UserMistake(
                    f"another process has the index of {shown_place(folder)} follow its shards: "
                    "end it first"
                )
            yield shards
        return
    if not (folder / "store.sqlite").exists():
        raise FolderMissing(folder)
    with closing(SqliteStore(folder, say=say)) as store:
        yield store


def _build(
    path: Path,
    store: Store,
    say: Callable[[str], None],
    vectors: WordVectors | None,
    *,
    in_shards: bool,
) -> None:
    _remove(path)
    try:
        path.mkdir()
    except OSError as failure:
        raise disk_trouble(path.parent, failure) from None
    index = FullTextIndex(path, say=say, vectors=vectors, copies_apart=in_shards)
    try:
        index.catch_up(store)
    finally:
        index.close()


def _replace(folder: Path) -> None:
    """Two renamings: whoever looks in between makes an index in memory until the next look."""
    _remove(folder / _OLD)
    if (folder / INDEX).exists():
        (folder / INDEX).rename(folder / _OLD)
    (folder / _NEW).rename(folder / INDEX)
    _remove(folder / _OLD)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
