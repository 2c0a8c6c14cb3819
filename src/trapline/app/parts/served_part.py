"""The index of one part, open to be searched, and kept up with its store."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from trapline.app.folder.folder_search import OpenSearch, open_store_to_follow
from trapline.app.folder.places.index_follower import IndexFollower
from trapline.app.output.standard_output import print_remark
from trapline.search.index import FullTextIndex
from trapline.search.index_folder import IndexFolder
from trapline.search.meaning import WordVectors, open_word_vectors
from trapline.search.parts.index_part import IndexPart
from trapline.search.parts.part_search import PartSearch
from trapline.search.query_processor import QueryProcessor


@dataclass(frozen=True, slots=True)
class ServedPart:
    part: IndexPart
    opened: OpenSearch
    search: PartSearch


def open_part(folder: Path, part: IndexPart) -> ServedPart:
    """Makes the index of the part, or brings it up to date, before anybody is answered."""
    path = folder / part.folder_name
    store, look_again = open_store_to_follow(folder)
    opener = partial(
        FullTextIndex,
        path,
        say=print_remark,
        vectors=_vectors_of(folder),
        part=part,
        copies_apart=True,
    )
    follower = IndexFollower(path, store, opener, look_again)
    try:
        follower.follow()
        index = FullTextIndex(path, read_only=True, part=part, copies_apart=True)
        index.catch_up(store)
    except BaseException:
        store.close()
        raise
    follower.start()
    processor = QueryProcessor(index, store)
    opened = OpenSearch(processor, store, follower)
    return ServedPart(part, opened, PartSearch(index, processor))


def _vectors_of(folder: Path) -> WordVectors | None:
    """Word vectors if the whole index was made with them, so that both rank alike."""
    return open_word_vectors() if IndexFolder(folder / "index").has_meaning() else None
