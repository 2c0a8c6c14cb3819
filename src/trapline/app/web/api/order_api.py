"""What changes something: labels, paused hosts, seeds, visits. A robot at work obeys in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI
from pydantic import BaseModel, ConfigDict, Field

from trapline.app.folder.label_file import write_label
from trapline.app.folder.orders.host_orders import HostFacts, HostWishes, order_host
from trapline.app.folder.orders.page_orders import add_seed, visit_now
from trapline.app.web.api.answers import PROBLEMS
from trapline.app.web.api.order_guard import OrderGuard
from trapline.app.web.api.patterns import HOST, URL
from trapline.app.web.served_folder import ServedFolder

_Url = Annotated[str, Field(max_length=2000, pattern=URL)]
_Host = Annotated[str, Field(max_length=300, pattern=HOST)]


class _Order(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PageOrder(_Order):
    url: _Url


class LabelOrder(PageOrder):
    belongs: bool  # to the topic


class HostOrder(_Order):
    host: _Host  # name, or name:port; without a port all its ports are meant


class Obeyed(BaseModel):
    """What was ordered, as the engine spells it."""

    order: str
    url: str


class OrderApi:
    def __init__(self, served: ServedFolder) -> None:
        self._folder: Path = served.folder
        self._guard = OrderGuard(served.token)

    def add_to(self, app: FastAPI) -> None:
        orders: dict[str, tuple[Any, Any]] = {
            "/api/label": (self.label, Obeyed),
            "/api/seed": (self.seed, Obeyed),
            "/api/visit": (self.visit, Obeyed),
            "/api/pause": (self.pause, list[HostFacts]),
            "/api/resume": (self.resume, list[HostFacts]),
        }
        for path, (endpoint, model) in orders.items():
            app.post(
                path,
                response_model=model,
                responses=PROBLEMS,
                dependencies=[Depends(self._guard)],
            )(endpoint)

    def label(self, order: LabelOrder) -> Obeyed:
        """Say that a page belongs to the topic, or not."""
        url = write_label(self._folder, order.url, order.belongs)
        return Obeyed(order="label", url=url)

    def seed(self, order: PageOrder) -> Obeyed:
        """Start from this page, too; in the folder of a watch, watch it."""
        return Obeyed(order="seed", url=add_seed(self._folder, order.url))

    def visit(self, order: PageOrder) -> Obeyed:
        """Visit a page next, as soon as its host may be visited."""
        return Obeyed(order="visit", url=visit_now(self._folder, order.url))

    def pause(self, order: HostOrder) -> list[HostFacts]:
        """No visits to a host until it is resumed."""
        return order_host(self._folder, order.host, HostWishes(pause=True))

    def resume(self, order: HostOrder) -> list[HostFacts]:
        """End the pause, or the block, of a host."""
        return order_host(self._folder, order.host, HostWishes(resume=True))
