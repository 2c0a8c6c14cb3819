"""The exact posterior of one page's change rate on a grid of rates, with forgetting: the reference
for `evidence`.

Bayes' rule at each visit: w_i ← w_i·(1 − e^(−D_i·t)) after a gap t with a change, w_i·e^(−D_i·t)
without. Forgetting is a page that may change its ways: with hazard h its rate is drawn anew from
the prior, w ← e^(−h·t)·w + (1 − e^(−h·t))·prior before each visit (h ≈ 1e-9 … 1e-8 a
step).

>>> page = GridRate(rate_grid(fastest=1.0, slowest=1000.0, count=31))
>>> for _ in range(20):
...     page.update(gap=10.0, changed=False)
>>> page.update(gap=10.0, changed=True)
>>> round(1.0 / page.mean), round(page.price(age=100.0), 3)
(173, 0.129)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.change_rate.tangent import posterior_price

Floats = NDArray[np.float64]


def rate_grid(fastest: float, slowest: float, count: int) -> Floats:
    """Rates, fastest first, in equal ratios; `fastest` and `slowest` are mean times between two
    changes.
    """
    check_rate("the shortest time between changes", fastest, "of the fastest pages")
    check_rate("the longest time between changes", slowest, "of the slowest pages")
    check_count("the number of rates on the grid", count, "at least 2 are needed")
    if not fastest < slowest:
        raise BadNumber(
            "the shortest time between changes",
            fastest,
            f"below the longest, {slowest}",
        )
    return 1.0 / np.geomspace(fastest, slowest, count)


class GridRate:
    def __init__(
        self, rates: Floats, prior: Floats | None = None, hazard: float = 0.0
    ) -> None:
        """`rates` from `rate_grid`; a prior that is not given weighs all alike."""
        self.rates = np.ascontiguousarray(rates, np.float64)
        self.prior = (
            np.full(len(rates), 1.0 / len(rates))
            if prior is None
            else np.asarray(prior, np.float64)
        )
        if (
            self.prior.shape != self.rates.shape
            or not (self.prior >= 0.0).all()
            or not self.prior.sum() > 0.0
        ):
            raise BadNumber(
                "the prior", prior, "one weight at least 0 for each rate, not all 0"
            )
        if not 0.0 <= hazard < np.inf:
            raise BadNumber("the hazard", hazard, "a finite number, at least 0")
        self.prior = self.prior / self.prior.sum()
        self.hazard = hazard
        self.weights = self.prior.copy()

    def update(self, gap: float, changed: bool) -> None:
        """A visit found the page changed, or not, `gap` after the one before."""
        check_rate("the gap", gap, "between two visits")
        kept = np.exp(-self.hazard * gap)
        quiet = np.exp(-self.rates * gap)
        weights = (kept * self.weights + (1.0 - kept) * self.prior) * (
            -np.expm1(-self.rates * gap) if changed else quiet
        )
        # else the grid has no rate at which this could be seen: nothing is learnt
        if weights.sum() > 0.0:
            self.weights = weights / weights.sum()

    @property
    def mean(self) -> float:
        return float(self.weights @ self.rates)

    def price(self, age: float, freshness: bool = False) -> float:
        """The posterior-mean index: what a visit at this age is worth, for importance 1."""
        return float(posterior_price(self.rates, self.weights, age, freshness)[0])
