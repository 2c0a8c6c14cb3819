"""What is served of one folder: an endpoint a method."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException as StarletteError

from trapline.app.folder.metrics import FolderMetrics, health
from trapline.app.folder.status import Status, status_of
from trapline.app.output.changes import atom, lines_after, newest_lines
from trapline.app.web.error_pages import error_response
from trapline.app.web.pages.routes import add_pages
from trapline.core.errors import SearchBusy, UserMistake
from trapline.core.storage import Store
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, Question
from trapline.search.search_desk import SearchDesk

_COME_BACK = {"Retry-After": "1"}


class Endpoints:
    def __init__(self, folder: Path, desk: SearchDesk, store: Store) -> None:
        self._folder = folder
        self._engine = folder.resolve().name
        self._desk = desk
        self._store = store
        self._metrics = FolderMetrics(store)

    async def api_search(
        self,
        q: str,
        limit: int = Query(10, ge=1, le=100),
        offset: int = Query(0, ge=0, le=10_000),
    ) -> Any:
        try:
            return await self._ask(q, limit, offset)
        except UserMistake as mistake:
            return JSONResponse({"error": str(mistake)}, 400)
        except SearchBusy as busy:
            return JSONResponse({"error": str(busy)}, 503, _COME_BACK)

    def api_changes(
        self,
        after: int = Query(0, ge=0, lt=2**63),
        limit: int = Query(100, ge=1, le=1000),
    ) -> dict[str, Any]:
        lines = lines_after(self._store, after, limit)
        changes = [line.as_dict() for line in lines]
        return {"engine": self._engine, "changes": changes}

    def changes_atom(self) -> Response:
        feed = atom(self._engine, newest_lines(self._store))
        return Response(feed, media_type="application/atom+xml; charset=utf-8")

    def prometheus(self) -> Response:
        return Response(self._metrics.text(), media_type=CONTENT_TYPE_LATEST)

    def healthz(self) -> JSONResponse:
        healthy, facts = health(self._folder, self._store)
        return JSONResponse(facts, status_code=200 if healthy else 503)

    def api_status(self) -> dict[str, Any]:
        return self._status().as_dict()

    def _status(self) -> Status:
        return status_of(self._folder, self._store)

    async def _ask(self, query: str, limit: int, offset: int) -> Answer:
        answer = asyncio.wrap_future(
            self._desk.join_line(Question(query, limit, offset))
        )
        try:
            return await asyncio.wait_for(answer, self._desk.within_s)
        except TimeoutError:
            raise self._desk.too_slow() from None


def make_app(
    folder: Path, desk: SearchDesk, processor: QueryProcessor, store: Store
) -> FastAPI:
    app = FastAPI(title="Trapline", openapi_url=None)
    endpoints = Endpoints(folder, desk, store)
    routes: dict[str, Any] = {
        "/api/search": endpoints.api_search,
        "/api/changes": endpoints.api_changes,
        "/changes.atom": endpoints.changes_atom,
        "/metrics": endpoints.prometheus,
        "/healthz": endpoints.healthz,
        "/api/status": endpoints.api_status,
    }
    for path, endpoint in routes.items():
        app.api_route(path, methods=["GET", "HEAD"])(endpoint)
    add_pages(app, folder, desk, processor, store)
    app.exception_handler(StarletteError)(_answer_misuse)
    app.exception_handler(RequestValidationError)(_answer_bad_value)
    app.exception_handler(Exception)(_answer_failure)
    return app


async def _answer_misuse(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404:
        return error_response(request, 404, "There is no such page here.")
    return error_response(request, error.status_code, str(error.detail))


async def _answer_bad_value(
    request: Request, error: RequestValidationError
) -> Response:
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"][1:]))
    return error_response(request, 422, f"{name}: {first['msg']}")


async def _answer_failure(request: Request, _: Exception) -> Response:
    """The failure itself is told by the server, in its terminal."""
    return error_response(request, 500, "Something broke here; the terminal says what.")
