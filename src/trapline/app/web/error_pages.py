"""What is answered when something is wrong: a page for people, JSON for programs."""

from __future__ import annotations

from html import escape
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from trapline.app.web.page import STYLE


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


def error_page(status: int, problem: str) -> str:
    title = escape(HTTPStatus(status).phrase)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>"
        f'<header><h1><a href="/">Trapline</a></h1><span>{title}</span></header>'
        f'<main><p role="alert">{escape(problem)}</p>'
        '<p><a href="/">Search and status</a></p></main></body></html>'
    )
