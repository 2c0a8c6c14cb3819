"""How often each rule visits a page, from importance m, change rate D and a price λ, which is where
all pages together use up the budget.

- Azar et al. (PNAS 2018): visits timed by a Poisson process leave the share f/(f + D) of a page
  fresh; the most of Σ m·f/(f + D) has f = √(mD/λ) − D, and 0 where m/D is too small. (Sorting pages
  by m/D and dropping the low end finds the same λ.)
- LambdaCrawl (Kolobov et al., NeurIPS 2019): the least of −Σ m·ln(f/(f + D)), under which no page
  is given up, has f = (−D + √(D² + 4mD/λ))/2.
- Cho & Garcia-Molina (2003): visits evenly spaced; (m/D)·[1 − (1 + y)·e^(−y)] = λ with y = D/f.
- Aduana: f = D/λ, proportional.
- Mwmbl: score m·(1 − e^(−age/T)), m one over the URL's length; it reaches λ at the age
  −T·ln(1 − λ/m).

>>> rates = [visit_rate(rule, 2.0, 0.5, 0.25, 1.0) for rule in (POISSON, HARMONIC, EVEN, CHANGES)]
>>> [round(rate, 4) for rate in rates]
[1.5, 1.7656, 1.2391, 2.0]
>>> round(1.0 / visit_rate(BY_LENGTH, 0.05, 0.0, 0.03, 300.0), 4)  # −300·ln(1 − 0.6)
274.8872
"""

from __future__ import annotations

import math
from typing import Final

from trapline.theory.kernel import bare_kernel
from trapline.theory.price import inverse_bracket

POISSON: Final = 0
HARMONIC: Final = 1
EVEN: Final = 2
CHANGES: Final = 3
BY_LENGTH: Final = 4
NO_RATE: Final = 5  # the rule writes a price instead


@bare_kernel
def visit_rate(
    rule: int, importance: float, change_rate: float, price: float, fades_s: float
) -> float:
    """Visits in the unit of time of the change rate."""
    if rule == BY_LENGTH:
        share = price / importance if importance > 0.0 else math.inf
        return 1.0 / (-fades_s * math.log1p(-share)) if share < 1.0 else 0.0
    if rule == CHANGES:
        return change_rate / price
    if importance <= 0.0 or change_rate <= 0.0:
        return 0.0
    if rule == POISSON:
        rate = math.sqrt(importance * change_rate / price) - change_rate
        return max(0.0, rate)
    if rule == HARMONIC:
        # (−D + √(D² + 4mD/λ))/2 without the cancellation
        asked = importance / price
        return 2.0 * asked / (1.0 + math.sqrt(1.0 + 4.0 * asked / change_rate))
    return change_rate / inverse_bracket(price * change_rate / importance, math.inf)
