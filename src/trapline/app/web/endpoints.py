"""What is served of one folder: the endpoints of all families in one application."""

from __future__ import annotations

from typing import Final, Protocol

from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.responses import RedirectResponse
from starlette.routing import Route

from trapline import __version__
from trapline.app.federation.broker import Broker
from trapline.app.federation.federation_news import FederationNews
from trapline.app.web.api.api_page import ApiPage
from trapline.app.web.api.broker_api import BrokerApi
from trapline.app.web.api.change_api import ChangeApi
from trapline.app.web.api.demand_api import DemandApi
from trapline.app.web.api.engine_api import EngineApi
from trapline.app.web.api.event_stream import EventStreams
from trapline.app.web.api.folder_api import FolderApi
from trapline.app.web.api.order_api import OrderApi
from trapline.app.web.api.page_api import PageApi
from trapline.app.web.api.parameters import check_parameters
from trapline.app.web.api.part_api import PartApi
from trapline.app.web.api.search_api import SearchApi
from trapline.app.web.error_pages import add_error_answers
from trapline.app.web.neighbours.neighbour_api import NeighbourApi, example_of
from trapline.app.web.pages.federation.known_broker import KnownBroker
from trapline.app.web.pages.routes import add_pages
from trapline.app.web.served_folder import ServedFolder

OPENAPI: Final = "/api/openapi.json"
_USUAL: Final = {"/openapi.json": OPENAPI, "/docs": "/api", "/api/": "/api"}
_ABOUT: Final = (
    "Search a collection, follow its changes, ask why pages are visited, and steer the robot. "
    'Whatever is wrong is told as {"error": "…"}.'
)


class Family(Protocol):
    """Endpoints that belong together."""

    def add_to(self, app: FastAPI) -> None: ...


def make_app(
    served: ServedFolder,
    broker: Broker | None = None,
    news: FederationNews | None = None,
) -> FastAPI:
    """With a broker it asks other engines, too; `news` is where it hears of them."""
    app = FastAPI(
        title="Trapline",
        version=__version__,
        description=_ABOUT,
        openapi_url=OPENAPI,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(check_parameters)],
    )
    folder = FolderApi(served)
    asked = KnownBroker(broker, news, served) if broker else None
    pages = add_pages(app, served, folder.dashboard_now, folder.plan_now, asked)
    for family in _families(served, folder, broker):
        family.add_to(app)
    _add_usual_addresses(app)
    add_error_answers(app, pages.search_problem)
    answer_head(app)
    return app


def _families(
    served: ServedFolder, folder: FolderApi, broker: Broker | None
) -> list[Family]:
    streams = EventStreams(served)
    return [
        BrokerApi(served, broker, streams) if broker else SearchApi(served),
        NeighbourApi(served, lambda: example_of(served.store)),
        PageApi(served),
        folder,
        ChangeApi(served, folder.dashboard_now, streams),
        OrderApi(served),
        DemandApi(served),
        PartApi(served, served.part) if served.part else EngineApi(served.description),
        ApiPage(),
    ]


def _add_usual_addresses(app: FastAPI) -> None:
    """Where people look first who know other servers of this kind."""
    for path, place in _USUAL.items():
        app.routes.append(Route(path, RedirectResponse(place), methods=["GET"]))


def answer_head(app: FastAPI) -> None:
    """Whatever can be read answers HEAD, too.

    The document is made before: there a HEAD would be an operation of its own.
    """
    app.openapi()
    for route in app.routes:
        methods = route.methods if isinstance(route, APIRoute) else None
        if methods is not None and "GET" in methods:
            methods.add("HEAD")
