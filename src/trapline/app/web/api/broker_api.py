"""Searching through a broker: one answer of several engines, at once or as a stream."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Final

from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from starlette.responses import Response

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.federation.asking.query_ids import MOST_HOPS
from trapline.app.federation.broker import Broker, Wish, read_engine_names
from trapline.app.federation.known_engines import OWN
from trapline.app.web.api.answers import PROBLEMS, as_json
from trapline.app.web.api.event_stream import EVENT, MEDIA_TYPE, Event, EventStreams
from trapline.app.web.api.order_guard import check_is_json
from trapline.app.web.api.parameters import EngineNames
from trapline.app.web.api.patterns import CLEAN, URL
from trapline.app.web.api.question_parameters import AskedFor, QuestionAsked
from trapline.app.web.api.search_api import SearchApi
from trapline.app.web.request_origin import asks_by_itself
from trapline.app.web.served_folder import ServedFolder
from trapline.search.query_language import LONGEST
from trapline.search.questions import Answer

_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    **PROBLEMS,
    200: {"content": {MEDIA_TYPE: {"schema": EVENT}}},
}
_whole = as_json(BrokerAnswer)
_own = as_json(Answer)
_adapter = TypeAdapter(BrokerAnswer)


class ResultOpened(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    url: Annotated[str, Field(max_length=2000, pattern=URL)]
    q: Annotated[str, Field(max_length=LONGEST, pattern=CLEAN)]  # that led there


class BrokerApi(SearchApi):
    def __init__(
        self, served: ServedFolder, broker: Broker, streams: EventStreams
    ) -> None:
        super().__init__(served)
        self._broker = broker
        self._streams = streams

    def add_search(self, app: FastAPI) -> None:
        app.get(
            "/api/search", response_model=BrokerAnswer | Answer, responses=PROBLEMS
        )(self.search_engines)
        app.get(
            "/api/search/stream", response_class=EventStreamResponse, responses=_STREAM
        )(self.stream)
        app.post(
            "/api/result-opened",
            status_code=204,
            responses=PROBLEMS,
            dependencies=[Depends(check_is_json)],
        )(self.note_opened)

    async def search_engines(
        self, request: Request, asked: AskedFor, engines: EngineNames = ""
    ) -> Response:
        """The documents that match in this and other engines, best first."""
        if self._is_passed_on(asked):
            own = await self._served.ask(asked.question)
            if asked.counts:
                self._served.note_asked(request, asked.question, own, passed_on=True)
            return _own(own)
        wish = _wish(request, asked, engines)
        answer = await self._broker.ask_to_the_end(asked.question, wish)
        self._note(request, asked, answer)
        return _whole(answer)

    async def stream(
        self, request: Request, asked: AskedFor, engines: EngineNames = ""
    ) -> Response:
        """The same as it comes: `partial` events, each with all that is known, then `done`."""
        own = self._is_passed_on(asked)
        wish = Wish((OWN,)) if own else _wish(request, asked, engines)
        answers = self._broker.ask(asked.question, wish)
        # what is wrong with the question is told before the stream begins
        first = await anext(answers)
        return self._streams.answer_once(
            self._events(
                request,
                asked,
                first,
                answers,
            )
        )

    async def _events(
        self,
        request: Request,
        asked: QuestionAsked,
        first: BrokerAnswer,
        answers: AsyncGenerator[BrokerAnswer, None],
    ) -> AsyncIterator[Event]:
        last = first
        async with aclosing(answers):
            yield _event(first)
            async for last in answers:
                yield _event(last)
        self._note(request, asked, last)

    def note_opened(self, opened: ResultOpened) -> Response:
        """A result was opened, whichever engine told it: counted, without who."""
        self._broker.note_opened(opened.q, opened.url)
        return Response(status_code=204)

    def _is_passed_on(self, asked: QuestionAsked) -> bool:
        """By another broker, or come round: then only the own collection answers."""
        if asked.hops >= MOST_HOPS:
            return True
        return bool(asked.query_id) and not self._broker.is_new(asked.query_id)

    def _note(
        self, request: Request, asked: QuestionAsked, answer: BrokerAnswer
    ) -> None:
        if asked.counts:
            found = Answer([*answer.hits], answer.total, answer.seconds)
            self._served.note_asked(request, asked.question, found)


class EventStreamResponse(Response):
    media_type = MEDIA_TYPE


def _wish(request: Request, asked: QuestionAsked, engines: str) -> Wish:
    counts = asked.counts and asks_by_itself(request)
    return Wish(read_engine_names(engines), asked.query_id, counts)


def _event(answer: BrokerAnswer) -> Event:
    name = "done" if answer.complete else "partial"
    return Event(_adapter.dump_json(answer).decode(), name=name)
