"""cho: visits evenly spaced, as often as is best for freshness by estimated change rates.

(m/D)·[1 − (1 + y)·e^(−y)] = λ with y = D/f, the same λ for all pages that are visited; a page with
m/D < λ is not. D is the bias-reduced estimate −ln((n − X + ½)/(n + ½))/g of n visits, g apart on
average, of which X found a change; half a change in all the time if there was none. (Sources: Cho &
Garcia-Molina, "Effective page refresh policies" and "Estimating frequency of change", 2003.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = Cho()
>>> for day in range(1, 5):
...     seen = a_visit(changed=day != 3, age_s=86400.0, now_s=86400.0 * day)
...     _ = policy.settle(cards, 0, seen)
>>> policy.explain(0, 0).lines[0]  # −ln(1.5/4.5)
('estimated changes', '1.1 a day')
"""

from __future__ import annotations

from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.budget_share import BIAS_REDUCED
from trapline.policies.refresh.peers.visit_rates import EVEN


class Cho(Allocation):
    weighted = True

    def __init__(
        self, slowest_s: float = 315_360_000.0, fastest_s: float = 10.0
    ) -> None:
        self._keep(EVEN, BIAS_REDUCED, slowest_s=slowest_s, fastest_s=fastest_s)
