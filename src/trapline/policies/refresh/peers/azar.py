"""azar: the most freshness that visits timed by Poisson processes can have, for the budget.

Σ m·f/(f + D) is greatest, at Σ f = B, for f = √(mD)·(B + ΣD)/Σ√(mD) − D over the pages that are
kept: those of least m/D are dropped until all f are positive. (Source: Azar, Horvitz, Lubetzky,
Peres & Shahaf, "Tractable near-optimal policies for crawling", PNAS 2018; Microsoft.)

The paper takes change rates as known. They are estimated as LambdaCrawl does, but with imaginary
gaps after which a page is first taken to change as often as all pages do: with its half a day a new
page is taken to change 1.4 times a day, looks hopeless, and is not visited again. `timing` =
"even" spaces the same visits evenly.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = Azar()
>>> for day in range(1, 21):
...     seen = a_visit(changed=day % 4 == 0, age_s=86400.0, now_s=86400.0 * day)
...     _ = policy.settle(cards, 0, seen)
>>> policy.explain(0, 0).lines[0]  # 5/(e^D − 1) + c/(e^(Dc) − 1) = 15 + c, c = ln 2/ln(20.5/15.5)
('estimated changes', '0.286 a day')
"""

from __future__ import annotations

from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.visit_rates import POISSON


class Azar(Allocation):
    weighted = True

    def __init__(self, timing: str = "poisson", seed: float = 0) -> None:
        self._keep(POISSON, timing=timing, seed=seed)
