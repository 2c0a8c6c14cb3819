"""Searching an engine's folder. Nothing is written, so a robot may be at work there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from trapline.app.folder.host_rows import open_for_reading
from trapline.core.storage import Store
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, Question
from trapline.search.search_desk import SearchDesk

PATIENCE_S: Final = 30.0  # of whoever waits at a terminal


def open_query_processor(folder: Path) -> tuple[QueryProcessor, Store]:
    """The query processor of a folder, and the store to close after use."""
    store = open_for_reading(folder)
    index = FullTextIndex(folder / "index", read_only=True)
    index.catch_up(store)
    return QueryProcessor(index, store), store


def search_folder(folder: Path, question: Question) -> Answer:
    processor, store = open_query_processor(folder)
    desk = SearchDesk(processor, at_once=1, within_s=PATIENCE_S)
    try:
        return desk.ask(question)
    finally:
        desk.close()
        store.close()
