"""The pages of a front: search over all parts, which says so when a part is missing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse, Response

from trapline.app.parts.front import Front
from trapline.app.parts.part_words import PartFacts
from trapline.app.parts.parts_answer import PartsAnswer
from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.neighbours.neighbour_api import NeighbourApi
from trapline.app.web.pages.asked_view import AskedView, Typing
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import FRONT, notice
from trapline.app.web.pages.html_response import html_response
from trapline.app.web.pages.markup import NOTHING, Html, element
from trapline.app.web.pages.search.search_hints import Hint
from trapline.app.web.pages.search.search_page import answer_page, home_page, state_page
from trapline.app.web.pages.search.search_states import bad_query, busy
from trapline.app.web.pages.search.search_view import View
from trapline.app.web.pages.static_files import add_static_files
from trapline.core.errors import PartsSilent, SearchBusy, UserMistake
from trapline.search.query_language import LONGEST, words_of

_TRIED: Final = 4  # words of a query that found nothing
_BEGINNING: Final = 4  # letters of such a word
_OFFERED: Final = 5  # queries instead


class FrontPages:
    def __init__(
        self,
        front: Front,
        neighbours: NeighbourApi,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._front = front
        self._neighbours = neighbours
        self._clock = clock

    def add_to(self, app: FastAPI) -> None:
        for path, endpoint in (("/", self.home), ("/search", self.search)):
            app.get(path, include_in_schema=False)(endpoint)
        add_static_files(app)

    async def home(self) -> HTMLResponse:
        facts = await self._facts()
        hints = [Hint(*hint) for hint in facts.hints]
        page = home_page(_engine(facts), [], hints, self._clock())
        return html_response(page)

    async def search(
        self, request: Request, view: AskedView, typing: Typing = None
    ) -> Response:
        """Results. A query that is still being typed is not counted: it is not asked yet."""
        if request.query_params.get("format") == "json":
            return await self._neighbours.answer_as_searxng(request)
        if not view.query:
            return await self.home()
        engine = _engine(await self._facts())
        now_s = self._clock()
        question = view.question(now_s)
        try:
            answer = await self._front.ask(question)
        except UserMistake as mistake:
            return html_response(state_page(view, engine, bad_query(str(mistake))), 422)
        except (SearchBusy, PartsSilent) as trouble:
            text = state_page(view, engine, busy(str(trouble), view))
            return html_response(text, 503, COME_BACK)
        if typing is None:
            self._front.note_asked(request, question, answer)
        words = [] if answer.hits else await self._words_near(view.query)
        return html_response(
            answer_page(
                view,
                engine,
                answer,
                now_s,
                words,
                _missing(answer),
            )
        )

    def search_problem(self, query: str, problem: str) -> HTMLResponse:
        """A search with a wrong parameter: the query is kept, to be asked without it."""
        view = View(query.strip()[:LONGEST])
        engine = _engine(self._nobody())
        return html_response(state_page(view, engine, bad_query(problem)), 422)

    async def _words_near(self, query: str) -> list[str]:
        """Queries that begin like this one and find something."""
        for word in words_of(query)[:_TRIED]:
            near = await self._front.suggest(word[:_BEGINNING], _OFFERED)
            if near:
                return near
        return []

    async def _facts(self) -> PartFacts:
        try:
            return await self._front.facts()
        except PartsSilent:
            return self._nobody()

    def _nobody(self) -> PartFacts:
        """Nothing is known, and nothing must look as if the collection were empty."""
        return PartFacts(
            "",
            self._front.engine,
            1,
            1,
            0,
            at_work=False,
        )


def _missing(answer: PartsAnswer) -> Html:
    if answer.complete:
        return NOTHING
    told = element("p", f"These results are {answer.note}.")
    return notice("A part of the index is missing", told, kind="warn")


def _engine(facts: PartFacts) -> Engine:
    return Engine(
        facts.engine,
        facts.held,
        facts.known,
        facts.fringe,
        facts.at_work,
        site=FRONT,
    )
