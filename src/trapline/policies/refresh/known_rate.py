"""known-rate: the price of a revisit where each page's change rate and worth are known
(laboratory).

Offers worth·[1 − (1+y)·e^(−y)], y = rate·age (theory/price.py; Cho & Garcia-Molina 2003, `whittle`
eq. 11). Freshness: worth = importance/rate; detections: worth = importance.

>>> import numpy as np
>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards = blank_cards(1)
>>> policy = KnownRate(rates=np.array([0.5]), worths=np.array([2.0]))
>>> policy.settle(cards, 0, Outcome.OK, changed=True, relevance=1.0, news=0.0, age_s=9.0, now_s=7.0)
(0,)
>>> cards["worth"][0].tolist(), cards["rate"][0].tolist()
([2.0, 0.0], [0.5, 0.0])
"""

from __future__ import annotations

import math

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.policies.refresh.card_policy import CardPolicy, Numbers
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _settle(
    cards: Cards,
    numbers: Numbers,
    memory: Numbers,
    page: int,
    outcome: int,
    changed: bool,
    relevance: float,
    news: float,
    age_s: float,
    now_s: float,
) -> int:
    cards["base"][page] = 0.0
    cards["rate"][page, 0] = memory[page, 0]
    cards["worth"][page, 0] = memory[page, 1]
    cards["shape"][page, 0] = math.inf
    if memory[page, 2] > 0.0:  # 0: a page that it was told nothing of
        cards["cost"][page] = memory[page, 2]
    return -1


class KnownRate(CardPolicy):
    roles = frozenset({"refresh"})
    laboratory_only = True
    weighted = True
    columns = 3
    settle_kernel = staticmethod(_settle)

    def __init__(
        self, rates: Numbers, worths: Numbers, costs: Numbers | float = 1.0
    ) -> None:
        super().__init__()
        if not (np.isfinite(rates).all() and (rates > 0).all()):
            raise BadNumber(
                "a change rate",
                rates[~(np.isfinite(rates) & (rates > 0))][0],
                "finite and positive",
            )
        if not (np.isfinite(worths).all() and (worths >= 0).all()):
            raise BadNumber(
                "a worth",
                worths[~(np.isfinite(worths) & (worths >= 0))][0],
                "finite and not negative",
            )
        if not (np.isfinite(costs).all() and np.greater(costs, 0.0).all()):
            raise BadNumber("a cost", costs, "finite and positive")
        self.memory = np.column_stack(
            (rates, worths, np.broadcast_to(costs, rates.shape))
        ).astype(np.float64)
