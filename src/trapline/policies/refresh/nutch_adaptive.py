"""nutch-adaptive: Apache Nutch's AdaptiveFetchSchedule, an interval rule.

With interval I and δ = time since the page was last seen to change: changed I ← 0.8·I, δ = 0;
unchanged I ← 1.4·I; if δ > I then I = δ; next visit at t + clamp(I, least, most) − 0.3·δ.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = NutchAdaptive(interval_s=1000.0)
>>> _ = policy.settle(cards, 0, a_visit(changed=True, age_s=9.0, now_s=0.0))
>>> float(cards["not_before"][0])
800.0
>>> _ = policy.settle(cards, 0, a_visit(changed=False, age_s=800.0, now_s=800.0))
>>> float(cards["not_before"][0])  # 800 + 1120 − 0.3·800
1680.0
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import Pages, Seen
from trapline.policies.mind import Records
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.theory.kernel import bare_kernel

DAY_S = 86400.0


class Mind(NamedTuple):
    interval_s: float  # of a page never seen before
    least_s: float
    most_s: float
    pages: Records


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    pages = mind.pages
    known = pages["interval_s"][page] > 0.0
    interval_s = pages["interval_s"][page] if known else mind.interval_s
    # as in Nutch, a page whose last change nobody saw counts as changed when first met
    if seen.changed or not known:
        pages["changed_s"][page] = seen.now_s
    interval_s *= 0.8 if seen.changed else 1.4
    since_change = seen.now_s - pages["changed_s"][page]
    interval_s = min(max(interval_s, since_change, mind.least_s), mind.most_s)
    pages["interval_s"][page] = interval_s
    cards["base"][page] = math.inf
    cards["not_before"][page] = seen.now_s + interval_s - 0.3 * since_change
    return 0


class NutchAdaptive(CardPolicy):
    page_record = np.dtype([("interval_s", np.float64), ("changed_s", np.float64)])
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
        settings = (float(interval_s), float(least_s), float(most_s))
        self.mind = Mind(*settings, np.zeros(0, self.page_record))

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """A round is as many seconds as there are pages."""
        return cls(float(len(known)), 1.0, 1_000.0 * len(known))

    def move_times(self, by_s: float) -> None:
        self.mind.pages["changed_s"] += by_s
