"""Searching an engine's folder. Nothing is written, so a robot may be at work there; of a crawl in
shards the index is, which no robot writes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.crawl_store import open_crawl
from trapline.app.folder.places.index_follower import (
    INDEX,
    IndexFollower,
    drop_index_of_others,
)
from trapline.app.output.standard_output import print_remark
from trapline.core.storage import SteadyStore
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, Question
from trapline.search.search_desk import SearchDesk

PATIENCE_S: Final = 30.0  # of whoever waits at a terminal


class OpenSearch(NamedTuple):
    """The query processor of a folder, and what is to be closed after use."""

    processor: QueryProcessor
    store: SteadyStore
    follower: IndexFollower | None  # of a crawl in shards

    def close(self) -> None:
        if self.follower is not None:
            self.follower.close()
        self.store.close()


def open_search(folder: Path) -> OpenSearch:
    """As of now; whoever goes on searching has the follower start."""
    if not is_in_shards(folder):
        store = open_for_reading(folder)
        return OpenSearch(_processor(folder, store), store, None)
    shards, look_again = open_store_to_follow(folder)
    path = folder / INDEX
    opener = partial(FullTextIndex, path, say=print_remark, copies_apart=True)
    follower = IndexFollower(path, shards, opener, look_again)
    try:
        follower.follow()
        return OpenSearch(_processor(folder, shards), shards, follower)
    except BaseException:
        shards.close()
        raise


def open_store_to_follow(folder: Path) -> tuple[SteadyStore, Callable[[], None]]:
    """A store, and what has it see shards that have begun since."""
    if not is_in_shards(folder):
        return open_for_reading(folder), lambda: None
    shards = open_crawl(folder)
    drop_index_of_others(folder, len(shards.shards))
    return shards, shards.look_again


def open_query_processor(folder: Path) -> tuple[QueryProcessor, SteadyStore]:
    """As of now, and the store to close after use."""
    found = open_search(folder)
    return found.processor, found.store


def _processor(folder: Path, store: SteadyStore) -> QueryProcessor:
    index = FullTextIndex(
        folder / INDEX, read_only=True, copies_apart=is_in_shards(folder)
    )
    index.catch_up(store)
    return QueryProcessor(index, store)


def search_folder(folder: Path, question: Question) -> Answer:
    found = open_search(folder)
    desk = SearchDesk(found.processor, at_once=1, within_s=PATIENCE_S)
    try:
        return desk.ask(question)
    finally:
        desk.close()
        found.close()
