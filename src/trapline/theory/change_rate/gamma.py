"""What visits teach about a page's change rate: a Gamma posterior, the simplest rival to
the automata of paper `htraa`.

With D ~ Gamma(a, b), no change seen after a gap t leaves Gamma(a, b + t). A change seen gives a
difference of two Gamma densities; the Gamma with its mean m1 and second moment m2 takes its place:

    s = (b/(b+t))^a,   m1 = [a/b − s·a/(b+t)]/(1−s),   m2 = [a(a+1)/b² − s·a(a+1)/(b+t)²]/(1−s)

>>> a, b = gamma_update(2.0, 10.0, gap=5.0, changed=True)
>>> round(a / b, 4), gamma_update(2.0, 10.0, gap=5.0, changed=False)
(0.2533, (2.0, 15.0))
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from trapline.core.errors import BadNumber, check_rate
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import bracket


@bare_kernel
def gamma_update(a: float, b: float, gap: float, changed: bool) -> tuple[float, float]:
    """Shape and scale after a visit that found the page changed, or not, `gap` after the one
    before.
    """
    if not changed:
        return a, b + gap
    # a change within no time: the limit, where the formula is 0/0
    if gap < 1e-6 * b / a:
        return a + 1.0, b
    left = math.exp(-a * math.log1p(gap / b))
    m1 = (a / b - left * a / (b + gap)) / (1.0 - left)
    m2 = (a * (a + 1.0) / (b * b) - left * a * (a + 1.0) / ((b + gap) * (b + gap))) / (
        1.0 - left
    )
    spread = max(m2 - m1 * m1, 1e-12 * m1 * m1)
    return m1 * m1 / spread, m1 / spread


@dataclass(frozen=True, slots=True)
class GammaRate:
    """The posterior of one page's change rate.

    >>> page = GammaRate(2.0, 10.0).update(gap=5.0, changed=False).update(gap=5.0, changed=True)
    >>> round(page.mean, 4), round(page.price(age=5.0), 4)
    (0.1762, 0.2236)
    """

    shape: float
    scale: float  # seen for so long; mean rate = shape/scale

    def __post_init__(self) -> None:
        check_rate("the shape", self.shape, "of the Gamma posterior")
        check_rate("the scale", self.scale, "of the Gamma posterior, in units of time")

    @property
    def mean(self) -> float:
        return self.shape / self.scale

    def update(self, gap: float, changed: bool, memory: float = math.inf) -> GammaRate:
        """After a visit; what was known before fades by e^(−gap/memory), at the same mean rate."""
        check_rate("the gap", gap, "between two visits")
        kept = math.exp(-gap / memory)
        return GammaRate(
            *gamma_update(kept * self.shape, kept * self.scale, gap, changed)
        )

    def price(self, age: float, freshness: bool = False) -> float:
        """The posterior-mean index: what a visit at this age is worth, for importance 1.

        Freshness: if shape > 1.
        """
        if not freshness:
            return bracket(self.mean * age, self.shape)
        if not self.shape > 1.0:
            raise BadNumber(
                "the shape",
                self.shape,
                "above 1: below, the mean of 1/rate is infinite",
            )
        left = self.shape - 1.0  # 1/rate is averaged, too
        return self.scale / left * bracket(left / self.scale * age, left)
