"""Looking into an engine's folder: search and serve. Nothing is written."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

from trapline.core.errors import FolderMissing
from trapline.core.ports import Store
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import Answer, QueryProcessor
from trapline.stores.sqlite import SqliteStore


def open_query_processor(folder: Path) -> tuple[QueryProcessor, Store]:
    """To search a folder, also while a robot works on it: nothing is written."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    store = SqliteStore(folder, read_only=True)
    index = FullTextIndex(folder / "index", read_only=True)
    index.catch_up(store)
    return QueryProcessor(index, store), store


def search_folder(folder: Path, query: str, limit: int) -> Answer:
    processor, store = open_query_processor(folder)
    try:
        return processor.ask(query, limit=limit)
    finally:
        store.close()


def serve_folder(folder: Path, port: int) -> None:
    from trapline.app.web.server import WebServer, bind

    with WebServer(folder, bind(port)) as server:
        print(
            f"Search and status of {folder}: {server.url} (Ctrl-C ends it)", flush=True
        )
        over = threading.Event()
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, lambda *_: over.set())
        over.wait()
