"""Demand: pages say what was opened; whoever knows the token may read what is asked for most."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, FastAPI
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trapline.app.demand.demand_file import Demand, read_demand
from trapline.app.web.api.answers import PROBLEMS, as_json
from trapline.app.web.api.order_guard import OrderGuard, check_is_json
from trapline.app.web.api.parameters import LARGEST, Rows
from trapline.app.web.api.patterns import CLEAN
from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.served_folder import ServedFolder
from trapline.search.query_language import LONGEST

_demand = as_json(Demand)


def _read_whole(said: Any) -> Any:
    """7.0 is a whole number in JSON, too."""
    whole = isinstance(said, float) and said.is_integer()
    return int(said) if whole else said


class Opened(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    page: Annotated[int, Field(ge=0, le=LARGEST), BeforeValidator(_read_whole)]
    q: Annotated[str, Field(max_length=LONGEST, pattern=CLEAN)] = ""  # that led there


class DemandApi:
    def __init__(self, served: ServedFolder) -> None:
        self._served = served

    def add_to(self, app: FastAPI) -> None:
        app.post(
            "/api/opened",
            status_code=204,
            responses=PROBLEMS,
            dependencies=[Depends(check_is_json)],
        )(self.note_opened)
        app.get(
            "/api/demand",
            response_model=Demand,
            responses=PROBLEMS,
            dependencies=[Depends(OrderGuard(self._served.token))],
        )(self.demand)

    def note_opened(self, opened: Opened) -> Response:
        """A result was opened: counted, without who."""
        if self._served.store.held(opened.page) is None:
            raise HTTPException(404, f"nothing is held of page {opened.page}")
        if not self._served.demand.note_opened(opened.q, opened.page):
            raise HTTPException(429, "more is opened than can be read", COME_BACK)
        return Response(status_code=204)

    def demand(self, limit: Rows = 20) -> Response:
        """What is asked most, what is asked in vain, and what is opened most."""
        self._served.demand.write()
        return _demand(read_demand(self._served.folder, limit))
