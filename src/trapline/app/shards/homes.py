"""Who visits a host: the shard of its address. Whoever locates a host first asks whose it is, so
that all hosts of one address have one owner, and its gaps hold across shards.
"""

from __future__ import annotations

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
            self._hand_over(host_name)
            return None
        address = await self._fetcher.locate(host_name)
        if address is None:
            return None
        moved = seat.partition.move_of(host_name)
        if moved is not None:
            address = moved.address
        elif (home := await seat.home_of(address)) != seat.shard:
            await seat.move(host_name, home, address)
            self._hand_over(host_name)
            return None
        seat.waiting.take(self._engine.holdings.book.known_host(host_name))
        return address

    def _hand_over(self, host_name: str) -> None:
        """What leads to a host goes to its home, as it was found."""
        host = self._engine.holdings.book.known_host(host_name)
        self._engine.control.reach.note(host_name, Obstacle.ELSEWHERE)
        remembered = self._seat.waiting.take(host)
        others = self._links_in_store(host, set(remembered.urls if remembered else ()))
        for letter in (remembered, others):
            if letter is not None:
                self._seat.outgoing.pass_on(letter)

    def _links_in_store(self, host: int, known: set[str]) -> MailedLinks | None:
        """The links to a host's other pages of the fringe: those from before a restart nobody
        remembers.
        """
        cards = self._engine.controller.agenda.cards
        book = self._engine.holdings.book
        on_host = (cards["host"] == host) & (cards["state"] == FRINGE)
        fringe = np.flatnonzero(on_host).tolist()
        pages = {page for page in fringe if book.url(page) not in known}
        if not pages:
            return None
        first: dict[int, tuple[Links, float]] = {}
        for parent, links in self._engine.store.links():
            for link in links[np.isin(links["page"], list(pages))]:
                if int(link["page"]) not in first:
                    first[int(link["page"])] = np.array([link]), self._relevance(parent)
        for page in pages - first.keys():  # seeds, and what came by mail
            first[page] = links_to([page], [host]), 1.0
        return MailedLinks(
            tuple(book.url(page) for page in first),
            np.concatenate([link for link, _ in first.values()]),
            np.array([relevance for _, relevance in first.values()], np.float32),
            cards["depth"][list(first)].astype(np.uint8),
        )

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
