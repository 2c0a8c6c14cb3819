"""Who visits a host: the shard of its address. Whoever locates a host first asks whose it is, so
that all hosts of one address have one owner, and its gaps hold across shards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trapline.app.engine.parts import Engine
from trapline.app.shards.links_of_before import LinksOfBefore
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
        self._before = LinksOfBefore(engine)

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
        await self._before.look_for(self._pages_without_links(host))
        others = self._leads(host, self._pages_without_links(host))
        remembered = self._seat.waiting.take(host)
        for letter in (self._with_seeds(remembered), others):
            if letter is not None:
                self._seat.outgoing.pass_on(letter)

    def _pages_without_links(self, host: int) -> list[int]:
        """Its pages of the fringe to which no link waits: seeds, those from before a restart."""
        cards = self._engine.controller.agenda.cards
        book = self._engine.holdings.book
        known = self._seat.waiting.urls(host)
        on_host = (cards["host"] == host) & (cards["state"] == FRINGE)
        fringe = np.flatnonzero(on_host).tolist()
        return [page for page in fringe if book.url(page) not in known]

    def _leads(self, host: int, pages: list[int]) -> MailedLinks | None:
        if not pages:
            return None
        unknown = (links_to([0], [host]), 1.0)  # of seeds, and of what came by mail
        leads = [self._before.take(page) or unknown for page in pages]
        cards = self._engine.controller.agenda.cards
        return MailedLinks(
            tuple(map(self._engine.holdings.book.url, pages)),
            np.concatenate([link for link, _ in leads]),
            np.array([relevance for _, relevance in leads], np.float32),
            cards["depth"][pages].astype(np.uint8),
        )

    def _with_seeds(self, remembered: MailedLinks | None) -> MailedLinks | None:
        """A seed is one also where other pages lead to it."""
        if remembered is None:
            return None
        cards = self._engine.controller.agenda.cards
        number = self._engine.holdings.book.number
        pages = np.array([number(url)[0] for url in remembered.urls])
        met = cards[np.minimum(pages, len(cards) - 1)]
        seeds = (pages < len(cards)) & (met["state"] == FRINGE) & (met["depth"] == 0)
        return remembered._replace(depth=np.where(seeds, np.uint8(0), remembered.depth))


def without_those_left(engine: Engine, hosts: list[int]) -> list[int]:
    """Hosts, but for those that another shard visits and to which nothing leads here any more:
    there may be very many, and each look goes through all cards.
    """
    cards = engine.controller.agenda.cards
    led_to = set(np.unique(cards["host"][cards["state"] == FRINGE]).tolist())
    name = engine.holdings.book.host_name
    return [
        host for host in hosts if host in led_to or not engine.is_theirs(name(host))
    ]


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
