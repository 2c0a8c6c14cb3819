"""What pages wait for while nothing is offered on any host: their time, a second try, robots.txt.

Whole columns are compared; it is asked only when the robot has nothing to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BLOCKED, CLOSED, FRINGE, HELD, Hosts
from trapline.robot.agenda.agenda import Agenda

Marks = NDArray[np.bool_]


class WaitingPages(NamedTuple):
    """Pages that wait for the same."""

    pages: int
    hosts: NDArray[np.int64]  # that they lie on, in order
    opens_s: float  # when the first of them may be visited, for all that is known


NO_PAGES: Final = WaitingPages(0, np.empty(0, np.int64), math.inf)


class PageTally(NamedTuple):
    due: WaitingPages  # held, and visited again in their time
    failed: WaitingPages  # the last visit brought no usable answer
    refused: WaitingPages  # their host refused us
    forbidden: WaitingPages  # by robots.txt


def tally_pages(agenda: Agenda, refusing: Iterable[int]) -> PageTally:
    """Of pages on hosts that may be visited; `refusing` are the hosts that refused us last."""
    cards = agenda.cards[: int(agenda.tally("cards"))]
    hosts = agenda.hosts
    on = cards["host"]
    waits = (cards["filed"] == CLOSED) & (hosts["state"][on] != BLOCKED)
    waits &= (cards["state"] == FRINGE) | (cards["state"] == HELD)
    forbidden = waits & _are_forbidden(hosts, cards)
    waits &= ~forbidden
    refuses = np.zeros(len(hosts), np.bool_)
    refuses[list(refusing)] = True
    refused = waits & refuses[on]
    waits &= ~refused
    failed = waits & (cards["failures"] > 0)
    due = waits & ~failed & (cards["state"] == HELD)
    return PageTally(
        *(_gather(hosts, cards, marks) for marks in (due, failed, refused, forbidden))
    )


def _are_forbidden(hosts: Hosts, cards: NDArray[np.void]) -> Marks:
    """Their offers are closed until the rules are read anew, to the moment."""
    on = cards["host"]
    until_s = hosts["rules_until"][on]
    found: Marks = (hosts["ruled"][on] > 0) & (cards["not_before"] == until_s)
    return found


def _gather(hosts: Hosts, cards: NDArray[np.void], marks: Marks) -> WaitingPages:
    pages = np.flatnonzero(marks)
    if not len(pages):
        return NO_PAGES
    on = cards["host"][pages]
    opens_s = np.maximum(cards["not_before"][pages], hosts["ready"][on])
    return WaitingPages(
        len(pages),
        np.unique(on).astype(np.int64),
        float(opens_s.min()),
    )
