"""Filing: where a card goes after its offer was written, and where its host then stands.

A held card is filed at the time its offer reaches the price at which cards ripen: due = last +
V⁻¹(that price), which is the market price or, if that is lower, the bar (purchase.py).

A card that is due is *ripe*: it waits for its turn in a heap by price. Its price goes on rising, so
it is due again when it has risen by a step, and stands in the heap as if it had risen already: a
ripe card is worth no more than its place says, nor much less.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trapline.core.cards import (
    BLOCKED,
    BUSY,
    BY_DUE,
    BY_PRICE,
    CLOSED,
    COOLING,
    FRINGE,
    GONE,
    HELD,
    IDLE,
    RESTING,
    UNLOCATED,
    WAITING,
)
from trapline.robot.agenda.heaps import (
    RIPE,
    is_ripe,
    move_card,
    pull_card,
    push_card,
    top_card,
)
from trapline.robot.agenda.host_heaps import (
    RANK_DUE,
    RANK_PRICE,
    RANK_READY,
    RANK_RIPE,
    pull_host,
    push_host,
)
from trapline.robot.agenda.tables import RANKS, Books
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_age, offer_price, offer_rise

# a card filed at an old price is looked at again after this many rounds at the latest
ROUNDS: Final = 3.0
STEP: Final = 0.1  # by which a ripe card's price rises between two looks,
# which are this part of the longest wait apart at least,
LEAST_WAIT: Final = 1.0 / 300.0
GRAIN_S: Final = 2.0**-20
LEAST_S: Final = GRAIN_S  # and never at the same moment


@bare_kernel
def ripening_price(books: Books) -> float:
    """The price that a card must reach to be due."""
    return min(books.till["market"][0], books.till["bar"][0])


@bare_kernel
def _longest_wait(books: Books, host: int) -> float:
    """Some rounds of the whole collection, or of this host alone if its gap makes that slower."""
    till = books.till
    seconds = max(1.0 / till["budget"][0], till["pace"][0])
    return ROUNDS * max(
        till["states"][0, HELD] * seconds,
        books.hosts["pages"][host] * books.hosts["gap"][host],
    )


@bare_kernel
def _due_time(books: Books, page: int, now_s: float) -> float:
    cards = books.cards
    if math.isinf(cards["base"][page]):
        return cards["not_before"][page]
    last = cards["last"][page]
    most = now_s - last + _longest_wait(books, cards["host"][page])
    return last + offer_age(cards, page, ripening_price(books), most)


@bare_kernel
def rank_host(books: Books, host: int) -> None:
    """Put an idle host where its first cards say it belongs among the idle hosts."""
    if books.hosts["due_size"][host] > 0:
        books.hosts["key"][host] = books.cards["due"][top_card(books, BY_DUE, host)]
        push_host(books, RANK_DUE, host)
    else:
        pull_host(books, RANK_DUE, host)
    if books.hosts["fringe_size"][host] > 0:
        push_host(books, RANK_PRICE, host)
    else:
        pull_host(books, RANK_PRICE, host)
    if books.hosts["ripe_size"][host] > 0:
        ripest = top_card(books, RIPE, host)
        books.hosts["ripe_price"][host] = books.ripe_prices[ripest]
        push_host(books, RANK_RIPE, host)
    else:
        pull_host(books, RANK_RIPE, host)


@bare_kernel
def place_host(books: Books, host: int, now_s: float) -> None:
    """Bring a host's state in line with what is offered there and what it owes; busy and waiting
    ones stay so.
    """
    hosts = books.hosts
    state = hosts["state"][host]
    if state in (UNLOCATED, BUSY, WAITING, BLOCKED):
        return
    if hosts["due_size"][host] + hosts["fringe_size"][host] == 0:
        hosts["state"][host] = RESTING
        for rank in range(RANKS):
            pull_host(books, rank, host)
        return
    if state == IDLE:
        rank_host(books, host)
    elif state == RESTING:
        hosts["state"][host] = COOLING  # the next choice wakes it if it owes nothing
        hosts["wake"][host] = hosts["ready"][host]
        push_host(books, RANK_READY, host)


@bare_kernel
def _ripe_until(books: Books, page: int, now_s: float) -> float:
    """When a ripe card is looked at next: when its price has risen by a step, more or less."""
    value, slope = offer_rise(books.cards, page, now_s - books.cards["last"][page])
    wait_s = _longest_wait(books, books.cards["host"][page])
    least_s = max(LEAST_WAIT * wait_s, LEAST_S)
    later_s = max(least_s, min(wait_s, STEP * value / slope))
    # in whole grains, so that it is as exact wherever clocks begin to count
    return now_s + np.ceil(later_s / GRAIN_S) * GRAIN_S


@bare_kernel
def shelve_ripe(books: Books, page: int) -> None:
    """A card that is filed by due time is ripe: its place among the ripe."""
    cards = books.cards
    books.ripe_prices[page] = offer_price(cards, page, cards["due"][page])
    if is_ripe(books, page):
        move_card(books, RIPE, page)
    else:
        push_card(books, RIPE, page)


@bare_kernel
def keep_ripe(books: Books, page: int, now_s: float) -> None:
    """A card that is due is ripe from now on, or still."""
    books.cards["due"][page] = _ripe_until(books, page, now_s)
    move_card(books, BY_DUE, page)
    shelve_ripe(books, page)
    place_host(books, books.cards["host"][page], now_s)


@bare_kernel
def file_card(books: Books, page: int, now_s: float) -> None:
    """File a card by its offer as it is now, wherever it lay before."""
    cards = books.cards
    was = cards["filed"][page]
    pull_card(books, page)
    offered = cards["base"][page] > -math.inf
    if offered and cards["state"][page] != GONE:
        if cards["not_before"][page] > now_s:
            cards["due"][page] = cards["not_before"][page]
            push_card(books, CLOSED, page)
        elif cards["state"][page] == FRINGE:
            push_card(books, BY_PRICE, page)
        else:
            due_s = _due_time(books, page, now_s)
            if due_s <= now_s and cards["base"][page] < math.inf:
                cards["due"][page] = _ripe_until(books, page, now_s)
                push_card(books, BY_DUE, page)
                shelve_ripe(books, page)
            else:
                cards["due"][page] = due_s
                push_card(books, BY_DUE, page)
    if was != CLOSED or cards["filed"][page] != CLOSED:
        place_host(books, cards["host"][page], now_s)
