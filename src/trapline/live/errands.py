"""Errands: visits that no offer asks for, because something else needs their answer.

They have the manners of all visits: the host and its address must be free, and owe their gaps
afterwards. A host that is busy with its own pages lets an errand go first.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from trapline.core.records import Fetched, Kind, Request, Ticket
from trapline.live.clock import LiveClock
from trapline.live.loop_parts import LoopParts

PATIENCE_S: Final = 60.0  # until the turn of an errand comes
_LOOK_S: Final = 0.25


class Errands:
    """`wake` has the loop look who may be visited; `send` has it make a visit and settle it."""

    def __init__(
        self,
        parts: LoopParts,
        clock: LiveClock,
        wake: Callable[[], None],
        send: Callable[[Ticket], None],
    ) -> None:
        self._parts = parts
        self._clock = clock
        self._wake = wake
        self._send = send
        self._waiting: dict[int, deque[asyncio.Future[Ticket]]] = {}  # by host

    def serve(self, now_s: float) -> None:
        """Hand tickets to those whose turn it is."""
        for host, waiting in self._waiting.items():
            if not waiting or waiting[0].done():
                continue
            ticket = self._parts.controller.call_on(host, Kind.ERRAND, now_s)
            if ticket is not None:
                waiting[0].set_result(ticket)

    async def visit(self, host: int, url: str) -> Fetched | None:
        """None = its turn did not come in time."""
        ticket = await self._turn(host)
        if ticket is None:
            return None
        fetched = await self._parts.fetcher.fetch(Request(ticket, url))
        self._parts.controller.land(ticket, fetched.ended_s)
        now_s = self._clock.now()
        self._parts.controller.settle(self._parts.digest(fetched, now_s), now_s)
        return fetched

    async def learn_rules(self, host: int) -> bool:
        """Have the robots.txt of a host; False = it could not be had in time."""
        controller = self._parts.controller
        time_s = asyncio.get_running_loop().time
        deadline_s = time_s() + PATIENCE_S
        while time_s() < deadline_s:
            now_s = self._clock.now()
            if controller.knows_rules(host, now_s):
                return True
            if controller.is_blocked(host):
                return False
            ticket = controller.call_on(host, Kind.ROBOTS, now_s)
            if ticket is not None:
                self._send(ticket)
            await asyncio.sleep(_LOOK_S)
        return False

    async def _turn(self, host: int) -> Ticket | None:
        future: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(host, deque())
        waiting.append(future)
        time_s = asyncio.get_running_loop().time
        deadline_s = time_s() + PATIENCE_S
        try:
            while not future.done() and time_s() < deadline_s:
                if self._parts.controller.is_blocked(host):
                    return None
                if waiting[0] is future:
                    self._wake()
                await asyncio.wait([future], timeout=_LOOK_S)
            return future.result() if future.done() else None
        finally:
            waiting.remove(future)
            if not waiting:
                self._waiting.pop(host, None)
