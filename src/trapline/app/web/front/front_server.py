"""The server of a front, on loopback, behind the same guard as the pages of an engine."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from fastapi import Depends, FastAPI

from trapline import __version__
from trapline.app.parts.asked_part import AskedPart
from trapline.app.parts.front import Front
from trapline.app.parts.part_list import KnownParts, part_client
from trapline.app.web.api.api_page import ApiPage
from trapline.app.web.api.parameters import check_parameters
from trapline.app.web.endpoints import OPENAPI, Family, answer_head
from trapline.app.web.error_pages import add_error_answers
from trapline.app.web.front.front_api import FrontApi
from trapline.app.web.front.front_pages import FrontPages
from trapline.app.web.front.passed_on import PassedOn
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.loopback_server import LoopbackServer
from trapline.app.web.neighbours.neighbour_api import NeighbourApi
from trapline.net.engine_client import EngineClient


class FrontServer(LoopbackServer):
    def __init__(
        self,
        known: KnownParts,
        listener: socket.socket,
        names: Sequence[str],
        within_s: float,
    ) -> None:
        self._client: EngineClient = part_client(list(known.urls.values()))
        parts = [AskedPart(part, url, self._client) for part, url in known.urls.items()]
        self.front = Front(known.engine, parts, within_s)
        app = HostGuard(make_front_app(self.front), tuple(names))
        super().__init__(app, listener, name="front")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        await self.front.close()
        await self._client.close()


def make_front_app(front: Front) -> FastAPI:
    app = FastAPI(
        title="Trapline",
        version=__version__,
        description="Search a collection whose index lies in parts.",
        openapi_url=OPENAPI,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(check_parameters)],
    )
    neighbours = NeighbourApi(front, lambda: "")
    pages = FrontPages(front, neighbours)
    families: list[Family] = [
        FrontApi(front),
        neighbours,
        PassedOn(front),
        ApiPage(),
        pages,
    ]
    for family in families:
        family.add_to(app)
    add_error_answers(app, pages.search_problem)
    answer_head(app)
    return app
