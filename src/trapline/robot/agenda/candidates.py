"""Looking: the dearest held page among those that are due first, without pricing them all.

Cards are filed at the time their offer reaches the market price of that moment. The market moves
on, so a card may have been filed at an old price: one that is due but no longer worth it shows
itself at the next look and is filed anew; one that is worth it already, but filed for later, is
found by the patrol that walks through all cards.
"""

from __future__ import annotations

import math
from typing import Final

from trapline.core.cards import BY_DUE
from trapline.robot.agenda.filing import file_card, price_at
from trapline.robot.agenda.heaps import RANK_DUE, card_in_pile, top_card, top_host
from trapline.robot.agenda.tables import LOOK, Books
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price

REFILINGS: Final = 8  # how many stale cards one look may file anew
STALE: Final = 0.95
# cards passed on each look: a round takes a quarter of the time that visiting them all takes
PATROL: Final = 4


@bare_kernel
def _add_to_front(
    books: Books, size: int, key: float, page: int, place: int, rank: int
) -> int:
    if size >= 3 * LOOK:
        return size
    front = books.front
    row = LOOK + size
    front[row, 0] = key
    front[row, 1] = page
    front[row, 2] = place
    front[row, 3] = rank
    return size + 1


@bare_kernel
def _sooner(books: Books, row: int, other: int) -> bool:
    """Order of the front's rows, the same as in the heaps that are walked, so that their layout
    does not show.
    """
    cards = books.cards
    front = books.front
    if front[row, 0] != front[other, 0]:
        return front[row, 0] < front[other, 0]
    page = int(front[row, 1])
    rival = int(front[other, 1])
    if cards["host"][page] != cards["host"][rival]:
        return cards["host"][page] < cards["host"][rival]
    if cards["due"][page] != cards["due"][rival]:
        return cards["due"][page] < cards["due"][rival]
    return page < rival


@bare_kernel
def _nearest(books: Books, size: int) -> int:
    best = LOOK
    for i in range(LOOK + 1, LOOK + size):
        if _sooner(books, i, best):
            best = i
    return best


@bare_kernel
def _earliest(books: Books) -> int:
    """Write the LOOK earliest-due cards of idle hosts to front[·, 1]; returns how many there are.

    A best-first walk over the heap of hosts and, inside each host met, over its heap of cards. A
    row of the front is (due time, card, its place in the host's heap, the host's place in the heap
    of hosts or −1 if walked through).
    """
    front = books.front
    hosts = books.hosts
    host = top_host(books, RANK_DUE)
    size = (
        _add_to_front(books, 0, hosts["key"][host], top_card(books, BY_DUE, host), 0, 0)
        if host >= 0
        else 0
    )
    found = 0
    while size > 0 and found < LOOK:
        best = _nearest(books, size)
        page = int(front[best, 1])
        place = int(front[best, 2])
        rank = int(front[best, 3])
        size -= 1
        for column in range(4):
            front[best, column] = front[LOOK + size, column]
        front[found, 1] = page
        found += 1
        host = books.cards["host"][page]
        for child in range(2 * place + 1, 2 * place + 3):
            other = card_in_pile(books, host, child)
            if other >= 0:
                key = max(hosts["key"][host], books.cards["due"][other])
                size = _add_to_front(books, size, key, other, child, -1)
        if rank >= 0:
            for child in range(
                2 * rank + 1, min(2 * rank + 3, books.till["ranked"][0, RANK_DUE])
            ):
                other_host = books.ranks[RANK_DUE, child]
                first = top_card(books, BY_DUE, other_host)
                size = _add_to_front(
                    books, size, hosts["key"][other_host], first, 0, child
                )
    return found


@bare_kernel
def _patrol(books: Books, now_s: float, looks: int) -> None:
    """Walk on through the cards: one worth the price by now but filed for later, at a dearer
    market, is filed anew.

    The other direction, a card that is due but no longer worth the price, shows itself at the next
    choice.
    """
    cards = books.cards
    till = books.till
    page = till["patrol"][0]
    for _ in range(looks):
        page = page + 1 if page + 1 < till["cards"][0] else 0
        if cards["filed"][page] == BY_DUE and cards["due"][page] > now_s:
            price = offer_price(cards, page, now_s)
            if price < math.inf and price > price_at(books, cards["host"][page]):
                file_card(books, page, now_s)
    till["patrol"][0] = page


@bare_kernel
def best_held(books: Books, now_s: float) -> int:
    """The dearest of the earliest-due held cards on idle hosts; −1 = none is open."""
    host = top_host(books, RANK_DUE)
    if host < 0:
        return -1
    best = top_card(books, BY_DUE, host)
    best_price = -math.inf
    refiled = 0
    # not comparable by price: the earliest is the one
    if books.cards["base"][best] == math.inf:
        return best
    _patrol(books, now_s, PATROL)
    while True:
        found = _earliest(books)
        stale = 0
        for i in range(found):
            page = int(books.front[i, 1])
            price = offer_price(books.cards, page, now_s)
            if price > best_price:
                best = page
                best_price = price
        if best_price == math.inf:
            return best
        for i in range(found):
            page = int(books.front[i, 1])
            if books.cards["due"][page] <= now_s and refiled < REFILINGS:
                price = offer_price(books.cards, page, now_s)
                if price < STALE * price_at(books, books.cards["host"][page]):
                    file_card(books, page, now_s)
                    refiled += 1
                    stale += 1
        if (
            stale == 0
            or refiled >= REFILINGS
            or best_price >= STALE * books.till["market"][0]
        ):
            return best
