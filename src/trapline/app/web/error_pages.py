"""What is answered when something is wrong: a page for people, JSON for programs."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from trapline.app.web.api.patterns import PROBLEMS_OF
from trapline.app.web.pages.frame import error_page
from trapline.core.errors import (
    EngineFailure,
    FolderMissing,
    FolderUnwritable,
    HostUnknown,
    SearchBusy,
    UrlUnknown,
    UserMistake,
)

COME_BACK: Final = {"Retry-After": "1"}
_NOT_FOUND: Final = (UrlUnknown, HostUnknown, FolderMissing)
_WORDING: Final = {
    "missing": "it is missing",
    "string_unicode": "it has half a character in it",
    "json_invalid": "it is not JSON",
    "model_attributes_type": "a JSON object is wanted",
}


def error_response(
    request: Request, status: int, problem: str, headers: dict[str, str] | None = None
) -> Response:
    # a problem may quote what was said, which may hold halves of characters
    problem = problem.encode("utf-8", "replace").decode()
    if wants_json(request):
        return JSONResponse({"error": problem}, status, headers)
    return HTMLResponse(error_page(status, problem), status, headers)


def wants_json(request: Request) -> bool:
    """Programs ask below /api, or say so."""
    accepted = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or (
        "json" in accepted and "html" not in accepted
    )


def add_error_answers(app: FastAPI) -> None:
    answers: dict[Any, Any] = {
        HTTPException: _answer_misuse,
        RequestValidationError: _answer_bad_value,
        UserMistake: _answer_mistake,
        EngineFailure: _answer_engine_failure,
        Exception: _answer_failure,
    }
    for kind, answer in answers.items():
        app.exception_handler(kind)(answer)


async def _answer_misuse(request: Request, error: HTTPException) -> Response:
    problem = "There is no such page here." if error.status_code == 404 else ""
    detail = error.detail if error.detail != "Not Found" else problem
    headers = dict(error.headers or {})
    return error_response(request, error.status_code, detail, headers)


async def _answer_bad_value(
    request: Request, error: RequestValidationError
) -> Response:
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"][1:])) or "the body"
    problem = _WORDING.get(first["type"], first["msg"]).removeprefix("Value error, ")
    pattern = first.get("ctx", {}).get("pattern", "")
    problem = PROBLEMS_OF.get(pattern, problem)
    return error_response(request, 422, f"{name}: {problem}")


async def _answer_mistake(request: Request, mistake: UserMistake) -> Response:
    status = 400
    if isinstance(mistake, _NOT_FOUND):
        status = 404
    elif isinstance(mistake, FolderUnwritable):
        status = 403
    return error_response(request, status, str(mistake))


async def _answer_engine_failure(request: Request, failure: EngineFailure) -> Response:
    headers = COME_BACK if isinstance(failure, SearchBusy) else None
    return error_response(request, 503, str(failure), headers)


async def _answer_failure(request: Request, _: Exception) -> Response:
    """The failure itself is told by the server, in its terminal."""
    return error_response(request, 500, "Something broke here; the terminal says what.")
