"""Bidding: how many visits a second (or other units of the budget) a shard wants at each of 17
prices around its market price.

A held page whose offer reaches a price every V⁻¹(price) seconds wants 1/V⁻¹ visits a second at
that price. Fringe pages worth at least the price want one visit each, over the next minute. A host
takes no more than its gap and its answers allow, nor does an address. Of many pages a sample is
asked, another one at each bid (agenda/demand_curves.py).

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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BLOCKED, BY_PRICE, UNLOCATED
from trapline.core.ledger import Bid
from trapline.robot.agenda.agenda import Agenda
from trapline.robot.agenda.demand_curves import ask_all, ask_some
from trapline.robot.agenda.fringe_prices import fringe_worth
from trapline.robot.agenda.heaps import RANK_PRICE, top_card, top_host
from trapline.robot.agenda.tables import Books
from trapline.robot.request_controller import RequestController
from trapline.theory.kernel import bare_kernel

# close together where the price is likely to be; after a shock it is elsewhere
_OCTAVES: Final = np.array([0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0])
FACTORS: Final = 2.0 ** np.concatenate((-_OCTAVES[::-1], [0.0], _OCTAVES))
FEW: Final = 1_024  # cards that are all asked
PICKS: Final = 32  # times that a host is picked, where there are more
# a running mean of visits that were worth nothing falls until it is none, and so would all prices
LEAST_PRICE: Final = 1e-100
_GOLDEN: Final = 0.6180339887498949  # its multiples fill the unit interval evenly

Floats = NDArray[np.float64]


def bid_of(controller: RequestController, shard: int, now_s: float) -> Bid:
    agenda = controller.agenda
    prices = _next_price(agenda.books) * FACTORS
    most = _most_per_s(controller, now_s)
    if agenda.tally("cards") <= FEW:
        demand = np.zeros((len(most) + 1, len(prices)))
        ask_all(agenda.books, most, prices, now_s, demand)
    else:
        demand = np.zeros((2, len(prices)))
        start = now_s * _GOLDEN % 1.0
        ask_some(agenda.books, most, prices, now_s, start, PICKS, demand)
    # visits that people ask for whatever the price, at what a visit usually costs
    least = controller.least_per_s * controller.costs.usual
    per_s = np.maximum(demand[-1], least)
    return Bid(shard, tuple(prices.tolist()), tuple(per_s.tolist()))


def _next_price(books: Books) -> float:
    """About what the next visit costs: the market price, or what the dearest fringe page is worth.

    Before anything was paid, what a relevant page is worth.
    """
    price = max(float(books.till["market"][0]), float(_dearest_fringe(books)))
    return max(price or float(books.till["worth"][0]), LEAST_PRICE)


@bare_kernel
def _dearest_fringe(books: Books) -> float:
    host = top_host(books, RANK_PRICE)
    if host < 0:
        return 0.0
    price = fringe_worth(books, top_card(books, BY_PRICE, host))
    return 0.0 if math.isinf(price) else price


def _most_per_s(controller: RequestController, now_s: float) -> Floats:
    """What each host can take of the budget, by its gap and its part of what its address can."""
    agenda = controller.agenda
    hosts = agenda.hosts[: controller.hosts()]
    answers_s = controller.answer_times(now_s)
    out = (hosts["state"] == UNLOCATED) | (hosts["state"] == BLOCKED)
    with np.errstate(divide="ignore"):
        most = 1.0 / (hosts["gap"] + answers_s)
    most[out] = 0.0
    most = np.minimum(most, _shares_of_addresses(agenda, answers_s, out))
    return most * controller.costs.of_hosts(len(most))


def _shares_of_addresses(
    agenda: Agenda, answers_s: Floats, out: NDArray[np.bool_]
) -> Floats:
    """An address takes one visit at a time; its hosts share it as they have pages."""
    hosts = agenda.hosts[: len(answers_s)]
    address = np.where(out, -1, hosts["address"])
    pages = np.maximum(hosts["pages"], 1)
    together = np.bincount(
        address + 1, pages, minlength=len(agenda.books.addresses) + 1
    )
    with np.errstate(divide="ignore"):
        most = 1.0 / (agenda.books.addresses["gap"][address] + answers_s)
    return np.asarray(most * pages / together[address + 1], np.float64)
