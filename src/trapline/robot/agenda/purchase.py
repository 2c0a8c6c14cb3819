"""Purchase: which visit to make now, and what it costs.

`choose`: wake the hosts that owe nothing any more and open the offers whose time has come; look for
the dearest held page on an idle host; take it, or the best fringe page if that is dearer.
Work-conserving: an idle host with an open offer never yields nothing.
"""

from __future__ import annotations

import math
from typing import Final

from trapline.core.cards import BY_DUE, BY_PRICE, FRINGE, HELD
from trapline.robot.agenda.candidates import best_held
from trapline.robot.agenda.fringe_prices import fringe_worth
from trapline.robot.agenda.heaps import (
    RANK_DUE,
    RANK_PRICE,
    RANK_READY,
    first_closed,
    pull_card,
    top_card,
    top_host,
)
from trapline.robot.agenda.host_turns import occupy, wake
from trapline.robot.agenda.tables import TO_FRINGE, TO_HELD, UNCONTESTED, Books
from trapline.robot.agenda.turn_order import host_in_turn
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price

DECLINED: Final = -2
SLOWEST: Final = 1e-3  # least step of the running mean of prices
LOCAL_STEP: Final = 0.05  # of a host's own: it sees few visits


@bare_kernel
def _prefer_fringe(
    books: Books, held: int, fringe: int, held_price: float, fringe_price: float
) -> bool:
    """Prices decide where both are finite; else the stated share of contested visits goes to the
    fringe.
    """
    if held < 0 or fringe < 0:
        return held < 0
    if not math.isinf(held_price) and not math.isinf(fringe_price):
        return fringe_price > held_price
    till = books.till
    prefer = till["discovered"][0] < till["share"][0] * (till["contested"][0] + 1)
    till["contest"][0] = TO_FRINGE if prefer else TO_HELD
    return prefer


@bare_kernel
def choose_fringe(books: Books, now_s: float, chosen: int) -> tuple[int, int, float]:
    """The fringe page that would be bought now, if it is one and has a price, its host and its
    score; else −1.
    """
    page, host, price = choose(books, now_s, chosen)
    if page < 0 or math.isinf(price) or books.cards["state"][page] != FRINGE:
        return -1, -1, 0.0
    return page, host, float(books.cards["base"][page])


@bare_kernel
def bucket_opens(books: Books) -> float:
    """When the token bucket next lets a visit through."""
    till = books.till
    return till["free_at"][0] - (till["burst"][0] - 1.0) / till["budget"][0]


@bare_kernel
def choose(books: Books, now_s: float, chosen: int) -> tuple[int, int, float]:
    """(page, host, price) of the visit to make now; page −1 with a host = its robots.txt first;
    host −1 = nothing.

    `chosen` ≥ 0 is a Chooser's pick among held pages; −1 leaves that to the agenda; −2 = the
    Chooser wants nothing.
    """
    if now_s < bucket_opens(books):
        return -1, -1, 0.0
    wake(books, now_s)
    held = best_held(books, now_s) if chosen == -1 else max(chosen, -1)
    fringe_host = top_host(books, RANK_PRICE)
    fringe = top_card(books, BY_PRICE, fringe_host) if fringe_host >= 0 else -1
    if held < 0 and fringe < 0:
        return -1, -1, 0.0
    page, price = _dearer(books, held, fringe, now_s)
    host = books.cards["host"][page]
    turn = host_in_turn(books, host, now_s)
    if turn != host and page != chosen:
        page, price = _best_on_host(books, turn, now_s)
        host = turn
    if books.hosts["rules_until"][host] <= now_s:
        return -1, host, 0.0
    return page, host, price


@bare_kernel
def _dearer(books: Books, held: int, fringe: int, now_s: float) -> tuple[int, float]:
    """Which of the two to visit, and its price; −1 = there is none of that kind."""
    books.till["contest"][0] = UNCONTESTED
    held_price = offer_price(books.cards, held, now_s) if held >= 0 else 0.0
    fringe_price = 0.0
    if fringe >= 0:
        fringe_price = fringe_worth(books, fringe)
    if _prefer_fringe(books, held, fringe, held_price, fringe_price):
        return fringe, fringe_price
    return held, held_price


@bare_kernel
def _best_on_host(books: Books, host: int, now_s: float) -> tuple[int, float]:
    """The page to visit on a host that has something to offer, and its price."""
    held = top_card(books, BY_DUE, host) if books.hosts["due_size"][host] > 0 else -1
    fringe = (
        top_card(books, BY_PRICE, host) if books.hosts["fringe_size"][host] > 0 else -1
    )
    return _dearer(books, held, fringe, now_s)


@bare_kernel
def buy(
    books: Books, now_s: float, chosen: int, reserve: float, usual: float
) -> tuple[int, int, float, float]:
    """Choose and take at once, except that a page under robots rules is left for the controller to
    check first, and that nothing is bought below the reserve: page DECLINED. What has no price is
    worth `usual`.

    Also returns when the token bucket opens next, so that nobody need ask in vain before.
    """
    page, host, price = choose(books, now_s, chosen)
    if page >= 0 and (usual if math.isinf(price) else price) < reserve:
        return DECLINED, -1, price, bucket_opens(books)
    if page >= 0 and not books.hosts["ruled"][host]:
        return page, host, price, take(books, page, price, now_s)
    return page, host, price, bucket_opens(books)


@bare_kernel
def take(books: Books, page: int, price: float, now_s: float) -> float:
    """Buy the visit: spend the budget, note the price, mark card and host taken; says when the
    bucket opens next.
    """
    till = books.till
    hosts = books.hosts
    host = books.cards["host"][page]
    pull_card(books, page)
    occupy(books, host)
    till["free_at"][0] = (
        max(till["free_at"][0], now_s) + books.cards["cost"][page] / till["budget"][0]
    )
    if till["contest"][0] != UNCONTESTED:
        till["contested"][0] += 1
        till["discovered"][0] += till["contest"][0] == TO_FRINGE
        till["contest"][0] = UNCONTESTED
    if not math.isinf(price):
        _pay(books, page, price, now_s)
    if till["last_take"][0] > -math.inf:
        since = now_s - till["last_take"][0]
        till["pace"][0] += (since - till["pace"][0]) * max(
            SLOWEST, 1.0 / (till["visits"][0] + 1)
        )
    till["last_take"][0] = now_s
    till["visits"][0] += 1
    hosts["visits"][host] += 1
    hosts["bonus"][host] = till["explores"][0] / math.sqrt(1.0 + hosts["visits"][host])
    return bucket_opens(books)


@bare_kernel
def settle_cost(books: Books, page: int, units: float) -> None:
    """What a visit has cost is known: the bucket is owed the difference to what was expected."""
    more = units - books.cards["cost"][page]
    books.till["free_at"][0] += more / books.till["budget"][0]


@bare_kernel
def _pay(books: Books, page: int, price: float, now_s: float) -> None:
    """The market price: running mean of what held pages are bought for, which is what the last
    visit bought is worth.

    A fringe page is bought at its whole worth, however dear; it moves the market price only when it
    is cheaper.
    """
    till = books.till
    held = books.cards["state"][page] == HELD
    if held or price < till["market"][0]:
        till["paid"][0] += 1
        till["market"][0] += (price - till["market"][0]) * max(
            SLOWEST, 1.0 / till["paid"][0]
        )
    if held:
        _pay_locally(books, books.cards["host"][page], price, now_s)


@bare_kernel
def _pay_locally(books: Books, host: int, price: float, now_s: float) -> None:
    """The host's own running price; it matters only while it lies above the market's.

    A host that stood idle for longer than its gap is not what is scarce: it has no price of its
    own.
    """
    local = books.hosts["local"][host]
    if now_s - books.hosts["ready"][host] > books.hosts["gap"][host]:
        books.hosts["local"][host] = 0.0
    elif local == 0.0:
        books.hosts["local"][host] = price
    else:
        books.hosts["local"][host] = local + LOCAL_STEP * (price - local)


@bare_kernel
def next_time(books: Books, declined: bool = False) -> float:
    """When to choose again if nothing lands before: ∞ = no offer is open or will open.

    `declined`: a Chooser was asked just now and wants none of the held pages on idle hosts; ask
    when there are more.
    """
    earliest = math.inf
    if (top_host(books, RANK_DUE) >= 0 and not declined) or top_host(
        books, RANK_PRICE
    ) >= 0:
        earliest = -math.inf
    page = first_closed(books)
    if page >= 0:
        earliest = min(earliest, books.cards["not_before"][page])
    host = top_host(books, RANK_READY)
    if host >= 0:
        earliest = min(earliest, books.hosts["wake"][host])
    return max(earliest, bucket_opens(books))
