"""Running an engine: its parts are connected to the live loop, and everything is saved at the end.

The order of the end matters. The loop stops first, then the committer writes what has arrived, and
the change feed tells what the store has by then.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from trapline.app.engine.background import Background, unlocated_hosts
from trapline.app.engine.begin import begin_run
from trapline.app.engine.host_reach import HostReach
from trapline.app.engine.listed_pages import Digest
from trapline.app.engine.parts import Engine, Holdings
from trapline.app.engine.restore import learners_of
from trapline.app.engine.teaching import teach_held_pages
from trapline.app.engine.timekeeping import MachineClocks, Timekeeper
from trapline.app.engine.visit_log import VisitLog
from trapline.app.engine.watching.list_changes import name_place
from trapline.app.folder.robot_state import AT_WORK
from trapline.app.output.warc.warc_files import WarcFiles
from trapline.app.output.warc.warc_recorder import WarcRecorder
from trapline.app.shards.idle_status import IdleStatus
from trapline.app.shards.letters_in import read_letters
from trapline.app.shards.shard_loop import drop_without_lease, take_seat
from trapline.app.shards.shared_lessons import share_lessons
from trapline.core.ports import Fetcher
from trapline.core.records import Kind, Request, Ticket
from trapline.core.urls import robots_url
from trapline.live.commits import Committer, Notes
from trapline.live.digest import Digester
from trapline.live.loop import Loop
from trapline.live.loop_parts import HeedPlace, LoopParts
from trapline.live.reader_processes import ReaderProcesses, readers_for
from trapline.net.http_fetcher import HttpFetcher
from trapline.net.options import FetcherOptions
from trapline.reading.rules.reading_rules import ReadingRules
from trapline.robot.response.page_noise import PageNoise
from trapline.robot.response.page_rules import PageRules
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.scope.reach import Obstacle

# What is wrong with other people's files is no news.
logging.getLogger("pypdf").setLevel(logging.ERROR)


_REAL_CLOCKS: Final = MachineClocks()


async def run_engine(
    engine: Engine,
    *,
    most_visits: float = math.inf,
    clocks: MachineClocks = _REAL_CLOCKS,
) -> None:
    """Crawl until nothing is left, `engine.stop` is called or so many pages were visited.

    All is saved at the end. A part that fails ends the run, and its error is raised here.
    """
    log = VisitLog(engine, engine.hear_visit)
    say = engine.say
    log.begin()
    failure: BaseException | None = None
    try:
        await _run_logged(engine, log, most_visits, clocks)
    except BaseException as error:
        failure = error
        raise
    finally:
        await asyncio.to_thread(log.end, failure)
        engine.say = say


async def _run_logged(
    engine: Engine, log: VisitLog, most_visits: float, clocks: MachineClocks
) -> None:
    processor = _response_processor(engine)
    timekeeper = Timekeeper(engine, processor, clocks)
    clock = timekeeper.clock
    reach = HostReach(engine, clock.now)
    fetcher = _http_fetcher(engine, reach, clock.now)
    recorder = _warc_recorder(engine, fetcher, clock.now())
    seat = engine.seat
    asks = engine.instructions.watched.asks()
    readers = seat.readers if seat else ReaderProcesses(readers_for(asks))
    digester = _digester(engine, processor, readers, log)
    teach_held_pages(engine, processor.lessons)
    begin_run(engine, clock.now())
    reach.heed_scope(clock.now())
    parts = _loop_parts(engine, reach.around(recorder or fetcher), digester)
    if seat is not None:
        parts = take_seat(engine, seat, parts, digester)
    queue_room = engine.settings.fetchers.queue_room
    engine.loop = Loop(parts, clock, queue_room=queue_room, most_visits=most_visits)
    background = Background(engine, processor.lessons, timekeeper, log)
    if seat is not None:
        letters = read_letters(engine, seat, _in_reach(engine), clock.now)
        background.add(letters)
        background.add(share_lessons(engine, seat, processor.lessons))
        background.add(drop_without_lease(seat, fetcher.drop))
    try:
        if seat is None:
            await readers.start()
        unlocated = unlocated_hosts(engine)
        await _crawl(engine.loop, _committer(engine, engine.loop), fetcher, unlocated)
    finally:
        if seat is None:
            readers.close()
        closing = [] if recorder is None else [recorder.close()]
        failures = await background.finish(*closing)
    if failures:
        raise failures[0]
    engine.holdings.collection.note(AT_WORK, "")
    # once more: how far the feed has come
    await asyncio.to_thread(engine.holdings.collection.flush)


async def _crawl(
    loop: Loop, committer: Committer, fetcher: HttpFetcher, unlocated: list[int]
) -> None:
    # Settings may have changed: no replay reaches back beyond this checkpoint.
    await committer.save(checkpoint=True)
    committing = asyncio.create_task(committer.run())
    # a store that fails stops the robot
    committing.add_done_callback(lambda _: loop.stop())
    try:
        await loop.run(unlocated)
    finally:
        committer.stop()
        results = await asyncio.gather(committing, return_exceptions=True)
        await fetcher.close()
        await committer.close()
    if isinstance(results[0], BaseException):
        raise results[0]


def _http_fetcher(
    engine: Engine, reach: HostReach, now: Callable[[], float]
) -> HttpFetcher:
    network = engine.network
    options = FetcherOptions(
        network.limits, network.credentials, engine.settings.output.warc
    )
    if engine.seat is not None:
        options = replace(options, may_send=engine.seat.tenure.is_good)
    user_agent = network.manners.user_agent()
    return HttpFetcher(user_agent, reach.forbid, now, options, network.resolver)


def _warc_recorder(
    engine: Engine, fetcher: Fetcher, now_s: float
) -> WarcRecorder | None:
    if not engine.settings.output.warc:
        return None
    user_agent = engine.network.manners.user_agent()
    name = time.strftime("%Y%m%d%H%M%S", time.gmtime(now_s))
    if engine.seat is not None:
        lease = engine.seat.lease
        name = f"{name}-shard{lease.shard:03}-epoch{lease.epoch}"
    files = WarcFiles(
        engine.holdings.folder / "warc",
        name,
        {"http-header-user-agent": user_agent},
    )
    return WarcRecorder(fetcher, files, user_agent)


def _response_processor(engine: Engine) -> ResponseProcessor:
    gate = engine.control.gate
    return ResponseProcessor(
        engine.holdings.book,
        engine.control.topic,
        engine.holdings.collection.held,
        engine.control.relevance,
        rules=PageRules(
            speaks=gate.speaks,
            in_scope=_in_reach(engine),
            barred=engine.instructions.orders.file.in_force.bars,
            reading=engine.instructions.watched.rules,
            elsewhere=engine.seat.is_theirs if engine.seat else None,
        ),
        noise=PageNoise(engine.control.places, engine.holdings.collection.document),
    )


def _digester(
    engine: Engine,
    processor: ResponseProcessor,
    readers: ReaderProcesses,
    log: VisitLog,
) -> Digester:
    return Digester(
        engine.holdings.collection,
        processor,
        engine.holdings.duplicates,
        engine.control.gate,
        readers.read if readers else None,
        log.note_visit,
    )


def _committer(engine: Engine, loop: Loop) -> Committer:
    control = engine.control
    journal = control.journal
    status: Callable[[], str | None] = engine.status_note
    if engine.seat is not None:
        status = IdleStatus(engine.status_note, lambda: journal.calls)
    return Committer(
        engine.holdings.collection,
        engine.store,
        journal,
        Notes(status, engine.say, engine.note_saved),
        learners_of(control.topic, control.gate, control.reach, control.places),
        loop,
    )


def _in_scope(engine: Engine) -> Callable[[str], bool]:
    listed_pages = engine.instructions.listed_pages
    return engine.control.gate.admits if listed_pages is None else listed_pages.in_scope


def _in_reach(engine: Engine) -> Callable[[str], bool]:
    """In scope, but what can never be visited is counted instead."""
    in_scope = _in_scope(engine)
    reach = engine.control.reach
    gate = engine.control.gate

    def admits(url: str) -> bool:
        if in_scope(url):
            # whoever visits its host finds out whether that is in reach
            return engine.is_theirs(url) or reach.admits(url)
        if not gate.allows_host(url):
            reach.count(url, Obstacle.SCOPE)
        return False

    return admits


def _loop_parts(engine: Engine, reach: HostReach, digester: Digester) -> LoopParts:
    digest, heed_place = _listeners(engine, reach, digester)
    return LoopParts(
        controller=engine.control.journal,
        fetchers=engine.control.fetchers,
        fetcher=reach,
        request=partial(
            request_for,
            engine.holdings,
            engine.instructions.watched.rules,
            reach.must_reread,
        ),
        digest=digest,
        host_name=engine.holdings.book.host_name,
        prepare=reach.prepare(digester.prepare, _in_scope(engine)),
        meet_links=digester.meet_links,
        host_number=engine.holdings.book.host_number,
        hold=engine.holdings.collection.hold,
        heed_place=heed_place,
    )


def _listeners(
    engine: Engine, reach: HostReach, digester: Digester
) -> tuple[Digest, HeedPlace]:
    """Who takes in answers, and who heeds where hosts are."""
    listed_pages = engine.instructions.listed_pages
    troubles = engine.instructions.troubles

    def heed_place(host: int, address: str | None, now_s: float) -> None:
        reach.heed_place(host, now_s)
        if troubles is not None:
            troubles.note_location(host, address, now_s)

    if listed_pages is None or troubles is None:
        return digester.digest, heed_place
    listed_pages.heed_move = partial(name_place, engine)
    return listed_pages.around(troubles.around(digester.digest)), heed_place


def request_for(
    holdings: Holdings,
    rules: Callable[[str], ReadingRules],
    must_reread: Callable[[int], bool],
    ticket: Ticket,
) -> Request:
    """What to ask for: robots.txt, or a page, with the validators of the copy that is held.

    One that was read by other rules is read anew: "not modified" would keep what they read.
    """
    if ticket.kind is Kind.ROBOTS:
        return Request(ticket, robots_url(holdings.book.home(ticket.host)))
    url = holdings.book.url(ticket.page)
    held = holdings.collection.held(ticket.page)
    if held is None or held.rules != rules(url).mark or must_reread(ticket.page):
        return Request(ticket, url)
    return Request(ticket, url, held.etag, held.last_modified)
