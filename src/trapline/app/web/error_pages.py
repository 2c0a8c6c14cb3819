"""What is answered when something is wrong: a page for people, JSON for programs."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from trapline.app.web.pages.frame import error_page


def error_response(request: Request, status: int, problem: str) -> Response:
    if wants_json(request):
        return JSONResponse({"error": problem}, status_code=status)
    return HTMLResponse(error_page(status, problem), status_code=status)


def wants_json(request: Request) -> bool:
    """Programs ask below /api, or say so."""
    accepted = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or (
        "json" in accepted and "html" not in accepted
    )
