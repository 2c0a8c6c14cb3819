"""What a front serves: one collection whose index lies in parts, on as many servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar
from urllib.parse import urlencode

from pydantic import TypeAdapter
from starlette.requests import Request

from trapline.app.parts.asked_part import AskedPart, PartSilent, Wanted
from trapline.app.parts.front_search import FrontSearch
from trapline.app.parts.joined_suggestions import join_suggestions
from trapline.app.parts.part_words import COUNTED, Counted, PartFacts, counted_json
from trapline.app.parts.parts_answer import (
    PartReport,
    PartsAnswer,
    PartState,
    say_missing,
)
from trapline.app.web.api.answers import Suggested
from trapline.app.web.request_origin import asks_by_itself
from trapline.core.errors import PartsSilent
from trapline.net.engine_client import EngineAnswer
from trapline.search.questions import Answer, Question

_SEEN: Final = 10  # results at which people look
_SEEN_ELSEWHERE: Final = 3
_FACTS_S: Final = 2.0  # so long they are kept
_PASSED_ON_S: Final = 30.0  # why a page is visited brings a whole controller back
_suggested: Final = TypeAdapter(Suggested)
_nothing: Final = TypeAdapter(None)
T = TypeVar("T")


class Front:
    """In one event loop."""

    def __init__(
        self,
        engine: str,
        parts: Sequence[AskedPart],
        within_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.parts = parts
        self._within_s = within_s
        self._clock = clock
        self._search = FrontSearch(parts, within_s, clock)
        self._known: tuple[float, PartFacts] | None = None
        self._counting: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        await asyncio.gather(*self._counting, return_exceptions=True)

    async def ask(self, question: Question) -> PartsAnswer:
        return await self._search.ask(question)

    async def suggest(self, beginning: str, limit: int = 8) -> list[str]:
        said = urlencode({"q": beginning, "limit": limit})
        wanted = Wanted(f"/api/suggest?{said}", None, self._within_s)
        offers = await asyncio.gather(
            *(part.ask(wanted, _suggested) for part in self.parts),
            return_exceptions=True,
        )
        told = [one.suggestions for one in offers if isinstance(one, Suggested)]
        return join_suggestions(told, limit)

    async def facts(self) -> PartFacts:
        """What any part says of the collection as a whole; PartsSilent if none does."""
        if self._known is None or self._clock() >= self._known[0] + _FACTS_S:
            facts = await self._first(lambda part: part.facts(self._within_s))
            self._known = self._clock(), facts
        return self._known[1]

    async def look_at_parts(self) -> list[PartReport]:
        """Whether each of them answers, and still holds what it did."""
        return await asyncio.gather(*map(self._look_at, self.parts))

    async def pass_on(
        self, path: str, accept: str = "", body: bytes | None = None
    ) -> EngineAnswer:
        """What the first part that answers says: all of them read the same store."""
        return await self._first(
            lambda part: part.pass_on(
                path,
                _PASSED_ON_S,
                accept,
                body,
            )
        )

    def note_asked(
        self,
        request: Request,
        question: Question,
        answer: Answer,
        *,
        passed_on: bool = False,
    ) -> None:
        """Have a part count what was asked and shown; nobody waits for it."""
        if not asks_by_itself(request):
            return
        goes_on = bool(question.offset or question.cursor)
        seen = answer.hits[: _SEEN_ELSEWHERE if passed_on else _SEEN]
        counted = Counted(
            "" if goes_on else question.text,
            answer.total > 0,
            tuple(hit.page for hit in seen),
        )
        task = asyncio.create_task(self._count(counted))
        self._counting.add(task)
        task.add_done_callback(self._counting.discard)

    async def _count(self, counted: Counted) -> None:
        wanted = Wanted(COUNTED, counted_json.dump_json(counted), self._within_s)
        try:
            await self._first(lambda part: part.ask(wanted, _nothing))
        except PartsSilent:
            return  # what nobody counts is not counted

    async def _look_at(self, part: AskedPart) -> PartReport:
        began_s = self._clock()
        try:
            facts = await part.facts(self._within_s)
            holds = (facts.part, facts.engine) == (str(part.part), self.engine)
            trouble = "" if holds else f"holds {facts.part} of {facts.engine} by now"
        except PartSilent as silent:
            trouble = str(silent)
        return PartReport(
            str(part.part),
            part.url,
            PartState.FAILED if trouble else PartState.ANSWERED,
            round(1000.0 * (self._clock() - began_s), 1),
            trouble,
        )

    async def _first(self, ask: Callable[[AskedPart], Awaitable[T]]) -> T:
        """Of those that answer."""
        reports = []
        for part in self.parts:
            try:
                return await ask(part)
            except PartSilent as silent:
                failed = PartState.FAILED
                reports.append(
                    PartReport(
                        str(part.part),
                        part.url,
                        failed,
                        reason=str(silent),
                    )
                )
        raise PartsSilent(say_missing(reports))
