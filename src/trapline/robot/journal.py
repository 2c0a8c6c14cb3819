"""The journal: every call that changed the request controller, so that the same calls lead to the
same state again.

Learnt state = last checkpoint + replay of the calls since. The controller is a state machine whose
time is handed in, so replaying its calls is exact: cards, prices, pacing and tickets come out as in
the run that was not interrupted. A call is one line of JSON: [kind, …]; tickets are named by their
numbers, links are the bytes of their records.
"""

from __future__ import annotations

import json
from base64 import b64decode
from binascii import b2a_base64
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from trapline.core.errors import ReplayDiverged
from trapline.core.links import LINK, SIGNAL, Links, Signals
from trapline.core.records import Kind, Observation, Outcome, Reception, Robots, Ticket
from trapline.core.storage import Call
from trapline.robot.request_controller import RequestController

_ADMIT = "admit"
_ISSUE = "issue"
_LAND = "land"
_SETTLE = "settle"
_EXPIRE = "expire"
_LOCATE = "at"
_TAKE_BACK = "back"
# what people order
_PAUSE = "pause"
_BOUND = "bound"
_FORGET = "forget"
_UNMEET = "unmeet"


_UNSAID: Final[list[Any]] = [
    0.0,
    0,
    "",
]  # news, reception and signals that a line does not give


def _pack(records: Links | Signals) -> str:
    return (
        b2a_base64(records.tobytes(), newline=False).decode("ascii")
        if len(records)
        else ""
    )


def _unpack(text: str) -> Links:
    # kernels are compiled for arrays that may be written
    return np.frombuffer(b64decode(text), LINK).copy()


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
        links = self.controller.unfetched(links, now_s)
        self.controller.admit(links, now_s)
        self._write(_ADMIT, now_s, _pack(links))

    def issue(self, now_s: float, room: int) -> list[Ticket]:
        if room <= 0 or not self.controller.may_issue(now_s):
            return []
        tickets = self.controller.issue(now_s, room)
        bought = [[ticket.number, ticket.page] for ticket in tickets]
        # as json.dumps would say it, three times as fast
        self._keep(f'["{_ISSUE}", {float(now_s)}, {room}, {bought}]')
        return tickets

    def land(self, ticket: Ticket, ended_s: float) -> None:
        self.controller.land(ticket, ended_s)
        self._keep(f'["{_LAND}", {float(ended_s)}, {ticket.number}, {ticket.host}]')

    def settle(self, observation: Observation, now_s: float) -> None:
        said = observation
        robots = observation.robots
        links = self.controller.settle(said, now_s)
        self._write(
            _SETTLE,
            now_s,
            said.ticket.number,
            said.outcome,
            said.changed,
            said.relevance,
            _pack(links),
            said.retry_after_s,
            robots and [robots.text, robots.until_s],
            said.news,
            said.reception,
            _pack(said.signals),
        )

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

    def pause(self, host: int, now_s: float, *, paused: bool) -> None:
        self.controller.pause(host, now_s, paused=paused)
        self._write(_PAUSE, now_s, host, paused)

    def bound(self, host: int, share: float, now_s: float) -> None:
        self.controller.bound(host, share, now_s)
        self._write(_BOUND, now_s, host, share)

    def forget(self, pages: Sequence[int], now_s: float) -> None:
        self.controller.forget(pages, now_s)
        self._write(_FORGET, now_s, list(pages))

    def unmeet(self, pages: Sequence[int], now_s: float) -> None:
        self.controller.unmeet(pages, now_s)
        self._write(_UNMEET, now_s, list(pages))

    def hosts(self) -> int:
        return self.controller.hosts()

    def next_time(self) -> float:
        return self.controller.next_time()

    def _write(self, *call: Any) -> None:
        self._keep(json.dumps(call))

    def _keep(self, body: str) -> None:
        self.calls += 1
        self._record(Call(self.calls, body))


def replay(controller: RequestController, calls: Iterable[Call]) -> int:
    """Make the calls again; returns the number of the last one.

    Raises ReplayDiverged where they lead elsewhere.
    """
    number = 0
    for call in calls:
        number = call.number
        _again(controller, number, *json.loads(call.body))
    return number


def _again(
    controller: RequestController, number: int, kind: str, now_s: float, *rest: Any
) -> None:
    if kind == _ISSUE:
        room, recorded = rest
        replayed = [
            [ticket.number, ticket.page] for ticket in controller.issue(now_s, room)
        ]
        if replayed != recorded:
            raise ReplayDiverged(number, recorded, replayed)
    elif kind == _LAND:
        controller.land(Ticket(rest[0], Kind.PAGE, -1, rest[1], now_s, 0.0), now_s)
    elif kind == _SETTLE:
        controller.settle(_observation(controller, now_s, list(rest)), now_s)
    elif kind == _ADMIT:
        controller.admit(_unpack(rest[0]), now_s)
    elif kind == _LOCATE:
        controller.locate(rest[0], rest[1], now_s)
    elif kind == _TAKE_BACK:
        controller.take_back_all(now_s)
    elif kind == _PAUSE:
        controller.pause(rest[0], now_s, paused=rest[1])
    elif kind == _BOUND:
        controller.bound(rest[0], rest[1], now_s)
    elif kind == _FORGET:
        controller.forget(rest[0], now_s)
    elif kind == _UNMEET:
        controller.unmeet(rest[0], now_s)
    else:
        controller.expire(now_s)


def _observation(
    controller: RequestController, now_s: float, said: list[Any]
) -> Observation:
    """What `settle` was told, from its line; older lines end before the news."""
    number, outcome, changed, relevance, links, retry_after_s, robots = said[:7]
    news, reception, signals = [*said[7:], *_UNSAID[len(said) - 7 :]]
    # A ticket that had been taken back teaches nothing, but time went on.
    ticket = controller.in_flight(number) or Ticket(
        number, Kind.PAGE, -1, -1, now_s, 0.0
    )
    return Observation(
        ticket,
        Outcome(outcome),
        changed,
        relevance,
        _unpack(links),
        retry_after_s,
        Robots(robots[0], robots[1]) if robots else None,
        news,
        Reception(reception),
        np.frombuffer(b64decode(signals), SIGNAL),
    )
