"""Searching: answers, suggestions, and what browsers need to offer both (OpenSearch)."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response

from trapline.app.web.api.answers import PROBLEMS, Suggested, as_json
from trapline.app.web.api.parameters import Beginning, Suggestions
from trapline.app.web.api.question_parameters import AskedFor
from trapline.app.web.served_folder import ServedFolder
from trapline.search.questions import Answer

_DESCRIPTION: Final = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>{short}</ShortName>
<Description>Search the collection {name}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="{here}/search?q={{searchTerms}}"/>
<Url type="application/json" template="{here}/api/search?q={{searchTerms}}"/>
<Url type="application/x-suggestions+json"
 template="{here}/api/opensearch-suggest?q={{searchTerms}}"/>
</OpenSearchDescription>
"""
_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
_PAIR: Final = {
    "type": "array",
    "items": {"anyOf": [{"type": "string"}, _STRINGS]},
    "minItems": 2,
    "maxItems": 2,
}
_SUGGESTIONS: Final = {"application/x-suggestions+json": {"schema": _PAIR}}
_SHORTEST_NAME: Final = 16  # letters that OpenSearch allows
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
        app.get(
            "/opensearch.xml",
            response_class=_OpenSearchDescription,
            responses=PROBLEMS,
        )(self.opensearch)

    def add_search(self, app: FastAPI) -> None:
        """The search itself, which a broker answers otherwise."""
        app.get("/api/search", response_model=Answer, responses=PROBLEMS)(self.search)

    async def search(self, request: Request, asked: AskedFor) -> Response:
        """The documents that match, best first."""
        answer = await self._served.ask(asked.question)
        if asked.counts:
            self._served.note_asked(request, asked.question, answer)
        return _answer(answer)

    def suggest(self, q: Beginning, limit: Suggestions = 8) -> Response:
        """How a query that is being typed may go on."""
        return _suggested(Suggested(q, self._served.processor.suggest(q, limit)))

    def opensearch_suggest(self, q: Beginning) -> Response:
        """The same as browsers want it: the query, and a list of what it may become."""
        return _OpenSearchSuggestions([q, self._served.processor.suggest(q)])

    def opensearch(self, request: Request) -> Response:
        """With this document a browser can add the collection to its search engines."""
        name = self._served.engine
        here = str(request.base_url).rstrip("/")
        return _OpenSearchDescription(
            _DESCRIPTION.format(
                short=escape(name[:_SHORTEST_NAME]),
                name=escape(name),
                here=escape(here, {'"': "&quot;"}),
            )
        )


class _OpenSearchSuggestions(JSONResponse):
    media_type = "application/x-suggestions+json"


class _OpenSearchDescription(Response):
    media_type = "application/opensearchdescription+xml"
