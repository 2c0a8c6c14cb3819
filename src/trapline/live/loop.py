"""The crawl in real time: tickets out, answers in, at the pace that the controllers allow.

    RequestController.issue → fetcher.fetch → land → response queue → digest → settle → issue …

The controllers decide and know no clock; this loop acts and decides nothing. At one instant the
order is: a visit lands, its host is free (unless it complained) and tickets are asked for; then the
answer is processed and settled, and they are asked for again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine, Iterable, Iterator
from dataclasses import replace
from typing import Final

from trapline.core.records import Reception, Ticket
from trapline.live.clock import Alarm, LiveClock
from trapline.live.errands import Errands
from trapline.live.loop_parts import LoopParts
from trapline.live.response_queue import Answer, ResponseQueue
from trapline.live.robots_redirects import RobotsRedirects, is_redirected
from trapline.robot.fetcher_controller import Event
from trapline.robot.response.results import PART, in_parts, reception_of

_SOON_S: Final = 1e-3
LAST_WAIT_S: Final = 10.0  # at the end, for answers that are still being read


class Loop:
    def __init__(
        self,
        parts: LoopParts,
        clock: LiveClock,
        *,
        queue_room: int = 16,
        most_visits: float = math.inf,
    ) -> None:
        """`queue_room` bounds the response queue. While it is full, no fetcher sets out."""
        self._parts = parts
        self._clock = clock
        self._alarm = Alarm(clock, self._tick)
        self._queue = ResponseQueue(queue_room)
        self._visits_left = most_visits
        self._tasks: set[asyncio.Task[None]] = set()
        self._settling: Iterator[None] | None = None  # the first answer, in steps
        self._errands = Errands(parts, clock, self._tick, self._send)
        self._redirects = RobotsRedirects(
            self._errands, self._number_host, parts.controller.allows
        )
        self._arrived = asyncio.Event()
        self._over = asyncio.Event()
        self._failure: BaseException | None = None
        self._begun = False
        self._held = False
        self._hosts_known = parts.controller.hosts()
        self.active = 0
        self.visits = 0
        self._declined = False  # the dearest visit was not worthwhile, at the last look
        self.is_idle = False  # nothing is left to do, as of the last look

    @property
    def queue_length(self) -> int:
        return len(self._queue)

    @property
    def blocked(self) -> int:
        """Fetchers that hold an answer for which there is no place yet."""
        return self._queue.blocked

    async def run(self, unlocated: Iterable[int] = ()) -> None:
        """Until nothing is left to do, `stop` is called, or a part fails; its error is raised.

        `unlocated` are hosts from before the loop was made; those since are located anyway.
        """
        self._begun = True
        processing = asyncio.ensure_future(self._process())
        processing.add_done_callback(self._note_failure)
        self._locate_hosts(unlocated)
        self._locate_new_hosts()
        self._send_fetchers("tick")
        try:
            await self._over.wait()
        finally:
            await self._shut_down(processing)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """End the run: visits under way are dropped, what has arrived is still processed."""
        self._over.set()

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    @property
    def is_held(self) -> bool:
        """Whether no fetcher may set out, because nothing can be saved."""
        return self._held

    @property
    def now_s(self) -> float:
        return self._clock.now()

    def hold(self, *, held: bool) -> None:
        """No fetcher sets out until it is told otherwise; those under way come home."""
        self._held = held
        if not held:
            self.look_again()

    def look_again(self) -> None:
        """The clock has leapt: what was to be done by the old time may be due now, or later."""
        self._alarm.cancel()
        if self._begun:
            self._tick()

    def heed_orders(self) -> None:
        """People gave orders: there may be new hosts, and what was far off may be due."""
        if self._begun:
            self._locate_new_hosts()
        self.look_again()

    async def locate_host(self, host: int) -> None:
        """Ask where a host is; one that could not be found may be by now."""
        address = await self._parts.fetcher.locate(self._parts.host_name(host))
        now_s = self._clock.now()
        self._parts.controller.locate(host, address, now_s)
        self._parts.heed_place(host, address, now_s)
        self._send_fetchers("tick")

    def _tick(self) -> None:
        """Nobody waits for a timer's call, so its failure would leave the robot hanging."""
        try:
            self._send_fetchers("tick")
        except Exception as error:
            self._failure = self._failure or error
            self._over.set()

    def _send_fetchers(self, event: Event) -> None:
        """Ask for tickets, send fetchers out, and set the alarm for the next time to ask."""
        if self._over.is_set():
            return
        now_s = self._clock.now()
        controller = self._parts.controller
        controller.expire(now_s)
        if not self._held and self._parts.may_visit():
            self._errands.serve(now_s)
        room = self._room(now_s, event)
        tickets = self._buy(now_s, room) if room > 0 else []
        for ticket in tickets:
            self._send(ticket)
        if tickets:
            # also tells the fetcher controller how many have set out
            room = self._room(now_s, "tick")
        self._set_alarm(now_s, room)

    def _buy(self, now_s: float, room: int) -> list[Ticket]:
        """Tickets for visits that are worthwhile as the queue is now."""
        controller = self._parts.controller
        prices = self._parts.visit_prices
        if prices is None:
            return controller.issue(now_s, room)
        reserves = prices.reserves(self._queue.waiting, self.active)
        tickets = controller.issue(now_s, room, reserves)
        for ticket in tickets:
            prices.note_visit(ticket, controller.loss_per_s(ticket))
        # until an answer comes or is read, nothing changes that
        self._declined = controller.declined
        return tickets

    def _send(self, ticket: Ticket) -> None:
        self.active += 1
        self._visits_left -= ticket.page >= 0
        self._spawn(self._visit(ticket))

    def _number_host(self, url: str) -> int:
        """Of a host that may be new; −1 = it may not be visited from here."""
        host = self._parts.host_number(url)
        if host < 0:
            return host
        self._parts.controller.meet_host(host, self._clock.now())
        self._locate_new_hosts()
        return host

    def _room(self, now_s: float, event: Event) -> int:
        """How many fetchers may set out now."""
        target = self._parts.fetchers.target(
            now_s, self._queue.waiting, self.active, event
        )
        if self._queue.blocked or self._held or not self._parts.may_visit():
            return 0
        return int(min(target - self.active, max(self._visits_left, 0)))

    def _set_alarm(self, now_s: float, room: int) -> None:
        self.is_idle = False
        waits = self._declined and (self._tasks or self._queue)
        if waits or (
            room <= 0 and self._tasks
        ):  # whichever fetcher comes back asks again
            self._alarm.set(math.inf)
            return
        may_visit = self._visits_left > 0
        when_s = self._parts.controller.next_time() if may_visit else math.inf
        if when_s < math.inf and room > 0:
            # open, but nobody wanted it: ask again soon, not at once
            self._alarm.set(when_s if when_s > now_s else now_s + _SOON_S)
            return
        self._alarm.set(math.inf)
        # while it is held, whoever lets it go asks again
        finished = when_s == math.inf and not self._held
        self.is_idle = finished and not self._tasks and not self._queue
        if self.is_idle and not self._parts.endless:
            self._over.set()

    async def _visit(self, ticket: Ticket) -> None:
        request = self._parts.request(ticket)
        fetched = await self._parts.fetcher.fetch(request)
        self.active -= 1
        self.visits += ticket.page >= 0
        # else its host is free once it is known for how long it is not
        if reception_of(fetched) is Reception.FINE:
            self._parts.controller.land(ticket, fetched.ended_s)
        if is_redirected(ticket, fetched):
            fetched = await self._redirects.follow(request, fetched)
        answer = Answer(fetched, self._parts.prepare(fetched))
        self._queue.add(answer)
        self._send_fetchers("arrival")
        # Last: requests that are sent now travel while the document is digested.
        if answer.ready is None:
            self._arrived.set()
        else:
            answer.ready.add_done_callback(lambda _: self._arrived.set())

    async def _process(self) -> None:
        """The response processor: one answer at a time, in order of arrival."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._queue.has_ready():
                self._settling = self._settle_first()
                for _ in self._settling:
                    await asyncio.sleep(0)
                await asyncio.sleep(0)  # fetchers get their turn between two documents

    def _settle_first(self) -> Iterator[None]:
        """In steps: fetchers get their turn between two, but nothing is committed."""
        fetched = self._queue.first.fetched
        yield from self._parts.meet_links(fetched)
        self._parts.hold(True)
        now_s = self._clock.now()
        observation = self._parts.digest(fetched, now_s)
        if len(observation.links) > PART:  # those that count come into the first parts
            links = self._parts.controller.links_to_fetch(observation.links, now_s)
            observation = replace(observation, links=links)
        first, rest = in_parts(observation)
        self._parts.controller.settle(first, now_s)
        for more in rest:
            yield
            self._parts.controller.find(more, self._clock.now())
        self._parts.hold(False)
        self._settling = None
        self._queue.remove_first()
        self._locate_new_hosts()
        self._send_fetchers("departure")

    def _locate_new_hosts(self) -> None:
        known = self._parts.controller.hosts()
        self._locate_hosts(range(self._hosts_known, known))
        self._hosts_known = known

    def _locate_hosts(self, hosts: Iterable[int]) -> None:
        # the next run asks for those of the last answers
        for host in () if self._over.is_set() else hosts:
            self._spawn(self.locate_host(host))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._note_failure(task)
        if not self._tasks and not self._over.is_set():
            now_s = self._clock.now()
            # it may have been the last thing to do
            self._set_alarm(now_s, self._room(now_s, "tick"))

    def _note_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
            self._over.set()

    async def _shut_down(self, processing: asyncio.Task[None]) -> None:
        self._over.set()  # also when `run` was cancelled: no new visit begins
        self._alarm.cancel()
        tasks = [processing, *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.active = 0
        for _ in self._settling or ():  # what was begun is finished, unless it failed
            pass
        await self._settle_rest()
        self._parts.hold(False)  # also after a failure: what is there can be committed
        # the fetcher controller's last figures: nobody is at work
        self._room(self._clock.now(), "tick")

    async def _settle_rest(self) -> None:
        """Settle what has arrived, as far as it is read in time; the next run asks for the rest."""
        time_s = asyncio.get_running_loop().time
        deadline_s = time_s() + LAST_WAIT_S
        while self._queue and self._failure is None:
            ready = self._queue.first.ready
            if ready is not None and not ready.done():
                await asyncio.wait([ready], timeout=max(0.0, deadline_s - time_s()))
                if not ready.done():
                    break
            for _ in self._settle_first():
                pass
