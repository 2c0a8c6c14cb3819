"""Who visits a host: the shard of its address. Whoever locates a host first asks whose it is, so
that all hosts of one address have one owner, and its gaps hold across shards.
"""

from __future__ import annotations

import asyncio

import numpy as np
from numpy.typing import NDArray

from trapline.app.engine.parts import Engine
from trapline.app.shards.seat import Seat
from trapline.cluster.letters import MailedLinks
from trapline.core.cards import FRINGE, UNLOCATED
from trapline.core.links import Links, links_to
from trapline.core.ports import Fetcher
from trapline.core.records import Fetched, Observation, Request
from trapline.scope.reach import Obstacle


class Homes:
    """Fetcher of a shard; hosts of other shards cannot be located here, and their links go there.

    A host that was moved stays where it is, and is paced by the address for which it was moved.
    """

    def __init__(self, engine: Engine, seat: Seat, fetcher: Fetcher) -> None:
        self._engine = engine
        self._seat = seat
        self._fetcher = fetcher

    async def fetch(self, request: Request) -> Fetched:
        return await self._fetcher.fetch(request)

    async def locate(self, host_name: str) -> str | None:
        seat = self._seat
        if seat.partition.home(host_name) != seat.shard:
            await self._hand_over(host_name)
            return None
        address = await self._fetcher.locate(host_name)
        if address is None:
            return None
        moved = seat.partition.move_of(host_name)
        if moved is not None:
            address = moved.address
        elif (home := await seat.home_of(address)) != seat.shard:
            await seat.move(host_name, home, address)
            await self._hand_over(host_name)
            return None
        seat.waiting.take(self._engine.holdings.book.known_host(host_name))
        return address

    async def _hand_over(self, host_name: str) -> None:
        """What leads to a host goes to its home, as it was found."""
        host = self._engine.holdings.book.known_host(host_name)
        self._engine.control.reach.note(host_name, Obstacle.ELSEWHERE)
        remembered = self._seat.waiting.take(host)
        known = set(remembered.urls) if remembered is not None else set()
        if remembered is not None:
            self._seat.outgoing.pass_on(remembered)
        url = self._engine.holdings.book.url
        forgotten = {page for page in self._fringe_of(host) if url(page) not in known}
        if forgotten:
            self._seat.outgoing.pass_on(await self._recall(forgotten, host))

    async def _recall(self, pages: set[int], host: int) -> MailedLinks:
        """Links to pages that were found before a restart, which nobody remembers."""
        found = await asyncio.to_thread(self._first_links, pages)
        for page in pages - found.keys():  # seeds, and what came by mail
            found[page] = links_to([page], [host]), 1.0
        depth = self._engine.controller.agenda.cards["depth"]
        return MailedLinks(
            tuple(map(self._engine.holdings.book.url, found)),
            np.concatenate([link for link, _ in found.values()]),
            np.array([relevance for _, relevance in found.values()], np.float32),
            depth[list(found)].astype(np.uint8),
        )

    def _fringe_of(self, host: int) -> set[int]:
        cards = self._engine.controller.agenda.cards
        on_host = (cards["host"] == host) & (cards["state"] == FRINGE)
        return set(np.flatnonzero(on_host).tolist())

    def _first_links(self, pages: set[int]) -> dict[int, tuple[Links, float]]:
        """The first link in the store to each of some pages, with the relevance of its page. All
        that the store has is read: a loop that waited for it would lose its leases.
        """
        first: dict[int, tuple[Links, float]] = {}
        for parent, links in self._engine.store.links():
            for link in links[np.isin(links["page"], list(pages))]:
                if int(link["page"]) not in first:
                    first[int(link["page"])] = np.array([link]), self._relevance(parent)
        return first

    def _relevance(self, page: int) -> float:
        held = self._engine.store.held(page)
        return 0.0 if held is None else held.relevance


def note_waiting(engine: Engine, seat: Seat, observation: Observation) -> None:
    """Remember what leads to hosts that nobody has located yet."""
    links = observation.links
    kept = unlocated_places(engine, links)
    page = observation.ticket.page
    depth = int(engine.controller.agenda.cards["depth"][page]) + 1 if page >= 0 else 0
    if not len(kept) or depth > engine.settings.scope.depth:
        return
    urls = tuple(map(engine.holdings.book.url, links["page"][kept].tolist()))
    found = MailedLinks(
        urls,
        links[kept],
        np.full(len(kept), observation.relevance, np.float32),
        np.full(len(kept), depth, np.uint8),
    )
    seat.waiting.add(links["host"][kept].tolist(), found)


def unlocated_places(engine: Engine, links: Links) -> NDArray[np.int64]:
    """Places of links to hosts that are not located yet."""
    states = engine.controller.agenda.hosts["state"]
    hosts = links["host"]
    new = hosts >= engine.controller.hosts()
    inside = np.minimum(hosts, len(states) - 1)
    return np.flatnonzero(new | (states[inside] == UNLOCATED))
