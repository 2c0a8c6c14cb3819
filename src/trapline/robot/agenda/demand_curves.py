"""Demand curves: how many visits a second the cards of the books want at each of some prices, each
counted by its cost.

A held page wants a visit every V⁻¹(price) seconds, not before its offer opens; one that is due
whatever the price, or of the fringe and worth the price, wants one within the next minute. A host
takes no more than `most` visits a second.

Few cards are asked one by one. Of many a sample is asked: hosts are picked by how many offers are
open there, some of the offers of each, and by itself a part of those that are closed.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, HELD
from trapline.robot.agenda.fringe_prices import fringe_worth
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel
from trapline.theory.visit_demand import ask_offer

Floats = NDArray[np.float64]

AHEAD_S: Final = 60.0  # what is not asked for again is wanted within so long
LEAST_S: Final = 1e-3  # between two visits to a page, whatever its price
EACH: Final = 16  # cards that are asked on a host, each time it is picked
CLOSED: Final = 128  # cards that are asked of those whose offers are closed


@bare_kernel
def ask_card(
    books: Books, page: int, prices: Floats, now_s: float, demand: Floats
) -> None:
    """Add to `demand` what a page wants, in units of cost a second."""
    cards = books.cards
    state = cards["state"][page]
    base = cards["base"][page]
    opens_s = cards["not_before"][page]
    if base == -math.inf or state not in (HELD, FRINGE):
        return
    if state == HELD and not math.isinf(base):
        if opens_s < math.inf:
            least_s = max(opens_s - cards["last"][page], LEAST_S)
            ask_offer(cards, page, prices, least_s, demand)
    elif opens_s <= now_s + AHEAD_S:
        price = math.inf if state == HELD else fringe_worth(books, page)
        for k in range(len(prices)):
            if price >= prices[k]:
                demand[k] += cards["cost"][page] / AHEAD_S


@bare_kernel
def ask_all(
    books: Books, most: Floats, prices: Floats, now_s: float, demand: Floats
) -> None:
    """Every card; `demand` has a row for each host, and one more that becomes their sum."""
    hosts = len(most)
    for page in range(books.till["cards"][0]):
        host = books.cards["host"][page]
        if host < hosts:
            ask_card(books, page, prices, now_s, demand[host])
    for host in range(hosts):
        for k in range(len(prices)):
            demand[hosts, k] += min(demand[host, k], most[host])


@bare_kernel
def ask_some(
    books: Books,
    most: Floats,
    prices: Floats,
    now_s: float,
    start: float,
    picks: int,
    demand: Floats,
) -> None:
    """A sample, which begins at a share `start` of the way; `demand` has two rows, of which the
    last one becomes the sum.
    """
    total = 0
    for host in range(len(most)):
        total += _open_offers(books, most, host)
    stride = max(total, 1) / picks
    passed = 0
    for host in range(len(most)):
        size = _open_offers(books, most, host)
        before = math.ceil(passed / stride - start)
        passed += size
        times = math.ceil(passed / stride - start) - before
        if times > 0:
            _ask_host(books, host, times, prices, now_s, start, demand[0])
            for k in range(len(prices)):
                share = times * stride / size
                demand[1, k] += share * min(demand[0, k], most[host])
    _ask_closed(books, most, prices, now_s, start, demand)


@bare_kernel
def _open_offers(books: Books, most: Floats, host: int) -> int:
    if most[host] <= 0.0:
        return 0
    return books.hosts["due_size"][host] + books.hosts["fringe_size"][host]


@bare_kernel
def _ask_host(
    books: Books,
    host: int,
    times: int,
    prices: Floats,
    now_s: float,
    start: float,
    demand: Floats,
) -> None:
    """What all open offers of a host want, by a part of them."""
    due = books.hosts["due_size"][host]
    size = due + books.hosts["fringe_size"][host]
    first = books.hosts["start"][host]
    last = first + books.hosts["room"][host] - 1
    asked = min(size, times * EACH)
    for k in range(len(prices)):
        demand[k] = 0.0
    for i in range(asked):
        place = int((i + start) * size / asked)
        at = first + place if place < due else last - (place - due)
        ask_card(books, books.piles[at], prices, now_s, demand)
    for k in range(len(prices)):
        demand[k] *= size / asked


@bare_kernel
def _ask_closed(
    books: Books,
    most: Floats,
    prices: Floats,
    now_s: float,
    start: float,
    demand: Floats,
) -> None:
    closed = books.till["closed"][0]
    asked = min(closed, CLOSED)
    for k in range(len(prices)):
        demand[0, k] = 0.0
    for i in range(asked):
        page = books.places[1, int((i + start) * closed / asked)]
        if most[books.cards["host"][page]] > 0.0:
            ask_card(books, page, prices, now_s, demand[0])
    for k in range(len(prices)):
        if asked > 0:
            demand[1, k] += demand[0, k] * closed / asked
