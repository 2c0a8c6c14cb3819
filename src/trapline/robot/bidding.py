"""Bidding: how many visits a second a shard wants at each of 17 prices around its market price.

A held page whose offer reaches a price every V⁻¹(price) seconds wants 1/V⁻¹ visits a second at
that price. Fringe pages worth at least the price want one visit each, over the next minute. A host
takes no more than its gap and its answers allow. Of many pages a sample is asked: the pages of some
hosts, all of them, so that what a host can take is known of those that count.

>>> from trapline.policies.discovery.breadth_first import BreadthFirst
>>> from trapline.policies.refresh.uniform import Uniform
>>> from trapline.robot.agenda.agenda import Budget
>>> controller = RequestController(
...     discovery=BreadthFirst(), refresh=Uniform(), budget=Budget(per_s=1.0)
... )
>>> bid = bid_of(controller, shard=3, now_s=0.0)
>>> bid.shard, len(bid.prices), set(bid.per_s)
(3, 17, {0.0})
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BLOCKED, FRINGE, HELD, UNLOCATED, Cards, Hosts
from trapline.core.ledger import Bid
from trapline.robot.request_controller import RequestController
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_age

PRICES: Final = 17
FACTORS: Final = 2.0 ** np.linspace(-4.0, 4.0, PRICES)
SAMPLE: Final = 512  # pages
AHEAD_S: Final = 60.0  # fringe pages are wanted within so long
NEVER_S: Final = 1e9  # a page that is due this seldom wants nothing
UNKNOWN: Final = 1.0  # market price, before anything was paid

Floats = NDArray[np.float64]


def bid_of(controller: RequestController, shard: int, now_s: float) -> Bid:
    agenda = controller.agenda
    hosts = agenda.hosts[: controller.hosts()]
    market = agenda.tally("market") or UNKNOWN
    prices = market * FACTORS
    cards = agenda.cards[: int(agenda.tally("cards"))]
    asked = _sampled_hosts(cards, len(hosts))
    demand = np.zeros((len(hosts), PRICES))
    worth = agenda.tally("worth")
    _ask_all(cards, asked, prices, worth, now_s, demand)
    most = _most_per_s(controller, hosts, now_s)
    wanted = np.minimum(demand, most[:, None]).sum(axis=0)
    share = _share_asked(cards, asked)
    per_s = np.minimum.accumulate(wanted / share)
    return Bid(shard, tuple(prices.tolist()), tuple(per_s.tolist()))


def _sampled_hosts(cards: Cards, hosts: int) -> NDArray[np.bool_]:
    """Whole hosts, spread over all, until they have some hundred pages."""
    asked = np.ones(hosts, np.bool_)
    if len(cards) <= SAMPLE * 4:
        return asked
    stride = max(1, int(hosts * SAMPLE / len(cards)))
    if hosts <= SAMPLE // 8 or stride >= hosts:
        return asked
    step = max(1, hosts // max(SAMPLE // 8, stride))
    asked[:] = False
    asked[::step] = True
    return asked


def _share_asked(cards: Cards, asked: NDArray[np.bool_]) -> float:
    """Of the pages that want anything, how many were asked."""
    if asked.all():
        return 1.0
    live = (cards["state"] == HELD) | (cards["state"] == FRINGE)
    pages = np.bincount(cards["host"][live], minlength=len(asked))
    total = int(pages.sum())
    return float(pages[asked].sum() / total) if total else 1.0


def _most_per_s(
    controller: RequestController, hosts: Hosts, now_s: float
) -> NDArray[Any]:
    """What each host can take."""
    times_s = hosts["gap"] + controller.answer_times(now_s)[: len(hosts)]
    with np.errstate(divide="ignore"):
        most = np.where(times_s > 0.0, 1.0 / times_s, math.inf)
    out = (hosts["state"] == UNLOCATED) | (hosts["state"] == BLOCKED)
    return np.where(out, 0.0, most)


@bare_kernel
def _ask_all(
    cards: Cards,
    asked: NDArray[np.bool_],
    prices: Floats,
    worth: float,
    now_s: float,
    demand: Floats,
) -> None:
    """What the pages of the hosts that are asked want, by host and price."""
    for page in range(len(cards)):
        host = cards["host"][page]
        state = cards["state"][page]
        if host >= len(asked) or not asked[host]:
            continue
        if cards["not_before"][page] > now_s + AHEAD_S:
            continue
        if state == HELD:
            _ask_held(cards, page, prices, now_s, demand[host])
        elif state == FRINGE and cards["base"][page] > -np.inf:
            price = cards["base"][page] / cards["cost"][page] * worth
            for k in range(len(prices)):
                if price >= prices[k]:
                    demand[host, k] += 1.0 / AHEAD_S


@bare_kernel
def _ask_held(
    cards: Cards, page: int, prices: Floats, now_s: float, demand: Floats
) -> None:
    if np.isinf(cards["base"][page]):
        if cards["base"][page] > 0.0:  # due in turn, whatever the price
            demand += 1.0 / AHEAD_S
        return
    for k in range(len(prices)):
        age_s = offer_age(cards, page, prices[k], NEVER_S)
        if age_s < NEVER_S:
            demand[k] += 1.0 / max(age_s, 1e-3)
