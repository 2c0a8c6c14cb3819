"""The circle in pretend time: the very RequestController that runs live, with a world in place of
the web.

The order of things at one instant is that of the live loop: a visit lands, its host is free and the
controller is asked for tickets; then the answer is processed and settled, and the controller is
asked again.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import links_to
from trapline.core.ports import Seen
from trapline.core.records import Observation, Outcome, Ticket
from trapline.laboratory.worlds.truth import (
    Truth,
    latency,
    relevance_at,
    version,
    visit,
)
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.agenda.outcomes import note_outcome
from trapline.robot.request_controller import Limits, RequestController
from trapline.theory.kernel import bare_kernel


@dataclass(frozen=True, slots=True)
class Log:
    """The tickets of a run, in order of issue: when and which page."""

    issued_s: NDArray[np.float64]
    page: NDArray[np.int64]


def visit_ages(log: Log, last_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """How old each visit found its page: the time since the page's visit before."""
    order = np.argsort(log.page, kind="stable")
    page = log.page[order]
    when_s = log.issued_s[order]
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
    links = truth.clues[first : first + shown]
    if shown and not len(links):  # a world without words
        targets = truth.link_to[first : first + shown]
        links = links_to(targets, truth.pages["host"][targets])
    return Observation(
        ticket, Outcome.OK, changed, relevance_at(truth, ticket.page, now_s), links
    )


def new_controller(
    truth: Truth,
    *,
    discovery: DiscoveryPolicy,
    refresh: RefreshPolicy,
    budget: Budget,
    seeds: list[int],
    start_s: float = 0.0,
) -> RequestController:
    """A controller that knows the world's hosts (their gaps, no robots.txt needed)
    and its seeds.
    """
    controller = RequestController(
        discovery=discovery,
        refresh=refresh,
        budget=budget,
        limits=Limits(lease_s=math.inf),
    )
    for gap_s in truth.gap_s.tolist():
        controller.add_own_host(gap_s)
    controller.agenda.reserve(len(truth.pages))
    controller.admit(links_to(seeds, truth.pages["host"][seeds]), start_s)
    return controller


def hold_each(
    controller: RequestController, truth: Truth, pages: Sequence[int], now_s: float
) -> None:
    """Begin to hold these pages as they are now, with whatever refresh policy (compiled.py's
    `hold_all`, by object).
    """
    agenda = controller.agenda
    agenda.meet(
        np.array(pages, np.int64), truth.host[list(pages)].astype(np.int64), depth=0
    )
    for page in pages:
        truth.pages["seen"][page] = version(truth, page, now_s)
        age_s = note_outcome(
            agenda.cards, agenda.books.till, page, int(Outcome.OK), now_s, now_s
        )
        relevance = float(relevance_at(truth, page, now_s))
        market = agenda.tally("market")
        seen = Seen(int(Outcome.OK), True, relevance, 0.0, age_s, now_s, market)
        touched = controller.refresh.settle(agenda.cards, page, seen)
        agenda.file(touched, now_s)


@bare_kernel
def next_tick(now_s: float, tick_s: float) -> float:
    """The first multiple of a tick from `now_s` on; without a tick, `now_s`."""
    return (
        tick_s * math.ceil(now_s / tick_s)
        if tick_s > 0.0 and abs(now_s) < math.inf
        else now_s
    )


def drive(
    controller: RequestController,
    truth: Truth,
    *,
    room: int,
    visits: int,
    start_s: float = 0.0,
    until_s: float = math.inf,
    tick_s: float = 0.0,
    watch: Callable[[float, Ticket], None] | None = None,
) -> Log:
    """Run until `visits` tickets were issued or nothing is left to do before `until_s`.

    `watch` sees each visit as it settles. With a `tick_s`, tickets are asked for at its multiples
    only: slotted worlds.
    """
    issued = np.empty(visits)
    pages = np.empty(visits, np.int64)
    flight: list[tuple[float, int, Ticket]] = []
    count = 0
    now_s = start_s
    seed = int(truth.seed[0])

    def issue() -> None:
        nonlocal count
        free = min(room - len(flight), visits - count)
        # as in the journal: nothing would change
        if free <= 0 or now_s < controller.opens_s or now_s >= until_s:
            return
        for ticket in controller.issue(now_s, free):
            issued[count] = now_s
            pages[count] = ticket.page
            count += 1
            mean_s = truth.latency_s[ticket.host]
            ends_s = now_s + latency(mean_s, seed, ticket.page, ticket.number)
            heapq.heappush(flight, (ends_s, ticket.number, ticket))

    issue()
    while flight or count < visits:
        landing = flight[0][0] if flight else math.inf
        opening = math.inf
        if len(flight) < room and count < visits and controller.opens_s < landing:
            opening = next_tick(controller.next_time(), tick_s)
            opening = opening if opening < until_s else math.inf
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
