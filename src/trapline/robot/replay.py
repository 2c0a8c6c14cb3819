"""Replay: the calls that a journal recorded, made again; the same calls lead to the same state."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from trapline.core.errors import ReplayDiverged
from trapline.core.links import SIGNAL, Signals
from trapline.core.records import (
    HostRules,
    Kind,
    Observation,
    Outcome,
    Reception,
    Robots,
    Ticket,
)
from trapline.core.storage import Call
from trapline.robot.call_records import ArrivedLinks, Choices, MoreLinks
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
    unpack_links,
)
from trapline.robot.page_intervals import Interval
from trapline.robot.request_controller import RequestController

# news, reception, signals, forbidden pages, what other shards' pages promise and bytes received,
# where a line does not say so
_UNSAID: Final[list[Any]] = [0.0, 0, "", (), 0.0, 0]
# calls that are told nothing but the time
_TIMED: Final[dict[str, Callable[[RequestController, float], object]]] = {
    EXPIRE: RequestController.expire,
    TAKE_BACK: RequestController.take_back_all,
    SET_CLOCK: RequestController.set_clock,
    WAKE_UP: RequestController.wake_up,
}


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
    if kind == ISSUE:
        room, recorded, *said = rest
        again = _choices(said)
        replayed = [
            [ticket.number, ticket.page]
            for ticket in controller.issue(now_s, room, again=again)
        ]
        if replayed != recorded:
            raise ReplayDiverged(number, recorded, replayed)
    elif kind == LAND:
        controller.land(Ticket(rest[0], Kind.PAGE, -1, rest[1], now_s, 0.0), now_s)
    elif kind == SETTLE:
        controller.settle(_observation(controller, now_s, list(rest)), now_s)
    elif kind == FIND:
        page, relevance, links, signals, forbidden = rest
        found = unpack_links(links), _signals(signals), tuple(forbidden)
        controller.find(MoreLinks(page, relevance, *found), now_s)
    elif kind == CALL_ON:
        controller.call_on(rest[0], Kind(rest[1]), now_s)
    elif kind == MEET:
        controller.meet_host(rest[0], now_s)
    elif kind == ADMIT:
        controller.admit(unpack_links(rest[0]), now_s)
    elif kind == LOCATE:
        controller.locate(rest[0], rest[1], now_s)
    elif kind in _TIMED:
        _TIMED[kind](controller, now_s)
    else:
        _order_again(controller, kind, now_s, *rest)


def _choices(said: list[Any]) -> Choices:
    """How often `issue` chose, what robots.txt refused, what was not worth its reserve; older lines
    say less.
    """
    if not said:
        return Choices()
    declined = None
    if len(said) > 2:
        reserve, usual = said[2]
        declined = (float(reserve), float(usual))
    return Choices(said[0], dict(said[1]), declined)


def _order_again(
    controller: RequestController, kind: str, now_s: float, *rest: Any
) -> None:
    if kind == PAUSE:
        controller.pause(rest[0], now_s, paused=rest[1])
    elif kind == BOUND:
        controller.bound(rest[0], rest[1], now_s)
    elif kind == FORGET:
        controller.forget(rest[0], now_s)
    elif kind == UNMEET:
        controller.unmeet(rest[0], now_s)
    elif kind == VISIT:
        controller.order_visits(rest[0], now_s)
    elif kind == INTERVALS:
        intervals = {page: Interval(*bounds) for page, *bounds in rest[0]}
        controller.bound_intervals(intervals, now_s)
    elif kind == WEIGH:
        controller.weigh(dict(rest[0]), now_s)
    elif kind == SPEND:
        controller.spend(rest[0], now_s)
    elif kind == RECEIVE:
        controller.receive(_read_arrived(*rest), now_s)


def _observation(
    controller: RequestController, now_s: float, said: list[Any]
) -> Observation:
    """What `settle` was told, from its line; older lines end before the news."""
    number, outcome, changed, relevance, links, retry_after_s, robots = said[:7]
    rest = [*said[7:], *_UNSAID[len(said) - 7 :]]
    news, reception, signals, forbidden, promised, received = rest
    # A ticket that had been taken back teaches nothing, but time went on.
    ticket = controller.in_flight(number) or Ticket(
        number, Kind.PAGE, -1, -1, now_s, 0.0
    )
    return Observation(
        ticket,
        Outcome(outcome),
        changed,
        relevance,
        unpack_links(links),
        retry_after_s,
        _robots(robots) if robots else None,
        news,
        Reception(reception),
        _signals(signals),
        tuple(forbidden),
        promised=promised,
        received=received,
    )


def _read_arrived(
    links: str, relevance: list[float], depth: list[int], forbidden: list[int]
) -> ArrivedLinks:
    steps = np.array(depth, np.uint8)
    worths = np.array(relevance, np.float32)
    return ArrivedLinks(unpack_links(links), worths, steps, tuple(forbidden))


def _signals(packed: str) -> Signals:
    return np.frombuffer(b64decode(packed), SIGNAL)


def _robots(said: list[Any]) -> Robots | HostRules:
    """What it meant; older lines give the text instead."""
    return Robots(*said) if len(said) == 2 else HostRules(*said)
