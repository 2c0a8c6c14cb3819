"""Requests that never end: whoever begins one must finish it soon, or loses the connection.

uvicorn waits for the rest of a request as long as it takes. Each that waits holds a file
descriptor, and when there are none left, the store and the index cannot be read.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

DEADLINE_S: Final = 10.0  # from the first byte, or the connection, to the last byte
MOST: Final = 600  # connections: 200 searches, 64 streams, and a browser's six a page


class DeadlineProtocol(H11Protocol):
    """HTTP on one connection."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.abort()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """The clock runs while a request is not complete; more bytes do not set it back."""
        if self._is_complete():
            self._cancel()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(DEADLINE_S, self._give_up)

    def _is_complete(self) -> bool:
        """Whether a whole request was received, and is being answered."""
        cycle = self.cycle
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def _give_up(self) -> None:
        self._deadline = None
        if not self._is_complete():
            self.transport.abort()

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
