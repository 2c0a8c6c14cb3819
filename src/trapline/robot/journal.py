"""The journal: every call that changed the request controller, so that the same calls lead to the same state again.

Learnt state = last checkpoint + replay of the calls since. The controller is a state machine whose time is handed in,
so replaying its calls is exact: cards, prices, pacing and tickets come out as in the run that was not interrupted. A
call is one line of JSON: [kind, …]; tickets are named by their numbers, links are the bytes of their records.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from trapline.core.errors import ReplayDiverged
from trapline.core.links import LINK, Links
from trapline.core.ports import Call
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.robot.request_controller import RequestController

_ADMIT, _ISSUE, _LAND, _SETTLE, _EXPIRE, _LOCATE, _TAKE_BACK = (
    "admit",
    "issue",
    "land",
    "settle",
    "expire",
    "at",
    "back",
)


def _packed(links: Links) -> str:
    return b64encode(links.tobytes()).decode("ascii")


def _unpacked(text: str) -> Links:
    return np.frombuffer(b64decode(text), LINK).copy()  # kernels are compiled for arrays that may be written


class Journal:
    """The request controller's calls, each done and written down. `record` keeps the lines until they are committed."""

    def __init__(self, controller: RequestController, record: Callable[[Call], None], calls: int = 0) -> None:
        self.controller = controller
        self.calls = calls  # number of the last call written
        self._record = record

    def admit(self, links: Links, now_s: float) -> None:
        links = self.controller.unfetched(links)
        self.controller.admit(links, now_s)
        self._write(_ADMIT, now_s, _packed(links))

    def issue(self, now_s: float, room: int) -> list[Ticket]:
        if room <= 0 or now_s < self.controller.opens_s:
            return []  # nothing would change
        tickets = self.controller.issue(now_s, room)
        self._write(_ISSUE, now_s, room, [[ticket.number, ticket.page] for ticket in tickets])
        return tickets

    def land(self, ticket: Ticket, ended_s: float) -> None:
        self.controller.land(ticket, ended_s)
        self._write(_LAND, ended_s, ticket.number, ticket.host)

    def settle(self, observation: Observation, now_s: float) -> None:
        slim = replace(observation, links=self.controller.unfetched(observation.links))
        self.controller.settle(slim, now_s)
        robots = slim.robots and [slim.robots.text, slim.robots.until_s]
        self._write(
            _SETTLE, now_s, slim.ticket.number, slim.outcome, slim.changed, slim.relevance, _packed(slim.links),
            slim.retry_after_s, robots, slim.news,
        )  # fmt: skip

    def expire(self, now_s: float) -> list[Ticket]:
        lost = self.controller.expire(now_s)
        if lost:
            self._write(_EXPIRE, now_s)
        return lost

    def locate(self, host: int, address: str | None, now_s: float) -> None:
        self.controller.locate(host, address, now_s)
        self._write(_LOCATE, now_s, host, address)

    def take_back_all(self, now_s: float) -> list[Ticket]:
        lost = self.controller.take_back_all(now_s)
        self._write(_TAKE_BACK, now_s)
        return lost

    def hosts(self) -> int:
        return self.controller.hosts()

    def next_time(self) -> float:
        return self.controller.next_time()

    def _write(self, *call: Any) -> None:
        self.calls += 1
        self._record(Call(self.calls, json.dumps(call)))


def replay(controller: RequestController, calls: Iterable[Call]) -> int:
    """Make the calls again; returns the number of the last one. Raises ReplayDiverged where they lead elsewhere."""
    number = 0
    for call in calls:
        number = call.number
        _again(controller, number, *json.loads(call.body))
    return number


def _again(controller: RequestController, number: int, kind: str, now_s: float, *rest: Any) -> None:
    if kind == _ISSUE:
        room, recorded = rest
        replayed = [[ticket.number, ticket.page] for ticket in controller.issue(now_s, room)]
        if replayed != recorded:
            raise ReplayDiverged(number, recorded, replayed)
    elif kind == _LAND:
        controller.land_again(rest[0], rest[1], now_s)
    elif kind == _SETTLE:
        _settle_again(controller, now_s, *rest)
    elif kind == _ADMIT:
        controller.admit(_unpacked(rest[0]), now_s)
    elif kind == _LOCATE:
        controller.locate(rest[0], rest[1], now_s)
    elif kind == _TAKE_BACK:
        controller.take_back_all(now_s)
    else:
        controller.expire(now_s)


def _settle_again(
    controller: RequestController, now_s: float, number: int, outcome: int, changed: bool, relevance: float,
    links: str, retry_after_s: float, robots: list[Any] | None, news: float = 0.0,
) -> None:  # fmt: skip
    # A ticket that had been taken back teaches nothing, but time went on.
    ticket = controller.in_flight(number) or Ticket(number, Kind.PAGE, -1, -1, now_s, 0.0)
    rules = Robots(robots[0], robots[1]) if robots else None
    controller.settle(
        Observation(ticket, Outcome(outcome), changed, relevance, _unpacked(links), retry_after_s, rules, news), now_s
    )
