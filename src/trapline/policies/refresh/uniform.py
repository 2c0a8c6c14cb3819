"""uniform: revisit held pages in turn, the one visited longest ago first (round-robin).

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards = blank_cards(1)
>>> Uniform().settle(cards, 0, Outcome.OK, changed=True, relevance=1.0, news=0.0, age_s=9.0, now_s=7.0)
(0,)
>>> cards["base"][0], cards["not_before"][0]
(np.float32(inf), np.float64(0.0))
"""

from __future__ import annotations

import math

from trapline.core.cards import Cards
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
    # the controller has set not_before to the end of this visit
    cards["base"][page] = math.inf
    return -1


class Uniform(CardPolicy):
    roles = frozenset({"refresh"})
    settle_kernel = staticmethod(_settle)
