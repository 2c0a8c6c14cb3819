"""Looking: the dearest held page, without pricing them all.

Cards are filed at the time their offer reaches the market price. The market moves on, so a card may
have been filed at an old price: one that is due but no longer worth it is filed anew when it is
looked at; one that is worth it already, but filed for later, is found by the patrol that walks
through all cards. What is due ripens, and of the ripe the dearest are priced.
"""

from __future__ import annotations

import math
from typing import Final

from trapline.core.cards import BY_DUE
from trapline.robot.agenda.filing import file_card, keep_ripe, ripening_price
from trapline.robot.agenda.heap_walks import dearest_row, look
from trapline.robot.agenda.heaps import is_ripe, top_card
from trapline.robot.agenda.host_heaps import RANK_DUE, top_host
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price

REFILINGS: Final = 8  # how many stale cards one look may file anew
RIPENINGS: Final = 8  # how many due cards one choice looks at
STALE: Final = 0.95
# cards passed on each look: a round takes a quarter of the time that visiting them all takes
PATROL: Final = 4


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
        waits = cards["filed"][page] == BY_DUE and cards["due"][page] > now_s
        if waits and not is_ripe(books, page):
            price = offer_price(cards, page, now_s)
            if price < math.inf and price > ripening_price(books):
                file_card(books, page, now_s)
    till["patrol"][0] = page


@bare_kernel
def _ripen(books: Books, now_s: float) -> None:
    """Look at the cards of idle hosts that are due: what is worth it is ripe from now on, or stays
    so at its new price; what is not is filed for later. Ends at one that has no price.
    """
    for _ in range(RIPENINGS):
        host = top_host(books, RANK_DUE)
        if books.hosts["key"][host] > now_s:
            return
        page = top_card(books, BY_DUE, host)
        if books.cards["base"][page] == math.inf:
            return
        if offer_price(books.cards, page, now_s) >= STALE * ripening_price(books):
            keep_ripe(books, page, now_s)
        else:
            file_card(books, page, now_s)


@bare_kernel
def best_held(books: Books, now_s: float) -> int:
    """The dearest held card on idle hosts, of the ripe ones and, where they are few, of the
    earliest-due; −1 = none is open.
    """
    if top_host(books, RANK_DUE) < 0:
        return -1
    _ripen(books, now_s)
    first = top_card(books, BY_DUE, top_host(books, RANK_DUE))
    # not comparable by price: the earliest is the one
    if books.cards["base"][first] == math.inf:
        return first
    _patrol(books, now_s, PATROL)
    least = STALE * ripening_price(books)
    refiled = 0
    while True:
        found = look(books, -1, now_s)
        best = dearest_row(books, found)
        page = int(books.front[best, 1])
        price = books.front[best, 0]
        stale = 0
        for row in range(found):
            other = int(books.front[row, 1])
            if (
                is_ripe(books, other)
                and refiled < REFILINGS
                and books.front[row, 0] < least
            ):
                file_card(books, other, now_s)
                refiled += 1
                stale += 1
        if stale == 0 or refiled >= REFILINGS or price >= least:
            return page


@bare_kernel
def best_held_on(books: Books, host: int, now_s: float) -> int:
    """The held card to visit on one host; −1 = it has none that is open."""
    if books.hosts["due_size"][host] == 0:
        return -1
    first = top_card(books, BY_DUE, host)
    if books.cards["base"][first] == math.inf:
        return first
    found = look(books, host, now_s)
    return int(books.front[dearest_row(books, found), 1])
