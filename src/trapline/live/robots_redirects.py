"""Where a robots.txt is redirected to: each hop is a visit to the host that it leads to.

It waits for its turn there, owes the gap there, and is made only if the robots.txt of that host
does not forbid it (RFC 9309 §2.3.1.2 asks for five hops). What was read somewhere is kept for some
minutes: hundreds of hosts may share one robots.txt, and it need not be asked for by each of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from trapline.core.errors import BadUrl
from trapline.core.records import Fetched, Kind, Request, Ticket
from trapline.core.urls import canonical, robots_url

REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
MOST_HOPS: Final = 5
KEPT_S: Final = 600.0
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
    now: Callable[[], float]
    _kept: dict[str, Fetched] = field(default_factory=dict)
    _asking: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def follow(self, request: Request, fetched: Fetched) -> Fetched:
        """The answer at the end of the redirects, as one to the first request; a redirect again if
        it cannot be had.
        """
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
                kept = self._kept.get(url)
                if kept is not None and kept.ended_s + KEPT_S > self.now():
                    return kept
                return await self._ask(url, own)
        finally:
            if not asking.locked():
                self._asking.pop(url, None)

    async def _ask(self, url: str, own: int) -> Fetched | None:
        host = self.host_of(url)
        elsewhere = host != own and url != robots_url(url)
        if elsewhere and not await self._is_allowed(host, url):
            return None
        answer = await self.turns.visit(host, url)
        if answer is not None:
            self._kept[url] = answer
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return answer

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
