"""How long a page must be left alone until it has changed with a given chance.

With weights w_i on rates D_i the chance that a page has changed at age t is Σ w_i·(1 − e^(−D_i·t)).
It rises ever more slowly, so Newton's method from below never steps too far.

>>> import numpy as np
>>> daily = np.array([1.0 / 86_400.0])
>>> round(age_at_chance(daily, np.ones(1), chance=0.01) / 60.0, 1)  # minutes
14.5
>>> rates = np.array([1.0, 1e-6])  # of a page that hardly ever changes its rate says little
>>> round(age_at_chance(rates, np.array([0.01, 0.99]), chance=0.02), -2)
10100.0
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]

_STEPS: Final = 60
_CLOSE: Final = 1e-3  # to the chance wanted, relative


@bare_kernel
def age_at_chance(rates: Floats, weights: Floats, chance: float) -> float:
    """The age at which a page has changed with this chance, below 1."""
    age = 0.0
    for _ in range(_STEPS):
        left = 0.0
        slope = 0.0
        for i in range(len(rates)):
            if weights[i] > 0.0:
                unchanged = weights[i] * math.exp(-rates[i] * age)
                left += unchanged
                slope += rates[i] * unchanged
        lacking = left - (1.0 - chance)
        if lacking <= _CLOSE * chance or slope <= 0.0:
            break
        age += lacking / slope
    return age
