"""The pages for people, until those in `pages/` take over."""

from __future__ import annotations

from fastapi import FastAPI, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from trapline.app.folder.status import Status, status_of
from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.page import PER_PAGE, page
from trapline.app.web.served_folder import ServedFolder
from trapline.core.errors import SearchBusy, UserMistake
from trapline.search.questions import Question


class FrontPages:
    def __init__(self, served: ServedFolder) -> None:
        self._served = served

    def add_to(self, app: FastAPI) -> None:
        app.get("/", include_in_schema=False)(self.home)
        app.get("/search", include_in_schema=False)(self.search)

    def home(self) -> HTMLResponse:
        return HTMLResponse(page(self._status()))

    async def search(
        self, q: str = "", offset: int = Query(0, ge=0, le=10_000)
    ) -> HTMLResponse:
        # in a thread: a store that is busy must not stop the others
        status = await run_in_threadpool(self._status)
        if not q.strip():
            return HTMLResponse(page(status))
        try:
            answer = await self._served.ask(Question(q, PER_PAGE, offset))
        except UserMistake as mistake:
            return HTMLResponse(page(status, q, problem=str(mistake)), 400)
        except SearchBusy as busy:
            text = page(status, q, problem=str(busy))
            return HTMLResponse(text, 503, COME_BACK)
        return HTMLResponse(page(status, q, answer, offset))

    def _status(self) -> Status:
        return status_of(self._served.folder, self._served.store)
