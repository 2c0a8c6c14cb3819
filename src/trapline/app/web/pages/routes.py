"""Which page is at which address, and where its numbers come from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from trapline.app.folder.dashboard_figures import Dashboard
from trapline.app.folder.planning.plan import Plan
from trapline.app.output.changes import newest_lines
from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.neighbours.neighbour_api import NeighbourApi, example_of
from trapline.app.web.pages.asked_view import AskedView, Text, Typing, Waiting
from trapline.app.web.pages.dashboard_page import dashboard_page
from trapline.app.web.pages.engine_light import Engine, engine_of
from trapline.app.web.pages.federation.broker_pages import AskedBroker, BrokerPages
from trapline.app.web.pages.html_response import html_response
from trapline.app.web.pages.laboratory_page import laboratory_page
from trapline.app.web.pages.plan_page import plan_page, plan_problem_page
from trapline.app.web.pages.search.cached_page import cached_page
from trapline.app.web.pages.search.search_hints import hints_of, sample_names
from trapline.app.web.pages.search.search_page import answer_page, home_page, state_page
from trapline.app.web.pages.search.search_states import bad_query, busy
from trapline.app.web.pages.search.search_view import View
from trapline.app.web.pages.static_files import add_static_files
from trapline.app.web.recent import Recent
from trapline.app.web.served_folder import ServedFolder
from trapline.core.errors import ScheduleMissing, SearchBusy, UserMistake
from trapline.search.query_language import LONGEST, words_of

_LATELY: Final = 6  # changes on the first page
_HINTS_S: Final = 60.0  # as long are they kept
_TRIED: Final = 4  # words of a query that found nothing
_BEGINNING: Final = 4  # letters of such a word
_OFFERED: Final = 5  # queries instead


class Pages:
    """An endpoint a method. What reads the store runs in a thread: a busy store stops nobody."""

    def __init__(
        self,
        served: ServedFolder,
        dashboard: Recent[Dashboard],
        plan: Recent[Plan],
        broker: AskedBroker | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._served = served
        self._store = served.store
        self._dashboard = dashboard
        self._plan = plan
        self._clock = clock
        self._broker = broker
        self.federated: BrokerPages | None = None
        if broker is not None:
            self.federated = BrokerPages(
                served,
                broker,
                self._engine,
                clock,
            )
        self._neighbours = NeighbourApi(served, lambda: example_of(served.store))
        self._hints = Recent(lambda: hints_of(sample_names(self._store)), _HINTS_S)

    def home(self) -> HTMLResponse:
        lately = newest_lines(self._store, _LATELY)
        hints = self._hints.get()
        return html_response(
            home_page(
                self._engine(),
                lately,
                hints,
                self._clock(),
            )
        )

    async def search(
        self,
        request: Request,
        view: AskedView,
        typing: Typing = None,
        wait: Waiting = False,
    ) -> Response:
        """Results. A query that is still being typed is not counted: it is not asked yet."""
        if request.query_params.get("format") == "json":
            return await self._neighbours.answer_as_searxng(request)
        if not view.query:
            return await run_in_threadpool(self.home)
        if self.federated is not None:
            return await self.federated.search(
                request,
                view,
                typing,
                wait,
            )
        engine = await run_in_threadpool(self._engine)
        now_s = self._clock()
        question = view.question(now_s)
        try:
            answer = await self._served.ask(question)
        except UserMistake as mistake:
            return html_response(state_page(view, engine, bad_query(str(mistake))), 422)
        except SearchBusy as trouble:
            text = state_page(view, engine, busy(str(trouble), view))
            return html_response(text, 503, COME_BACK)
        if typing is None:
            self._served.note_asked(request, question, answer)
        words: list[str] = []
        if not answer.hits:
            words = await run_in_threadpool(self._words_near, view.query)
        return html_response(
            answer_page(
                view,
                engine,
                answer,
                now_s,
                words,
            )
        )

    def search_problem(self, query: str, problem: str) -> HTMLResponse:
        """A search with a wrong parameter: the query is kept, to be asked without it."""
        view = View(query.strip()[:LONGEST])
        return html_response(state_page(view, self._engine(), bad_query(problem)), 422)

    def stored_text(self, number: int, view: AskedView) -> HTMLResponse:
        document = self._store.page(number) if 0 <= number < 2**63 else None
        if document is None:
            raise HTTPException(404, "This page is not in the collection (any more).")
        lines = self._served.processor.mark_text(document, view.query)
        text = cached_page(
            self._engine(),
            document,
            lines,
            view,
            self._clock(),
        )
        return html_response(text)

    def dashboard(self) -> HTMLResponse:
        return html_response(dashboard_page(self._engine(), self._dashboard.get()))

    async def why(self, url: Text = "") -> HTMLResponse:
        # here, because they bring the whole controller
        from trapline.app.web.pages.why_page import why_page, why_problem_page

        engine = await run_in_threadpool(self._engine)
        if not url.strip():
            return html_response(why_problem_page(engine, "", ""))
        try:
            reasons = await self._served.reason(url.strip())
        except UserMistake as mistake:
            return html_response(why_problem_page(engine, url, str(mistake)), 404)
        page = why_page(
            engine,
            reasons,
            reasons.time_line,
            self._clock(),
        )
        return html_response(page)

    def plan(self) -> HTMLResponse:
        engine = self._engine()
        try:
            return html_response(plan_page(engine, self._plan.get()))
        except ScheduleMissing:
            return html_response(plan_problem_page(engine))

    def laboratory(self) -> HTMLResponse:
        return html_response(laboratory_page(self._engine()))

    def _words_near(self, query: str) -> list[str]:
        """Queries that begin like this one and find something; else, any that do."""
        for word in words_of(query)[:_TRIED]:
            if near := self._served.processor.suggest(word[:_BEGINNING], _OFFERED):
                return near
        return [hint.query for hint in self._hints.get()][:1]

    def _engine(self) -> Engine:
        engine = engine_of(self._served.folder, self._store)
        if self._broker is None:
            return engine
        return replace(engine, is_broker=True, others=len(self._broker.choices()) - 1)


def add_pages(
    app: FastAPI,
    served: ServedFolder,
    dashboard: Recent[Dashboard],
    plan: Recent[Plan],
    broker: AskedBroker | None = None,
) -> Pages:
    pages = Pages(
        served,
        dashboard,
        plan,
        broker,
    )
    routes: dict[str, Any] = {
        "/": pages.home,
        "/search": pages.search,
        "/cached/{number}": pages.stored_text,
        "/dashboard": pages.dashboard,
        "/why": pages.why,
        "/plan": pages.plan,
        "/laboratory": pages.laboratory,
    }
    if pages.federated is not None:
        routes |= {
            "/search/stream": pages.federated.stream,
            "/engines": pages.federated.engines,
        }
    for path, endpoint in routes.items():
        route = app.api_route(path, methods=["GET", "HEAD"], include_in_schema=False)
        route(endpoint)
    add_static_files(app)
    return pages
