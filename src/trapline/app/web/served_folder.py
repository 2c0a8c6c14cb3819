"""One engine's folder, opened to be served: read-only, so a robot may be at work on it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from starlette.requests import Request

from trapline.app.demand.demand_counter import DemandCounter
from trapline.app.federation.description_maker import DescriptionMaker, Identity
from trapline.app.federation.key_file import read_key
from trapline.app.folder.folder_search import OpenSearch, open_search
from trapline.app.folder.places.store_link import engine_name
from trapline.app.folder.reasons import Reasons
from trapline.app.parts.served_part import ServedPart, open_part
from trapline.app.web.one_at_a_time import OneAtATime
from trapline.app.web.request_origin import asks_by_itself
from trapline.app.web.token_file import read_token
from trapline.core.errors import TraplineError
from trapline.core.storage import SteadyStore
from trapline.search.parts.index_part import IndexPart
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, Question
from trapline.search.search_desk import SearchDesk

_SEEN: Final = 10  # results at which people look; machines may take more at once
_SEEN_ELSEWHERE: Final = 3  # of a query that a broker passed on: others fill the rest


@dataclass(frozen=True, slots=True)
class ServedFolder:
    folder: Path
    store: SteadyStore
    search: OpenSearch
    desk: SearchDesk
    demand: DemandCounter
    token: str  # that orders need; "" = there is none, and nobody gives any
    # None = it is served to nobody else, or has no key to sign with
    description: DescriptionMaker | None = None
    part: ServedPart | None = None  # what is searched; None = the whole index
    reasoning: OneAtATime = field(default_factory=OneAtATime)
    # set when the server ends: those who follow what happens are told so
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def processor(self) -> QueryProcessor:
        return self.search.processor

    @property
    def engine(self) -> str:
        return engine_name(self.folder)

    async def ask(self, question: Question) -> Answer:
        """The answer, or SearchBusy when there are too many questions or it takes too long."""
        answer = asyncio.wrap_future(self.desk.join_line(question))
        try:
            return await asyncio.wait_for(answer, self.desk.within_s)
        except TimeoutError:
            raise self.desk.too_slow() from None

    async def reason(self, url: str) -> Reasons:
        """Why a page is visited when it is; this brings a whole controller back."""
        from trapline.app.folder.page_reasons import reasons_for

        return await self.reasoning.run(partial(reasons_for, self.folder, url))

    def note_asked(
        self,
        request: Request,
        question: Question,
        answer: Answer,
        *,
        passed_on: bool = False,
    ) -> None:
        """Count a question, unless it turns a page and asks nothing new; and the results that are
        shown, as far as people look.
        """
        if not asks_by_itself(request):
            return
        if not question.offset and not question.cursor:
            self.demand.note_asked(question.text, found=answer.total > 0)
        seen = answer.hits[: _SEEN_ELSEWHERE if passed_on else _SEEN]
        # those of other engines have no number here
        self.demand.note_shown(hit.page for hit in seen if hit.page >= 0)

    def close(self) -> None:
        self.over.set()
        self.desk.close()
        if self.description is not None:
            self.description.close()
        self.demand.close()
        self.search.close()


def open_to_serve(
    folder: Path, url: str = "", *, private_terms: bool = False
) -> ServedFolder:
    """`url` is where other engines ask for it; without one it has no description."""
    found = open_search(folder)
    processor, store, follower = found
    if follower is not None:
        follower.start()
    described: DescriptionMaker | None = None
    if url:
        with suppress(TraplineError):
            name = engine_name(folder)
            identity = Identity(name, url, read_key(folder), private_terms)
            described = DescriptionMaker(folder, store, processor, identity)
    return ServedFolder(
        folder,
        store,
        found,
        SearchDesk(processor),
        DemandCounter(folder),
        read_token(folder),
        described,
    )


def open_part_to_serve(folder: Path, part: IndexPart) -> ServedFolder:
    """A part of the index. It is described to nobody: engines know collections, not parts."""
    served = open_part(folder, part)
    opened = served.opened
    return ServedFolder(
        folder,
        opened.store,
        opened,
        SearchDesk(opened.processor),
        DemandCounter(folder),
        read_token(folder),
        part=served,
    )
