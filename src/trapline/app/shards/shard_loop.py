"""The parts of a live loop, for the engine of a shard: it visits its own hosts only, while it may,
and sends links to all others where they belong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from trapline.app.engine.parts import Engine
from trapline.app.shards.homes import Homes, note_waiting
from trapline.app.shards.seat import Seat
from trapline.core.records import Fetched, Observation
from trapline.live.digest import Digester
from trapline.live.loop_parts import LoopParts
from trapline.robot.response.elsewhere import Elsewhere

LOOK_S: Final = (
    0.5  # whether visits may still be made; less than the margin of a tenure
)


def take_seat(
    engine: Engine, seat: Seat, parts: LoopParts, digester: Digester
) -> LoopParts:
    book = engine.holdings.book

    def send(links: Elsewhere, found: Observation) -> None:
        page = found.ticket.page
        cards = engine.controller.agenda.cards
        depth = int(cards["depth"][page]) + 1 if page >= 0 else 0
        if depth <= engine.settings.scope.depth:
            relevance = found.relevance if page >= 0 else 1.0
            seat.outgoing.add(links.urls, links.links, relevance, depth)

    def digest(fetched: Fetched, now_s: float) -> Observation:
        found = parts.digest(fetched, now_s)
        note_waiting(engine, seat, found)
        return found

    def host_number(url: str) -> int:
        """Another shard's host is not visited from here, not even for a robots.txt."""
        return -1 if seat.is_theirs(url) else book.host_number(url)

    digester.send = send
    engine.holdings.collection.letters = seat.outgoing.take
    return replace(
        parts,
        digest=digest,
        fetcher=Homes(engine, seat, parts.fetcher),
        host_number=host_number,
        may_visit=seat.tenure.is_good,
        endless=True,
    )


async def drop_without_lease(seat: Seat, drop: Callable[[], None]) -> None:
    """What is under way when a lease runs out ends before somebody else visits the same host."""
    while True:
        if not seat.tenure.is_good():
            drop()
        await asyncio.sleep(LOOK_S)
