"""Cards: what the scheduler knows of every page, one record of 64 bytes each; and of every host and
address.

A policy writes an *offer* on a card as data, never as a callback:

    price(t) = base + Σ worth·[1 − (1+u)^−(shape+1)·(1+(shape+1)·u)],  u = rate·t/shape,  t = time
    since `last`

which is worth·[1 − (b/(b+t))^a·(1 + a·t/(b+t))] with a = shape, b = shape/rate; shape = ∞ is the
exponential worth·[1 − (1+y)e^(−y)], y = rate·t. Nothing is offered before `not_before`. base = ∞
says "due, not comparable by price" (interval rules, round-robin, first-in-first-out): earlier
`not_before` goes first.

On the card of a fringe page `base` is a score, in relevance; its price is (base/cost + its host's
bonus), times what a relevant page is worth.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

TERMS: Final = 2  # gains that a page may add up: freshness and news
OTHERS: Final = 8  # cards beside the visited one that a policy may write at a visit

FRINGE: Final = 0  # states of a page
HELD: Final = 1
GONE: Final = 2
UNMET: Final = 3  # it has a number, but no link to it was followed up yet

# where the agenda has a card: nowhere (taken, gone, or nothing offered),
NOWHERE: Final = 0
BY_DUE: Final = 1  # in its host's heap by due time,
BY_PRICE: Final = 2  # in its host's heap by price (fringe),
CLOSED: Final = 3  # or in the heap of offers that open later

UNLOCATED: Final = 0  # states of a host: its address is not known yet,
RESTING: Final = 1  # nothing is offered there,
IDLE: Final = 2  # it may be visited now,
COOLING: Final = 3  # it owes its gap,
BUSY: Final = 4  # a visit is under way,
WAITING: Final = 5  # another host on its address is busy,
BLOCKED: Final = 6  # it may not be visited

CARD: Final = np.dtype(
    [
        ("host", np.int32),
        ("state", np.uint8),  # FRINGE, HELD, GONE or UNMET
        # where the agenda has it: NOWHERE, BY_DUE, BY_PRICE or CLOSED
        ("filed", np.uint8),
        ("depth", np.uint8),  # links from a seed, at most 255
        ("failures", np.uint8),  # visits in a row without a usable answer
        ("last", np.float64),  # end of the last visit, seconds; −∞ = never visited
        ("not_before", np.float64),
        # where the agenda filed it; derived from the offer and the market price of that moment
        ("due", np.float64),
        ("base", np.float32),
        ("cost", np.float32),
        ("worth", np.float32, (TERMS,)),
        ("rate", np.float32, (TERMS,)),
        ("shape", np.float32, (TERMS,)),
    ]
)
assert CARD.itemsize == 64

HOST: Final = np.dtype(
    [
        # seconds owed between the end of one visit and the start of the next
        ("gap", np.float64),
        (
            "ready",
            np.float64,
        ),  # not before this may the host be visited, whatever its address owes
        ("rules_until", np.float64),  # until when its robots.txt is known
        ("local", np.float64),  # running mean of the finite prices paid here
        ("key", np.float64),  # when its earliest-due card reaches the market price
        # on the score of its fringe pages: the less it was visited, the more there is to learn
        ("bonus", np.float64),
        # its segment of the pile pool: due heap from the left, fringe heap from the right
        ("start", np.int64),
        ("room", np.int32),
        ("due_size", np.int32),
        ("fringe_size", np.int32),
        ("pages", np.int32),
        ("address", np.int32),  # −1 = not located yet
        ("state", np.uint8),  # UNLOCATED … BLOCKED
        # its robots.txt has rules: each page is checked before it is taken
        ("ruled", np.uint8),
        ("visits", np.int64),
        # its places in the heaps of hosts: by due, by fringe price, by ready time
        ("slot", np.int32, (3,)),
        ("next_waiting", np.int32),  # list of hosts that wait for the same busy address
        ("wake", np.float64),  # when it is looked at next, while it cools
        ("served", np.float64),  # end of its last visit; −∞ = never visited
    ]
)

ADDRESS: Final = np.dtype(
    [
        ("ended", np.float64),  # end of the last visit to any host there
        # list of hosts that want it while it is busy; −1 = none
        ("first_waiting", np.int32),
        ("busy", np.uint8),
        ("gap", np.float64),  # the shortest that a host there has had
    ]
)

Cards = NDArray[np.void]
Hosts = NDArray[np.void]


def blank_cards(count: int) -> Cards:
    """Cards of pages that nobody has met: never visited, no offer (base −∞)."""
    cards = np.zeros(count, CARD)
    cards["state"] = UNMET
    cards["last"] = -np.inf
    cards["due"] = np.inf
    cards["base"] = -np.inf
    cards["cost"] = 1.0
    cards["shape"] = np.inf
    return cards
