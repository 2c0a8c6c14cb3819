"""The index of one part, open to be searched, and kept up with its store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.output.standard_output import print_remark
from trapline.app.web.index_follower import IndexFollower
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex
from trapline.search.index_folder import IndexFolder
from trapline.search.meaning import WordVectors, open_word_vectors
from trapline.search.parts.index_part import IndexPart
from trapline.search.parts.part_search import PartSearch
from trapline.search.query_processor import QueryProcessor


@dataclass(frozen=True, slots=True)
class ServedPart:
    part: IndexPart
    store: Store
    processor: QueryProcessor
    search: PartSearch
    follower: IndexFollower


def open_part(folder: Path, part: IndexPart) -> ServedPart:
    """Makes the index of the part, or brings it up to date, before anybody is answered."""
    path = folder / part.folder_name
    store = open_for_reading(folder)
    writing = FullTextIndex(
        path,
        say=print_remark,
        vectors=_vectors_of(folder),
        part=part,
    )
    follower = IndexFollower(writing, open_for_reading(folder))
    try:
        follower.start()
    except BaseException:
        follower.close()
        store.close()
        raise
    index = FullTextIndex(path, read_only=True, part=part)
    index.catch_up(store)
    processor = QueryProcessor(index, store)
    search = PartSearch(index, processor)
    return ServedPart(
        part,
        store,
        processor,
        search,
        follower,
    )


def _vectors_of(folder: Path) -> WordVectors | None:
    """Word vectors if the whole index was made with them, so that both rank alike."""
    return open_word_vectors() if IndexFolder(folder / "index").has_meaning() else None
