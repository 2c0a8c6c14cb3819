"""nutch-adaptive: Apache Nutch's AdaptiveFetchSchedule, an interval rule.

With interval I and δ = time since the page was last seen to change: changed I ← 0.8·I, δ = 0;
unchanged I ← 1.4·I; if δ > I then I = δ; next visit at t + clamp(I, least, most) − 0.3·δ. (Source:
Apache Nutch 1.x, `db.fetch.schedule.adaptive.*`: inc_rate 0.4, dec_rate 0.2, sync_delta_rate 0.3,
60 s to 365 days.)

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

from trapline.core.cards import Cards
from trapline.core.ports import Pages, Seen
from trapline.policies.refresh.peers.interval_rule import (
    DAY_S,
    IntervalRule,
    Mind,
    interval_of,
    write_due,
)
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    pages = mind.pages
    # as in Nutch, a page whose last change nobody saw counts as changed when first met
    if seen.changed or pages["interval_s"][page] <= 0.0:
        pages["changed_s"][page] = seen.now_s
    interval_s = interval_of(mind, page) * (0.8 if seen.changed else 1.4)
    since_change = seen.now_s - pages["changed_s"][page]
    interval_s = min(max(interval_s, since_change, mind.least_s), mind.most_s)
    pages["interval_s"][page] = interval_s
    write_due(cards, page, seen.now_s + interval_s - 0.3 * since_change)
    return 0


class NutchAdaptive(IntervalRule):
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interval_s: float = 30 * DAY_S,
        least_s: float = 60.0,
        most_s: float = 365 * DAY_S,
    ) -> None:
        self._keep(interval_s, least_s, most_s)
