"""What the request controller asks of each visit's links, as kernels: a page has hundreds, and most
are known.

>>> from trapline.core.cards import FRINGE, UNMET, blank_cards
>>> from trapline.core.links import links_to
>>> cards, kept = blank_cards(3), np.empty(4, np.bool_)
>>> cards["state"] = UNMET, FRINGE, HELD
>>> mark_unfetched(links_to([2, 1, -1, 7], [0, 0, 0, 0]), cards, 5.0, kept), kept.tolist()
(2, [False, True, False, True])
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import GONE, HELD, Cards
from trapline.core.links import Links
from trapline.theory.kernel import bare_kernel

CLUES: Final = ("anchor", "address", "context", "place")


@bare_kernel
def mark_unfetched(
    links: Links, cards: Cards, now_s: float, kept: NDArray[np.bool_]
) -> int:
    """Mark the links that lead to pages never fetched, or gone for so long that they may be back;
    returns how many.
    """
    count = 0
    for i in range(len(links)):
        page = links["page"][i]
        known = page < len(cards) and (
            cards["state"][page] == HELD
            or (cards["state"][page] == GONE and cards["not_before"][page] > now_s)
        )
        kept[i] = page >= 0 and not known
        count += kept[i]
    return count


@bare_kernel
def unsound_clue(links: Links) -> int:
    """Which of the CLUES is not a number on some link; −1 = none."""
    for i in range(len(links)):
        if not math.isfinite(links["anchor"][i]):
            return 0
        if not math.isfinite(links["address"][i]):
            return 1
        if not math.isfinite(links["context"][i]):
            return 2
        if not math.isfinite(links["place"][i]):
            return 3
    return -1


@bare_kernel
def farthest(links: Links) -> tuple[int, int]:
    """The largest numbers of a page and of a host that they lead to; −1 = there are no links."""
    page = host = -1
    for i in range(len(links)):
        page = max(page, links["page"][i])
        host = max(host, links["host"][i])
    return page, host
