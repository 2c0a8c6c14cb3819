"""Heaps of cards and of hosts over the books: binary, indexed, so that any member can be taken out.

Cards lie in one of three kinds of heap: each host's by due time and by price, and one of closed
cards for all. Hosts lie in up to two of three: by due time and by fringe price while they are idle,
or by ready time while cooling.
"""

from __future__ import annotations

from typing import Final

from trapline.core.cards import BY_DUE, BY_PRICE, CLOSED, NOWHERE
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel

RANK_DUE: Final = 0
RANK_PRICE: Final = 1
RANK_READY: Final = 2


@bare_kernel
def _card_at(books: Books, heap: int, host: int, place: int) -> int:
    if heap == BY_DUE:
        return books.piles[books.hosts["start"][host] + place]
    if heap == BY_PRICE:
        return books.piles[
            books.hosts["start"][host] + books.hosts["room"][host] - 1 - place
        ]
    return books.places[1, place]


@bare_kernel
def _put_card(books: Books, heap: int, host: int, place: int, page: int) -> None:
    books.places[0, page] = place
    if heap == BY_DUE:
        books.piles[books.hosts["start"][host] + place] = page
    elif heap == BY_PRICE:
        books.piles[
            books.hosts["start"][host] + books.hosts["room"][host] - 1 - place
        ] = page
    else:
        books.places[1, place] = page


@bare_kernel
def _size(books: Books, heap: int, host: int) -> int:
    if heap == BY_DUE:
        return books.hosts["due_size"][host]
    if heap == BY_PRICE:
        return books.hosts["fringe_size"][host]
    return books.till["closed"][0]


@bare_kernel
def _resize(books: Books, heap: int, host: int, size: int) -> None:
    if heap == BY_DUE:
        books.hosts["due_size"][host] = size
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
def _card_before(books: Books, heap: int, one: int, other: int) -> bool:
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
    books.cards["filed"][page] = heap
    _card_up(books, heap, host, size, page)


@bare_kernel
def pull_card(books: Books, page: int) -> None:
    """Take a card out of whatever heap it lies in."""
    heap = books.cards["filed"][page]
    if heap == NOWHERE:
        return
    books.cards["filed"][page] = NOWHERE
    host = books.cards["host"][page]
    place = books.places[0, page]
    size = _size(books, heap, host) - 1
    last = _card_at(books, heap, host, size)
    _resize(books, heap, host, size)
    if last != page:
        _card_down(books, heap, host, _card_up(books, heap, host, place, last), last)


@bare_kernel
def top_card(books: Books, heap: int, host: int) -> int:
    return _card_at(books, heap, host, 0)


@bare_kernel
def card_in_pile(books: Books, host: int, place: int) -> int:
    """The card at a place of the host's due heap; −1 beyond its end."""
    return (
        _card_at(books, BY_DUE, host, place)
        if place < books.hosts["due_size"][host]
        else -1
    )


@bare_kernel
def first_closed(books: Books) -> int:
    return _card_at(books, CLOSED, 0, 0) if books.till["closed"][0] > 0 else -1


@bare_kernel
def _host_before(books: Books, rank: int, one: int, other: int) -> bool:
    hosts = books.hosts
    if rank == RANK_PRICE:
        return dearer(
            books,
            top_card(books, BY_PRICE, one),
            top_card(books, BY_PRICE, other),
            hosts["bonus"][one],
            hosts["bonus"][other],
        )
    key_one = hosts["key"][one] if rank == RANK_DUE else hosts["wake"][one]
    key_other = hosts["key"][other] if rank == RANK_DUE else hosts["wake"][other]
    return key_one < key_other or (key_one == key_other and one < other)


@bare_kernel
def _put_host(books: Books, rank: int, place: int, host: int) -> None:
    books.ranks[rank, place] = host
    books.hosts["slot"][host, rank] = place


@bare_kernel
def _host_up(books: Books, rank: int, place: int, host: int) -> int:
    while place > 0:
        parent = (place - 1) >> 1
        above = books.ranks[rank, parent]
        if not _host_before(books, rank, host, above):
            break
        _put_host(books, rank, place, above)
        place = parent
    _put_host(books, rank, place, host)
    return place


@bare_kernel
def _host_down(books: Books, rank: int, place: int, host: int) -> None:
    size = books.till["ranked"][0, rank]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        below = books.ranks[rank, child]
        if child + 1 < size and _host_before(
            books, rank, books.ranks[rank, child + 1], below
        ):
            child += 1
            below = books.ranks[rank, child]
        if not _host_before(books, rank, below, host):
            break
        _put_host(books, rank, place, below)
        place = child
    _put_host(books, rank, place, host)


@bare_kernel
def push_host(books: Books, rank: int, host: int) -> None:
    """Put a host into a heap of hosts, or to its right place if it is there already."""
    place = books.hosts["slot"][host, rank]
    if place < 0:
        place = books.till["ranked"][0, rank]
        books.till["ranked"][0, rank] = place + 1
    _host_down(books, rank, _host_up(books, rank, place, host), host)


@bare_kernel
def pull_host(books: Books, rank: int, host: int) -> None:
    place = books.hosts["slot"][host, rank]
    if place < 0:
        return
    books.hosts["slot"][host, rank] = -1
    size = books.till["ranked"][0, rank] - 1
    books.till["ranked"][0, rank] = size
    last = books.ranks[rank, size]
    if last != host:
        _host_down(books, rank, _host_up(books, rank, place, last), last)


@bare_kernel
def top_host(books: Books, rank: int) -> int:
    return books.ranks[rank, 0] if books.till["ranked"][0, rank] > 0 else -1
