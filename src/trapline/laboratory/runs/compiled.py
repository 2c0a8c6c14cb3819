"""The same circle, compiled: for worlds and runs too large for Python objects.

One loop over the same books, kernels and order of events as laboratory/runs/drive.py; a test shows
that both, and the live loop on a pretend clock, issue the same tickets. Policies come in as
first-class functions with their minds, so that the loop is compiled once for each kind of mind and
found in the cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, cast

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from trapline.core.cards import CARD, HOST, OTHERS, UNMET
from trapline.core.errors import UserMistake
from trapline.core.ports import Seen
from trapline.core.records import Outcome
from trapline.laboratory.runs.drive import Log, drive, next_tick
from trapline.laboratory.worlds.truth import (
    Truth,
    latency,
    make_truth,
    relevance_at,
    version,
    visit,
)
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.robot.agenda.agenda import NOTHING, OURS
from trapline.robot.agenda.filing import file_card
from trapline.robot.agenda.fringe_prices import promise
from trapline.robot.agenda.host_turns import land, wake
from trapline.robot.agenda.outcomes import note_outcome
from trapline.robot.agenda.page_slots import meet
from trapline.robot.agenda.purchase import buy, next_time
from trapline.robot.agenda.tables import Books, new_books
from trapline.robot.request_controller import RequestController
from trapline.theory.kernel import bare_kernel, kernel_for, loop_kernel

_UNCHANGED = int(Outcome.UNCHANGED)
_OK = int(Outcome.OK)
_GONE = int(Outcome.GONE)

_cards = numba.typeof(np.zeros(1, CARD))
_hosts = numba.typeof(np.zeros(1, HOST))
_seen = numba.typeof(Seen(0, False, 0.0, 0.0, 0.0, 0.0, 0.0))
_row = types.float64[::1]
_pages = types.int64[::1]
_choose_type = types.FunctionType(types.int64(_cards, _hosts, types.float64))
_books_type = numba.typeof(new_books(1.0, 1.0, 0.5))
_truth_type = numba.typeof(make_truth(host=np.zeros(1, np.int32), rate=np.ones(1)))


def _settle_type(mind: types.Type) -> types.FunctionType:
    return types.FunctionType(types.int64(_cards, mind, types.int64, _seen, _pages))


@bare_kernel
def _meet_linked(
    books: Books, truth: Truth, page: int, shown: int, pages: NDArray[np.int64]
) -> tuple[int, float]:
    """Meet the pages that the visited page links to and nobody knew: how many (in `pages`), and
    their promise.
    """
    first = truth.link_start[page]
    count = 0
    news = 0.0
    depth = books.cards["depth"][page] + 1
    for i in range(first, first + shown):
        target = truth.link_to[i]
        if books.cards["state"][target] == UNMET:
            meet(books, target, truth.pages["host"][target], depth)
            pages[count] = target
            count += 1
            if len(truth.clues) > 0:
                news += promise(truth.clues, i)
    return count, news


@bare_kernel
def _file_written(
    books: Books, page: int, others: NDArray[np.int64], written: int, now_s: float
) -> None:
    """The page that was settled, and the others whose offers its policy wrote anew."""
    file_card(books, page, now_s)
    for i in range(written):
        file_card(books, others[i], now_s)


@bare_kernel
def _first_to_land(flights: NDArray[np.float64], flight: int) -> int:
    """Flights are rows (landing time, ticket number, page), in no order."""
    first = 0
    for i in range(1, flight):
        if flights[i, 0] < flights[first, 0] or (
            flights[i, 0] == flights[first, 0] and flights[i, 1] < flights[first, 1]
        ):
            first = i
    return first


@loop_kernel
def _run(  # noqa: PLR0915  (numba cannot hand functions on)
    books: Any,
    truth: Any,
    mind: Any,
    settle: Any,
    choose: Any,
    chooses: bool,
    hears_of_losses: bool,
    room: int,
    start_s: float,
    until_s: float,
    tick_s: float,
    issued: Any,
    pages: Any,
) -> int:
    """One function, because numba cannot hand the policies' functions on: ask for tickets, settle,
    move on in time.
    """
    visits = len(pages)
    flights = np.empty((room, 3))
    found = np.empty(len(truth.pages), np.int64)
    others = np.empty(OTHERS, np.int64)
    count = 0
    flight = 0
    now_s = start_s
    landed = -1  # the page whose answer is to be settled after tickets were asked for
    while True:
        while flight < room and count < visits and now_s < until_s:
            chosen = OURS
            if chooses:
                wake(books, now_s)
                chosen = choose(books.cards, books.hosts, now_s)
                chosen = chosen if chosen >= 0 else NOTHING
            page, host, _, _ = buy(books, now_s, chosen, -math.inf, 0.0)
            if host < 0:
                break
            issued[count] = now_s
            pages[count] = page
            flights[flight, 0] = now_s + latency(
                truth.latency_s[host], truth.seed[0], page, count
            )
            flights[flight, 1] = count
            flights[flight, 2] = page
            flight += 1
            count += 1
        if landed >= 0:
            page = landed
            landed = -1
            outcome, changed, shown = visit(truth, page, now_s)
            age_s = note_outcome(books.cards, books.till, page, outcome, now_s, now_s)
            new, news = _meet_linked(books, truth, page, shown, found)
            for i in range(new):  # breadth-first
                books.cards["base"][found[i]] = math.inf
                books.cards["not_before"][found[i]] = now_s
                file_card(books, found[i], now_s)
            written = 0
            if outcome <= _UNCHANGED or (hears_of_losses and outcome == _GONE):
                relevance = relevance_at(truth, page, now_s)
                market = books.till["market"][0]
                seen = Seen(
                    int(outcome),
                    bool(changed),
                    float(relevance),
                    float(news),
                    float(age_s),
                    float(now_s),
                    float(market),
                )
                written = settle(books.cards, mind, page, seen, others)
            _file_written(books, page, others, written, now_s)
            continue
        first = _first_to_land(flights, flight)
        lands_s = flights[first, 0] if flight > 0 else math.inf
        opens_s = next_time(books) if flight < room and count < visits else math.inf
        opens_s = next_tick(opens_s, tick_s)
        opens_s = opens_s if opens_s < until_s else math.inf
        if math.isinf(min(lands_s, opens_s)):
            return count
        if lands_s <= opens_s:
            now_s = lands_s
            landed = int(flights[first, 2])
            flight -= 1
            for k in range(3):
                flights[first, k] = flights[flight, k]
            land(books, books.cards["host"][landed], now_s)
        else:
            now_s = max(now_s, opens_s)


@cache
def _compiled_run(mind: types.Type) -> Any:
    """The loop, for policies with such a mind; compiled once, then found in the cache."""
    return kernel_for(
        types.int64(
            _books_type,
            _truth_type,
            mind,
            _settle_type(mind),
            _choose_type,
            types.boolean,
            types.boolean,
            types.int64,
            types.float64,
            types.float64,
            types.float64,
            _row,
            _pages,
        ),
        mind,
    )(_run)


@cache
def _compiled_hold(mind: types.Type) -> Any:
    return kernel_for(
        types.void(
            _books_type, _truth_type, mind, _settle_type(mind), _row, types.float64
        ),
        mind,
    )(_hold)


def can_compile(controller: RequestController) -> bool:
    """Whether its policies run in the compiled loop."""
    return controller.refresh.compiles and controller.discovery.first_come


def run_compiled(
    controller: RequestController,
    truth: Truth,
    *,
    room: int,
    visits: int,
    start_s: float = 0.0,
    until_s: float = math.inf,
    tick_s: float = 0.0,
) -> Log:
    """As `drive`, at compiled speed.

    The controller's agenda and policies are left in the state that the run led to.
    """
    if not can_compile(controller):
        raise UserMistake(
            "the compiled loop runs breadth-first and card policies only; use drive() for others"
        )
    policy = cast("CardPolicy", controller.refresh)
    agenda = controller.agenda
    agenda.reserve_hosts(np.bincount(truth.pages["host"], minlength=len(truth.gap_s)))
    policy.fit(len(agenda.cards), len(truth.gap_s))
    issued = np.empty(visits)
    pages = np.empty(visits, np.int64)
    count = _compiled_run(numba.typeof(policy.mind))(
        agenda.books,
        truth,
        policy.mind,
        policy.settle_kernel,
        policy.choose_kernel,
        policy.chooses,
        policy.hears_of_losses,
        room,
        start_s,
        until_s,
        tick_s,
        issued,
        pages,
    )
    return Log(issued[:count], pages[:count])


def runner(controller: RequestController) -> Callable[..., Log]:
    """The quicker of the two ways to run it that its policies allow."""
    return partial(run_compiled if can_compile(controller) else drive, controller)


@loop_kernel
def _hold(
    books: Any, truth: Any, mind: Any, settle: Any, last_s: Any, now_s: float
) -> None:
    others = np.empty(OTHERS, np.int64)
    for page in range(len(truth.pages)):
        seen_s = last_s[page]
        meet(books, page, truth.pages["host"][page], 0)
        truth.pages["seen"][page] = version(truth, page, seen_s)
        age_s = note_outcome(books.cards, books.till, page, _OK, seen_s, seen_s)
        relevance = relevance_at(truth, page, seen_s)
        market = books.till["market"][0]
        seen = Seen(
            _OK, True, float(relevance), 0.0, float(age_s), float(seen_s), float(market)
        )
        written = settle(books.cards, mind, page, seen, others)
        _file_written(books, page, others, written, now_s)


def hold_all(
    controller: RequestController,
    truth: Truth,
    last_s: NDArray[np.float64],
    now_s: float = 0.0,
) -> None:
    """Start with every page of the world held since its `last_s`: worlds of pure revisiting."""
    if not controller.refresh.compiles:
        raise UserMistake("the compiled loop runs card policies only")
    policy = cast("CardPolicy", controller.refresh)
    agenda = controller.agenda
    agenda.reserve(len(truth.pages))
    agenda.reserve_hosts(np.bincount(truth.pages["host"], minlength=len(truth.gap_s)))
    policy.fit(len(agenda.cards), len(truth.gap_s))
    hold = _compiled_hold(numba.typeof(policy.mind))
    hold(agenda.books, truth, policy.mind, policy.settle_kernel, last_s, now_s)
