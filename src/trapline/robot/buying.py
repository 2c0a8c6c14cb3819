"""Buying: which visit to make now, and what the ends of visits do to hosts and cards.

`choose`: wake the hosts that owe nothing any more and open the offers whose time has come; price the cards of idle
hosts that are due first; a card that is due but priced below .95 of what it was filed for was filed at an old price
and is filed anew; take the dearest seen, or the best fringe page if that is dearer. Work-conserving: an idle host
with an open offer never yields nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import (
    BUSY,
    BY_DUE,
    BY_PRICE,
    COOLING,
    FRINGE,
    GONE,
    HELD,
    IDLE,
    RESTING,
    WAITING,
    Cards,
)
from trapline.core.records import Outcome
from trapline.robot.books import LOOK, TO_FRINGE, TO_HELD, UNCONTESTED, UNLISTED, Books
from trapline.robot.filing import file_card, place_host, price_at, rank_host
from trapline.robot.heaps import (
    RANK_DUE,
    RANK_PRICE,
    RANK_READY,
    card_in_pile,
    first_closed,
    pull_card,
    pull_host,
    push_host,
    top_card,
    top_host,
)
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price

REFILINGS = 8  # how many stale cards one choice may file anew
STALE = 0.95
PATROL = 4  # cards looked at on each choice: a whole round is walked in a quarter of the time it takes to visit them
SLOWEST = 1e-3  # least step of the running mean of prices
RETRY_S = 60.0  # a page without a usable answer is tried again after this, doubled each time,
RETRY_MOST_S = 86400.0  # up to a day;
TRIES = 5  # a fringe page is given up after this many

_UNCHANGED = int(Outcome.UNCHANGED)  # up to here we know what the page holds
_FAILED = int(Outcome.FAILED)


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
    """Put a host on its address's list: of idle hosts while the address is free, of waiting ones while it is busy."""
    hosts, addresses = books.hosts, books.addresses
    if hosts["next_waiting"][host] == UNLISTED:
        address = hosts["address"][host]
        hosts["next_waiting"][host] = addresses["first_waiting"][address]
        addresses["first_waiting"][address] = host


@bare_kernel
def _wake_host(books: Books, host: int, now_s: float) -> None:
    hosts, addresses = books.hosts, books.addresses
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
def _add_to_front(books: Books, size: int, key: float, page: int, place: int, rank: int) -> int:
    if size >= 3 * LOOK:
        return size
    front, row = books.front, LOOK + size
    front[row, 0], front[row, 1], front[row, 2], front[row, 3] = key, page, place, rank
    return size + 1


@bare_kernel
def _sooner(books: Books, row: int, other: int) -> bool:
    """Order of the front's rows, the same as in the heaps that are walked, so that their layout does not show."""
    cards, front = books.cards, books.front
    if front[row, 0] != front[other, 0]:
        return front[row, 0] < front[other, 0]
    page, rival = int(front[row, 1]), int(front[other, 1])
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

    A best-first walk over the heap of hosts and, inside each host met, over its heap of cards. A row of the front is
    (due time, card, its place in the host's heap, the host's place in the heap of hosts or −1 if walked through).
    """
    front, hosts = books.front, books.hosts
    host = top_host(books, RANK_DUE)
    size = _add_to_front(books, 0, hosts["key"][host], top_card(books, BY_DUE, host), 0, 0) if host >= 0 else 0
    found = 0
    while size > 0 and found < LOOK:
        best = _nearest(books, size)
        page, place, rank = int(front[best, 1]), int(front[best, 2]), int(front[best, 3])
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
            for child in range(2 * rank + 1, min(2 * rank + 3, books.till["ranked"][0, RANK_DUE])):
                other_host = books.ranks[RANK_DUE, child]
                first = top_card(books, BY_DUE, other_host)
                size = _add_to_front(books, size, hosts["key"][other_host], first, 0, child)
    return found


@bare_kernel
def _patrol(books: Books, now_s: float, looks: int) -> None:
    """Walk on through the cards: one worth the price by now but filed for later, at a dearer market, is filed anew.

    The other direction, a card that is due but no longer worth the price, shows itself at the next choice.
    """
    cards, till = books.cards, books.till
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
    best, best_price, refiled = top_card(books, BY_DUE, host), -math.inf, 0
    if books.cards["base"][best] == math.inf:  # not comparable by price: the earliest is the one
        return best
    _patrol(books, now_s, PATROL)
    while True:
        found = _earliest(books)
        stale = 0
        for i in range(found):
            page = int(books.front[i, 1])
            price = offer_price(books.cards, page, now_s)
            if price > best_price:
                best, best_price = page, price
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
        if stale == 0 or refiled >= REFILINGS or best_price >= STALE * books.till["market"][0]:
            return best


@bare_kernel
def _prefer_fringe(books: Books, held: int, fringe: int, held_price: float, fringe_price: float) -> bool:
    """Prices decide where both are finite; else the stated share of contested visits goes to the fringe."""
    if held < 0 or fringe < 0:
        return held < 0
    if not math.isinf(held_price) and not math.isinf(fringe_price):
        return fringe_price > held_price
    till = books.till
    prefer = till["discovered"][0] < till["share"][0] * (till["contested"][0] + 1)
    till["contest"][0] = TO_FRINGE if prefer else TO_HELD
    return prefer


@bare_kernel
def bucket_opens(books: Books) -> float:
    """When the token bucket next lets a visit through."""
    till = books.till
    return till["free_at"][0] - (till["burst"][0] - 1.0) / till["budget"][0]


@bare_kernel
def choose(books: Books, now_s: float, chosen: int) -> tuple[int, int, float]:
    """(page, host, price) of the visit to make now; page −1 with a host = its robots.txt first; host −1 = nothing.

    `chosen` ≥ 0 is a Chooser's pick among held pages; −1 leaves that to the agenda; −2 = the Chooser wants nothing.
    """
    if now_s < bucket_opens(books):
        return -1, -1, 0.0
    wake(books, now_s)
    books.till["contest"][0] = UNCONTESTED
    held = best_held(books, now_s) if chosen == -1 else max(chosen, -1)
    fringe_host = top_host(books, RANK_PRICE)
    fringe = top_card(books, BY_PRICE, fringe_host) if fringe_host >= 0 else -1
    if held < 0 and fringe < 0:
        return -1, -1, 0.0
    held_price = offer_price(books.cards, held, now_s) if held >= 0 else 0.0
    fringe_price = 0.0
    if fringe >= 0:
        fringe_price = books.cards["base"][fringe] / books.cards["cost"][fringe] + books.hosts["bonus"][fringe_host]
    page, price = held, held_price
    if _prefer_fringe(books, held, fringe, held_price, fringe_price):
        page, price = fringe, fringe_price
    host = books.cards["host"][page]
    if books.hosts["rules_until"][host] <= now_s:
        return -1, host, 0.0
    return page, host, price


@bare_kernel
def buy(books: Books, now_s: float, chosen: int) -> tuple[int, int, float, float]:
    """Choose and take at once, except that a page under robots rules is left for the controller to check first.

    Also returns when the token bucket opens next, so that nobody need ask in vain before.
    """
    page, host, price = choose(books, now_s, chosen)
    if page >= 0 and not books.hosts["ruled"][host]:
        take(books, page, price, now_s)
    return page, host, price, bucket_opens(books)


@bare_kernel
def occupy(books: Books, host: int) -> None:
    """A visit to the host begins: nobody else may go there, nor to its address."""
    hosts, addresses = books.hosts, books.addresses
    address = hosts["address"][host]
    hosts["state"][host] = BUSY
    addresses["busy"][address] = 1
    for rank in range(3):
        pull_host(books, rank, host)
    other = addresses["first_waiting"][address]
    addresses["first_waiting"][address] = -1
    while other >= 0:
        following = hosts["next_waiting"][other]
        hosts["next_waiting"][other] = UNLISTED
        if hosts["state"][other] == IDLE:
            pull_host(books, RANK_DUE, other)
            pull_host(books, RANK_PRICE, other)
            hosts["state"][other] = WAITING
            _enlist(books, other)
        other = following


@bare_kernel
def take(books: Books, page: int, price: float, now_s: float) -> None:
    """Buy the visit: spend the budget, note the price, mark card and host taken."""
    till, hosts = books.till, books.hosts
    host = books.cards["host"][page]
    pull_card(books, page)
    occupy(books, host)
    till["free_at"][0] = max(till["free_at"][0], now_s) + books.cards["cost"][page] / till["budget"][0]
    if till["contest"][0] != UNCONTESTED:
        till["contested"][0] += 1
        till["discovered"][0] += till["contest"][0] == TO_FRINGE
        till["contest"][0] = UNCONTESTED
    if not math.isinf(price):
        till["paid"][0] += 1
        till["market"][0] += (price - till["market"][0]) * max(SLOWEST, 1.0 / till["paid"][0])
        if books.cards["state"][page] == HELD:
            _pay_locally(books, host, price)
    if till["last_take"][0] > -math.inf:
        since = now_s - till["last_take"][0]
        till["pace"][0] += (since - till["pace"][0]) * max(SLOWEST, 1.0 / (till["visits"][0] + 1))
    till["last_take"][0] = now_s
    till["visits"][0] += 1
    hosts["visits"][host] += 1


@bare_kernel
def _pay_locally(books: Books, host: int, price: float) -> None:
    """The host's own running price; it matters only while it lies above the market's."""
    local = books.hosts["local"][host]
    if local == 0.0:
        local = price
    books.hosts["local"][host] = local + 0.05 * (price - local)


@bare_kernel
def land(books: Books, host: int, ended_s: float) -> None:
    """A visit to the host ended: from here its gap counts, and that of its address."""
    hosts, addresses = books.hosts, books.addresses
    address = hosts["address"][host]
    postpone(books, host, ended_s + hosts["gap"][host])
    addresses["ended"][address] = max(addresses["ended"][address], ended_s)
    addresses["busy"][address] = 0
    if hosts["state"][host] == BUSY:  # else it was blocked meanwhile
        hosts["state"][host] = RESTING
        place_host(books, host, ended_s)
    other = addresses["first_waiting"][address]
    addresses["first_waiting"][address] = -1
    while other >= 0:
        following = hosts["next_waiting"][other]
        hosts["next_waiting"][other] = UNLISTED
        if hosts["state"][other] == WAITING:
            hosts["state"][other] = RESTING
            hosts["ready"][other] = max(hosts["ready"][other], ended_s + hosts["gap"][other])
            place_host(books, other, ended_s)
        other = following


@bare_kernel
def owe(books: Books, host: int, ended_s: float) -> None:
    """A visit that was given up ended after all, or its host's gap grew: host and address owe their gaps from there."""
    hosts, addresses = books.hosts, books.addresses
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


@bare_kernel
def move_card(cards: Cards, till: NDArray[np.void], page: int, state: int) -> None:
    """Change a page's state and the tally of states."""
    till["states"][0, cards["state"][page]] -= 1
    till["states"][0, state] += 1
    cards["state"][page] = state


@bare_kernel
def note_outcome(cards: Cards, till: NDArray[np.void], page: int, outcome: int, ended_s: float, now_s: float) -> float:
    """What a visit's outcome does to the card before any policy sees it; returns the age that the visit ended."""
    age = ended_s - cards["last"][page]
    if outcome <= _UNCHANGED:
        cards["failures"][page] = 0
        cards["last"][page] = ended_s
        cards["not_before"][page] = ended_s
        if cards["state"][page] != HELD:
            cards["base"][page] = -math.inf  # the fringe offer is spent; the refresh policy writes the next
        move_card(cards, till, page, HELD)
    elif outcome == _FAILED:
        tries = cards["failures"][page] + 1
        cards["failures"][page] = min(tries, 255)
        cards["not_before"][page] = now_s + min(RETRY_MOST_S, RETRY_S * 2.0 ** min(tries - 1, 20))
        if tries >= TRIES and cards["state"][page] == FRINGE:
            move_card(cards, till, page, GONE)
    else:
        move_card(cards, till, page, GONE)
    return age


@bare_kernel
def next_time(books: Books) -> float:
    """When to choose again if nothing lands before: ∞ = no offer is open or will open."""
    earliest = math.inf
    if top_host(books, RANK_DUE) >= 0 or top_host(books, RANK_PRICE) >= 0:
        earliest = -math.inf
    page = first_closed(books)
    if page >= 0:
        earliest = min(earliest, books.cards["not_before"][page])
    host = top_host(books, RANK_READY)
    if host >= 0:
        earliest = min(earliest, books.hosts["ready"][host])
    return max(earliest, bucket_opens(books))
