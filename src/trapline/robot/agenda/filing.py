"""Filing: where a card goes after its offer was written, and where its host then stands.

A held card is filed at the time its offer reaches the market price: due = last + V⁻¹(market price).
Where a host is saturated (its gap, not the budget, is what is scarce) its own running price is
higher than the market's, and its cards are filed at that local price: then the order *within* the
host is right, while the host itself still competes by the time its first card reaches the market
price (`key`).
"""

from __future__ import annotations

import math

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
    RANK_DUE,
    RANK_PRICE,
    RANK_READY,
    pull_card,
    pull_host,
    push_card,
    push_host,
    top_card,
)
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_age

# a card filed at an old price is looked at again after this many rounds at the latest
ROUNDS = 3.0


@bare_kernel
def price_at(books: Books, host: int) -> float:
    """The price that a card of this host must reach to be due."""
    return max(books.till["market"][0], books.hosts["local"][host])


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
def _due_time(books: Books, page: int, price: float, now_s: float) -> float:
    cards = books.cards
    if math.isinf(cards["base"][page]):
        return cards["not_before"][page]
    last = cards["last"][page]
    most = now_s - last + _longest_wait(books, cards["host"][page])
    return last + offer_age(cards, page, price, most)


@bare_kernel
def rank_host(books: Books, host: int, now_s: float) -> None:
    """Put an idle host where its first cards say it belongs among the idle hosts."""
    if books.hosts["due_size"][host] > 0:
        first = top_card(books, BY_DUE, host)
        key = books.cards["due"][first]
        if books.hosts["local"][host] > books.till["market"][0]:
            key = min(key, _due_time(books, first, books.till["market"][0], now_s))
        books.hosts["key"][host] = key
        push_host(books, RANK_DUE, host)
    else:
        pull_host(books, RANK_DUE, host)
    if books.hosts["fringe_size"][host] > 0:
        push_host(books, RANK_PRICE, host)
    else:
        pull_host(books, RANK_PRICE, host)


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
        for rank in range(3):
            pull_host(books, rank, host)
        return
    if state == IDLE:
        rank_host(books, host, now_s)
    elif state == RESTING:
        hosts["state"][host] = COOLING  # the next choice wakes it if it owes nothing
        hosts["wake"][host] = hosts["ready"][host]
        push_host(books, RANK_READY, host)


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
            cards["due"][page] = _due_time(
                books, page, price_at(books, cards["host"][page]), now_s
            )
            push_card(books, BY_DUE, page)
    if was != CLOSED or cards["filed"][page] != CLOSED:
        place_host(books, cards["host"][page], now_s)
