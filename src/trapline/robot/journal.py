"""The journal: every call that changed the request controller, so that the same calls lead to the
same state again.

Learnt state = last checkpoint + replay of the calls since. The controller is a state machine whose
time is handed in, so replaying its calls is exact: cards, prices, pacing and tickets come out as in
the run that was not interrupted. A call is one line of JSON: [kind, …]; tickets are named by their
numbers, links are the bytes of their records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

from trapline.core.links import Links
from trapline.core.records import Kind, Observation, Robots, Ticket
from trapline.core.storage import Call
from trapline.policies.fetchers.fetcher_policy import Reserves
from trapline.politeness.robots_txt import host_rules
from trapline.robot.call_records import ArrivedLinks, MoreLinks
from trapline.robot.journal_lines import (
    ADMIT,
    BOUND,
    CALL_ON,
    EXPIRE,
    FIND,
    FORGET,
    INTERVALS,
    ISSUE,
    LAND,
    LOCATE,
    MEET,
    PAUSE,
    RECEIVE,
    SET_CLOCK,
    SETTLE,
    SPEND,
    TAKE_BACK,
    UNMEET,
    VISIT,
    WAKE_UP,
    WEIGH,
    pack_records,
)
from trapline.robot.page_intervals import Interval
from trapline.robot.request_controller import RequestController


class Journal:
    """The request controller's calls, each done and written down.

    `record` keeps the lines until they are committed.
    """

    def __init__(
        self,
        controller: RequestController,
        record: Callable[[Call], None],
        calls: int = 0,
    ) -> None:
        self.controller = controller
        self.calls = calls  # number of the last call written
        self._record = record

    def admit(self, links: Links, now_s: float) -> None:
        links = self.controller.links_to_fetch(links, now_s)
        self.controller.admit(links, now_s)
        self._write(ADMIT, now_s, pack_records(links))

    def issue(
        self, now_s: float, room: int, reserves: Reserves | None = None
    ) -> list[Ticket]:
        if room <= 0 or not self.controller.may_issue(now_s):
            return []
        tickets = self.controller.issue(now_s, room, reserves=reserves)
        bought = [[ticket.number, ticket.page] for ticket in tickets]
        choices = self.controller.choices()
        refused = json.dumps(list((choices.refused or {}).items()))
        declined = "" if choices.declined is None else _say_declined(*choices.declined)
        # as json.dumps would say it, three times as fast
        self._keep(
            f'["{ISSUE}", {float(now_s)}, {room}, {bought}, {choices.made}, {refused}'
            f"{declined}]"
        )
        return tickets

    def land(self, ticket: Ticket, ended_s: float) -> None:
        self.controller.land(ticket, ended_s)
        self._keep(f'["{LAND}", {float(ended_s)}, {ticket.number}, {ticket.host}]')

    def settle(self, observation: Observation, now_s: float) -> None:
        said = observation
        robots = said.robots
        rules = host_rules(robots) if isinstance(robots, Robots) else robots
        settled = self.controller.settle(said, now_s)
        self._write(
            SETTLE,
            now_s,
            said.ticket.number,
            said.outcome,
            said.changed,
            said.relevance,
            pack_records(settled.links),
            said.retry_after_s,
            rules and astuple(rules),
            said.news,
            said.reception,
            pack_records(said.signals),
            settled.forbidden,
            *_say_rest(settled.promised, said.received),
        )

    def find(self, found: MoreLinks, now_s: float) -> None:
        counted = self.controller.find(found, now_s)
        self._write(
            FIND,
            now_s,
            counted.page,
            counted.relevance,
            pack_records(counted.links),
            pack_records(counted.signals),
            counted.forbidden,
        )

    def call_on(self, host: int, kind: Kind, now_s: float) -> Ticket | None:
        ticket = self.controller.call_on(host, kind, now_s)
        if ticket is not None:
            self._write(CALL_ON, now_s, host, kind)
        return ticket

    def meet_host(self, host: int, now_s: float) -> None:
        known = self.controller.hosts()
        self.controller.meet_host(host, now_s)
        if host >= known:
            self._write(MEET, now_s, host)

    def is_blocked(self, host: int) -> bool:
        return self.controller.is_blocked(host)

    def knows_rules(self, host: int, now_s: float) -> bool:
        return self.controller.knows_rules(host, now_s)

    def allows(self, host: int, url: str) -> bool:
        return self.controller.allows(host, url)

    def links_to_fetch(self, links: Links, now_s: float) -> Links:
        return self.controller.links_to_fetch(links, now_s)

    def expire(self, now_s: float) -> list[Ticket]:
        lost = self.controller.expire(now_s)
        if lost:
            self._write(EXPIRE, now_s)
        return lost

    def locate(self, host: int, address: str | None, now_s: float) -> None:
        self.controller.locate(host, address, now_s)
        self._write(LOCATE, now_s, host, address)

    def take_back_all(self, now_s: float) -> list[Ticket]:
        lost = self.controller.take_back_all(now_s)
        self._write(TAKE_BACK, now_s)
        return lost

    def set_clock(self, now_s: float) -> None:
        self.controller.set_clock(now_s)
        self._write(SET_CLOCK, now_s)

    def wake_up(self, now_s: float) -> None:
        self.controller.wake_up(now_s)
        self._write(WAKE_UP, now_s)

    def pause(self, host: int, now_s: float, *, paused: bool) -> None:
        self.controller.pause(host, now_s, paused=paused)
        self._write(PAUSE, now_s, host, paused)

    def bound(self, host: int, share: float, now_s: float) -> None:
        self.controller.bound(host, share, now_s)
        self._write(BOUND, now_s, host, share)

    def forget(self, pages: Sequence[int], now_s: float) -> None:
        self.controller.forget(pages, now_s)
        self._write(FORGET, now_s, list(pages))

    def unmeet(self, pages: Sequence[int], now_s: float) -> None:
        self.controller.unmeet(pages, now_s)
        self._write(UNMEET, now_s, list(pages))

    def order_visits(self, pages: Sequence[int], now_s: float) -> None:
        self.controller.order_visits(pages, now_s)
        self._write(VISIT, now_s, list(pages))

    def bound_intervals(self, intervals: Mapping[int, Interval], now_s: float) -> None:
        self.controller.bound_intervals(intervals, now_s)
        bounds = [(page, *interval) for page, interval in intervals.items()]
        self._write(INTERVALS, now_s, bounds)

    def weigh(self, factors: Mapping[int, float], now_s: float) -> None:
        self.controller.weigh(factors, now_s)
        self._write(WEIGH, now_s, list(factors.items()))

    def spend(self, per_s: float, now_s: float) -> None:
        self.controller.spend(per_s, now_s)
        self._write(SPEND, now_s, per_s)

    def receive(self, arrived: ArrivedLinks, now_s: float) -> None:
        taken = self.controller.receive(arrived, now_s)
        self._write(
            RECEIVE,
            now_s,
            pack_records(taken.links),
            taken.relevance.tolist(),
            taken.depth.tolist(),
            taken.forbidden,
        )

    @property
    def declined(self) -> bool:
        return self.controller.declined

    def loss_per_s(self, ticket: Ticket) -> float:
        return self.controller.loss_per_s(ticket)

    def hosts(self) -> int:
        return self.controller.hosts()

    def next_time(self) -> float:
        return self.controller.next_time()

    def _write(self, *call: Any) -> None:
        self._keep(json.dumps(call))

    def _keep(self, body: str) -> None:
        self.calls += 1
        self._record(Call(self.calls, body))


def _say_rest(promised: float, received: int) -> list[float]:
    """What most lines need not say: most pages lead to no other shard."""
    if received:
        return [promised, received]
    return [promised] if promised else []


def _say_declined(reserve: float, usual: float) -> str:
    """∞ as Python's JSON reads it."""
    return f", {json.dumps([reserve, usual])}"
