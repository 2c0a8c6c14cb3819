"""aduana: visits in proportion to the change rate that was seen.

A page crawled twice or more asks for scale × (changes seen)/(last − first crawl); before, for a set
default, here the mean of all pages. A page that was never seen to change asks for none. `scale` is
left to the budget. (Source: scrapinghub/aduana, freq_algo.c and freq_scheduler.c, 2015.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = Aduana()
>>> for day in range(1, 5):
...     seen = a_visit(changed=day != 3, age_s=86400.0, now_s=86400.0 * day)
...     _ = policy.settle(cards, 0, seen)
>>> policy.explain(0, 0).lines[0]
('estimated changes', '0.75 a day')
"""

from __future__ import annotations

from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.budget_share import NAIVE
from trapline.policies.refresh.peers.visit_rates import CHANGES


class Aduana(Allocation):
    def __init__(self) -> None:
        self._keep(CHANGES, NAIVE)
