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
from trapline.app.folder.status import status_of
from trapline.app.output.changes import atom, lines_after, newest_lines
from trapline.app.web.page import PER_PAGE, page
from trapline.core.errors import PortTaken, UserMistake
from trapline.core.ports import Store
from trapline.search.query_processor import QueryProcessor

LOOPBACK = "127.0.0.1"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def make_app(folder: Path, processor: QueryProcessor, store: Store) -> FastAPI:
    app = FastAPI(title="Trapline", docs_url=None, redoc_url=None)
    ask_lock = threading.Lock()
    engine = folder.resolve().name
    metrics = FolderMetrics(store)

    @app.get("/", response_class=HTMLResponse)
    def home() -> HTMLResponse:
        return HTMLResponse(page(status_of(folder, store)), headers=_HEADERS)

    @app.get("/search", response_class=HTMLResponse)
    def search(q: str = "", offset: int = Query(0, ge=0, le=10_000)) -> HTMLResponse:
        status = status_of(folder, store)
        if not q.strip():
            return HTMLResponse(page(status), headers=_HEADERS)
        try:
            with ask_lock:
                answer = processor.ask(q, limit=PER_PAGE, offset=offset)
        except UserMistake as mistake:
            return HTMLResponse(
                page(status, q, problem=str(mistake)), status_code=400, headers=_HEADERS
            )
        return HTMLResponse(page(status, q, answer, offset), headers=_HEADERS)

    @app.get("/api/search")
    def api_search(
        q: str,
        limit: int = Query(10, ge=1, le=100),
        offset: int = Query(0, ge=0, le=10_000),
    ) -> Any:
        try:
            with ask_lock:
                return processor.ask(q, limit=limit, offset=offset)
        except UserMistake as mistake:
            return JSONResponse({"error": str(mistake)}, status_code=400)

    @app.get("/api/changes")
    def api_changes(
        after: int = Query(0, ge=0, lt=2**63), limit: int = Query(100, ge=1, le=1000)
    ) -> dict[str, Any]:
        return {
            "engine": engine,
            "changes": [line.as_dict() for line in lines_after(store, after, limit)],
        }

    @app.get("/changes.atom")
    def changes_atom() -> Response:
        return Response(
            atom(engine, newest_lines(store)),
            media_type="application/atom+xml; charset=utf-8",
            headers=_HEADERS,
        )

    @app.get("/metrics")
    def prometheus() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/healthz")
    def healthz() -> JSONResponse:
        healthy, facts = health(folder, store)
        return JSONResponse(facts, status_code=200 if healthy else 503)

    @app.get("/api/status")
    def api_status() -> dict[str, Any]:
        return status_of(folder, store).as_dict()

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
