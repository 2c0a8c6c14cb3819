"""The budget, shared among pages by a formula of importance and change rate.

Once a round of visits the price λ is found at which the pages' rates (`visit_rates`) add up to the
visits that were made in the round before; until enough visits have come each page's share is that
of its importance. Change rates are estimates from the page's own visits (`change_estimates`); one
without any is taken to change as often as all pages do on average.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.cards import HELD, Cards
from trapline.core.ports import Seen
from trapline.policies.mind import Records
from trapline.policies.refresh.peers.change_estimates import (
    EVIDENCE,
    bias_reduced_rate,
    likeliest_rate,
    naive_rate,
    note_gap,
    watched_s,
)
from trapline.policies.refresh.peers.visit_rates import BY_LENGTH, visit_rate
from trapline.theory.kernel import bare_kernel

DAY_S: Final = 86400.0
LIKELIEST: Final = 0  # estimators
BIAS_REDUCED: Final = 1
NAIVE: Final = 2

_FIRST: Final = 16.0  # visits after which λ is found for the first time
_EXACT: Final = 1e-4  # of λ, relative
_MOST_SIGNALLED: Final = 0.95  # of a page's changes are taken to be announced
# a URL's length is not told: so many characters to the home page, and for each link beyond
_HOME: Final = 25.0
_STEP: Final = 15.0


class Settings(NamedTuple):
    rule: int
    estimator: int
    poisson: bool  # the timing; else evenly spaced
    signalled: bool  # pages whose changes are announced are not visited otherwise
    imaginary_s: float  # gaps before the first; 0 = as pages on the whole suggest
    slowest: float  # changes a second
    fastest: float
    closed_s: float  # not before this after a visit
    fades_s: float
    seed: int


LEARNT: Final = np.dtype(
    [
        (name, np.float64)
        for name in (
            "visits",  # with a gap before them
            "changes",
            "watched_s",
            "known",  # pages, and their importance
            "importance",
            "turns",
            "cursor",
            "price",
            "budget",  # visits a second of late; those that λ was found for, and for how many pages
            "per_s",
            "shared",
            "since",  # when λ was found, the visits since, and how many until it is found anew
            "count",
            "until",
        )
    ]
)
PAGE: Final = np.dtype(
    [
        (name, np.float64)
        for name in (*(EVIDENCE.names or ()), "importance", "rate", "signals")
    ]
)


class Mind(NamedTuple):
    settings: Settings
    learnt: Records  # one
    pages: Records


@bare_kernel
def usual_rate(mind: Mind) -> float:
    """Of all pages together: Cho & Garcia-Molina's estimate as if they were one."""
    learnt = mind.learnt
    visits = learnt["visits"][0]
    if visits <= 0.0:
        return math.log(2.0) / (0.5 * DAY_S)
    unchanged = visits - learnt["changes"][0]
    rate = -math.log((unchanged + 0.5) / (visits + 0.5)) * visits
    rate = max(rate, 0.5) / learnt["watched_s"][0]
    return float(min(max(rate, mind.settings.slowest), mind.settings.fastest))


@bare_kernel
def estimate_rate(mind: Mind, page: int) -> float:
    """Changes a second of a page."""
    pages = mind.pages
    told = mind.settings
    if told.estimator == LIKELIEST:
        imaginary_s = told.imaginary_s
        if imaginary_s <= 0.0:
            imaginary_s = math.log(2.0) / usual_rate(mind)
        return likeliest_rate(pages, page, imaginary_s, told.slowest, told.fastest)
    if pages["visits"][page] == 0.0:
        return usual_rate(mind)
    if told.estimator == NAIVE:
        return naive_rate(pages, page)
    rate = bias_reduced_rate(pages, page)
    return min(max(rate, told.slowest), told.fastest)


@bare_kernel
def is_observed(mind: Mind, page: int) -> bool:
    """Its changes are announced, and that is enough."""
    return mind.settings.signalled and mind.pages["signals"][page] > 0.0


@bare_kernel
def _asked_for(mind: Mind, page: int, price: float) -> float:
    known = mind.pages
    told = mind.settings
    importance = known["importance"][page]
    return visit_rate(told.rule, importance, known["rate"][page], price, told.fades_s)


@bare_kernel
def _all_asked_for(cards: Cards, mind: Mind, pages: int, price: float) -> float:
    total = 0.0
    for page in range(pages):
        if cards["state"][page] == HELD and not is_observed(mind, page):
            total += _asked_for(mind, page, price)
    return total


@bare_kernel
def find_price(cards: Cards, mind: Mind, pages: int, budget: float) -> float:
    """λ at which the pages ask for the budget; it is sought from the last one on."""
    low = mind.learnt["price"][0]
    low = low if low > 0.0 else 1.0
    high = low
    for _ in range(200):
        if _all_asked_for(cards, mind, pages, low) >= budget:
            break
        low *= 0.25
    for _ in range(200):
        if _all_asked_for(cards, mind, pages, high) <= budget:
            break
        high *= 4.0
    while high > low * (1.0 + _EXACT):
        price = math.sqrt(low * high)
        if _all_asked_for(cards, mind, pages, price) > budget:
            low = price
        else:
            high = price
    return math.sqrt(low * high)


@bare_kernel
def is_time(mind: Mind, now_s: float) -> bool:
    """Whether enough visits were made since λ was found."""
    learnt = mind.learnt
    enough = learnt["count"][0] >= max(_FIRST, learnt["until"][0])
    return bool(enough and now_s > learnt["since"][0])


@bare_kernel
def share_budget(cards: Cards, mind: Mind, now_s: float) -> None:
    """Estimate all change rates, find λ for the visits made of late, and begin to count anew."""
    learnt = mind.learnt
    pages = int(learnt["turns"][0])
    held = 0.0
    whole = 0.0
    observed = 0.0
    for page in range(pages):
        if cards["state"][page] == HELD:
            importance = mind.pages["importance"][page]
            mind.pages["rate"][page] = estimate_rate(mind, page)
            whole += importance
            if is_observed(mind, page):
                observed += importance
            else:
                held += 1.0
    per_s = learnt["count"][0] / (now_s - learnt["since"][0])
    learnt["budget"][0] = per_s
    if whole > 0.0:  # what is observed has its share by importance
        per_s *= 1.0 - observed / whole
    learnt["until"][0] = min(2.0 * max(learnt["until"][0], _FIRST), max(held, _FIRST))
    learnt["since"][0] = now_s
    learnt["count"][0] = 0.0
    if held > 0.0 and per_s > 0.0:
        learnt["price"][0] = find_price(cards, mind, pages, per_s)
        learnt["per_s"][0] = per_s
        learnt["shared"][0] = held


@bare_kernel
def relative_rate(mind: Mind, page: int) -> float:
    """How often a page is to be visited, as a multiple of the mean page's visits."""
    learnt = mind.learnt
    if is_observed(mind, page):
        return 0.0
    if learnt["per_s"][0] <= 0.0:  # λ is not known yet
        whole = learnt["importance"][0]
        if whole <= 0.0:
            return 1.0
        return float(mind.pages["importance"][page] * learnt["known"][0] / whole)
    mean = learnt["per_s"][0] / learnt["shared"][0]
    return float(_asked_for(mind, page, learnt["price"][0]) / mean)


@bare_kernel
def unsignalled_rate(mind: Mind, page: int) -> float:
    """Changes a second that nothing announces, as far as the page's signals say."""
    pages = mind.pages
    rate = pages["rate"][page]
    seen_s = watched_s(pages, page)
    if pages["signals"][page] <= 0.0 or seen_s <= 0.0:
        return float(rate)
    share = pages["signals"][page] / seen_s / rate
    return float(rate * (1.0 - min(_MOST_SIGNALLED, share)))


@bare_kernel
def note_visit(cards: Cards, mind: Mind, page: int, seen: Seen) -> None:
    learnt = mind.learnt
    importance = seen.relevance
    if mind.settings.rule == BY_LENGTH:
        importance = 1.0 / (_HOME + _STEP * cards["depth"][page])
    if mind.pages["importance"][page] <= 0.0 and importance > 0.0:
        learnt["known"][0] += 1.0
    learnt["importance"][0] += importance - mind.pages["importance"][page]
    mind.pages["importance"][page] = importance
    learnt["turns"][0] = max(learnt["turns"][0], page + 1.0)
    if seen.age_s <= 0.0 or math.isinf(seen.age_s):
        return
    note_gap(mind.pages, page, seen.age_s, seen.changed)
    if learnt["visits"][0] == 0.0:
        learnt["since"][0] = seen.now_s
    else:
        learnt["count"][0] += 1.0
    learnt["visits"][0] += 1.0
    learnt["changes"][0] += 1.0 if seen.changed else 0.0
    learnt["watched_s"][0] += seen.age_s
