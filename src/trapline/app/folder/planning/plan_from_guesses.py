"""A plan before a crawl, from guesses: the same market as `plan_of`, with pages drawn by theory.

Freshness is what the budget reaches once all pages are held; finds are those of the first day.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trapline.app.folder.planning.guesses import Guesses
from trapline.app.folder.planning.plan import (
    NINETY,
    FetcherAdvice,
    Plan,
    PlanPoint,
    budgets_around,
)
from trapline.app.folder.schedule.fetcher_advice import QueueMeasure, advise
from trapline.app.settings_tables import FetchersTable
from trapline.theory.planning.budget_curve import (
    PLANNED_S,
    BudgetCurve,
    Rooms,
    budget_curve,
    no_fringe,
)
from trapline.theory.planning.guessed_pages import guessed_rates, visits_allowed
from trapline.theory.planning.page_gains import PageGains

_SAMPLE: Final = 400  # pages that stand for all
_READ_A_SECOND: Final = 100.0  # answers, by one processor


def plan_from_guesses(guesses: Guesses) -> Plan:
    room = visits_allowed(guesses.hosts, guesses.gap_s, guesses.latency_s)
    curve = _market(guesses, room)
    budget = min(guesses.budget, room) if math.isinf(guesses.budget) else guesses.budget
    around = budgets_around(budget)
    return Plan(
        "",
        0,
        guesses.pages,
        None if math.isinf(guesses.budget) else guesses.budget,
        "",
        present=_point(guesses, curve, room, budget),
        more=_point(guesses, curve, room, around.more),
        less=_point(guesses, curve, room, around.less),
        curve=[_point(guesses, curve, room, one) for one in around.curve],
        fetchers=_advise(guesses, room),
        hosts_allow=room,
        for_ninety=curve.budget_for(NINETY * guesses.pages * guesses.on_topic_share),
        guesses=guesses.told,
    )


def _market(guesses: Guesses, room: float) -> BudgetCurve:
    rates = guessed_rates(guesses.change_every_s, guesses.spread, _SAMPLE)
    gains = PageGains.of_rates(rates, np.ones(_SAMPLE))
    rooms = Rooms(np.array([room]), np.zeros(1, np.int64), np.array([np.inf]))
    stands_for = guesses.pages * guesses.on_topic_share / _SAMPLE
    host = np.zeros(_SAMPLE, np.int64)
    return budget_curve(gains, host, no_fringe(), rooms, stands_for)


def _point(
    guesses: Guesses, curve: BudgetCurve, room: float, budget: float
) -> PlanPoint:
    spend = curve.at(budget)
    pace = min(budget, room)
    belonging = guesses.pages * guesses.on_topic_share
    return PlanPoint(
        budget=budget,
        visits=pace,
        freshness=min(spend.fresh / belonging, 1.0),
        news_a_day=0.0,
        finds_a_day=guesses.on_topic_share * min(guesses.pages, pace * PLANNED_S),
        price=spend.price,
        all_held_s=guesses.pages / pace,
    )


def _advise(guesses: Guesses, room: float) -> FetcherAdvice:
    table = FetchersTable()
    queue = QueueMeasure(
        fetch_rate=1.0 / guesses.latency_s,
        process_rate=_READ_A_SECOND,
        room=table.queue_room,
        awake=0,
        most=table.most,
    )
    return advise(queue, guesses.budget, room)
