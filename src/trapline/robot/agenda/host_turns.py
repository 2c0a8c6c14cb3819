"""What hosts and addresses owe: one visit at a time, a gap after each, and later still if they ask
for it.

An address keeps a list of its hosts that are idle or waiting: when one of them is visited the
others wait, and when that visit ends they cool down with it, so that hosts which share a machine do
not share out its patience.
"""

from __future__ import annotations

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


@bare_kernel
def wake(books: Books, now_s: float) -> None:
    """Offers open and hosts come off their gaps as time passes."""
    page = first_closed(books)
    while page >= 0 and books.cards["not_before"][page] <= now_s:
        file_card(books, page, now_s)
        page = first_closed(books)
    host = top_host(books, RANK_READY)
    while host >= 0 and books.hosts["ready"][host] <= now_s:
        _wake_host(books, host, now_s)
        host = top_host(books, RANK_READY)


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
    free_at = addresses["ended"][address] + hosts["gap"][host]
    if free_at > now_s:
        hosts["ready"][host] = free_at
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
    addresses["ended"][address] = max(addresses["ended"][address], ended_s)
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
            hosts["ready"][other] = max(
                hosts["ready"][other], ended_s + hosts["gap"][other]
            )
            place_host(books, other, ended_s)


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
    addresses["ended"][address] = max(addresses["ended"][address], ended_s)
    postpone(books, host, ended_s + hosts["gap"][host])
    other = addresses["first_waiting"][address]
    while other >= 0:
        if hosts["state"][other] == IDLE:
            postpone(books, other, ended_s + hosts["gap"][other])
        other = hosts["next_waiting"][other]


@bare_kernel
def postpone(books: Books, host: int, until_s: float) -> None:
    """The host asks not to be visited before `until_s`."""
    hosts = books.hosts
    if until_s <= hosts["ready"][host]:
        return
    hosts["ready"][host] = until_s
    if hosts["state"][host] == IDLE:
        pull_host(books, RANK_DUE, host)
        pull_host(books, RANK_PRICE, host)
        hosts["state"][host] = COOLING
    if hosts["state"][host] == COOLING:
        push_host(books, RANK_READY, host)
