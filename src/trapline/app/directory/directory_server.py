"""A directory on loopback, behind the same guard as the pages of an engine."""

from __future__ import annotations

import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trapline import __version__
from trapline.app.directory.directory_api import DirectoryApi
from trapline.app.directory.directory_options import DirectoryOptions
from trapline.app.directory.directory_page import directory_error, directory_page
from trapline.app.directory.open_directory import OpenDirectory
from trapline.app.web.api.value_problems import say_problem
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.loopback_server import LoopbackServer
from trapline.app.web.pages.static_files import add_static_files
from trapline.core.errors import (
    DescriptionUnreadable,
    EngineFailure,
    StatementRefused,
    UserMistake,
)

_ORDERS: Final = "/directory/"
_COME_BACK: Final = {"Retry-After": "5"}


class DirectoryServer(LoopbackServer):
    def __init__(
        self, folder: Path, listener: socket.socket, options: DirectoryOptions
    ) -> None:
        self.directory = OpenDirectory(folder, options)
        app = _Guarded(make_app(self.directory), options.names)
        super().__init__(app, listener, name="directory", lifespan="on")

    def __exit__(self, *failure: object) -> None:
        super().__exit__(*failure)
        self.directory.close()


class _Guarded:
    """The server's start and end pass to the directory, requests pass the guard first."""

    def __init__(self, app: ASGIApp, names: tuple[str, ...]) -> None:
        self._app = app
        self._guard = HostGuard(app, names, _ORDERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app if scope["type"] == "lifespan" else self._guard
        await app(scope, receive, send)


def make_app(directory: OpenDirectory) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with directory.at_work():
            yield

    app = FastAPI(
        title="Trapline directory",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    DirectoryApi(directory).add_to(app)
    _add_page(app, directory)
    add_static_files(app)
    _add_error_answers(app)
    return app


def _add_page(app: FastAPI, directory: OpenDirectory) -> None:
    async def home() -> HTMLResponse:
        store = directory.store
        page = directory_page(
            store.engines(), directory.gossip.peers, store.table_version(), time.time()
        )
        text = page.encode("utf-8", "replace")
        return HTMLResponse(text, headers={"Cache-Control": "no-store"})

    app.api_route("/", methods=["GET", "HEAD"], response_model=None)(home)


def _add_error_answers(app: FastAPI) -> None:
    statuses: dict[type[Exception], int] = {
        DescriptionUnreadable: 422,
        UserMistake: 409,
        EngineFailure: 503,
    }

    def answer_with(status: int) -> Any:
        async def answer(request: Request, error: Exception) -> Response:
            return _problem(request, status, str(error))

        return answer

    async def answer_refusal(_: Request, error: StatementRefused) -> Response:
        return JSONResponse({"error": error.reason, "serial": error.last_serial}, 409)

    for kind, status in statuses.items():
        app.exception_handler(kind)(answer_with(status))
    app.exception_handler(StatementRefused)(answer_refusal)
    app.exception_handler(HTTPException)(_answer_misuse)
    app.exception_handler(RequestValidationError)(_answer_bad_value)
    app.exception_handler(Exception)(_answer_failure)


async def _answer_misuse(request: Request, error: HTTPException) -> Response:
    missing = error.detail == "Not Found"
    problem = "There is no such page here." if missing else error.detail
    return _problem(request, error.status_code, problem)


async def _answer_bad_value(
    request: Request, error: RequestValidationError
) -> Response:
    return _problem(request, 422, say_problem(error.errors()[0]))


async def _answer_failure(request: Request, _: Exception) -> Response:
    return _problem(request, 500, "Something broke here; the terminal says what.")


def _problem(request: Request, status: int, problem: str) -> Response:
    headers = _COME_BACK if status == 503 else None
    if request.url.path.startswith(_ORDERS):
        return JSONResponse({"error": problem}, status, headers)
    return HTMLResponse(directory_error(status, problem), status, headers)
