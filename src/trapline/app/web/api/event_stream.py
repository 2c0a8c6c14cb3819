"""Server-sent events: whoever opened a stream is told what is new, until either side ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.served_folder import ServedFolder

MEDIA_TYPE: Final = "text/event-stream"
# one event, as the OpenAPI document describes it
EVENT: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "event": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["data"],
}
MOST: Final = 64  # streams at once: each holds a connection
LOOK_S: Final = 1.0
_SILENT_S: Final = 15.0  # then a line that says nothing: proxies close what is silent


@dataclass(frozen=True, slots=True)
class Event:
    """One message. `number` is where to go on after a lost connection; −1 = anywhere."""

    data: str  # one line
    number: int = -1
    name: str = ""  # "" = as all others of the stream

    def __str__(self) -> str:
        r"""
        >>> str(Event("{}", 7)), str(Event("{}")), str(Event("{}", name="done"))
        ('id: 7\ndata: {}\n\n', 'data: {}\n\n', 'event: done\ndata: {}\n\n')
        """
        where = f"id: {self.number}\n" if self.number >= 0 else ""
        name = f"event: {self.name}\n" if self.name else ""
        return f"{where}{name}data: {self.data}\n\n"


Look = Callable[[], list[Event]]  # what is new since the last call


class EventStreams:
    """All streams of a server."""

    def __init__(self, served: ServedFolder) -> None:
        self._over = served.over
        self._open = 0

    def answer(self, look: Look) -> Response:
        return _CountedStream(self, self._follow(look))

    def answer_once(self, events: AsyncIterator[Event]) -> Response:
        """A stream that ends by itself."""
        return _CountedStream(self, _as_text(events))

    @contextmanager
    def take_place(self) -> Iterator[None]:
        """Raises HTTPException if there is none. In the server's own thread only."""
        if self._open >= MOST:
            problem = f"{MOST} streams are open already: come back later"
            raise HTTPException(503, problem, COME_BACK)
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    async def _follow(self, look: Look) -> AsyncIterator[str]:
        # at once, so that the other side knows that it is heard
        yield f"retry: {round(LOOK_S * 3000)}\n\n"
        silent_s = 0.0
        while True:
            events = await run_in_threadpool(look)
            for event in events:
                yield str(event)
            if self._over.is_set():
                return
            if events:  # there may be more
                silent_s = 0.0
                continue
            await asyncio.sleep(LOOK_S)
            silent_s += LOOK_S
            if silent_s >= _SILENT_S:
                silent_s = 0.0
                yield ":\n\n"


async def _as_text(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    async for event in events:
        yield str(event)


class _CountedStream(StreamingResponse):
    """Has its place from the moment at which it is answered until the last byte."""

    def __init__(self, streams: EventStreams, content: AsyncIterator[str]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(content, headers=headers, media_type=MEDIA_TYPE)
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._streams.take_place():
            await super().__call__(scope, receive, send)
