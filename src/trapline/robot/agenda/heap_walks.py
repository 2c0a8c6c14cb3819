"""Walks: the first cards of many hosts, in the order of their heaps, and what they are worth.

A walk goes best first over the heap of hosts and, inside each host met, over its heap of cards. Its
front is a list of rows, from row LOOK of `front` on; what was found stands in the rows before.
"""

from __future__ import annotations

import math
from typing import Final

from trapline.core.cards import BY_DUE
from trapline.robot.agenda.filing import ripening_price
from trapline.robot.agenda.heaps import RIPE, card_in_pile, is_ripe, top_card
from trapline.robot.agenda.host_heaps import RANK_DUE, RANK_RIPE, count_hosts, top_host
from trapline.robot.agenda.tables import LOOK, Books
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price

# how many of the ripe are priced: their order is nearly that of their prices
LOOK_RIPE: Final = 3


@bare_kernel
def _add_to_front(
    books: Books, heap: int, size: int, page: int, place: int, rank: int
) -> int:
    """A row of the front is (key, card, its place in the host's heap, the host's place in the heap
    of hosts or −1 if walked through); the least key comes first.
    """
    if size >= 7 * LOOK:
        return size
    front = books.front
    row = LOOK + size
    if heap == RIPE:
        front[row, 0] = -books.ripe_prices[page]
    else:
        host = books.cards["host"][page]
        front[row, 0] = max(books.hosts["key"][host], books.cards["due"][page])
        if place == 0:
            front[row, 0] = books.hosts["key"][host]
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
def _first_row(books: Books, size: int) -> int:
    best = LOOK
    for i in range(LOOK + 1, LOOK + size):
        if _sooner(books, i, best):
            best = i
    return best


@bare_kernel
def _start(books: Books, heap: int, rank: int, host: int) -> int:
    """Begin a walk at the first card of this host or, if it is −1, at that of the first idle one;
    returns the size of the front.
    """
    only = host >= 0
    if not only:
        host = top_host(books, rank)
        if host < 0:
            return 0
    first = card_in_pile(books, heap, host, 0)
    if first < 0:
        return 0
    return _add_to_front(books, heap, 0, first, 0, -1 if only else 0)


@bare_kernel
def _step(books: Books, heap: int, rank: int, row: int, size: int) -> int:
    """Replace a row of the front by what comes after it in its heaps; returns the new size."""
    front = books.front
    page = int(front[row, 1])
    place = int(front[row, 2])
    stand = int(front[row, 3])
    size -= 1
    for column in range(4):
        front[row, column] = front[LOOK + size, column]
    host = books.cards["host"][page]
    for child in range(2 * place + 1, 2 * place + 3):
        other = card_in_pile(books, heap, host, child)
        if other >= 0:
            size = _add_to_front(books, heap, size, other, child, -1)
    if stand >= 0:
        for child in range(2 * stand + 1, min(2 * stand + 3, count_hosts(books, rank))):
            first = top_card(books, heap, books.ranks[rank, child])
            size = _add_to_front(books, heap, size, first, 0, child)
    return size


@bare_kernel
def _look_at_ripe(books: Books, host: int, now_s: float) -> int:
    """Write ripe cards and their prices to front[·, 1] and front[·, 0], a few at most, until no
    other can be dearer; returns how many there are.
    """
    front = books.front
    size = _start(books, RIPE, RANK_RIPE, host)
    found = 0
    best = -math.inf
    while size > 0 and found < LOOK_RIPE:
        row = _first_row(books, size)
        if -front[row, 0] < best:
            break
        front[found, 1] = front[row, 1]
        front[found, 0] = offer_price(books.cards, int(front[row, 1]), now_s)
        best = max(best, front[found, 0])
        found += 1
        size = _step(books, RIPE, RANK_RIPE, row, size)
    return found


@bare_kernel
def _look_at_due(books: Books, host: int, found: int, now_s: float) -> int:
    """Add the cards that are due first, LOOK in all, to those found; the ripe ones are left out."""
    front = books.front
    size = _start(books, BY_DUE, RANK_DUE, host)
    passed = 0
    while size > 0 and found < LOOK and passed < 2 * LOOK:
        row = _first_row(books, size)
        page = int(front[row, 1])
        passed += 1
        if not is_ripe(books, page):
            front[found, 1] = page
            front[found, 0] = offer_price(books.cards, page, now_s)
            found += 1
        size = _step(books, BY_DUE, RANK_DUE, row, size)
    return found


@bare_kernel
def look(books: Books, host: int, now_s: float) -> int:
    """Price the dearest ripe cards of idle hosts (or of this one) and, where they are worth less
    than what is due, the first of these.
    """
    found = _look_at_ripe(books, host, now_s)
    if found > 0:
        best = books.front[dearest_row(books, found), 0]
        if best >= ripening_price(books):
            return found
    return _look_at_due(books, host, found, now_s)


@bare_kernel
def dearest_row(books: Books, found: int) -> int:
    """The row of the dearest that was looked at; the first of equals."""
    best = 0
    for row in range(1, found):
        if books.front[row, 0] > books.front[best, 0]:
            best = row
    return best
