"""Changes of documents, for programs that ask, for feed readers, and as they happen."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final

from annotated_types import Interval
from fastapi import FastAPI, Header, Request
from pydantic import TypeAdapter
from starlette.responses import Response

from trapline.app.folder.dashboard_figures import Dashboard
from trapline.app.output.change_search import first_since
from trapline.app.output.changes import NEWEST, Line, atom, lines_after, newest_lines
from trapline.app.web.api.accepted_types import choose_type
from trapline.app.web.api.answers import PROBLEMS, Changes, as_json
from trapline.app.web.api.event_stream import EVENT, MEDIA_TYPE, Event, EventStreams
from trapline.app.web.api.parameters import LARGEST, After, Nothing, Rows, Since
from trapline.app.web.recent import Recent
from trapline.app.web.served_folder import ServedFolder

_ATOM: Final = "application/atom+xml"
_DASHBOARD: Final = TypeAdapter(Dashboard)
_changes = as_json(Changes)


class ChangeFormat(StrEnum):
    JSON = "json"
    ATOM = "atom"
    SSE = "sse"


_FORMATS: Final = {
    "application/json": ChangeFormat.JSON,
    _ATOM: ChangeFormat.ATOM,
    MEDIA_TYPE: ChangeFormat.SSE,
}


class AtomResponse(Response):
    media_type = f"{_ATOM}; charset=utf-8"


LastEvent = Annotated[
    Annotated[int, Interval(ge=0, le=LARGEST)] | Nothing,
    Header(alias="Last-Event-ID", description="Instead of `after`."),
]


class ChangeApi:
    def __init__(
        self, served: ServedFolder, dashboard: Recent[Dashboard], streams: EventStreams
    ) -> None:
        self._served = served
        self._dashboard = dashboard
        self._streams = streams

    def add_to(self, app: FastAPI) -> None:
        stream = {MEDIA_TYPE: {"schema": EVENT}}
        feed = {_ATOM: {"schema": {"type": "string"}}}
        app.get(
            "/api/changes",
            response_model=Changes,
            responses={**PROBLEMS, 200: {"content": {**feed, **stream}}},
        )(self.changes)
        app.get(
            "/api/live",
            response_class=_Stream,
            responses={**PROBLEMS, 200: {"content": stream}},
        )(self.live)
        app.get("/changes.atom", response_class=AtomResponse, responses=PROBLEMS)(
            self.feed
        )

    def changes(
        self,
        request: Request,
        after: After = 0,
        since: Since = None,
        limit: Rows = NEWEST,
        format: ChangeFormat | Nothing = None,
        last_event_id: LastEvent = None,
    ) -> Response:
        """Changes with a number greater than `after`, oldest first.

        As an Atom feed: the newest of them, newest first. As a stream of events: all of them, and
        all that follow. Without `format` the header `Accept` decides.
        """
        wanted = format or _choose_format(request.headers.get("accept", ""))
        if wanted is ChangeFormat.SSE and request.method == "HEAD":
            return _Stream()
        store = self._served.store
        if isinstance(since, datetime):
            after = max(after, first_since(store, since.timestamp()) - 1)
        if wanted is ChangeFormat.ATOM:
            return self._feed(newest_lines(store, limit, after))
        if wanted is ChangeFormat.JSON:
            lines = lines_after(store, after, limit)
            return _changes(Changes(self._served.engine, lines))
        seen = after if last_event_id is None else last_event_id
        return self._streams.answer(_ChangesSince(self._served, seen).look)

    def feed(self) -> Response:
        """The newest changes as an Atom feed."""
        return self._feed(newest_lines(self._served.store))

    def _feed(self, lines: list[Line]) -> Response:
        return AtomResponse(atom(self._served.engine, lines))

    def live(self, request: Request) -> Response:
        """The figures of the dashboard, as they change."""
        if request.method == "HEAD":
            return _Stream()
        return self._streams.answer(_DashboardSince(self._dashboard).look)


class _Stream(Response):
    media_type = MEDIA_TYPE


class _ChangesSince:
    def __init__(self, served: ServedFolder, after: int) -> None:
        self._served = served
        self._after = after

    def look(self) -> list[Event]:
        lines = lines_after(self._served.store, self._after)
        if lines:
            self._after = lines[-1].number
        return [Event(line.as_json(), line.number) for line in lines]


class _DashboardSince:
    def __init__(self, dashboard: Recent[Dashboard]) -> None:
        self._dashboard = dashboard
        self._last: Dashboard | None = None

    def look(self) -> list[Event]:
        figures = self._dashboard.get()
        if figures is self._last:
            return []
        self._last = figures
        return [Event(_DASHBOARD.dump_json(figures).decode())]


def _choose_format(accept: str) -> ChangeFormat:
    """
    >>> _choose_format("text/event-stream"), _choose_format("*/*")
    (<ChangeFormat.SSE: 'sse'>, <ChangeFormat.JSON: 'json'>)
    """
    return _FORMATS.get(choose_type(accept, _FORMATS), ChangeFormat.JSON)
