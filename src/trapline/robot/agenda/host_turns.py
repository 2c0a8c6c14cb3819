"""What hosts and addresses owe: one visit at a time, a gap after each, and later still if they ask
for it.

A host owes its own gap after each visit, and an address the shortest gap of its hosts after each
visit to any of them: a host that asks for a long one does not hold up its neighbours, nor do they
keep it waiting for a silence that never comes. Turns on an address go round (turn_order.py).
An address keeps a list of its hosts that are idle or waiting: when one of them is visited the
others wait, and when that visit ends they cool down with it.
"""

from __future__ import annotations

from typing import Final

from trapline.core.cards import BUSY, COOLING, IDLE, RESTING, WAITING
from trapline.robot.agenda.filing import file_card, place_host, rank_host
from trapline.robot.agenda.heaps import (
    RANK_DUE,
    RANK_PRICE,
    RANK_READY,
    first_closed,
    pull_host,
    push_host,
    top_host,
)
from trapline.robot.agenda.tables import UNLISTED, Books
from trapline.theory.kernel import bare_kernel

MOST_AT_ONCE: Final = 10_000  # offers that open in one call; the next opens the others


@bare_kernel
def wake(books: Books, now_s: float) -> None:
    """Offers open and hosts come off their gaps as time passes."""
    page = first_closed(books)
    for _ in range(MOST_AT_ONCE):
        if page < 0 or books.cards["not_before"][page] > now_s:
            break
        file_card(books, page, now_s)
        page = first_closed(books)
    host = top_host(books, RANK_READY)
    while host >= 0 and books.hosts["wake"][host] <= now_s:
        _wake_host(books, host, now_s)
        host = top_host(books, RANK_READY)


@bare_kernel
def _free_at(books: Books, host: int) -> float:
    """When the host may be visited, if nobody else is before: its own gap has passed, and that of
    its address.
    """
    address = books.addresses[books.hosts["address"][host]]
    return max(books.hosts["ready"][host], address["ended"] + address["gap"])


@bare_kernel
def _enlist(books: Books, host: int) -> None:
    """Put a host on its address's list: of idle hosts while the address is free, of waiting ones
    while it is busy.
    """
    hosts = books.hosts
    addresses = books.addresses
    if hosts["next_waiting"][host] == UNLISTED:
        address = hosts["address"][host]
        hosts["next_waiting"][host] = addresses["first_waiting"][address]
        addresses["first_waiting"][address] = host


@bare_kernel
def _wake_host(books: Books, host: int, now_s: float) -> None:
    hosts = books.hosts
    addresses = books.addresses
    address = hosts["address"][host]
    if addresses["busy"][address]:
        pull_host(books, RANK_READY, host)
        hosts["state"][host] = WAITING
        _enlist(books, host)
        return
    free_at = _free_at(books, host)
    if free_at > now_s:
        hosts["wake"][host] = free_at
        push_host(books, RANK_READY, host)
        return
    pull_host(books, RANK_READY, host)
    hosts["state"][host] = IDLE
    _enlist(books, host)
    rank_host(books, host, now_s)


@bare_kernel
def _unlist(books: Books, host: int) -> int:
    """Take the first host off its address's list; returns the one after it, −1 = none."""
    following = books.hosts["next_waiting"][host]
    books.hosts["next_waiting"][host] = UNLISTED
    return following


@bare_kernel
def occupy(books: Books, host: int) -> None:
    """A visit to the host begins: nobody else may go there, nor to its address."""
    hosts = books.hosts
    addresses = books.addresses
    address = hosts["address"][host]
    hosts["state"][host] = BUSY
    addresses["busy"][address] = 1
    for rank in range(3):
        pull_host(books, rank, host)
    following = addresses["first_waiting"][address]
    addresses["first_waiting"][address] = -1
    while following >= 0:
        other = following
        following = _unlist(books, following)
        if hosts["state"][other] == IDLE:
            pull_host(books, RANK_DUE, other)
            pull_host(books, RANK_PRICE, other)
            hosts["state"][other] = WAITING
            _enlist(books, other)


@bare_kernel
def land(books: Books, host: int, ended_s: float) -> None:
    """A visit to the host ended: from here its gap counts, and that of its address."""
    hosts = books.hosts
    addresses = books.addresses
    address = hosts["address"][host]
    postpone(books, host, ended_s + hosts["gap"][host])
    _note_end(books, host, ended_s)
    addresses["busy"][address] = 0
    if hosts["state"][host] == BUSY:  # else it was blocked meanwhile
        hosts["state"][host] = RESTING
        place_host(books, host, ended_s)
    following = addresses["first_waiting"][address]
    addresses["first_waiting"][address] = -1
    while following >= 0:
        other = following
        following = _unlist(books, following)
        if hosts["state"][other] == WAITING:
            hosts["state"][other] = RESTING
            place_host(books, other, ended_s)
            if hosts["state"][other] == COOLING:
                _cool(books, other, _free_at(books, other))


@bare_kernel
def _note_end(books: Books, host: int, ended_s: float) -> None:
    hosts = books.hosts
    addresses = books.addresses
    address = hosts["address"][host]
    hosts["served"][host] = max(hosts["served"][host], ended_s)
    addresses["ended"][address] = max(addresses["ended"][address], ended_s)


@bare_kernel
def set_gap(books: Books, host: int, gap_s: float) -> None:
    """What a host owes from now on; its address owes the shortest gap that a host there has had."""
    books.hosts["gap"][host] = gap_s
    address = books.hosts["address"][host]
    if address >= 0:
        books.addresses["gap"][address] = min(books.addresses["gap"][address], gap_s)


@bare_kernel
def owe(books: Books, host: int, ended_s: float) -> None:
    """A visit that was given up ended after all, or its host's gap grew: host and address owe their
    gaps from there.
    """
    hosts = books.hosts
    addresses = books.addresses
    address = hosts["address"][host]
    if address < 0:
        return
    _note_end(books, host, ended_s)
    postpone(books, host, ended_s + hosts["gap"][host])
    other = addresses["first_waiting"][address]
    while other >= 0:
        if hosts["state"][other] == IDLE:
            _cool(books, other, _free_at(books, other))
        other = hosts["next_waiting"][other]


@bare_kernel
def _cool(books: Books, host: int, until_s: float) -> None:
    """The host, idle or cooling, is not looked at before `until_s`."""
    pull_host(books, RANK_DUE, host)
    pull_host(books, RANK_PRICE, host)
    books.hosts["state"][host] = COOLING
    books.hosts["wake"][host] = until_s
    push_host(books, RANK_READY, host)


@bare_kernel
def postpone(books: Books, host: int, until_s: float) -> None:
    """The host asks not to be visited before `until_s`."""
    hosts = books.hosts
    if until_s <= hosts["ready"][host]:
        return
    hosts["ready"][host] = until_s
    if hosts["state"][host] in (IDLE, COOLING):
        _cool(books, host, until_s)


@bare_kernel
def is_free(books: Books, host: int, now_s: float) -> bool:
    """Whether a host may be visited now, whatever is offered there."""
    hosts = books.hosts
    addresses = books.addresses
    address = hosts["address"][host]
    if address < 0 or addresses["busy"][address]:
        return False
    if hosts["state"][host] not in (RESTING, IDLE, COOLING):
        return False
    return _free_at(books, host) <= now_s
