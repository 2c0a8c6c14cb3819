"""The circle with its queue in pretend time: fetchers bring answers to a reader who reads one at a
time.

The request controller and the fetcher controller are those that run live, and are asked in the same
order: an answer comes, or one was read; fetchers are woken, visits bought. Sources are ephemeral
(`whittle`): an answer holds what its source had gathered when it came, and loses interest until it
is read. All times are exponential, as in `talim`.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from trapline.core.records import Observation, Outcome, Ticket
from trapline.robot.fetcher_controller import Event, FetcherController
from trapline.robot.request_controller import RequestController
from trapline.theory.ephemeral.source import Sources


class QueueWorld(NamedTuple):
    sources: Sources
    fetch_s: float  # mean time of a fetch
    read_s: float  # mean time of reading an answer
    room: int  # places in the queue, that of the answer being read among them


class QueueRun(NamedTuple):
    earned: float  # a second: what was read, as far as interest in it lasted
    visits: float  # a second
    starvation: float  # share of the time in which the reader had nothing to read
    waiting_s: float  # of an answer until it was read, on average
    price: float  # of a visit, on average


@dataclass
class _Sums:
    earned: float = 0.0
    visits: int = 0
    waited_s: float = 0.0
    price: float = 0.0
    starved_s: float = 0.0


@dataclass
class _Answer:
    ticket: Ticket
    came_s: float
    worth: float  # when it came


@dataclass
class QueueCircle:
    """One run; `run` may be called again, to go on."""

    world: QueueWorld
    requests: RequestController
    fetchers: FetcherController
    seed: int
    _now_s: float = 0.0
    _read_at: float = math.inf  # when the answer at hand will have been read
    _flying: list[tuple[float, int, Ticket]] = field(default_factory=list)
    _queue: deque[_Answer] = field(default_factory=deque)
    _sums: _Sums = field(default_factory=_Sums)

    def __post_init__(self) -> None:
        self._chance = np.random.default_rng(self.seed)
        self._last_s = np.zeros(len(self.world.sources))

    def run(
        self,
        until_s: float,
    ) -> QueueRun:
        """What was earned from now on until then."""
        begun_s = self._now_s
        self._sums = _Sums()
        self._buy("tick")
        while (next_s := self._next_s()) < until_s:
            self._go_on(next_s)
            if next_s == self._read_at:
                self._read()
                self._buy("departure")
            elif self._flying and next_s == self._flying[0][0]:
                self._take_in()
                self._buy("arrival")
            else:
                self._buy("tick")
        self._go_on(until_s)
        return self._figures(until_s - begun_s)

    def _figures(
        self,
        passed_s: float,
    ) -> QueueRun:
        sums = self._sums
        visits = max(sums.visits, 1)
        return QueueRun(
            sums.earned / passed_s,
            sums.visits / passed_s,
            sums.starved_s / passed_s,
            sums.waited_s / visits,
            sums.price / visits,
        )

    def _next_s(self) -> float:
        landing_s = self._flying[0][0] if self._flying else math.inf
        next_s = min(landing_s, self._read_at)
        if self._room("tick") <= 0 or (self.requests.declined and next_s < math.inf):
            return next_s
        # a visit that is open now was refused by nobody, and so bought
        return min(next_s, max(self.requests.next_time(), self._now_s + 1e-9))

    def _go_on(
        self,
        now_s: float,
    ) -> None:
        self._sums.starved_s += (now_s - self._now_s) * (not self._queue)
        self._now_s = now_s

    def _room(
        self,
        event: Event,
    ) -> int:
        active = len(self._flying)
        target = self.fetchers.target(self._now_s, len(self._queue), active, event)
        # a full queue pauses fetching, as in the live loop
        return target - active if len(self._queue) <= self.world.room else 0

    def _buy(
        self,
        event: Event,
    ) -> None:
        room = self._room(event)
        if room <= 0 or not self.requests.may_issue(self._now_s):
            return
        reserves = None
        if self.fetchers.prices_visits:
            reserves = self.fetchers.reserves(len(self._queue), len(self._flying))
        for ticket in self.requests.issue(self._now_s, room, reserves):
            if reserves is not None:
                self.fetchers.note_visit(ticket, self.requests.loss_per_s(ticket))
            self._sums.price += ticket.price
            lands_s = self._now_s + self._chance.exponential(self.world.fetch_s)
            heapq.heappush(self._flying, (lands_s, ticket.number, ticket))
        self._room("tick")

    def _take_in(self) -> None:
        _, _, ticket = heapq.heappop(self._flying)
        page = ticket.page
        self.requests.land(ticket, self._now_s)
        age_s = self._now_s - self._last_s[page]
        self._last_s[page] = self._now_s
        sources = self.world.sources
        gathered = -math.expm1(-sources.decay[page] * age_s)
        worth = float(sources.ceiling[page] * gathered)
        self._queue.append(_Answer(ticket, self._now_s, worth))
        if len(self._queue) == 1:
            self._begin_reading()

    def _begin_reading(self) -> None:
        self._read_at = self._now_s + self._chance.exponential(self.world.read_s)

    def _read(self) -> None:
        answer = self._queue.popleft()
        waited_s = self._now_s - answer.came_s
        fading = self.world.sources.decay[answer.ticket.page]
        self._sums.earned += answer.worth * math.exp(-fading * waited_s)
        self._sums.visits += 1
        self._sums.waited_s += waited_s
        seen = Observation(answer.ticket, Outcome.OK, changed=True, relevance=1.0)
        self.requests.settle(seen, self._now_s)
        self._read_at = math.inf
        if self._queue:
            self._begin_reading()
