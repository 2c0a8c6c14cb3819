"""known-rate: the price of a revisit where change rates and worths are known (laboratory).

Offers worth·[1 − (1+y)·e^(−y)], y = rate·age (theory/price.py; Cho & Garcia-Molina 2003, `whittle`
eq. 11). Freshness: worth = importance/rate; detections: worth = importance.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = KnownRate(rates=np.array([0.5]), worths=np.array([2.0]))
>>> policy.settle(cards, 0, a_visit(age_s=9.0, now_s=7.0))
(0,)
>>> cards["worth"][0].tolist(), cards["rate"][0].tolist()
([2.0, 0.0], [0.5, 0.0])
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import Pages, Seen
from trapline.policies.mind import Records, as_records
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.refresh_policy import Floats, KnownPages
from trapline.theory.kernel import bare_kernel


class Mind(NamedTuple):
    pages: Records


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    cards["base"][page] = 0.0
    cards["rate"][page, 0] = mind.pages["rate"][page]
    cards["worth"][page, 0] = mind.pages["worth"][page]
    cards["shape"][page, 0] = math.inf
    # 0: it was told nothing of what a visit costs
    if mind.pages["cost"][page] > 0.0:
        cards["cost"][page] = mind.pages["cost"][page]
    return 0


class KnownRate(CardPolicy):
    laboratory_only = True
    needs_truth = True
    weighted = True
    page_record = np.dtype(
        [("rate", np.float64), ("worth", np.float64), ("cost", np.float64)]
    )
    settle_kernel = staticmethod(_settle)

    def __init__(
        self, rates: Floats, worths: Floats, costs: Floats | float | None = None
    ) -> None:
        """`costs` of visits; None = what the cards say."""
        if not (np.isfinite(rates).all() and (rates > 0).all()):
            bad = rates[~(np.isfinite(rates) & (rates > 0))][0]
            raise BadNumber("a change rate", bad, "finite and positive")
        if not (np.isfinite(worths).all() and (worths >= 0).all()):
            bad = worths[~(np.isfinite(worths) & (worths >= 0))][0]
            raise BadNumber("a worth", bad, "finite and not negative")
        told = 1.0 if costs is None else costs
        if not (np.isfinite(told).all() and np.greater(told, 0.0).all()):
            raise BadNumber("a cost", costs, "finite and positive")
        kept = np.broadcast_to(0.0 if costs is None else costs, rates.shape)
        table = np.column_stack((rates, worths, kept))
        self.mind = Mind(as_records(table, self.page_record))

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(known.rates, known.weights)
