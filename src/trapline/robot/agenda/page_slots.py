"""Seating: new pages and hosts get their places in the books; heaps are rebuilt after loading."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import (
    COOLING,
    FRINGE,
    GONE,
    IDLE,
    NOWHERE,
    UNMET,
)
from trapline.core.links import Links
from trapline.core.ports import Pages
from trapline.robot.agenda.heaps import (
    RANK_DUE,
    RANK_PRICE,
    RANK_READY,
    push_card,
    push_host,
)
from trapline.robot.agenda.outcomes import move_card
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel

Flags = NDArray[np.bool_]

LEAST_ROOM = 4


@bare_kernel
def _move_segment(books: Books, host: int, start: int, room: int) -> None:
    """Give a host a larger segment of the pile pool: due heap to the new left end, fringe heap to
    the new right.
    """
    hosts = books.hosts
    piles = books.piles
    old_start = hosts["start"][host]
    old_room = hosts["room"][host]
    for i in range(hosts["due_size"][host]):
        piles[start + i] = piles[old_start + i]
    for i in range(hosts["fringe_size"][host]):
        piles[start + room - 1 - i] = piles[old_start + old_room - 1 - i]
    hosts["start"][host] = start
    hosts["room"][host] = room


@bare_kernel
def meet(books: Books, page: int, host: int, depth: int) -> bool:
    """An unmet page joins the fringe of its host; False = the pile pool must grow first (nothing
    was done).
    """
    hosts = books.hosts
    till = books.till
    if hosts["pages"][host] == hosts["room"][host]:
        room = max(LEAST_ROOM, 2 * hosts["room"][host])
        start = till["pile_end"][0]
        if start + room > len(books.piles):
            return False
        till["pile_end"][0] = start + room
        _move_segment(books, host, start, room)
    hosts["pages"][host] += 1
    books.cards["host"][page] = host
    books.cards["depth"][page] = min(depth, 255)
    move_card(books.cards, till, page, FRINGE)
    return True


@bare_kernel
def meet_all(books: Books, pages: Pages, hosts: Pages, depth: int) -> int:
    """Meet pages until the pool is full; returns how many were seated."""
    for i in range(len(pages)):
        if not meet(books, pages[i], hosts[i], depth):
            return i
    return len(pages)


@bare_kernel
def _meet_again(books: Books, page: int) -> None:
    """A page that was gone joins the fringe again; its seat was kept."""
    books.cards["base"][page] = -math.inf
    books.cards["failures"][page] = 0
    move_card(books.cards, books.till, page, FRINGE)


@bare_kernel
def meet_links(
    books: Books, links: Links, first: int, depth: int, new: Flags, now_s: float
) -> int:
    """Meet the pages that links lead to and that are unmet, or have been gone for long enough, from
    link number `first` on; returns how far it came (the pool may be full).
    """
    for i in range(first, len(links)):
        page = links["page"][i]
        if books.cards["state"][page] == UNMET:
            if not meet(books, page, links["host"][i], depth):
                return i
            new[i] = True
        elif (
            books.cards["state"][page] == GONE
            and books.cards["not_before"][page] <= now_s
        ):
            _meet_again(books, page)
            new[i] = True
    return len(links)


@bare_kernel
def seat_hosts(books: Books, spare: bool) -> int:
    """Lay all segments out anew, one after the other, with half as much again to spare; returns the
    end.
    """
    end = 0
    hosts = books.hosts
    for host in range(books.till["hosts"][0]):
        room = hosts["pages"][host]
        if spare and room > 0:
            room = max(LEAST_ROOM, room + room // 2)
        hosts["start"][host] = end
        hosts["room"][host] = room
        hosts["due_size"][host] = hosts["fringe_size"][host] = 0
        end += room
    books.till["pile_end"][0] = end
    return end


@bare_kernel
def rebuild(books: Books) -> None:
    """Fill all heaps from what cards and hosts say about where they belong."""
    cards = books.cards
    hosts = books.hosts
    till = books.till
    till["closed"][0] = 0
    for page in range(till["cards"][0]):
        heap = cards["filed"][page]
        if heap != NOWHERE and cards["state"][page] != UNMET:
            push_card(books, heap, page)
    for rank in range(3):
        till["ranked"][0, rank] = 0
    for host in range(till["hosts"][0]):
        for rank in range(3):
            hosts["slot"][host, rank] = -1
    for host in range(till["hosts"][0]):
        if hosts["state"][host] == IDLE:
            if hosts["due_size"][host] > 0:
                push_host(books, RANK_DUE, host)
            if hosts["fringe_size"][host] > 0:
                push_host(books, RANK_PRICE, host)
        elif hosts["state"][host] == COOLING:
            push_host(books, RANK_READY, host)
