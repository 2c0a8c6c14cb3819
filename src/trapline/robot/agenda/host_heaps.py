"""Heaps of hosts over the books: binary, indexed, so that any member can be taken out.

Hosts lie in up to three of four: by due time, by fringe price and by ripe price while they are
idle, or by ready time while cooling.
"""

from __future__ import annotations

from typing import Final

from trapline.core.cards import BY_PRICE
from trapline.robot.agenda.heaps import dearer, top_card
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel

RANK_DUE: Final = 0
RANK_PRICE: Final = 1
RANK_READY: Final = 2
RANK_RIPE: Final = 3


@bare_kernel
def _host_before(books: Books, rank: int, one: int, other: int) -> bool:
    hosts = books.hosts
    if rank == RANK_RIPE:
        price_one = hosts["ripe_price"][one]
        price_other = hosts["ripe_price"][other]
        return price_one > price_other or (price_one == price_other and one < other)
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
def _slot(books: Books, rank: int, host: int) -> int:
    if rank == RANK_RIPE:
        return books.hosts["ripe_slot"][host]
    return books.hosts["slot"][host, rank]


@bare_kernel
def note_slot(books: Books, rank: int, host: int, place: int) -> None:
    """Where a host stands in a heap of hosts; −1 = nowhere."""
    if rank == RANK_RIPE:
        books.hosts["ripe_slot"][host] = place
    else:
        books.hosts["slot"][host, rank] = place


@bare_kernel
def count_hosts(books: Books, rank: int) -> int:
    """How many hosts are in a heap of hosts."""
    if rank == RANK_RIPE:
        return books.till["ripe_hosts"][0]
    return books.till["ranked"][0, rank]


@bare_kernel
def note_count(books: Books, rank: int, hosts: int) -> None:
    if rank == RANK_RIPE:
        books.till["ripe_hosts"][0] = hosts
    else:
        books.till["ranked"][0, rank] = hosts


@bare_kernel
def _put_host(books: Books, rank: int, place: int, host: int) -> None:
    books.ranks[rank, place] = host
    note_slot(books, rank, host, place)


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
    size = count_hosts(books, rank)
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
    place = _slot(books, rank, host)
    if place < 0:
        place = count_hosts(books, rank)
        note_count(books, rank, place + 1)
    _host_down(books, rank, _host_up(books, rank, place, host), host)


@bare_kernel
def pull_host(books: Books, rank: int, host: int) -> None:
    place = _slot(books, rank, host)
    if place < 0:
        return
    note_slot(books, rank, host, -1)
    size = count_hosts(books, rank) - 1
    note_count(books, rank, size)
    last = books.ranks[rank, size]
    if last != host:
        _host_down(books, rank, _host_up(books, rank, place, last), last)


@bare_kernel
def top_host(books: Books, rank: int) -> int:
    return books.ranks[rank, 0] if count_hosts(books, rank) > 0 else -1
