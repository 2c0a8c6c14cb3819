"""What a front does not know itself: one part is asked, or it is said who can be."""

from __future__ import annotations

from typing import Final, NoReturn

from fastapi import Depends, FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trapline.app.parts.front import Front
from trapline.app.web.api.answers import PROBLEMS
from trapline.app.web.api.demand_api import Opened
from trapline.app.web.api.order_guard import check_is_json

# all parts read one store, so any of them knows
_ADDRESSES: Final = (
    "/api/pages/{page}",
    "/api/why",
    "/api/status",
    "/api/hosts",
    "/api/plan",
    "/changes.atom",
)
_PAGES: Final = ("/cached/{page}", "/why")
_NOT_HERE: Final = (
    "/dashboard",
    "/plan",
    "/laboratory",
    "/metrics",
    "/engine",
    "/engine/terms",
    "/engine/sample",
    "/api/live",
    "/api/dashboard",
    "/api/changes",
    "/api/demand",
)
_ORDERS: Final = (
    "/api/label",
    "/api/seed",
    "/api/visit",
    "/api/pause",
    "/api/resume",
)
_KEPT: Final = ("content-type", "cache-control", "retry-after")


class PassedOn:
    def __init__(self, front: Front) -> None:
        self._front = front

    def add_to(self, app: FastAPI) -> None:
        for path in (*_ADDRESSES, *_PAGES):
            app.router.add_route(path, self.pass_on, methods=["GET"])
        app.post(
            "/api/opened",
            status_code=204,
            responses=PROBLEMS,
            dependencies=[Depends(check_is_json)],
        )(self.note_opened)
        for path in _NOT_HERE:
            app.router.add_route(path, self.refuse, methods=["GET"])
        for path in _ORDERS:
            app.router.add_route(path, self.refuse, methods=["POST"])

    async def pass_on(self, request: Request) -> Response:
        query = request.scope["query_string"].decode("latin-1")
        path = request.scope["raw_path"].decode("latin-1")
        accept = request.headers.get("accept", "")
        target = f"{path}?{query}" if query else path
        answer = await self._front.pass_on(target, accept)
        headers = {
            name: answer.headers[name] for name in _KEPT if name in answer.headers
        }
        return Response(answer.body, answer.status, headers)

    async def note_opened(self, opened: Opened) -> Response:
        """A result was opened: a part counts it, without who."""
        body = opened.model_dump_json().encode()
        answer = await self._front.pass_on("/api/opened", body=body)
        return Response(answer.body, answer.status)

    def refuse(self, request: Request) -> NoReturn:
        path = request.url.path
        url = self._front.parts[0].url
        raise HTTPException(
            404,
            f"a front of parts has no {path}: ask the server of a part, {url}{path}",
        )
