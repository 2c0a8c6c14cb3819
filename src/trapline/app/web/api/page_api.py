"""Single pages: what is held of them, and why they are visited when they are."""

from __future__ import annotations

from enum import StrEnum

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from trapline.app.folder.reasons import Reasons
from trapline.app.output.page_document import page_document
from trapline.app.web.api.answers import PROBLEMS, PageText, as_json
from trapline.app.web.api.parameters import PageNumber, Url, Words
from trapline.app.web.served_folder import ServedFolder
from trapline.core.urls import canonical
from trapline.reading.rules.field_values import unpack_fields

_page_text = as_json(PageText)
_why = as_json(Reasons)


class PageFormat(StrEnum):
    TEXT = "text"  # with marks, as JSON
    MARKDOWN = "markdown"


class MarkdownResponse(PlainTextResponse):
    media_type = "text/markdown"


class PageApi:
    def __init__(self, served: ServedFolder) -> None:
        self._served = served

    def add_to(self, app: FastAPI) -> None:
        content = {"text/markdown": {"schema": {"type": "string"}}}
        app.get(
            "/api/pages/{page}",
            response_model=PageText,
            responses={**PROBLEMS, 200: {"content": content}},
        )(self.page)
        app.get("/api/why", response_model=Reasons, responses=PROBLEMS)(self.why)

    def page(
        self, page: PageNumber, q: Words = "", format: PageFormat = PageFormat.TEXT
    ) -> Response:
        """What is held of a page, with the words of a query marked; or as Markdown."""
        store = self._served.store
        held = store.page(page)
        if held is None or not held.readable:
            raise HTTPException(404, f"nothing is held of page {page}")
        if format is PageFormat.MARKDOWN:
            repeated = self._served.processor.repeated_lines(held)
            return MarkdownResponse(page_document(held, store, repeated))
        return _page_text(
            PageText(
                held.page,
                held.url,
                held.title,
                held.language,
                held.relevance,
                held.fetched_s,
                held.changed_s,
                held.same_as,
                store.copies(page),
                self._served.processor.mark_text(held, q),
                unpack_fields(held.fields),
            )
        )

    async def why(self, url: Url) -> Response:
        """The terms of a page's price, what is believed of it, and when it is due."""
        return _why(await self._served.reason(canonical(url)))
