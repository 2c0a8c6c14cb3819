"""The only place that puts parts together: an engine from a folder and settings."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiohttp.abc import AbstractResolver

from trapline.app.engine.listed_pages import ListedPages
from trapline.app.engine.operator_orders import OperatorOrders
from trapline.app.engine.rejudge import Rejudge
from trapline.app.engine.seed_check import on_this_machine
from trapline.app.engine.topic_examples import is_address, title_and_text
from trapline.app.folder.label_file import LabelFile
from trapline.app.folder.order_file import OrderFile
from trapline.app.folder.status import AT_WORK
from trapline.app.output.change_feed import ChangeFeed
from trapline.app.output.warc import WarcFiles
from trapline.app.output.warc_recorder import WarcRecorder
from trapline.app.settings import EVERY_HOST, AccessTable, Settings, TopicTable
from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import BLOCKED, FRINGE, GONE, HELD, UNLOCATED, UNMET
from trapline.core.errors import ReplayDiverged, UserMistake
from trapline.core.links import links_to
from trapline.core.ports import Learner, Store
from trapline.core.records import Kind, Request, Ticket
from trapline.core.urls import host_of, robots_url
from trapline.live.clock import LiveClock
from trapline.live.commits import Committer
from trapline.live.digest import Digester
from trapline.live.loop import Loop, Parts
from trapline.live.reader_processes import ReaderProcesses, readers_here
from trapline.net.credentials import Access
from trapline.net.http_fetcher import HttpFetcher, Limits
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.registry import (
    make_discovery_policy,
    make_fetcher_policy,
    make_refresh_policy,
)
from trapline.politeness.addresses import forbidden
from trapline.politeness.manners import Manners
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.journal import Journal, replay
from trapline.robot.request_controller import (
    Limits as CrawlLimits,
)
from trapline.robot.request_controller import RequestController, part_of
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.scope.gate import Gate
from trapline.scope.scope import UNLIMITED
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite import SqliteStore
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import bag_of

LISTEN_S: Final = 2.0  # between two looks for new labels
# begin the names of what they have learnt in a checkpoint
TOPIC = "topic"
PATTERNS = "patterns"
FIND_AGAIN_S: Final = 600.0  # between two looks for hosts that could not be found
PAUSE_S: Final = 0.05  # between judging a few pages anew and the next few
# what is wrong with strangers' files is no news
logging.getLogger("pypdf").setLevel(logging.ERROR)
# URLs are hashed with it; the map is rebuilt at start, so it may change between versions
_BOOK_SEED = 0x7A11


def manners_of(settings: Settings) -> Manners:
    """Seeds given by the user list their own host:port, also on loopback; links and redirects never
    list anything.
    """
    table = settings.manners
    listed = (
        frozenset(host_of(seed) for seed in settings.canonical_seeds())
        | table.listed_hosts()
    )
    return Manners(
        contact=table.contact, gap_s=table.gap_s, own=dict(table.own), listed=listed
    )


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
    topic: Topic
    labels: LabelFile
    obeying: OperatorOrders
    access: Mapping[str, Access]  # what single hosts are sent: secrets
    gate: Gate
    duplicates: Duplicates
    folder: Path
    feed: ChangeFeed
    listed: ListedPages | None = None  # no link is followed
    # the journal could not be replayed: what it had learnt since the checkpoint is learnt anew
    relearn: bool = False
    loop: Loop | None = None
    # judges (title, text) instead of the topic
    relevance: Callable[[str, str], float] | None = None
    limits: Limits | None = None  # of the fetcher; None = its own
    resolver: AbstractResolver | None = None  # of host names; None = the system's

    @property
    def controller(self) -> RequestController:
        return self.journal.controller

    async def run(self, *, most_visits: float = float("inf")) -> None:
        """Crawl until nothing is left, `stop` is called or so many pages were visited; all is saved
        at the end.
        """
        clock = LiveClock(max(self.controller.now_s, time.time()))
        warc = self.settings.output.warc
        fetcher = HttpFetcher(
            self.manners.user_agent(),
            self._forbid,
            clock.now,
            self.limits,
            self.resolver,
            access=self.access,
            proxy=self.settings.proxy(),
            keep_headers=warc,
        )
        recorder = (
            WarcRecorder(
                fetcher, self._warc_files(clock.now()), self.manners.user_agent()
            )
            if warc
            else None
        )
        listed = self.listed
        processor = ResponseProcessor(
            self.book,
            self.topic,
            self.collection.held,
            self.relevance,
            speaks=self.gate.speaks,
            in_scope=self._may_follow,
            barred=self.obeying.orders.standing.bars,
        )
        readers = ReaderProcesses(readers_here())
        digester = Digester(
            self.collection,
            processor,
            self.duplicates,
            self.gate,
            readers.read if readers else None,
        )
        learners: dict[str, Learner] = {TOPIC: self.topic, PATTERNS: self.gate.patterns}
        keeper = Committer(
            self.collection, self.store, self.journal, self.status_note, learners
        )
        self._teach(processor.lessons)
        self._begin(clock.now())
        parts = Parts(
            controller=self.journal,
            fetchers=self.fetchers,
            fetcher=recorder or fetcher,
            request=self.request,
            digest=listed.around(digester.digest) if listed else digester.digest,
            host_name=self.book.host_name,
            prepare=digester.prepare,
        )
        self.loop = Loop(
            parts,
            clock,
            queue_room=self.settings.fetchers.queue_room,
            most_visits=most_visits,
        )
        listening = asyncio.create_task(self._listen(processor.lessons, clock.now))
        telling = asyncio.create_task(self.feed.run())
        finding = asyncio.create_task(self._find_again())
        for beside in (listening, telling, finding):
            # a store that fails stops the robot
            beside.add_done_callback(lambda _: self.stop())
        try:
            await readers.start()
            await _run_all(self.loop, keeper, fetcher, self._unlocated())
        finally:
            readers.close()
            listening.cancel()
            finding.cancel()
            endings = [listening, finding, self.feed.finish(telling)] + (
                [recorder.close()] if recorder else []
            )
            results = await asyncio.gather(*endings, return_exceptions=True)
        for failure in results:
            if isinstance(failure, Exception):
                raise failure
        self.collection.note(AT_WORK, "")
        await asyncio.to_thread(self.collection.flush)  # how far the feed has come

    def stop(self) -> None:
        if self.loop is not None:
            self.loop.stop()

    def close(self) -> None:
        self.feed.close()
        self.index.close()
        self.store.close()

    def request(self, ticket: Ticket) -> Request:
        if ticket.kind is Kind.ROBOTS:
            return Request(ticket, robots_url(self.book.home(ticket.host)))
        held = self.collection.held(ticket.page)
        url = self.book.url(ticket.page)
        return (
            Request(ticket, url, held.etag, held.last_modified)
            if held
            else Request(ticket, url)
        )

    def status_note(self) -> str:
        """The robot's own figures, for `status` in another process."""
        agenda = self.controller.agenda
        figures = {
            "time_s": self.controller.now_s,
            "written_s": time.time(),
            "visits": int(agenda.tally("visits")),
            "held": agenda.count(HELD),
            "fringe": agenda.count(FRINGE),
            "gone": agenda.count(GONE),
            "market_price": agenda.tally("market"),
            "topic": {"read": self.topic.documents, "unmet": self.topic.unmet()},
            "fetchers": self.fetchers.figures().as_dict(),
        }
        return json.dumps(figures)

    def _begin(self, now_s: float) -> None:
        """Nobody will answer for the tickets of an earlier run; seeds and forgotten pages join the
        fringe.
        """
        self.collection.note("settings", json.dumps(self.settings.told()))  # for `why`
        self.collection.note(AT_WORK, "yes")
        self.journal.take_back_all(now_s)
        self.controller.renew_gaps()
        if self.listed:
            self.listed.tidy(self.controller, self.store, now_s)
        numbers = [self.book.number(seed) for seed in self.settings.canonical_seeds()]
        cards = self.controller.agenda.cards
        # who names a page that was given up wants it tried again; of a list `tidy` has seen to it
        if not self.listed:
            gone = [
                page
                for page, _ in numbers
                if page < len(cards) and cards["state"][page] == GONE
            ]
            # not forgotten
            self.journal.unmeet(
                [page for page in gone if cards["not_before"][page] < math.inf], now_s
            )
        for row in self.store.urls() if self.relearn else ():
            if self.listed and not self.listed.in_scope(row.url):
                continue
            if row.page >= len(cards) or cards["state"][row.page] == UNMET:
                numbers.append((row.page, row.host))
        self.journal.admit(
            links_to([page for page, _ in numbers], [host for _, host in numbers]),
            now_s,
        )
        self.obeying.obey(now_s)

    def _teach(self, lessons: TeachingPages) -> None:
        """Examples and labels whose pages are held teach at once, the others when they are read."""
        for url, like in self.settings.topic.pages():
            lessons.example(self.book.number(url)[0], like=like)
        self._heed(lessons)
        for page in lessons.pages():
            self._read_again(lessons, page)

    def _heed(self, lessons: TeachingPages) -> list[int]:
        """Take over the labels that people have written since."""
        said = {
            self.book.number(url)[0]: belongs
            for url, belongs in self.labels.news().items()
        }
        for page, belongs in said.items():
            lessons.label(page, belongs=belongs)
        return list(said)

    def _read_again(self, lessons: TeachingPages, page: int) -> None:
        held = self.store.page(page)
        if held is not None:
            lessons.read(page, bag_of(held.title, held.text))

    async def _listen(self, lessons: TeachingPages, now: Callable[[], float]) -> None:
        """While the robot runs: labels and orders are heeded, held pages judged anew when the topic
        has changed.
        """
        judging = Rejudge(self.store, self.collection, self.topic, lessons)
        if self.store.note("judged") != self._judged_by():
            judging.begin()
        while True:
            for page in self._heed(lessons):
                self._read_again(lessons, page)
            self.obeying.obey(now())
            while self.relevance is None and judging.step():
                await asyncio.sleep(PAUSE_S)
            self.collection.note("judged", self._judged_by())
            await asyncio.sleep(LISTEN_S)

    async def _find_again(self) -> None:
        """While the robot runs: names that cannot be resolved, for a moment or for hours, are asked
        for again.

        One at a time, because most are dead for good.
        """
        assert self.loop is not None
        while True:
            await asyncio.sleep(FIND_AGAIN_S)
            for host in self._unlocated():
                if self.controller.agenda.hosts["state"][host] == BLOCKED:  # still
                    await self.loop.find(host)

    def _warc_files(self, now_s: float) -> WarcFiles:
        stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(now_s))
        return WarcFiles(
            self.folder / "warc",
            stamp,
            {"http-header-user-agent": self.manners.user_agent()},
        )

    def _judged_by(self) -> str:
        return json.dumps([self.settings.topic.model_dump(), self.labels.size])

    def _unlocated(self) -> list[int]:
        """Hosts to find; one that could not be found or was forbidden last time may be by now."""
        states = self.controller.agenda.hosts["state"][: self.controller.hosts()]
        return [
            host
            for host, state in enumerate(states.tolist())
            if state in (UNLOCATED, BLOCKED)
        ]

    def _may_follow(self, url: str) -> bool:
        return (
            self.gate.admits(url) if self.listed is None else self.listed.in_scope(url)
        )

    def _forbid(self, host_name: str, address: str) -> str | None:
        if not self.manners.contact and not on_this_machine(address):
            return f"{address} is not on this machine, and no contact is given"
        return forbidden(address, listed=host_name in self.manners.listed)


async def _run_all(
    loop: Loop, keeper: Committer, fetcher: HttpFetcher, unlocated: list[int]
) -> None:
    # settings may have changed: no replay reaches back beyond this
    await keeper.save(checkpoint=True)
    keeping = asyncio.create_task(keeper.run())
    # a store that fails stops the robot
    keeping.add_done_callback(lambda _: loop.stop())
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
    """Open (or make) an engine: settings are checked before anything is written, then state is
    brought back.
    """
    manners = manners_of(settings)
    topic = topic_of(settings.topic)
    access = accesses(settings)
    orders = OrderFile(folder)
    gate = Gate(settings.scope.scope(), orders.standing.bars)
    duplicates = Duplicates()
    policies = live_policies(settings)
    fetchers = fetcher_controller(settings)
    store = SqliteStore(folder)
    try:
        book = load_book(store)
        index = FullTextIndex(folder / "index")
        collection = Collection(store, book, index)
        controller = request_controller(settings, policies, book, manners)
        calls, relearn = bring_back(
            store, controller, {TOPIC: topic, PATTERNS: gate.patterns}
        )
        for page, same_as in duplicates.load(store.simhashes()).items():
            collection.note_copy(page, same_as)
    except BaseException:
        store.close()
        raise
    journal = Journal(controller, collection.note_call, calls)
    try:
        feed = ChangeFeed(store, collection, folder, settings.output.changes)
    except BaseException:
        index.close()
        store.close()
        raise
    listed = (
        None
        if settings.discovery.follow
        else ListedPages(settings.canonical_seeds(), store, collection)
    )
    return Engine(
        settings,
        store,
        book,
        index,
        collection,
        journal,
        manners,
        fetchers,
        topic,
        LabelFile(folder),
        OperatorOrders(orders, journal, store, collection, book),
        access,
        gate,
        duplicates,
        folder,
        feed,
        listed,
        relearn,
    )


def accesses(settings: Settings) -> dict[str, Access]:
    """What single hosts are sent, by name:port. What is said of every host is checked, too."""
    found = {host: access_of(table) for host, table in settings.access.items()}
    return {host: access for host, access in found.items() if host != EVERY_HOST}


def access_of(table: AccessTable) -> Access:
    """A UserMistake if a header cannot be sent."""
    return Access(
        headers={
            name: value.get_secret_value() for name, value in table.headers.items()
        },
        cookies={
            name: value.get_secret_value() for name, value in table.cookies.items()
        },
        user=table.user,
        password=table.password.get_secret_value(),
        proxy=table.proxy.get_secret_value(),
    )


def topic_of(table: TopicTable) -> Topic:
    """The topic with all examples that are texts or files; a UserMistake if one cannot be read."""
    topic = Topic.from_text(table.words, expects=any(map(is_address, table.examples)))
    for like, said in ((True, table.examples), (False, table.against)):
        for text in said:
            if not is_address(text):
                bag = bag_of(*title_and_text(text))
                if not len(bag.words):
                    raise UserMistake(
                        f"the example {text[:60]!r} has no word that tells pages apart: "
                        "choose another"
                    )
                topic.exemplify(text, bag, like=like)
    return topic


def load_book(store: Store) -> HashUrlBook:
    return HashUrlBook.load(store, _BOOK_SEED)


def live_policies(settings: Settings) -> tuple[DiscoveryPolicy, RefreshPolicy]:
    """(discovery, refresh)"""
    return (
        make_discovery_policy(settings.discovery.policy, settings.discovery.options),
        make_refresh_policy(settings.refresh.policy, settings.refresh.options),
    )


def request_controller(
    settings: Settings,
    policies: tuple[DiscoveryPolicy, RefreshPolicy],
    book: HashUrlBook,
    manners: Manners,
) -> RequestController:
    table = settings.budget
    return RequestController(
        discovery=policies[0],
        refresh=policies[1],
        budget=Budget(
            per_s=table.visits, burst=table.burst, discovery_share=table.discovery_share
        ),
        url=book.url,
        gap_s=lambda host, delay_s: manners.gap_for(book.host_name(host), delay_s),
        limits=CrawlLimits(
            depth=settings.scope.depth,
            pages=math.inf
            if settings.scope.pages == UNLIMITED
            else settings.scope.pages,
            share_by_yield=True,
        ),
    )


def fetcher_controller(settings: Settings) -> FetcherController:
    table = settings.fetchers
    policy = make_fetcher_policy(
        table.policy, table.most, table.queue_room, table.options
    )
    return FetcherController(policy, table.queue_room)


def bring_back(
    store: Store,
    controller: RequestController,
    learners: Mapping[str, Learner] | None = None,
) -> tuple[int, bool]:
    """Checkpoint, then the calls since: (number of the last call, whether some must be learnt
    anew).
    """
    checkpoint = store.load_checkpoint()
    calls = 0
    if checkpoint is not None:
        if not controller.understands(checkpoint.arrays):
            return _last_call(store, checkpoint.calls), True
        controller.load(checkpoint.arrays)
        for name, learner in (learners or {}).items():
            if learnt := part_of(checkpoint.arrays, f"{name}."):
                learner.restore(learnt)
        calls = checkpoint.calls
    try:
        return max(calls, replay(controller, store.calls(calls))), False
    except ReplayDiverged:
        return _last_call(store, calls), True


def _last_call(store: Store, calls: int) -> int:
    return max((call.number for call in store.calls(calls)), default=calls)
