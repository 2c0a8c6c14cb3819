"""What the outcome of a visit does to a card: held, tried again later, or gone."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, GONE, HELD, NOWHERE, Cards
from trapline.core.records import Outcome
from trapline.robot.agenda.filing import file_card
from trapline.robot.agenda.fringe_prices import note_promise
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel

# a page without a usable answer is tried again after this, doubled each time,
RETRY_S: Final = 60.0
RETRY_MOST_S: Final = 86400.0  # up to a day;
TRIES: Final = 5  # a fringe page is given up after this many
# a page that was held and is gone may be met again after this;
RETURN_S: Final = 86_400.0
RETURN_NEW_S: Final = 7 * 86_400.0  # one that never was, after this;
RETURN_SKIPPED_S: Final = 90 * 86_400.0  # one that is of no use to us, after this

_OK = int(Outcome.OK)
_GONE = int(Outcome.GONE)
_SKIPPED = int(Outcome.SKIPPED)
_UNCHANGED = int(Outcome.UNCHANGED)  # up to here we know what the page holds
_FAILED = int(Outcome.FAILED)


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
def _give_up(
    cards: Cards, till: NDArray[np.void], page: int, outcome: int, now_s: float
) -> None:
    """The page is gone.

    Sites err and mend: a link that leads there later brings it back, sooner if it was held.
    """
    move_card(cards, till, page, GONE)
    wait_s = RETURN_SKIPPED_S if outcome == _SKIPPED else RETURN_NEW_S
    cards["not_before"][page] = now_s + (
        RETURN_S if cards["last"][page] > -math.inf else wait_s
    )


@bare_kernel
def note_outcome(
    cards: Cards,
    till: NDArray[np.void],
    page: int,
    outcome: int,
    ended_s: float,
    now_s: float,
) -> float:
    """What a visit's outcome does to the card before any policy sees it; returns the age that the
    visit ended.
    """
    age = ended_s - cards["last"][page]
    if outcome <= _UNCHANGED:
        cards["failures"][page] = 0
        cards["last"][page] = ended_s
        cards["not_before"][page] = ended_s
        if cards["state"][page] != HELD:
            # the fringe offer is spent; the refresh policy writes the next
            cards["base"][page] = -math.inf
        move_card(cards, till, page, HELD)
    elif outcome == _FAILED:
        tries = cards["failures"][page] + 1
        cards["failures"][page] = min(tries, 255)
        cards["not_before"][page] = now_s + min(
            RETRY_MOST_S, RETRY_S * 2.0 ** min(tries - 1, 20)
        )
        if tries >= TRIES and cards["state"][page] == FRINGE:
            _give_up(cards, till, page, outcome, now_s)
    else:
        _give_up(cards, till, page, outcome, now_s)
    return age


@bare_kernel
def note_visit(
    books: Books,
    page: int,
    outcome: int,
    relevance: float,
    ended_s: float,
    now_s: float,
) -> float:
    """`note_outcome`, and what the page kept of its promise if this was its first visit."""
    cards = books.cards
    till = books.till
    taught = outcome in (_OK, _GONE, _SKIPPED)  # says what a link was worth
    if taught and cards["state"][page] == FRINGE and math.isfinite(cards["base"][page]):
        note_promise(till, float(cards["base"][page]), relevance)
    return note_outcome(cards, till, page, outcome, ended_s, now_s)


@bare_kernel
def close_offers(books: Books, pages: NDArray[np.int64], now_s: float) -> None:
    """Pages that robots.txt forbids are not offered until their host's rules are read anew."""
    cards = books.cards
    for page in pages:
        if page < len(cards) and cards["filed"][page] != NOWHERE:
            until_s = books.hosts["rules_until"][cards["host"][page]]
            cards["not_before"][page] = max(until_s, now_s + 1.0)
            file_card(books, page, now_s)
