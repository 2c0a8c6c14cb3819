"""Tasks beside the loop: labels, orders and demand, hosts that could not be located, a list that
changes, the change feed, the log.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final

import numpy as np

from trapline.app.engine.demand_listener import DemandListener
from trapline.app.engine.parts import Engine
from trapline.app.engine.rejudge import Rejudge
from trapline.app.engine.teaching import take_new_labels, teach_page
from trapline.app.engine.timekeeping import Timekeeper
from trapline.app.engine.visit_log import VisitLog
from trapline.app.engine.watching.list_changes import follow_list
from trapline.app.shards.homes import without_those_left
from trapline.core.cards import BLOCKED, UNLOCATED
from trapline.topic.teaching_pages import TeachingPages

LISTEN_EVERY_S: Final = 2.0  # between two looks for new labels and orders
LOCATE_EVERY_S: Final = 600.0  # between two looks for hosts that could not be located
RETRY_EVERY_S: Final = 3600.0  # between two tries of listed pages that were given up
REJUDGE_PAUSE_S: Final = 0.05  # between judging a few pages anew and the next few
_JUDGED: Final = "judged"  # note: the topic by which all held pages are judged


class Background:
    """The tasks of one run, begun at once. One that ends or fails stops the engine."""

    def __init__(
        self,
        engine: Engine,
        lessons: TeachingPages,
        timekeeper: Timekeeper,
        log: VisitLog,
    ) -> None:
        self._feed = engine.feed
        now = timekeeper.clock.now
        self._telling = asyncio.create_task(engine.feed.run(engine.say))
        self._others = [
            asyncio.create_task(_listen(engine, lessons, now)),
            asyncio.create_task(_locate_again(engine)),
            asyncio.create_task(follow_list(engine, now)),
            asyncio.create_task(_retry_listed(engine, now)),
            asyncio.create_task(timekeeper.run()),
            asyncio.create_task(log.run()),
        ]
        for task in (self._telling, *self._others):
            task.add_done_callback(lambda _: engine.stop())
        self._stop = engine.stop

    def add(self, work: Coroutine[None, None, None]) -> None:
        """One more task."""
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._stop())
        self._others.append(task)

    async def finish(self, *others: Awaitable[None]) -> list[Exception]:
        """End all tasks and whatever else ends with them; returns what failed."""
        for task in self._others:
            task.cancel()
        results = await asyncio.gather(
            *self._others,
            self._feed.finish(self._telling),
            *others,
            return_exceptions=True,
        )
        return [result for result in results if isinstance(result, Exception)]


def unlocated_hosts(engine: Engine) -> list[int]:
    """Hosts to locate; one that could not be located or was forbidden last time may be by now."""
    controller = engine.controller
    states = controller.agenda.hosts["state"][: controller.hosts()]
    found = np.flatnonzero(np.isin(states, (UNLOCATED, BLOCKED))).tolist()
    return found if engine.seat is None else without_those_left(engine, found)


async def _listen(
    engine: Engine, lessons: TeachingPages, now: Callable[[], float]
) -> None:
    """Take over labels, orders and demand, and judge held pages anew when the topic has changed."""
    collection = engine.holdings.collection
    rejudge = Rejudge(engine.store, collection, engine.control.topic, lessons)
    if engine.store.note(_JUDGED) != _topic_and_labels(engine):
        rejudge.begin()
    gain = engine.settings.refresh.demand
    demand = DemandListener(engine.holdings.folder, engine.control.journal, gain)
    while True:
        for page in take_new_labels(engine, lessons):
            teach_page(engine, lessons, page)
        if engine.instructions.orders.carry_out(now()) and engine.loop is not None:
            engine.loop.heed_orders()
        await demand.listen(now)
        while engine.control.relevance is None and rejudge.step():
            await asyncio.sleep(REJUDGE_PAUSE_S)
        collection.note(_JUDGED, _topic_and_labels(engine))
        await asyncio.sleep(LISTEN_EVERY_S)


def _topic_and_labels(engine: Engine) -> str:
    labels = engine.instructions.labels
    return json.dumps([engine.settings.topic.model_dump(), labels.size])


async def _locate_again(engine: Engine) -> None:
    """Resolve again the names that could not be resolved, be it for a moment or for hours.

    One at a time, because most of them are dead for good.
    """
    assert engine.loop is not None
    controller = engine.controller
    while True:
        await asyncio.sleep(LOCATE_EVERY_S)
        for host in unlocated_hosts(engine):
            if controller.agenda.hosts["state"][host] == BLOCKED:  # still
                await engine.loop.locate_host(host)


async def _retry_listed(engine: Engine, now: Callable[[], float]) -> None:
    """Try listed pages again that were given up: a watch waits for them for good."""
    assert engine.loop is not None
    listed_pages = engine.instructions.listed_pages
    while True:
        await asyncio.sleep(RETRY_EVERY_S)
        if listed_pages is not None:
            listed_pages.retry_given_up(engine.control.journal, engine.store, now())
            engine.loop.look_again()
