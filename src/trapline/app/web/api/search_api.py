"""Searching: answers and suggestions. How other engines ask is in app/web/neighbours."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import FastAPI, Query, Request
from starlette.responses import JSONResponse, Response

from trapline.app.web.api.answers import PROBLEMS, Suggested, as_json
from trapline.app.web.api.parameters import (
    DAY_S,
    AsTyped,
    Beginning,
    ChangedFrom,
    ChangedTo,
    Cursor,
    Hits,
    HostName,
    Language,
    Offset,
    RaritiesGiven,
    Suggestions,
    Words,
    start_of,
)
from trapline.app.web.served_folder import ServedFolder
from trapline.search.questions import Answer, Question, Sort
from trapline.search.statistics.rarities import read_rarities

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
        app.get("/api/search", response_model=Answer, responses=PROBLEMS)(self.search)
        app.get("/api/suggest", response_model=Suggested, responses=PROBLEMS)(
            self.suggest
        )
        app.get(
            "/api/opensearch-suggest",
            response_class=_OpenSearchSuggestions,
            responses={**PROBLEMS, 200: {"content": _SUGGESTIONS}},
        )(self.opensearch_suggest)

    async def search(
        self,
        request: Request,
        *,
        q: Words,
        limit: Hits = 10,
        offset: Offset = 0,
        cursor: Cursor = "",
        sort: Sort = Sort.BEST,
        host: HostName = None,
        lang: Language = None,
        changed_from: ChangedFrom = None,
        changed_to: ChangedTo = None,
        facets: Annotated[
            bool, Query(description="Count hosts, languages and ages.")
        ] = False,
        explain: Annotated[
            bool, Query(description="Tell what each score is made of.")
        ] = False,
        typing: Annotated[
            bool, Query(description="The query is being typed: it is not counted.")
        ] = False,
        rarities: RaritiesGiven = "",
        as_typed: AsTyped = False,
    ) -> Response:
        """The documents that match, best first."""
        end_s = start_of(changed_to)
        question = Question(
            q,
            limit,
            offset,
            cursor,
            sort,
            host=host or "",
            language=lang or "",
            changed_from_s=start_of(changed_from),
            changed_to_s=None if end_s is None else end_s + DAY_S,
            explain=explain,
            facets=facets,
            rarities=read_rarities(rarities),
            as_typed=as_typed,
        )
        answer = await self._served.ask(question)
        if not typing and not as_typed:
            self._served.note_asked(request, question, answer)
        return _answer(answer)

    def suggest(self, q: Beginning, limit: Suggestions = 8) -> Response:
        """How a query that is being typed may go on."""
        return _suggested(Suggested(q, self._served.processor.suggest(q, limit)))

    def opensearch_suggest(self, q: Beginning) -> Response:
        """The same as browsers want it: the query, and a list of what it may become."""
        return _OpenSearchSuggestions([q, self._served.processor.suggest(q)])


class _OpenSearchSuggestions(JSONResponse):
    media_type = "application/x-suggestions+json"
