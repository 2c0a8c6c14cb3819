"""The only place that puts parts together: an engine from a folder and settings."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from pathlib import Path

from trapline.app.settings import Settings
from trapline.collection.collection import Collection
from trapline.collection.index import FullTextIndex
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import BLOCKED, FRINGE, GONE, HELD, UNLOCATED, UNMET
from trapline.core.errors import ReplayDiverged
from trapline.core.links import links_to
from trapline.core.ports import Discoverer, Policy, Store
from trapline.core.records import Kind, Request, Ticket
from trapline.core.urls import host_of, robots_url
from trapline.live.clock import LiveClock
from trapline.live.keeping import Keeper
from trapline.live.loop import Loop, Parts
from trapline.net.http_fetcher import HttpFetcher
from trapline.policies.fetchers.registry import make_fetcher_policy
from trapline.policies.registry import live_discoverer, live_policy
from trapline.politeness.addresses import forbidden
from trapline.politeness.manners import Manners
from trapline.robot.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.journal import Journal, replay
from trapline.robot.request_controller import RequestController
from trapline.robot.response_processor import ResponseProcessor
from trapline.stores.sqlite import SqliteStore
from trapline.topic.relevance import Topic

_BOOK_SEED = 0x7A11  # URLs are hashed with it; the map is rebuilt at start, so it may change between versions


def manners_of(settings: Settings) -> Manners:
    """Seeds given by the user list their own host:port, also on loopback; links and redirects never list anything."""
    table = settings.manners
    listed = frozenset(host_of(seed) for seed in settings.canonical_seeds()) | frozenset(table.own)
    return Manners(contact=table.contact, gap_s=table.gap_s, own=dict(table.own), listed=listed)


@dataclass(slots=True)
class Engine:
    """A robot on its folder, ready to run."""

    settings: Settings
    store: Store
    book: HashUrlBook
    index: FullTextIndex
    collection: Collection
    journal: Journal
    manners: Manners
    fetchers: FetcherController
    relearn: bool = False  # the journal could not be replayed: what it had learnt since the checkpoint is learnt anew
    loop: Loop | None = None

    @property
    def controller(self) -> RequestController:
        return self.journal.controller

    async def run(self, *, most_visits: float = float("inf")) -> None:
        """Crawl until nothing is left, `stop` is called or so many pages were visited; all is saved at the end."""
        clock = LiveClock(max(self.controller.now_s, time.time()))
        fetcher = HttpFetcher(self.manners.user_agent(), self._forbid, clock.now)
        processor = ResponseProcessor(self.book, Topic.from_text(self.settings.topic), self.collection.held)
        keeper = Keeper(self.collection, self.store, self.journal, processor, self.status_note)
        self._begin(clock.now())
        parts = Parts(
            controller=self.journal,
            fetchers=self.fetchers,
            fetcher=fetcher,
            request=self.request,
            digest=keeper.digest,
            host_name=self.book.host_name,
        )
        self.loop = Loop(parts, clock, queue_room=self.settings.fetchers.queue_room, most_visits=most_visits)
        await _run_all(self.loop, keeper, fetcher, self._unlocated())

    def stop(self) -> None:
        if self.loop is not None:
            self.loop.stop()

    def close(self) -> None:
        self.index.close()
        self.store.close()

    def request(self, ticket: Ticket) -> Request:
        if ticket.kind is Kind.ROBOTS:
            return Request(ticket, robots_url(self.book.home(ticket.host)))
        held = self.collection.held(ticket.page)
        url = self.book.url(ticket.page)
        return Request(ticket, url, held.etag, held.last_modified) if held else Request(ticket, url)

    def status_note(self) -> str:
        """The robot's own figures, for `status` in another process."""
        agenda = self.controller.agenda
        figures = {
            "time_s": self.controller.now_s,
            "visits": int(agenda.tally("visits")),
            "held": agenda.count(HELD),
            "fringe": agenda.count(FRINGE),
            "gone": agenda.count(GONE),
            "market_price": agenda.tally("market"),
            "fetchers": self.fetchers.figures().as_dict(),
        }
        return json.dumps(figures)

    def _begin(self, now_s: float) -> None:
        """Nobody will answer for the tickets of an earlier run; seeds and forgotten pages join the fringe."""
        self.collection.note("settings", json.dumps(self.settings.model_dump()))  # for `why`
        self.journal.take_back_all(now_s)
        self.controller.renew_gaps()
        numbers = [self.book.number(seed) for seed in self.settings.canonical_seeds()]
        cards = self.controller.agenda.cards
        for row in self.store.urls() if self.relearn else ():
            if row.page >= len(cards) or cards["state"][row.page] == UNMET:
                numbers.append((row.page, row.host))
        self.journal.admit(links_to([page for page, _ in numbers], [host for _, host in numbers]), now_s)

    def _unlocated(self) -> list[int]:
        """Hosts to find at start; one that could not be found or was forbidden last time may be by now."""
        states = self.controller.agenda.hosts["state"][: self.controller.hosts()]
        return [host for host, state in enumerate(states.tolist()) if state in (UNLOCATED, BLOCKED)]

    def _forbid(self, host_name: str, address: str) -> str | None:
        return forbidden(address, listed=host_name in self.manners.listed, loopback_only=True)


async def _run_all(loop: Loop, keeper: Keeper, fetcher: HttpFetcher, unlocated: list[int]) -> None:
    await keeper.save(checkpoint=True)  # settings may have changed: no replay reaches back beyond this
    keeping = asyncio.create_task(keeper.run())
    keeping.add_done_callback(lambda _: loop.stop())  # a store that fails stops the robot
    try:
        await loop.run(unlocated)
    finally:
        keeper.stop()
        results = await asyncio.gather(keeping, return_exceptions=True)
        await fetcher.close()
        await keeper.close()
    if isinstance(results[0], BaseException):
        raise results[0]


def open_engine(folder: Path, settings: Settings) -> Engine:
    """Open (or make) an engine: settings are checked before anything is written, then state is brought back."""
    manners = manners_of(settings)
    Topic.from_text(settings.topic)
    policies = live_policies(settings)
    fetchers = _fetcher_controller(settings)
    store = SqliteStore(folder)
    book = load_book(store)
    index = FullTextIndex(folder / "index")
    collection = Collection(store, book, index)
    controller = request_controller(settings, policies, book, manners)
    calls, relearn = bring_back(store, controller)
    journal = Journal(controller, collection.called, calls)
    return Engine(settings, store, book, index, collection, journal, manners, fetchers, relearn)


def load_book(store: Store) -> HashUrlBook:
    return HashUrlBook.load(store, _BOOK_SEED)


def live_policies(settings: Settings) -> tuple[Discoverer, Policy]:
    """(discovery, refresh)"""
    return (
        live_discoverer(settings.discovery.policy, settings.discovery.options),
        live_policy(settings.refresh.policy, settings.refresh.options),
    )


def request_controller(
    settings: Settings, policies: tuple[Discoverer, Policy], book: HashUrlBook, manners: Manners
) -> RequestController:
    table = settings.budget
    return RequestController(
        discovery=policies[0],
        refresh=policies[1],
        budget=Budget(per_s=table.visits, burst=table.burst, discovery_share=table.discovery_share),
        url=book.url,
        gap_s=lambda host, delay_s: manners.gap_for(book.host_name(host), delay_s),
    )


def _fetcher_controller(settings: Settings) -> FetcherController:
    table = settings.fetchers
    policy = make_fetcher_policy(table.policy, table.most, table.queue_room, table.options)
    return FetcherController(policy, table.queue_room)


def bring_back(store: Store, controller: RequestController) -> tuple[int, bool]:
    """Checkpoint, then the calls since: (number of the last call, whether some must be learnt anew)."""
    checkpoint = store.load_checkpoint()
    calls = 0
    if checkpoint is not None:
        controller.load(checkpoint.arrays)
        calls = checkpoint.calls
    try:
        return max(calls, replay(controller, store.calls(calls))), False
    except ReplayDiverged:
        last = max((call.number for call in store.calls(calls)), default=calls)
        return last, True
