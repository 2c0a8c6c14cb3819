"""A page as it is sent."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from trapline.app.web.pages.markup import Html


def html_response(
    page: Html, status: int = 200, headers: dict[str, str] | None = None
) -> HTMLResponse:
    # half a surrogate cannot be sent; what stands for it can
    text = page.encode("utf-8", "replace")
    return HTMLResponse(text, status, {"Cache-Control": "no-store", **(headers or {})})
