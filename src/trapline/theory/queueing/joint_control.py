"""Another fetch: worthwhile or not, by its price and by the state of the response queue together.

`whittle` names it as future work: "to add to the model the dynamics of the indexing engine". State
(q, r) is that of `talim`: q answers wait or are being read, r fetchers are at work. What is scarce
has one price. In units of what a usual visit is worth: a reader without an answer loses one a
reading time; an answer that waits loses a share δ of its worth in a reading time; a full queue
makes its fetchers wait, and nothing is lost. The best control of wake-ups solves

    θ = μ·1(q=0) + δμ·max(q−1, 0)
        + μ·1(q>0)·[min_a h(q−1, r+a) − h(q, r)] + λr·1(q<K)·[min_a h(q+1, r−1+a) − h(q, r)],

and what another fetch does to the rest is h(q, r+1) − h(q, r). A visit worth v usual ones brings
v − 1 more than those that h counts, so that it is worthwhile if

    v ≥ 1 + h(q, r+1) − h(q, r):

the *reserve*. It is below 0 where the reader is about to starve, 1 where one fetcher more or less
makes no difference, and the longer the queue the higher: fewer, dearer visits are made.

>>> plan = solve_joint(fetch=0.1, decay=0.05, capacity=8, fetchers=16)
>>> [plan.reserves[queue, active].round(2).item() for queue, active in ((0, 4), (2, 12), (6, 15))]
[-0.23, 0.99, 1.08]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.queueing.control import (
    Bools,
    ChoiceProcess,
    Controlled,
    Floats,
    policy_iteration,
)
from trapline.theory.queueing.switching import ARRIVAL, Rates, Strip, level_wakes


@dataclass(frozen=True)
class JointPlan:
    reserves: Floats  # [queue, fetchers at work]: of the next fetch, in usual visits
    cost: float  # θ/μ: usual visits lost a reading time
    starvation: float  # share of the time without an answer to read
    mean_waiting: float  # answers that wait
    wakes: Bools  # [event, queue, fetchers at work]: whether a usual visit is made then


def solve_joint(
    fetch: float,
    decay: float,
    capacity: int,
    fetchers: int,
    near: Bools | None = None,
) -> JointPlan:
    """`fetch` is λ/μ; `decay` is δ: what share of its worth an answer loses in a reading time.

    From the wake-ups of a plan `near` it takes fewer steps.
    """
    check_rate("the fetch rate λ/μ", fetch, "answers a reading time of one fetcher")
    if not 0.0 <= decay < np.inf:
        raise BadNumber("the decay of what waits", decay, "a finite number, at least 0")
    check_count("the number of fetchers", fetchers, "nobody else brings pages")
    check_count("the capacity K", capacity, "the page being processed needs a place")
    strip = Strip.whole(capacity, fetchers)
    process = _process(strip, fetch, decay)
    start = near
    if start is None:
        level = min(fetchers, max(1, round(1.0 / fetch)))
        start = level_wakes(capacity, fetchers, level)
    found = policy_iteration(process, strip.choice_from(start, process))
    return _plan(strip, found, capacity, fetchers)


def _process(
    strip: Strip,
    fetch: float,
    decay: float,
) -> ChoiceProcess:
    """That of `talim`, at other costs, and with fetchers that hold what finds no place."""
    queue, _ = strip.states
    talim = strip.process(Rates(fetch, 1.0, 1.0))
    rate = talim.rate.copy()
    rate[ARRIVAL, queue == len(strip.low) - 1] = 0.0
    cost = 1.0 * (queue == 0) + decay * np.maximum(queue - 1, 0)
    return ChoiceProcess(cost, rate, talim.target, talim.order)


def _plan(
    strip: Strip,
    found: Controlled,
    capacity: int,
    fetchers: int,
) -> JointPlan:
    queue, active = strip.states
    relative = np.full((capacity + 1, fetchers + 1), np.nan)
    relative[queue, active] = found.relative
    reserves = np.full((capacity + 1, fetchers + 1), np.inf)
    reserves[:, :-1] = 1.0 + np.diff(relative, axis=1)
    # an empty system without fetchers would never see an answer again
    reserves[0, 0] = -np.inf
    return JointPlan(
        reserves,
        found.cost,
        float(found.share[queue == 0].sum()),
        float(found.share @ np.maximum(queue - 1, 0)),
        strip.wakes_from(found.choice),
    )
