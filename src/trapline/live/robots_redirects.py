"""Where a robots.txt is redirected to: each hop is a visit to the host that it leads to.

It waits for its turn there, owes the gap there, and is made only if the robots.txt of that host
does not forbid it (RFC 9309 §2.3.1.2 asks for five hops). What was read somewhere is kept for some
minutes: hundreds of hosts may share one robots.txt, and it need not be asked for by each of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from trapline.core.errors import BadUrl
from trapline.core.records import Fetched, Kind, Request, Ticket
from trapline.core.urls import canonical, robots_url

REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
MOST_HOPS: Final = 5
PATIENCE_S: Final = 120.0  # with all hops together: less than a ticket's lease
KEPT_S: Final = 600.0
FAILED_S: Final = 60.0  # of what could not be read
MOST_KEPT: Final = 100


class Turns(Protocol):
    """Visits that no offer asks for, made when their hosts allow it."""

    async def visit(self, host: int, url: str) -> Fetched | None:
        """None = it could not be made in time, or must not be made."""

    async def learn_rules(self, host: int) -> bool:
        """Have the robots.txt of a host; False = it could not be had in time."""


@dataclass(frozen=True, slots=True)
class RobotsRedirects:
    """`host_of(url)` numbers hosts; `allows(host, url)` asks their rules."""

    turns: Turns
    host_of: Callable[[str], int]
    allows: Callable[[int, str], bool]
    # URL → what was read there, if it could be read, and until when that is kept (loop time)
    _kept: dict[str, tuple[Fetched | None, float]] = field(default_factory=dict)
    _asking: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def follow(self, request: Request, fetched: Fetched) -> Fetched:
        """The answer at the end of the redirects, as one to the first request; a redirect again if
        it cannot be had.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                return await self._follow(request, fetched)
        return fetched

    async def _follow(self, request: Request, fetched: Fetched) -> Fetched:
        seen = {request.url}
        first = fetched
        for _ in range(MOST_HOPS):
            target = _target(fetched)
            if target is None or target in seen:
                return first
            seen.add(target)
            answer = await self._ask_once(target, request.ticket.host)
            if answer is None:
                return first
            fetched = replace(answer, ticket=request.ticket)
            if fetched.status not in REDIRECTS:
                return replace(fetched, url=request.url)
        return first

    async def _ask_once(self, url: str, own: int) -> Fetched | None:
        """Whoever wants the same at the same time waits for the first."""
        asking = self._asking.setdefault(url, asyncio.Lock())
        try:
            async with asking:
                time_s = asyncio.get_running_loop().time
                answer, until_s = self._kept.get(url, (None, -math.inf))
                if until_s <= time_s():
                    answer = await self._ask(url, own)
                    lasts_s = FAILED_S if answer is None else KEPT_S
                    self._keep(url, answer, time_s() + lasts_s)
                return answer
        finally:
            if not asking.locked():
                self._asking.pop(url, None)

    async def _ask(self, url: str, own: int) -> Fetched | None:
        host = self.host_of(url)
        if host < 0:
            return None
        elsewhere = host != own and url != robots_url(url)
        if elsewhere and not await self._is_allowed(host, url):
            return None
        return await self.turns.visit(host, url)

    def _keep(self, url: str, answer: Fetched | None, until_s: float) -> None:
        self._kept.pop(url, None)
        self._kept[url] = (answer, until_s)
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    async def _is_allowed(self, host: int, url: str) -> bool:
        return await self.turns.learn_rules(host) and self.allows(host, url)


def is_redirected(ticket: Ticket, fetched: Fetched) -> bool:
    """Whether a robots.txt is elsewhere."""
    return ticket.kind is Kind.ROBOTS and fetched.status in REDIRECTS


def _target(fetched: Fetched) -> str | None:
    try:
        return (
            canonical(fetched.location, base=fetched.url) if fetched.location else None
        )
    except BadUrl:
        return None
