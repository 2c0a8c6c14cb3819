"""The pages of a broker: results that come from several engines, and the engines themselves."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.federation.broker import Wish
from trapline.app.federation.known_engines import OWN
from trapline.app.web.api.event_stream import Event, EventStreams
from trapline.app.web.pages.asked_view import AskedView, StreamTyping
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.federation.engines_page import EnginesView, engines_page
from trapline.app.web.pages.html_response import html_response
from trapline.app.web.pages.search.engine_filter import EngineChoice
from trapline.app.web.pages.search.federated_page import (
    FederatedView,
    federated_page,
    federated_part,
)
from trapline.app.web.pages.search.search_page import state_page
from trapline.app.web.pages.search.search_states import bad_query
from trapline.app.web.pages.search.search_view import View
from trapline.app.web.request_origin import asks_by_itself
from trapline.app.web.served_folder import ServedFolder
from trapline.core.errors import UnknownName, UserMistake
from trapline.search.questions import Answer, Question

_NOBODY: Final = BrokerAnswer(
    [],
    0,
    0.0,
    complete=False,
)


class AskedBroker(Protocol):
    """What the pages need of a broker."""

    def ask(
        self, question: Question, wish: Wish | None = None
    ) -> AsyncIterator[BrokerAnswer]: ...

    def choices(self) -> Sequence[EngineChoice]:
        """All engines, the own one first."""
        ...

    def show_engines(self) -> EnginesView: ...


class BrokerPages:
    def __init__(
        self,
        served: ServedFolder,
        broker: AskedBroker,
        engine: Callable[[], Engine],
        clock: Callable[[], float],
    ) -> None:
        self._served = served
        self._broker = broker
        self._engine = engine
        self._clock = clock
        self._streams = EventStreams(served)

    async def search(
        self,
        request: Request,
        view: View,
        typing: str | None,
        wait: bool,
    ) -> HTMLResponse:
        """The own results at once; a script then follows the stream. Who cannot, waits."""
        asked = await run_in_threadpool(self._read_asked, view)
        counts = typing is None and asks_by_itself(request)
        whole = Wish(view.engines, counts=counts)
        try:
            self._check_engines(asked)
            answer = await (
                self._to_the_end(view, whole) if wait else self._first(asked)
            )
        except UserMistake as mistake:
            page = state_page(view, asked.engine, bad_query(str(mistake)))
            return html_response(page, 422)
        if typing is None and not wait:
            found = Answer([*answer.hits], answer.total, answer.seconds)
            self._served.note_asked(request, self._question(view), found)
        return html_response(federated_page(asked, answer))

    async def stream(
        self, request: Request, view: AskedView, typing: StreamTyping = False
    ) -> Response:
        """The part with the results, again and again until everybody was heard."""
        counts = not typing and asks_by_itself(request)
        asked = await run_in_threadpool(self._read_asked, view)
        self._check_engines(asked)
        wish = Wish(view.engines, counts=counts)
        answers = self._broker.ask(self._question(view), wish)
        # before anything is sent: a query that cannot be read is told as such
        first = await anext(answers)
        return self._streams.answer_once(self._events(asked, first, answers))

    def engines(self) -> HTMLResponse:
        return html_response(engines_page(self._engine(), self._broker.show_engines()))

    async def _events(
        self,
        asked: FederatedView,
        first: BrokerAnswer,
        others: AsyncIterator[BrokerAnswer],
    ) -> AsyncIterator[Event]:
        yield _event(asked, first)
        async with aclosing(others):  # type: ignore[type-var]
            async for answer in others:
                yield _event(asked, answer)

    async def _first(self, asked: FederatedView) -> BrokerAnswer:
        """What is here, before anybody else is asked."""
        wanted = frozenset(asked.view.engines)
        own = {OWN, self._served.engine}
        if wanted and not wanted & own:
            return _NOBODY
        others = wanted - own if wanted else asked.engine.others
        answer = await self._to_the_end(asked.view, Wish((OWN,)))
        return replace(answer, complete=not others)

    async def _to_the_end(self, view: View, wish: Wish) -> BrokerAnswer:
        last = _NOBODY
        async for answer in self._broker.ask(self._question(view), wish):
            last = answer
        return last

    def _question(self, view: View) -> Question:
        return view.question(self._clock())

    def _read_asked(self, view: View) -> FederatedView:
        choices = self._broker.choices()
        return FederatedView(
            view,
            self._engine(),
            choices,
            self._clock(),
        )

    def _check_engines(self, asked: FederatedView) -> None:
        known = {one.fingerprint for one in asked.engines}
        known |= {one.value for one in asked.engines} | {OWN}
        for name in asked.view.engines:
            if name not in known:
                names = [one.value for one in asked.engines]
                raise UnknownName("engine", name, names)


def _event(asked: FederatedView, answer: BrokerAnswer) -> Event:
    # half a surrogate cannot be sent
    html = federated_part(asked, answer).encode("utf-8", "replace").decode()
    return Event(json.dumps({"html": html, "complete": answer.complete}))
