"""Searching: answers and suggestions. How other engines ask is in app/web/neighbours."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response

from trapline.app.web.api.answers import PROBLEMS, Suggested, as_json
from trapline.app.web.api.parameters import Beginning, Suggestions
from trapline.app.web.api.question_parameters import AskedFor
from trapline.app.web.served_folder import ServedFolder
from trapline.search.questions import Answer

_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
_PAIR: Final = {
    "type": "array",
    "items": {"anyOf": [{"type": "string"}, _STRINGS]},
    "minItems": 2,
    "maxItems": 2,
}
_SUGGESTIONS: Final = {"application/x-suggestions+json": {"schema": _PAIR}}
_answer = as_json(Answer)
_suggested = as_json(Suggested)


class SearchApi:
    def __init__(self, served: ServedFolder) -> None:
        self._served = served

    def add_to(self, app: FastAPI) -> None:
        self.add_search(app)
        app.get("/api/suggest", response_model=Suggested, responses=PROBLEMS)(
            self.suggest
        )
        app.get(
            "/api/opensearch-suggest",
            response_class=_OpenSearchSuggestions,
            responses={**PROBLEMS, 200: {"content": _SUGGESTIONS}},
        )(self.opensearch_suggest)

    def add_search(self, app: FastAPI) -> None:
        """The search itself, which a broker answers otherwise."""
        app.get("/api/search", response_model=Answer, responses=PROBLEMS)(self.search)

    async def search(self, request: Request, asked: AskedFor) -> Response:
        """The documents that match, best first."""
        answer = await self._served.ask(asked.question)
        if asked.counts:
            passed_on = asked.hops > 0
            self._served.note_asked(
                request, asked.question, answer, passed_on=passed_on
            )
        return _answer(answer)

    def suggest(self, q: Beginning, limit: Suggestions = 8) -> Response:
        """How a query that is being typed may go on."""
        return _suggested(Suggested(q, self._served.processor.suggest(q, limit)))

    def opensearch_suggest(self, q: Beginning) -> Response:
        """The same as browsers want it: the query, and a list of what it may become."""
        return _OpenSearchSuggestions([q, self._served.processor.suggest(q)])


class _OpenSearchSuggestions(JSONResponse):
    media_type = "application/x-suggestions+json"
