"""The addresses at which other engines ask this one.

They fill in templates: a parameter may come empty, and a wish for more than there is gets what
there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Final, Protocol

from fastapi import FastAPI, Query, Request
from starlette.responses import Response

from trapline.app.web.api.answers import PROBLEMS, as_json
from trapline.app.web.api.parameters import Words
from trapline.app.web.api.patterns import LANGUAGE_TAG, WHOLE_OR_NONE
from trapline.app.web.neighbours.opensearch_document import describe_engine
from trapline.app.web.neighbours.plain_results import PlainResults, plain_results
from trapline.app.web.neighbours.result_feed import (
    FEED_TYPES,
    FeedRequest,
    atom_feed,
    rss_feed,
)
from trapline.app.web.neighbours.result_window import (
    ResultWindow,
    language_of,
    result_window,
)
from trapline.app.web.pages.search.search_hints import hints_of, sample_names
from trapline.app.web.recent import Recent
from trapline.core.storage import Store
from trapline.search.questions import Answer, Question

_HINTS_S: Final = 60.0  # as long is an example kept
_NO_STORE: Final = {"Cache-Control": "no-store"}


class FeedForm(StrEnum):
    ATOM = "atom"
    RSS = "rss"


Whole = Annotated[
    str, Query(pattern=WHOLE_OR_NONE, description="A number, or nothing.")
]
Tongue = Annotated[
    str, Query(pattern=LANGUAGE_TAG, description="Like en or en-US; * or all = any.")
]
_FEEDS: Final[dict[str, Any]] = {
    kind: {"schema": {"type": "string"}} for kind in FEED_TYPES.values()
}
_plain = as_json(PlainResults)


class Searched(Protocol):
    """What is asked: a folder, or all parts of an index."""

    @property
    def engine(self) -> str: ...

    async def ask(self, question: Question) -> Answer: ...

    def note_asked(
        self, request: Request, question: Question, answer: Answer
    ) -> None: ...


class NeighbourApi:
    def __init__(self, served: Searched, find_example: Callable[[], str]) -> None:
        """`find_example` gives a query that finds something; "" = none is known."""
        self._served = served
        self._example = Recent(find_example, _HINTS_S)

    def add_to(self, app: FastAPI) -> None:
        app.get(
            "/opensearch.xml", response_class=_OpenSearchDescription, responses=PROBLEMS
        )(self.opensearch_description)
        app.get(
            "/api/opensearch",
            response_class=Response,
            responses={**PROBLEMS, 200: {"content": _FEEDS}},
        )(self.opensearch)
        app.get("/api/plain-search", response_model=PlainResults, responses=PROBLEMS)(
            self.plain_search
        )

    def opensearch_description(self, request: Request) -> Response:
        """With this document a browser or another engine can add the collection to its engines."""
        document = describe_engine(
            self._served.engine, _address(request), self._example.get()
        )
        return _OpenSearchDescription(document)

    async def opensearch(
        self,
        request: Request,
        *,
        q: Words,
        format: FeedForm = FeedForm.ATOM,
        count: Whole = "",
        start_index: Whole = "",
        start_page: Whole = "",
        language: Tongue = "",
    ) -> Response:
        """The documents that match, as a feed by OpenSearch 1.1."""
        wanted = result_window(count, start_index, start_page)
        answer = await self._ask(request, q, wanted, language)
        feed = FeedRequest(
            self._served.engine,
            _address(request),
            q,
            wanted.count,
            wanted.skip,
            language_of(language),
        )
        make = atom_feed if format is FeedForm.ATOM else rss_feed
        return Response(make(feed, answer), 200, _NO_STORE, FEED_TYPES[format])

    async def plain_search(
        self,
        request: Request,
        *,
        q: Words,
        pageno: Whole = "",
        count: Whole = "",
        language: Tongue = "",
    ) -> Response:
        """The documents that match, as SearXNG tells them."""
        wanted = result_window(count, "", pageno)
        answer = await self._ask(request, q, wanted, language)
        return _plain(plain_results(q, answer))

    async def answer_as_searxng(self, request: Request) -> Response:
        """For programs that know only SearXNG: they say more than is understood here."""
        said = request.query_params
        page = said.get("pageno", "")
        return await self.plain_search(
            request,
            q=said.get("q", ""),
            pageno=page if re.fullmatch(WHOLE_OR_NONE, page) else "",
            language=said.get("language", ""),
        )

    async def _ask(
        self, request: Request, query: str, wanted: ResultWindow, language: str
    ) -> Answer:
        question = Question(
            query, wanted.count, wanted.skip, language=language_of(language)
        )
        answer = await self._served.ask(question)
        self._served.note_asked(request, question, answer)
        return answer


def example_of(store: Store) -> str:
    hints = hints_of(sample_names(store))
    return hints[0].query.strip('"') if hints else ""


def _address(request: Request) -> str:
    return str(request.base_url).rstrip("/")


class _OpenSearchDescription(Response):
    media_type = "application/opensearchdescription+xml"
