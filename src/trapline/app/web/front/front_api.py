"""What programs ask a front: search, suggestions, health."""

from __future__ import annotations

from contextlib import suppress

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response

from trapline.app.parts.front import Front
from trapline.app.parts.parts_answer import PartReport, PartsAnswer, say_missing
from trapline.app.web.api.answers import PROBLEMS, Health, Suggested, as_json
from trapline.app.web.api.parameters import Beginning, Suggestions
from trapline.app.web.api.question_parameters import AskedFor
from trapline.core.errors import PartsSilent

_answer = as_json(PartsAnswer)
_suggested = as_json(Suggested)
_health = as_json(Health)
_parts = as_json(list[PartReport])


class FrontApi:
    def __init__(self, front: Front) -> None:
        self._front = front

    def add_to(self, app: FastAPI) -> None:
        app.get("/api/search", response_model=PartsAnswer, responses=PROBLEMS)(
            self.search
        )
        app.get("/api/suggest", response_model=Suggested, responses=PROBLEMS)(
            self.suggest
        )
        app.get("/api/opensearch-suggest", responses=PROBLEMS)(self.opensearch_suggest)
        app.get("/api/parts", response_model=list[PartReport], responses=PROBLEMS)(
            self.parts
        )
        app.get(
            "/healthz",
            response_model=Health,
            responses={**PROBLEMS, "5XX": {"model": Health}},
        )(self.healthz)

    async def search(self, request: Request, asked: AskedFor) -> Response:
        """The documents of all parts that match, best first; and who did not answer in time."""
        answer = await self._front.ask(asked.question)
        if asked.counts:
            passed_on = asked.hops > 0
            self._front.note_asked(request, asked.question, answer, passed_on=passed_on)
        return _answer(answer)

    async def suggest(self, q: Beginning, limit: Suggestions = 8) -> Response:
        """How a query that is being typed may go on."""
        return _suggested(Suggested(q, await self._front.suggest(q, limit)))

    async def opensearch_suggest(self, q: Beginning) -> Response:
        """The same as browsers want it: the query, and a list of what it may become."""
        kind = "application/x-suggestions+json"
        return JSONResponse([q, await self._front.suggest(q)], media_type=kind)

    async def parts(self) -> Response:
        """Who holds which part, and whether each answers now."""
        return _parts(await self._front.look_at_parts())

    async def healthz(self) -> Response:
        """200, or 503 when a part does not answer: its pages are missing from results."""
        missing = say_missing(await self._front.look_at_parts())
        held = 0
        with suppress(PartsSilent):  # it is said who is missing
            held = (await self._front.facts()).held
        status = "failing" if missing else "ok"
        answer = _health(Health(status, missing, pages_held=held))
        answer.status_code = 503 if missing else 200
        return answer
