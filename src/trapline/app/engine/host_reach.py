"""Hosts that can never be visited, as things are: found out, told, and left out of the schedule.

Without a contact only this machine may be visited, so the names that an answer links to are
resolved before its links get numbers. With a contact a host is numbered first and located then;
if it lies on a private address, its pages leave the fringe, and further links there get no number.
Pages come back when their host is in reach again, and once a contact is given, what was read
without one is read again in full, for the links that were turned away.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from trapline.app.engine.parts import Engine
from trapline.app.folder.host_troubles import names_lost
from trapline.app.folder.reach_figures import LOST, SHUT, hosts_shut
from trapline.core.cards import FRINGE, UNMET
from trapline.core.links import links_to
from trapline.core.ports import Fetcher
from trapline.core.records import Fetched, Request
from trapline.core.urls import host_of
from trapline.reading.listings.entries import resolve_link
from trapline.reading.readings import ReadDocument, ReadListing
from trapline.scope.reach import Obstacle

REREAD: Final = "read again"  # note: what was read before this time is read in full
PATIENCE_S: Final = 2.0  # with names that are not found, for each answer
MOST_LOST: Final = 1_000  # names that were not found, kept for people
ASK_AGAIN_S: Final = 600.0  # until a name that was not found is asked for again

Prepare = Callable[[Fetched], asyncio.Future[Any] | None]


class HostReach:
    """Fetcher of an engine that finds out which hosts are in reach, in one run."""

    def __init__(self, engine: Engine, now: Callable[[], float]) -> None:
        self._engine = engine
        self._reach = engine.control.reach
        self._now = now
        self._fetcher: Fetcher | None = None
        self._refused: dict[str, Obstacle] = {}  # by the addresses that were looked at
        self._shut: dict[str, str] = hosts_shut(engine.store)
        self._lost = names_lost(engine.store)
        self._pages: dict[int, list[int]] | None = None  # of hosts that come back
        ordered = engine.network.seed_hosts
        self._seed_hosts = {*map(host_of, engine.settings.canonical_seeds()), *ordered}
        self._looks: set[asyncio.Task[None]] = set()
        self._asked_s = now()
        self._reread_before_s = self._note_contact()

    def around(self, fetcher: Fetcher) -> HostReach:
        self._fetcher = fetcher
        return self

    def forbid(self, host_name: str, address: str) -> str | None:
        """Why an address may not be contacted; None = it may."""
        network = self._engine.network
        obstacle = network.obstacle(host_name, address)
        if obstacle is not None:
            self._refused[host_name] = obstacle
        return network.forbid(host_name, address)

    async def fetch(self, request: Request) -> Fetched:
        assert self._fetcher is not None
        return await self._fetcher.fetch(request)

    async def locate(self, host_name: str) -> str | None:
        assert self._fetcher is not None
        self._refused.pop(host_name, None)
        address = await self._fetcher.locate(host_name)
        if address is not None:
            self._reach.note(host_name, None)
        elif obstacle := self._refused.pop(host_name, None):
            self._reach.note(host_name, obstacle)
        return address

    def prepare(self, prepare: Prepare, in_scope: Callable[[str], bool]) -> Prepare:
        """`prepare`, and whoever an answer links to is looked for before the links get numbers."""
        if self._engine.network.manners.contact:
            return prepare

        def prepare_and_look(fetched: Fetched) -> asyncio.Future[Any] | None:
            reading = prepare(fetched)
            if reading is None and not fetched.location:
                return None
            look = asyncio.ensure_future(self._look(fetched, reading, in_scope))
            self._looks.add(look)
            look.add_done_callback(self._looks.discard)
            return look

        return prepare_and_look

    def heed_place(self, host: int, now_s: float) -> None:
        """A host was looked for: its pages leave the schedule, or come back."""
        name = self._engine.holdings.book.host_name(host)
        obstacle = self._obstacle(host, name)
        self._heed_lost(host, name)
        if obstacle is not None:
            self._leave({host: name}, obstacle, now_s)
        elif name in self._shut and not self._engine.controller.is_blocked(host):
            self._return({host: name}, now_s)

    def _heed_lost(self, host: int, name: str) -> None:
        """Whether its name led nowhere; people are told of the first thousand."""
        controller = self._engine.controller
        stopped = host in controller.host_book.stopped
        theirs = self._reach.obstacle(name) is Obstacle.ELSEWHERE
        lost = controller.is_blocked(host) and not stopped and not theirs
        if lost == (name in self._lost) or (lost and len(self._lost) >= MOST_LOST):
            return
        self._lost ^= {name}
        note = json.dumps(sorted(self._lost))
        self._engine.holdings.collection.note(LOST, note)

    def heed_scope(self, now_s: float) -> None:
        """The scope may be another than in the last run: hosts leave the fringe, or come back."""
        outside: dict[int, str] = {}
        again: dict[int, str] = {}
        for host in range(self._engine.controller.hosts()):
            name = self._engine.holdings.book.host_name(host)
            if self._is_outside(host, name):
                outside[host] = name
            elif self._shut.get(name) == Obstacle.SCOPE:
                self._reach.note(name, None)
                again[host] = name
        if outside:
            self._leave(outside, Obstacle.SCOPE, now_s)
        if again:
            self._return(again, now_s)

    def must_reread(self, page: int) -> bool:
        """Whether a page was read when links from it were turned away that would count now."""
        cards = self._engine.controller.agenda.cards
        return bool(cards["last"][page] < self._reread_before_s)

    def _obstacle(self, host: int, name: str) -> Obstacle | None:
        if self._is_outside(host, name):
            return Obstacle.SCOPE
        return self._reach.obstacle(name)

    def _is_outside(self, host: int, name: str) -> bool:
        """Of the scope; seeds and listed pages are visited wherever they are."""
        engine = self._engine
        if engine.instructions.listed_pages is not None or name in self._seed_hosts:
            return False
        return not engine.control.gate.allows_host(engine.holdings.book.home(host))

    async def _look(
        self,
        fetched: Fetched,
        reading: asyncio.Future[Any] | None,
        in_scope: Callable[[str], bool],
    ) -> None:
        urls: Iterable[str] = ()
        if reading is not None:
            await asyncio.wait([reading])
            urls = _links_in(reading)
        elif target := resolve_link(fetched.location, fetched.url):
            urls = [target]
        self._ask_again()
        names = {host_of(url) for url in urls if in_scope(url)}
        unknown = [name for name in names if not self._reach.is_known(name)]
        await self._locate_all(unknown)
        for name in unknown:
            if not self._reach.is_known(name):
                self._reach.note(name, Obstacle.NO_NAME)

    async def _locate_all(self, names: Iterable[str]) -> None:
        """As far as they answer in time: other answers wait behind this one."""
        looks = [asyncio.ensure_future(self.locate(name)) for name in names]
        if not looks:
            return
        try:
            await asyncio.wait(looks, timeout=PATIENCE_S)
        finally:
            for look in looks:
                look.cancel()
            await asyncio.gather(*looks, return_exceptions=True)

    def _ask_again(self) -> None:
        if self._now() - self._asked_s > ASK_AGAIN_S:
            self._asked_s = self._now()
            self._reach.forget(Obstacle.NO_NAME)

    def _leave(
        self, names: Mapping[int, str], obstacle: Obstacle, now_s: float
    ) -> None:
        """Of these hosts, by number. All at once: there may be thousands, and a million cards."""
        cards = self._engine.controller.agenda.cards
        there = np.isin(cards["host"], list(names))
        pages = np.flatnonzero(there & (cards["state"] == FRINGE)).tolist()
        if pages:
            self._engine.control.journal.unmeet(pages, now_s)
        unmet = cards["host"][there & (cards["state"] == UNMET)]
        struck = np.bincount(unmet, minlength=max(names) + 1).tolist()
        for host, name in names.items():
            self._reach.count_host(name, obstacle)
            self._reach.struck[name] = struck[host]
        if any(self._shut.get(name) != obstacle for name in names.values()):
            self._shut |= dict.fromkeys(names.values(), obstacle)
            self._note_shut()

    def _return(self, names: Mapping[int, str], now_s: float) -> None:
        for name in names.values():
            del self._shut[name]
        self._note_shut()
        found = self._pages_by_host()
        pages = [page for host in names for page in found.get(host, ())]
        hosts = [host for host in names for _ in found.get(host, ())]
        self._engine.control.journal.admit(links_to(pages, hosts), now_s)

    def _pages_by_host(self) -> dict[int, list[int]]:
        """Those that may come back, found once."""
        if self._pages is None:
            cards = self._engine.controller.agenda.cards
            self._pages = defaultdict(list)
            for page in np.flatnonzero(cards["state"] == UNMET).tolist():
                self._pages[int(cards["host"][page])].append(page)
        return self._pages

    def _note_shut(self) -> None:
        self._engine.holdings.collection.note(SHUT, json.dumps(self._shut))

    def _note_contact(self) -> float:
        """What was read before this time is read again in full."""
        note = self._engine.store.note(REREAD)
        turned_away = Obstacle.NO_CONTACT in self._reach.hosts()
        if self._engine.network.manners.contact and turned_away:
            self._reach.start_over((Obstacle.NO_CONTACT, Obstacle.NO_NAME))
            note = str(self._now())
            self._engine.holdings.collection.note(REREAD, note)
        return float(note) if note else -math.inf


def _links_in(reading: asyncio.Future[Any]) -> Iterable[str]:
    if reading.cancelled() or reading.exception() is not None:
        return ()
    found = reading.result()
    return found.links.urls if isinstance(found, ReadDocument | ReadListing) else ()
