"""The circle in real time: tickets out, answers in, at the pace that the controllers allow.

    RequestController.issue → fetcher.fetch → land → response queue → processor.process → keep,
    settle → issue …

The controllers decide and know no clock; this loop does and decides nothing. At one instant the
order is: a visit lands, its host is free (unless it complained) and tickets are asked for; then the
answer is processed and settled, and they are asked again.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from trapline.core.links import Links
from trapline.core.ports import Fetcher
from trapline.core.records import Fetched, Observation, Reception, Request, Ticket
from trapline.live.clock import LiveClock
from trapline.robot.fetcher_controller import Event
from trapline.robot.response.results import reception_of

_SOON_S: Final = 1e-3
FAREWELL_S: Final = 10.0  # at the end, for answers that are still being read


class Controller(Protocol):
    """The request controller, or its journal."""

    def admit(self, links: Links, now_s: float) -> None: ...
    def issue(self, now_s: float, room: int) -> list[Ticket]: ...
    def land(self, ticket: Ticket, ended_s: float) -> None: ...
    def settle(self, observation: Observation, now_s: float) -> object: ...
    def expire(self, now_s: float) -> list[Ticket]: ...
    def locate(self, host: int, address: str | None, now_s: float) -> None: ...
    def hosts(self) -> int: ...
    def next_time(self) -> float: ...


class HowMany(Protocol):
    """The fetcher controller."""

    def target(
        self, now_s: float, queue_length: int, active: int, event: Event
    ) -> int: ...


def _at_once(_: Fetched) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Parts:
    """What the loop drives.

    `digest` reads an answer, keeps what is worth keeping, and says what it taught.

    `prepare` hears of each answer when it arrives, and may say when it will be ready to be
    digested.
    """

    controller: Controller
    fetchers: HowMany
    fetcher: Fetcher
    request: Callable[[Ticket], Request]
    digest: Callable[[Fetched, float], Observation]
    host_name: Callable[[int], str]
    prepare: Callable[[Fetched], asyncio.Future[Any] | None] = _at_once


class _Answer(NamedTuple):
    fetched: Fetched
    ready: asyncio.Future[Any] | None  # None = at once


class Loop:
    def __init__(
        self,
        parts: Parts,
        clock: LiveClock,
        *,
        queue_room: int = 16,
        most_visits: float = math.inf,
    ) -> None:
        """`queue_room` bounds the response queue, the answer being processed counted.

        Nothing is lost: a fetcher that finds it full holds its answer until there is a place, and
        while one does, nobody sets out.
        """
        self._parts = parts
        self._clock = clock
        self._queue_room = queue_room
        self._left = most_visits
        self._queue: deque[_Answer] = deque()
        # in the hands of fetchers that found no place, in order of arrival
        self._blocked: deque[_Answer] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._alarm_s = math.inf  # when it will ring
        self._arrived = asyncio.Event()
        self._over = asyncio.Event()
        self._failure: BaseException | None = None
        self._located = parts.controller.hosts()
        self.active = 0
        self.visits = 0

    @property
    def queue_length(self) -> int:
        return len(self._queue)

    @property
    def blocked(self) -> int:
        """Fetchers that hold an answer for which there is no place yet."""
        return len(self._blocked)

    async def run(self, unlocated: Iterable[int] = ()) -> None:
        """Until nothing is left to do, `stop` is called, or a part fails (its error is raised
        here).
        """
        processing = asyncio.ensure_future(self._process())
        self._watch(processing)
        self._locate(unlocated)
        self._pump("tick")
        try:
            await self._over.wait()
        finally:
            await self._wind_up(processing)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Finish: visits under way are dropped, what has arrived is still processed."""
        self._over.set()

    async def find(self, host: int) -> None:
        """Ask where a host is; one that could not be found may be by now."""
        address = await self._parts.fetcher.locate(self._parts.host_name(host))
        self._parts.controller.locate(host, address, self._clock.now())
        self._pump("tick")

    def _pump(self, event: Event) -> None:
        """Ask for tickets, send fetchers out, and set the alarm for the next time to ask."""
        if self._over.is_set():
            return
        now_s = self._clock.now()
        controller = self._parts.controller
        controller.expire(now_s)
        room = self._room(now_s, event)
        tickets = controller.issue(now_s, room) if room > 0 else []
        for ticket in tickets:
            self.active += 1
            self._left -= ticket.page >= 0
            self._spawn(self._visit(ticket))
        if tickets:
            # also tells the fetcher controller how many have set out
            room = self._room(now_s, "tick")
        self._set_alarm(now_s, room)

    def _room(self, now_s: float, event: Event) -> int:
        waiting = len(self._queue) + len(self._blocked)
        target = self._parts.fetchers.target(now_s, waiting, self.active, event)
        return (
            0 if self._blocked else int(min(target - self.active, max(self._left, 0)))
        )

    def _set_alarm(self, now_s: float, room: int) -> None:
        if room <= 0 and self._tasks:  # who comes home asks again
            self._wake_at(math.inf)
            return
        when_s = self._parts.controller.next_time() if self._left > 0 else math.inf
        if when_s < math.inf and room > 0:
            # open, but nobody wanted it: ask again soon, not at once
            if when_s <= now_s:
                when_s = now_s + _SOON_S
            self._wake_at(when_s)
            return
        self._wake_at(math.inf)
        if when_s == math.inf and not self._tasks and not self._queue:
            self._over.set()

    def _wake_at(self, when_s: float) -> None:
        if when_s == self._alarm_s:  # as it was: timers cost
            return
        if self._timer is not None:
            self._timer.cancel()
        self._alarm_s = when_s
        self._timer = (
            self._clock.call_at(when_s, self._ring) if when_s < math.inf else None
        )

    def _ring(self) -> None:
        self._alarm_s = math.inf
        self._timer = None
        self._pump("tick")

    async def _visit(self, ticket: Ticket) -> None:
        fetched = await self._parts.fetcher.fetch(self._parts.request(ticket))
        self.active -= 1
        self.visits += ticket.page >= 0
        # else its host is free once it is known for how long it is not
        if reception_of(fetched) is Reception.FINE:
            self._parts.controller.land(ticket, fetched.ended_s)
        answer = _Answer(fetched, self._parts.prepare(fetched))
        (self._queue if len(self._queue) < self._queue_room else self._blocked).append(
            answer
        )
        self._pump("arrival")
        # Last: who sets out now has asked before the document is digested, and is answered
        # meanwhile.
        if answer.ready is None:
            self._arrived.set()
        else:
            answer.ready.add_done_callback(lambda _: self._arrived.set())

    async def _process(self) -> None:
        """The response processor: one answer at a time, in order of arrival."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._queue and _is_ready(self._queue[0]):
                self._settle_next()
                await asyncio.sleep(0)  # fetchers get their turn between two documents

    def _settle_next(self) -> None:
        fetched = self._queue[0].fetched
        now_s = self._clock.now()
        self._parts.controller.settle(self._parts.digest(fetched, now_s), now_s)
        self._queue.popleft()
        if self._blocked:
            self._queue.append(self._blocked.popleft())
        known = self._parts.controller.hosts()
        self._locate(range(self._located, known))
        self._located = known
        self._pump("departure")

    def _locate(self, hosts: Iterable[int]) -> None:
        # the next run asks for those of the last answers
        for host in () if self._over.is_set() else hosts:
            self._spawn(self.find(host))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._note_failure(task)
        if not self._tasks and not self._over.is_set():
            now_s = self._clock.now()
            # it may have been the last thing to do
            self._set_alarm(now_s, self._room(now_s, "tick"))

    def _watch(self, task: asyncio.Task[None]) -> None:
        task.add_done_callback(self._note_failure)

    def _note_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
            self._over.set()

    async def _wind_up(self, processing: asyncio.Task[None]) -> None:
        self._over.set()  # also when `run` was cancelled: no new visit begins
        if self._timer is not None:
            self._timer.cancel()
        tasks = [processing, *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.active = 0
        time_s = asyncio.get_running_loop().time
        deadline_s = time_s() + FAREWELL_S
        while self._queue and self._failure is None:
            ready = self._queue[0].ready
            if ready is not None and not ready.done():
                await asyncio.wait([ready], timeout=max(0.0, deadline_s - time_s()))
                if not ready.done():
                    break  # the next run asks for it again
            self._settle_next()
        # the fetcher controller's last figures: nobody is at work
        self._room(self._clock.now(), "tick")


def _is_ready(answer: _Answer) -> bool:
    return answer.ready is None or answer.ready.done()
