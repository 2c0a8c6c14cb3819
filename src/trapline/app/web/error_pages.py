"""What is answered when something is wrong: a page for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from trapline.app.web.api.parameters import BadCharacters
from trapline.app.web.api.value_problems import say_problem
from trapline.app.web.pages.frame import error_page
from trapline.core.errors import (
    BadNumber,
    BadQuery,
    BadUrl,
    ContactMissing,
    EngineFailure,
    FolderMissing,
    FolderUnwritable,
    HostUnknown,
    ScheduleMissing,
    SearchBusy,
    UnknownName,
    UrlUnknown,
    UserMistake,
)

COME_BACK: Final = {"Retry-After": "1"}
_FOR_PROGRAMS: Final = (
    "/metrics",
    "/healthz",
    "/opensearch.xml",
    "/changes.atom",
    "/engine",
)
_BELOW: Final = ("/api/", "/directory/", "/engine/")
_IN_THE_WAY: Final = (
    409  # what was said makes sense, but not in this folder, or not now
)
_STATUS: Final = {
    BadUrl: 404,  # what is no URL at all does not come this far
    UrlUnknown: 404,
    HostUnknown: 404,
    FolderMissing: 404,
    ScheduleMissing: 404,
    FolderUnwritable: 403,
    ContactMissing: 403,
    BadQuery: 422,
    BadNumber: 422,
    UnknownName: 422,
}

SearchProblem = Callable[[str, str], Response]  # of a query, and what is wrong


def error_response(
    request: Request, status: int, problem: str, headers: dict[str, str] | None = None
) -> Response:
    # a problem may quote what was said, which may hold halves of characters
    problem = problem.encode("utf-8", "replace").decode()
    if wants_json(request):
        return JSONResponse({"error": problem}, status, headers)
    return HTMLResponse(error_page(status, problem), status, headers)


def wants_json(request: Request) -> bool:
    """Programs ask below some addresses and at some of their own, or say so."""
    accepted = request.headers.get("accept", "")
    path = request.url.path
    if path.startswith(_BELOW):
        return True
    return "html" not in accepted and ("json" in accepted or path in _FOR_PROGRAMS)


def add_error_answers(app: FastAPI, search_problem: SearchProblem) -> None:
    """`search_problem` makes the page of a search with a wrong parameter."""

    async def answer_bad_value(
        request: Request, error: RequestValidationError | BadCharacters
    ) -> Response:
        problem = str(error)
        if isinstance(error, RequestValidationError):
            problem = say_problem(error.errors()[0])
        if request.url.path != "/search" or wants_json(request):
            return error_response(request, 422, problem)
        query = request.query_params.get("q", "")
        return await run_in_threadpool(search_problem, query, problem)

    answers: dict[Any, Any] = {
        HTTPException: _answer_misuse,
        RequestValidationError: answer_bad_value,
        BadCharacters: answer_bad_value,
        UserMistake: _answer_mistake,
        EngineFailure: _answer_engine_failure,
        Exception: _answer_failure,
    }
    for kind, answer in answers.items():
        app.exception_handler(kind)(answer)


async def _answer_misuse(request: Request, error: HTTPException) -> Response:
    if error.status_code == 400:  # FastAPI's own, of brackets without end and the like
        return error_response(request, 422, "the body is not JSON")
    problem = "There is no such page here." if error.status_code == 404 else ""
    detail = error.detail if error.detail != "Not Found" else problem
    headers = dict(error.headers or {})
    return error_response(request, error.status_code, detail, headers)


async def _answer_mistake(request: Request, mistake: UserMistake) -> Response:
    status = _STATUS.get(type(mistake), _IN_THE_WAY)
    return error_response(request, status, str(mistake))


async def _answer_engine_failure(request: Request, failure: EngineFailure) -> Response:
    headers = COME_BACK if isinstance(failure, SearchBusy) else None
    return error_response(request, 503, str(failure), headers)


async def _answer_failure(request: Request, _: Exception) -> Response:
    """The failure itself is told by the server, in its terminal."""
    return error_response(request, 500, "Something broke here; the terminal says what.")
