"""nutch-adaptive: Apache Nutch's AdaptiveFetchSchedule, an interval rule (PEERS.md).

With interval I and δ = time since the page was last seen to change: changed I ← 0.8·I, δ = 0;
unchanged I ← 1.4·I; if δ > I then I = δ; next visit at t + clamp(I, least, most) − 0.3·δ.

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards, policy = blank_cards(1), NutchAdaptive(interval_s=1000.0)
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=1.0, news=0.0, age_s=9.0, now_s=0.0)
>>> float(cards["not_before"][0])
800.0
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=False, relevance=1.0, news=0.0, age_s=800.0, now_s=800.0)
>>> float(cards["not_before"][0])  # 800 + 1120 − 0.3·800
1680.0
"""

from __future__ import annotations

import math

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.policies.refresh.card_policy import CardPolicy, Numbers
from trapline.theory.kernel import bare_kernel

DAY_S = 86400.0


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
    first = numbers[0]
    least = numbers[1]
    most = numbers[2]
    known = memory[page, 0] > 0.0
    interval = memory[page, 0] if known else first
    # as in Nutch, a page whose last change nobody saw counts as changed when first met
    if changed or not known:
        memory[page, 1] = now_s
    interval *= 0.8 if changed else 1.4
    since_change = now_s - memory[page, 1]
    interval = min(max(interval, since_change, least), most)
    memory[page, 0] = interval
    cards["base"][page] = math.inf
    cards["not_before"][page] = now_s + interval - 0.3 * since_change
    return -1


class NutchAdaptive(CardPolicy):
    roles = frozenset({"refresh"})
    columns = 2  # interval, time of the last change seen
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interval_s: float = 30 * DAY_S,
        least_s: float = 60.0,
        most_s: float = 365 * DAY_S,
    ) -> None:
        if not 0.0 < least_s <= most_s < math.inf or not interval_s > 0.0:
            raise BadNumber(
                "least_s",
                least_s,
                f"positive and at most most_s ({most_s}), like interval_s ({interval_s})",
            )
        super().__init__(interval_s, least_s, most_s)
