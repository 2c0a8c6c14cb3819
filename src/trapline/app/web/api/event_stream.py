"""Server-sent events: whoever opened a stream is told what is new, until either side ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.served_folder import ServedFolder

MEDIA_TYPE: Final = "text/event-stream"
MOST: Final = 64  # streams at once: each holds a connection
LOOK_S: Final = 1.0
_SILENT_S: Final = 15.0  # then a line that says nothing: proxies close what is silent


@dataclass(frozen=True, slots=True)
class Event:
    """One message. `number` is where to go on after a lost connection; −1 = anywhere."""

    data: str  # one line
    number: int = -1

    def __str__(self) -> str:
        r"""
        >>> str(Event("{}", 7)), str(Event("{}"))
        ('id: 7\ndata: {}\n\n', 'data: {}\n\n')
        """
        where = f"id: {self.number}\n" if self.number >= 0 else ""
        return f"{where}data: {self.data}\n\n"


Look = Callable[[], list[Event]]  # what is new since the last call


class EventStreams:
    """All streams of a server."""

    def __init__(self, served: ServedFolder) -> None:
        self._over = served.over
        self._open = 0

    def answer(self, look: Look) -> Response:
        if self._open >= MOST:
            problem = f"{MOST} streams are open already: come back later"
            raise HTTPException(503, problem, COME_BACK)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(
            self._follow(look), headers=headers, media_type=MEDIA_TYPE
        )

    async def _follow(self, look: Look) -> AsyncIterator[str]:
        self._open += 1
        try:
            # at once, so that the other side knows that it is heard
            yield f"retry: {round(LOOK_S * 3000)}\n\n"
            silent_s = 0.0
            while not self._over.is_set():
                for event in await run_in_threadpool(look):
                    silent_s = 0.0
                    yield str(event)
                if silent_s >= _SILENT_S:
                    silent_s = 0.0
                    yield ":\n\n"
                await asyncio.sleep(LOOK_S)
                silent_s += LOOK_S
        finally:
            self._open -= 1
