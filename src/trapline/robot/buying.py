"""Buying: which visit to make now, what it costs, and what its outcome does to the card.

`choose`: wake the hosts that owe nothing any more and open the offers whose time has come; look for the dearest held
page on an idle host; take it, or the best fringe page if that is dearer. Work-conserving: an idle host with an open
offer never yields nothing.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BY_PRICE, FRINGE, GONE, HELD, NOWHERE, Cards
from trapline.core.links import Links
from trapline.core.ports import Pages
from trapline.core.records import Outcome
from trapline.robot.books import TO_FRINGE, TO_HELD, UNCONTESTED, Books
from trapline.robot.filing import file_card
from trapline.robot.heaps import RANK_DUE, RANK_PRICE, RANK_READY, first_closed, pull_card, top_card, top_host
from trapline.robot.hosting import occupy, wake
from trapline.robot.looking import best_held
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price

Floats = NDArray[np.float64]

LATELY: Final = 100.0  # pages fetched for the first time, over which promises are held against what was kept
LEAST_SCORE: Final = 0.01
HOPE: Final = 1e-6  # no page of the fringe promises less: who has visits to spare sees it in the end

SLOWEST: Final = 1e-3  # least step of the running mean of prices
LOCAL_STEP: Final = 0.05  # of a host's own: it sees few visits
RETRY_S: Final = 60.0  # a page without a usable answer is tried again after this, doubled each time,
RETRY_MOST_S: Final = 86400.0  # up to a day;
TRIES: Final = 5  # a fringe page is given up after this many
RETURN_S: Final = 86_400.0  # a page that was held and is gone may be met again after this;
RETURN_NEW_S: Final = 7 * 86_400.0  # one that never was, after this;
RETURN_SKIPPED_S: Final = 90 * 86_400.0  # one that is of no use to us, after this

_OK, _GONE, _SKIPPED = int(Outcome.OK), int(Outcome.GONE), int(Outcome.SKIPPED)
_UNCHANGED = int(Outcome.UNCHANGED)  # up to here we know what the page holds
_FAILED = int(Outcome.FAILED)


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
def fringe_worth(books: Books, page: int) -> float:
    """The price of a fringe page: what it and its host's strangeness promise, times the worth of a relevant page."""
    cards = books.cards
    score = cards["base"][page] / cards["cost"][page] + books.hosts["bonus"][cards["host"][page]]
    return float(books.till["worth"][0] * max(score, HOPE))


@bare_kernel
def offer_fringe(books: Books, pages: Pages, scores: Floats, since_s: Floats, shares: Floats, now_s: float) -> bool:
    """Write the scores of fringe pages, each times the share of its host, and file them; those being visited are only
    written on. False = one of the scores is not a number, and nothing was done.
    """
    cards = books.cards
    for i in range(len(pages)):
        if math.isnan(scores[i]):
            return False
    for i in range(len(pages)):
        page = pages[i]
        if cards["state"][page] != FRINGE:
            continue
        taken = cards["filed"][page] == NOWHERE and cards["base"][page] > -math.inf
        cards["base"][page] = scores[i] * shares[cards["host"][page]]
        if cards["not_before"][page] <= now_s:  # else it waits for robots.txt, or to be tried again
            cards["not_before"][page] = since_s[i]
        if not taken:
            file_card(books, page, now_s)
    return True


@bare_kernel
def choose_fringe(books: Books, now_s: float, chosen: int) -> tuple[int, int, float]:
    """The fringe page that would be bought now, if it is one and has a price, its host and its score; else −1."""
    page, host, price = choose(books, now_s, chosen)
    if page < 0 or math.isinf(price) or books.cards["state"][page] != FRINGE:
        return -1, -1, 0.0
    return page, host, float(books.cards["base"][page])


@bare_kernel
def rewrite_fringe(books: Books, page: int, score: float, now_s: float) -> None:
    """Another score on a fringe page that waits."""
    books.cards["base"][page] = score
    file_card(books, page, now_s)


@bare_kernel
def note_promise(till: NDArray[np.void], score: float, relevance: float) -> None:
    """A page of the fringe that promised `score` was found to be so relevant.

    Pages are bought in order of their scores, so those of late are like those bought next: what they kept of their
    promise turns scores into what may be expected. (A score is no mean: it counts what a page may open, and the
    largest of many that are unsure is too large.)
    """
    till["promised"][0] += max(score, LEAST_SCORE) - till["promised"][0] / LATELY
    till["kept"][0] += relevance - till["kept"][0] / LATELY


@bare_kernel
def share_kept(till: NDArray[np.void]) -> float:
    """What pages keep of what their scores promise; never nothing, or a crawl without luck would give up."""
    return float(max(till["kept"][0] / till["promised"][0], LEAST_SCORE))


@bare_kernel
def promise(links: Links, link: int) -> float:
    """What the words of a link promise, whichever of them promise most."""
    return float(max(links["anchor"][link], links["address"][link], links["context"][link]))


@bare_kernel
def promised_news(books: Books, links: Links, new: NDArray[np.bool_]) -> float:
    """What all new links promise beyond the market price; as much as their words do, where one has no price."""
    market, news, words, priced = books.till["market"][0] / books.till["worth"][0], 0.0, 0.0, True
    for i in range(len(links)):
        if new[i]:
            score = float(books.cards["base"][links["page"][i]])
            priced = priced and not math.isinf(score)
            news += max(score - market, 0.0)
            words += promise(links, i)
    return news if priced else words


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
        fringe_price = fringe_worth(books, fringe)
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
        return page, host, price, take(books, page, price, now_s)
    return page, host, price, bucket_opens(books)


@bare_kernel
def take(books: Books, page: int, price: float, now_s: float) -> float:
    """Buy the visit: spend the budget, note the price, mark card and host taken; says when the bucket opens next."""
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
        _pay(books, page, price, now_s)
    if till["last_take"][0] > -math.inf:
        since = now_s - till["last_take"][0]
        till["pace"][0] += (since - till["pace"][0]) * max(SLOWEST, 1.0 / (till["visits"][0] + 1))
    till["last_take"][0] = now_s
    till["visits"][0] += 1
    hosts["visits"][host] += 1
    hosts["bonus"][host] = till["explores"][0] / math.sqrt(1.0 + hosts["visits"][host])
    return bucket_opens(books)


@bare_kernel
def _pay(books: Books, page: int, price: float, now_s: float) -> None:
    """The market price: running mean of what held pages are bought for, which is what the last visit bought is worth.

    A fringe page is bought at its whole worth, however dear; it moves the market price only when it is cheaper.
    """
    till, held = books.till, books.cards["state"][page] == HELD
    if held or price < till["market"][0]:
        till["paid"][0] += 1
        till["market"][0] += (price - till["market"][0]) * max(SLOWEST, 1.0 / till["paid"][0])
    if held:
        _pay_locally(books, books.cards["host"][page], price, now_s)


@bare_kernel
def _pay_locally(books: Books, host: int, price: float, now_s: float) -> None:
    """The host's own running price; it matters only while it lies above the market's.

    A host that stood idle for longer than its gap is not what is scarce: it has no price of its own.
    """
    local = books.hosts["local"][host]
    if now_s - books.hosts["ready"][host] > books.hosts["gap"][host]:
        books.hosts["local"][host] = 0.0
    elif local == 0.0:
        books.hosts["local"][host] = price
    else:
        books.hosts["local"][host] = local + LOCAL_STEP * (price - local)


@bare_kernel
def move_card(cards: Cards, till: NDArray[np.void], page: int, state: int) -> None:
    """Change a page's state and the tally of states."""
    till["states"][0, cards["state"][page]] -= 1
    till["states"][0, state] += 1
    cards["state"][page] = state


@bare_kernel
def strike(books: Books, page: int, state: int, now_s: float) -> None:
    """A page is never to be visited again (GONE), or is as if nobody had led to it yet (UNMET)."""
    books.cards["base"][page] = -math.inf
    books.cards["not_before"][page] = math.inf if state == GONE else -math.inf
    file_card(books, page, now_s)
    move_card(books.cards, books.till, page, state)


@bare_kernel
def _give_up(cards: Cards, till: NDArray[np.void], page: int, outcome: int, now_s: float) -> None:
    """The page is gone. Sites err and mend: a link that leads there later brings it back, sooner if it was held."""
    move_card(cards, till, page, GONE)
    wait_s = RETURN_SKIPPED_S if outcome == _SKIPPED else RETURN_NEW_S
    cards["not_before"][page] = now_s + (RETURN_S if cards["last"][page] > -math.inf else wait_s)


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
            _give_up(cards, till, page, outcome, now_s)
    else:
        _give_up(cards, till, page, outcome, now_s)
    return age


@bare_kernel
def note_visit(books: Books, page: int, outcome: int, relevance: float, ended_s: float, now_s: float) -> float:
    """`note_outcome`, and what the page kept of its promise if this was its first visit."""
    cards, till = books.cards, books.till
    taught = outcome in (_OK, _GONE, _SKIPPED)  # says what a link was worth
    if taught and cards["state"][page] == FRINGE and math.isfinite(cards["base"][page]):
        note_promise(till, float(cards["base"][page]), relevance)
    return note_outcome(cards, till, page, outcome, ended_s, now_s)


@bare_kernel
def next_time(books: Books, declined: bool = False) -> float:
    """When to choose again if nothing lands before: ∞ = no offer is open or will open.

    `declined`: a Chooser was asked just now and wants none of the held pages on idle hosts; ask when there are more.
    """
    earliest = math.inf
    if (top_host(books, RANK_DUE) >= 0 and not declined) or top_host(books, RANK_PRICE) >= 0:
        earliest = -math.inf
    page = first_closed(books)
    if page >= 0:
        earliest = min(earliest, books.cards["not_before"][page])
    host = top_host(books, RANK_READY)
    if host >= 0:
        earliest = min(earliest, books.hosts["ready"][host])
    return max(earliest, bucket_opens(books))
