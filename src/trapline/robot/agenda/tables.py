"""The books of the agenda: every array that its kernels see, in one tuple.

Cards, hosts, addresses and the till are state and are saved; places, piles and ranks are heaps that
can be rebuilt from them. The agenda's answers depend on the state alone, never on how a heap
happens to be laid out: all orders are total (ties end at the page or host number), so a rebuilt
agenda gives the same tickets.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import ADDRESS, HOST, blank_cards

TILL: Final = np.dtype(
    [
        ("market", np.float64),  # running mean of the finite prices paid
        ("paid", np.int64),  # how many finite prices were paid
        ("budget", np.float64),  # visits a second; ∞ = as many as manners allow
        ("burst", np.float64),
        ("free_at", np.float64),  # when the bucket is full again if nothing is spent
        ("pace", np.float64),  # running mean of the seconds between two visits
        ("last_take", np.float64),
        ("share", np.float64),  # of the budget for discovery where prices cannot decide
        # of one relevant page found: what turns scores of the fringe into prices
        ("worth", np.float64),
        # by the scores of the pages fetched lately for the first time, and
        ("promised", np.float64),
        ("kept", np.float64),  # how relevant they were
        # what a host never visited adds to the score of its pages
        ("explores", np.float64),
        ("discovered", np.int64),  # contested visits that went to the fringe, and
        ("contested", np.int64),  # all of them
        # the choice just made, until it is taken: UNCONTESTED, TO_HELD or TO_FRINGE
        ("contest", np.int64),
        ("cards", np.int64),
        ("hosts", np.int64),
        ("addresses", np.int64),
        # how many pages are FRINGE, HELD, GONE (UNMET is not kept)
        ("states", np.int64, (4,)),
        ("visits", np.int64),
        ("closed", np.int64),  # size of the heap of closed cards
        ("ranked", np.int64, (3,)),  # sizes of the heaps of hosts
        ("pile_end", np.int64),
        # the card that was last looked at on the round through all cards
        ("patrol", np.int64),
    ]
)

# what is expected of scores before any page was fetched: as if they had promised so much,
PROMISED: Final = 50.0
KEPT: Final = 0.7  # and kept this share of it

UNCONTESTED: Final = 0
TO_HELD: Final = 1
TO_FRINGE: Final = 2

# in hosts["next_waiting"]: the host is not on the list of its address (−1 ends a list)
UNLISTED: Final = -2

LOOK: Final = 8  # how many of the earliest-due cards are priced at each choice


class Books(NamedTuple):
    cards: NDArray[np.void]
    hosts: NDArray[np.void]
    addresses: NDArray[np.void]
    till: NDArray[np.void]  # one record
    # row 0: each card's place in its heap; row 1: the heap of closed cards by opening time
    places: NDArray[np.int32]
    # segments of the hosts: due heap from the left, fringe heap from the right
    piles: NDArray[np.int32]
    # three heaps of hosts, one a row: by due time, by fringe price, by ready time
    ranks: NDArray[np.int32]
    front: NDArray[np.float64]  # scratch of the search for the earliest-due cards


def new_books(budget_per_s: float, burst: float, share: float) -> Books:
    till = np.zeros(1, TILL)
    till["budget"] = budget_per_s
    till["burst"] = burst
    till["share"] = share
    till["free_at"] = till["last_take"] = -np.inf
    till["worth"] = 1.0
    till["promised"] = PROMISED
    till["kept"] = KEPT * PROMISED
    return Books(
        cards=blank_cards(16),
        hosts=np.zeros(4, HOST),
        addresses=np.zeros(4, ADDRESS),
        till=till,
        places=np.zeros((2, 16), np.int32),
        piles=np.zeros(32, np.int32),
        ranks=np.zeros((3, 4), np.int32),
        front=np.zeros((4 * LOOK, 4), np.float64),
    )
