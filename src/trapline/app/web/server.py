"""Serving one engine's folder: read-only, so it may run beside the robot that fills it.

Binds to loopback.
"""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any, Self

import uvicorn
from fastapi import FastAPI, Query
from fastapi.responses import HTMLResponse, JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from trapline.app.folder.folder_search import open_query_processor
from trapline.app.folder.metrics import FolderMetrics, health
from trapline.app.folder.status import Status, status_of
from trapline.app.output.changes import atom, lines_after, newest_lines
from trapline.app.web.page import PER_PAGE, page
from trapline.core.errors import PortTaken, UserMistake
from trapline.core.storage import Store
from trapline.search.query_processor import Answer, QueryProcessor

LOOPBACK = "127.0.0.1"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class _Pages:
    """What is served of one folder; each method is an endpoint."""

    def __init__(self, folder: Path, processor: QueryProcessor, store: Store) -> None:
        self._folder = folder
        self._engine = folder.resolve().name
        self._processor = processor
        self._ask_lock = threading.Lock()
        self._store = store
        self._metrics = FolderMetrics(store)

    def home(self) -> HTMLResponse:
        return _html(page(self._status()))

    def search(
        self, q: str = "", offset: int = Query(0, ge=0, le=10_000)
    ) -> HTMLResponse:
        status = self._status()
        if not q.strip():
            return _html(page(status))
        try:
            answer = self._ask(q, PER_PAGE, offset)
        except UserMistake as mistake:
            return _html(page(status, q, problem=str(mistake)), status_code=400)
        return _html(page(status, q, answer, offset))

    def api_search(
        self,
        q: str,
        limit: int = Query(10, ge=1, le=100),
        offset: int = Query(0, ge=0, le=10_000),
    ) -> Any:
        try:
            return self._ask(q, limit, offset)
        except UserMistake as mistake:
            return JSONResponse({"error": str(mistake)}, status_code=400)

    def api_changes(
        self,
        after: int = Query(0, ge=0, lt=2**63),
        limit: int = Query(100, ge=1, le=1000),
    ) -> dict[str, Any]:
        lines = lines_after(self._store, after, limit)
        changes = [line.as_dict() for line in lines]
        return {"engine": self._engine, "changes": changes}

    def changes_atom(self) -> Response:
        return Response(
            atom(self._engine, newest_lines(self._store)),
            media_type="application/atom+xml; charset=utf-8",
            headers=_HEADERS,
        )

    def prometheus(self) -> Response:
        return Response(self._metrics.text(), media_type=CONTENT_TYPE_LATEST)

    def healthz(self) -> JSONResponse:
        healthy, facts = health(self._folder, self._store)
        return JSONResponse(facts, status_code=200 if healthy else 503)

    def api_status(self) -> dict[str, Any]:
        return self._status().as_dict()

    def _status(self) -> Status:
        return status_of(self._folder, self._store)

    def _ask(self, query: str, limit: int, offset: int) -> Answer:
        with self._ask_lock:
            return self._processor.ask(query, limit=limit, offset=offset)


def _html(text: str, status_code: int = 200) -> HTMLResponse:
    return HTMLResponse(text, status_code=status_code, headers=_HEADERS)


def make_app(folder: Path, processor: QueryProcessor, store: Store) -> FastAPI:
    app = FastAPI(title="Trapline", docs_url=None, redoc_url=None)
    pages = _Pages(folder, processor, store)
    app.get("/", response_class=HTMLResponse)(pages.home)
    app.get("/search", response_class=HTMLResponse)(pages.search)
    app.get("/api/search")(pages.api_search)
    app.get("/api/changes")(pages.api_changes)
    app.get("/changes.atom")(pages.changes_atom)
    app.get("/metrics")(pages.prometheus)
    app.get("/healthz")(pages.healthz)
    app.get("/api/status")(pages.api_status)
    return app


def bind(port: int) -> socket.socket:
    """A listening socket on loopback, so that a taken port is known first of all."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(64)
    except OSError:
        listener.close()
        raise PortTaken(LOOPBACK, port) from None
    return listener


class WebServer(uvicorn.Server):
    """Serves one folder on a socket that is open already; signals stay with the command."""

    def __init__(self, folder: Path, listener: socket.socket) -> None:
        processor, self._store = open_query_processor(folder)
        app = make_app(folder, processor, self._store)
        super().__init__(
            uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")
        )
        self._listener = listener
        self._thread = threading.Thread(
            target=self.run, args=([listener],), daemon=True, name="web page"
        )

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._listener.getsockname()[1]}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.should_exit = True
        self._thread.join(timeout=5.0)
        self._listener.close()
        self._store.close()
