"""Looking into an engine's folder: search and serve. Nothing is written."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

from trapline.app.assembly import open_query_processor
from trapline.search.query_processor import Answer


def search_folder(folder: Path, query: str, limit: int) -> Answer:
    processor, store = open_query_processor(folder)
    try:
        return processor.ask(query, limit=limit)
    finally:
        store.close()


def serve_folder(folder: Path, port: int) -> None:
    from trapline.app.web.server import WebServer, bind

    with WebServer(folder, bind(port)) as server:
        print(f"Search and status of {folder}: {server.url} (Ctrl-C ends it)", flush=True)
        over = threading.Event()
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, lambda *_: over.set())
        over.wait()
