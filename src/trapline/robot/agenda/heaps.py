"""Heaps of cards over the books: binary, indexed, so that any member can be taken out.

Cards lie in one of three kinds of heap: each host's by due time and by price, and one of closed
cards for all. Ripe cards lie in a fourth as well as in that by due time: by the price that they
will have reached when they are due, so that it is never less than their price now.
"""

from __future__ import annotations

from typing import Final

from trapline.core.cards import BY_DUE, BY_PRICE, CLOSED, NOWHERE
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel

RIPE: Final = 4  # a heap, but no place to be filed: its cards are filed BY_DUE


@bare_kernel
def _card_at(books: Books, heap: int, host: int, place: int) -> int:
    if heap == BY_DUE:
        return books.piles[0, books.hosts["start"][host] + place]
    if heap == RIPE:
        return books.piles[1, books.hosts["start"][host] + place]
    if heap == BY_PRICE:
        return books.piles[
            0, books.hosts["start"][host] + books.hosts["room"][host] - 1 - place
        ]
    return books.places[1, place]


@bare_kernel
def _put_card(books: Books, heap: int, host: int, place: int, page: int) -> None:
    if heap == RIPE:
        books.places[2, page] = place + 1
        books.piles[1, books.hosts["start"][host] + place] = page
        return
    books.places[0, page] = place
    if heap == BY_DUE:
        books.piles[0, books.hosts["start"][host] + place] = page
    elif heap == BY_PRICE:
        books.piles[
            0, books.hosts["start"][host] + books.hosts["room"][host] - 1 - place
        ] = page
    else:
        books.places[1, place] = page


@bare_kernel
def _size(books: Books, heap: int, host: int) -> int:
    if heap == BY_DUE:
        return books.hosts["due_size"][host]
    if heap == RIPE:
        return books.hosts["ripe_size"][host]
    if heap == BY_PRICE:
        return books.hosts["fringe_size"][host]
    return books.till["closed"][0]


@bare_kernel
def _resize(books: Books, heap: int, host: int, size: int) -> None:
    if heap == BY_DUE:
        books.hosts["due_size"][host] = size
    elif heap == RIPE:
        books.hosts["ripe_size"][host] = size
    elif heap == BY_PRICE:
        books.hosts["fringe_size"][host] = size
    else:
        books.till["closed"][0] = size


@bare_kernel
def dearer(
    books: Books, one: int, other: int, bonus_one: float, bonus_other: float
) -> bool:
    """Order of fringe pages: price and bonus, then first come first served."""
    cards = books.cards
    price_one = cards["base"][one] / cards["cost"][one] + bonus_one
    price_other = cards["base"][other] / cards["cost"][other] + bonus_other
    if price_one != price_other:
        return price_one > price_other
    if cards["not_before"][one] != cards["not_before"][other]:
        return cards["not_before"][one] < cards["not_before"][other]
    return one < other


@bare_kernel
def _riper(books: Books, one: int, other: int) -> bool:
    """Order of ripe cards: by price at the next look, then by number."""
    price_one = books.ripe_prices[one]
    price_other = books.ripe_prices[other]
    return price_one > price_other or (price_one == price_other and one < other)


@bare_kernel
def _card_before(books: Books, heap: int, one: int, other: int) -> bool:
    if heap == RIPE:
        return _riper(books, one, other)
    if heap == BY_PRICE:
        return dearer(books, one, other, 0.0, 0.0)
    due_one = books.cards["due"][one]
    due_other = books.cards["due"][other]
    return due_one < due_other or (due_one == due_other and one < other)


@bare_kernel
def _card_up(books: Books, heap: int, host: int, place: int, page: int) -> int:
    while place > 0:
        parent = (place - 1) >> 1
        above = _card_at(books, heap, host, parent)
        if not _card_before(books, heap, page, above):
            break
        _put_card(books, heap, host, place, above)
        place = parent
    _put_card(books, heap, host, place, page)
    return place


@bare_kernel
def _card_down(books: Books, heap: int, host: int, place: int, page: int) -> None:
    size = _size(books, heap, host)
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        below = _card_at(books, heap, host, child)
        if child + 1 < size:
            right = _card_at(books, heap, host, child + 1)
            if _card_before(books, heap, right, below):
                child = child + 1
                below = right
        if not _card_before(books, heap, below, page):
            break
        _put_card(books, heap, host, place, below)
        place = child
    _put_card(books, heap, host, place, page)


@bare_kernel
def push_card(books: Books, heap: int, page: int) -> None:
    host = books.cards["host"][page]
    size = _size(books, heap, host)
    _resize(books, heap, host, size + 1)
    if heap != RIPE:
        books.cards["filed"][page] = heap
    _card_up(books, heap, host, size, page)


@bare_kernel
def is_ripe(books: Books, page: int) -> bool:
    return books.places[2, page] > 0


@bare_kernel
def pull_card(books: Books, page: int) -> None:
    """Take a card out of whatever heaps it lies in."""
    heap = books.cards["filed"][page]
    if heap == NOWHERE:
        return
    books.cards["filed"][page] = NOWHERE
    _take_out(books, heap, page, books.places[0, page])
    if is_ripe(books, page):
        place = books.places[2, page] - 1
        books.places[2, page] = 0
        _take_out(books, RIPE, page, place)


@bare_kernel
def _take_out(books: Books, heap: int, page: int, place: int) -> None:
    host = books.cards["host"][page]
    size = _size(books, heap, host) - 1
    last = _card_at(books, heap, host, size)
    _resize(books, heap, host, size)
    if last != page:
        _card_down(books, heap, host, _card_up(books, heap, host, place, last), last)


@bare_kernel
def move_card(books: Books, heap: int, page: int) -> None:
    """Bring a card of a heap to its place there after what it is ordered by has changed."""
    host = books.cards["host"][page]
    place = books.places[2, page] - 1 if heap == RIPE else books.places[0, page]
    _card_down(books, heap, host, _card_up(books, heap, host, place, page), page)


@bare_kernel
def top_card(books: Books, heap: int, host: int) -> int:
    return _card_at(books, heap, host, 0)


@bare_kernel
def card_in_pile(books: Books, heap: int, host: int, place: int) -> int:
    """The card at a place of one of the host's heaps; −1 beyond its end."""
    return (
        _card_at(books, heap, host, place) if place < _size(books, heap, host) else -1
    )


@bare_kernel
def first_closed(books: Books) -> int:
    return _card_at(books, CLOSED, 0, 0) if books.till["closed"][0] > 0 else -1
