"""stormcrawler-adaptive: Apache StormCrawler's AdaptiveScheduler, an interval rule.

With interval I: changed I ← (1 − d)·I + d·I_min; unchanged I ← min((1 + i)·I, I_max). (Source:
Apache StormCrawler 3, `scheduler.adaptive.fetchInterval.*`: i = 0.5, d = 0.5, 1 hour to 14 days; a
page begins at `fetchInterval.default`, one day, which its first visit leaves as it is.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = StormCrawlerAdaptive(interval_s=1000.0, least_s=100.0)
>>> waits = []
>>> for now_s, changed in ((0.0, True), (1000.0, False), (2500.0, True)):
...     age_s = now_s if now_s else float("inf")
...     _ = policy.settle(cards, 0, a_visit(changed=changed, age_s=age_s, now_s=now_s))
...     waits.append(float(cards["not_before"][0]) - now_s)
>>> waits  # 1000·1.5, then 0.5·1500 + 0.5·100
[1000.0, 1500.0, 800.0]
"""

from __future__ import annotations

import math

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
    interval_s = interval_of(mind, page)
    if not math.isinf(seen.age_s):
        if seen.changed:
            interval_s -= mind.shorter * (interval_s - mind.least_s)
        else:
            interval_s = min((1.0 + mind.longer) * interval_s, mind.most_s)
    mind.pages["interval_s"][page] = interval_s
    write_due(cards, page, seen.now_s + interval_s)
    return 0


class StormCrawlerAdaptive(IntervalRule):
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interval_s: float = DAY_S,
        least_s: float = 3600.0,
        most_s: float = 14 * DAY_S,
        longer: float = 0.5,
        shorter: float = 0.5,
    ) -> None:
        self._keep(interval_s, least_s, most_s, longer=longer, shorter=shorter)
