"""Visits that a person ordered: such a page is due at once, whatever its price.

Its offer is written over until it was visited, and what stood there is put back then. The market
price learns nothing from it, as from all that is bought without one.
"""

from __future__ import annotations

import numpy as np

from trapline.core.cards import FRINGE, HELD, Cards
from trapline.core.ports import Arrays


class OrderedVisits:
    def __init__(self) -> None:
        self._bases: dict[int, float] = {}  # page → the base of its offer before

    def order(self, cards: Cards, page: int) -> bool:
        """Whether the page may be visited at all, and is due now."""
        if page >= len(cards) or cards["state"][page] not in (FRINGE, HELD):
            return False
        self._bases.setdefault(page, float(cards["base"][page]))
        cards["base"][page] = np.inf
        # before whatever is due by its interval
        cards["not_before"][page] = -np.inf
        return True

    def __contains__(self, page: int) -> bool:
        return page in self._bases

    def fulfil(self, cards: Cards, page: int) -> None:
        """The page was visited, or is struck: its offer is what it was."""
        base = self._bases.pop(page, None)
        if base is not None and np.isposinf(cards["base"][page]):
            cards["base"][page] = base

    def save(self) -> Arrays:
        rows = list(self._bases.items())
        return {"bases": np.array(rows, np.float64).reshape(-1, 2)}

    def load(self, saved: Arrays) -> None:
        """Nothing is saved by those who knew of no orders."""
        rows = np.asarray(saved.get("bases", ()), np.float64).reshape(-1, 2)
        self._bases = {int(page): base for page, base in rows.tolist()}
