"""The circle in pretend time: the very RequestController that runs live, with a world in place of the web.

The order of things at one instant is that of the live loop: a visit lands, its host is free and the controller is
asked for tickets; then the answer is processed and settled, and the controller is asked again.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.core.ports import Policy
from trapline.core.records import Link, Observation, Outcome, Ticket
from trapline.laboratory.worlds.truth import Truth, latency, visit
from trapline.robot.agenda import Budget
from trapline.robot.request_controller import RequestController


@dataclass(frozen=True, slots=True)
class Log:
    """The tickets of a run, in order of issue: when and which page."""

    issued_s: NDArray[np.float64]
    page: NDArray[np.int64]


def visit_ages(log: Log, last_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """How old each visit found its page: the time since the page's visit before."""
    order = np.argsort(log.page, kind="stable")
    page, when_s = log.page[order], log.issued_s[order]
    again = np.append(False, page[1:] == page[:-1])
    ages = np.empty(len(page))
    ages[order] = when_s - np.where(again, np.roll(when_s, 1), last_s[page])
    return ages


def observe(truth: Truth, ticket: Ticket, now_s: float) -> Observation:
    """What the visit of a ticket that reads its page at `now_s` teaches."""
    outcome, changed, shown = visit(truth, ticket.page, now_s)
    if outcome != Outcome.OK:
        return Observation(ticket, Outcome(outcome))
    first = int(truth.link_start[ticket.page])
    targets = truth.link_to[first : first + shown].tolist() if shown else ()
    links = tuple(Link(page, int(truth.pages["host"][page])) for page in targets)
    return Observation(ticket, Outcome.OK, changed, float(truth.pages["relevance"][ticket.page]), links)


def new_controller(
    truth: Truth, *, discovery: Policy, refresh: Policy, budget: Budget, seeds: list[int], start_s: float = 0.0
) -> RequestController:
    """A controller that knows the world's hosts (their gaps, no robots.txt needed) and its seeds."""
    controller = RequestController(discovery=discovery, refresh=refresh, budget=budget, lease_s=math.inf)
    for gap_s in truth.gap_s.tolist():
        controller.add_own_host(gap_s)
    controller.agenda.reserve(len(truth.pages))
    controller.admit([Link(page, int(truth.pages["host"][page])) for page in seeds], start_s)
    return controller


def drive(
    controller: RequestController,
    truth: Truth,
    *,
    room: int,
    visits: int,
    start_s: float = 0.0,
    watch: Callable[[float, Ticket], None] | None = None,
) -> Log:
    """Run until `visits` tickets were issued or nothing is left to do; `watch` sees each visit as it settles."""
    issued, pages = np.empty(visits), np.empty(visits, np.int64)
    flight: list[tuple[float, int, Ticket]] = []
    count, now_s, seed = 0, start_s, int(truth.seed[0])

    def issue() -> None:
        nonlocal count
        free = min(room - len(flight), visits - count)
        if free <= 0 or now_s < controller.opens_s:  # as in the journal: nothing would change
            return
        for ticket in controller.issue(now_s, free):
            issued[count], pages[count] = now_s, ticket.page
            count += 1
            mean_s = truth.latency_s[ticket.host]
            ends_s = now_s + latency(mean_s, seed, ticket.page, ticket.number)
            heapq.heappush(flight, (ends_s, ticket.number, ticket))

    issue()
    while flight or count < visits:
        landing = flight[0][0] if flight else math.inf
        opening = math.inf
        if len(flight) < room and count < visits and controller.opens_s < landing:
            opening = controller.next_time()
        if math.isinf(min(landing, opening)):
            break
        if landing <= opening:
            now_s, _, ticket = heapq.heappop(flight)
            controller.land(ticket, now_s)
            issue()
            controller.settle(observe(truth, ticket, now_s), now_s)
            if watch is not None:
                watch(now_s, ticket)
        else:
            now_s = max(now_s, opening)
        issue()
    return Log(issued[:count], pages[:count])
