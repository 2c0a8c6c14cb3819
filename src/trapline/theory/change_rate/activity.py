"""Activity clocks: pages of a group change together, so what some show tells of the others.

A group of pages (a directory, a host) has a clock. It runs at the group's activity A, which is how
often its pages change, relative to what is usual for them. A page that changes at rate D changes at
rate D·A(t), so it is as old as the clock says: a visit at group age τ = ∫ A dt since the last one
is worth V(τ), V the price at that age if A were 1.

A is learnt in bins of time. Each visit adds to the bins of its gap the change that was expected of
it, 1 or less, evenly; and the change it found, in proportion to activity × length (one step of EM,
online). Then

    A = (found + c)/(expected + c),

which is 1 where nothing is known. A page of several groups ages by the product of their activities.

>>> round(activity(found=3.0, expected=0.5), 2), activity(found=0.0, expected=0.0)
(4.12, 1.0)
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.change_rate.tangent import offer_through
from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]

# changes, found and expected, that weigh as much as a bin's own: bursts are believed soon
_TRUST: Final = 0.3
_MOST: Final = 50.0  # times the usual activity
_NOTHING: Final = 1e-6  # weights that do not matter
_SURE: Final = 1e-6  # from no chance, or from certainty
_NEAR: Final = (
    0.005  # the age by the group's clock and the page's own are alike, relative
)


@bare_kernel
def activity(found: float, expected: float) -> float:
    """How often pages of a group changed in a bin of time, relative to what was expected."""
    return min((found + _TRUST) / (expected + _TRUST), _MOST)


@bare_kernel
def fit_hazard(rates: Floats, weights: Floats, age: float) -> tuple[float, float]:
    """Y = −ln P(no change) by a posterior on a grid of rates, at an age, and the power of the age
    with which it grows from there to twice the age: 1 where the rate is known, less where not.

    >>> import numpy as np
    >>> hazard, power = fit_hazard(np.array([0.1]), np.array([1.0]), age=5.0)
    >>> round(hazard, 3), round(power, 3)
    (0.5, 1.0)
    """
    quiet = 0.0
    later = 0.0
    for i in range(len(rates)):
        if weights[i] > _NOTHING:
            left = math.exp(-rates[i] * age)
            quiet += weights[i] * left
            later += weights[i] * left * left
    hazard = -math.log(min(max(quiet, _SURE), 1.0 - _SURE))
    twice = -math.log(min(max(later, _SURE), 1.0 - _SURE))
    return hazard, min(max(math.log2(twice / hazard), 0.0), 1.0)


@bare_kernel
def chance_of_change(hazard: float) -> float:
    """That a page has changed."""
    return min(max(-math.expm1(-hazard), _SURE), 1.0 - _SURE)


@bare_kernel
def predictive_step(hazard: float, lean: float, changed: bool) -> tuple[float, float]:
    """How a visit's log-likelihood rises with a weight that adds `lean` to its hazard, and the
    Fisher information on that weight.

    >>> score, information = predictive_step(hazard=0.5, lean=0.2, changed=True)
    >>> round(score, 2), round(information, 2)
    (0.31, 0.06)
    """
    chance = chance_of_change(hazard)
    moves = (1.0 - chance) * lean
    score = moves / chance if changed else -moves / (1.0 - chance)
    return score, moves * moves / (chance * (1.0 - chance))


@bare_kernel
def on_group_time(
    worth: float, rate: float, own_s: float, group_s: float, price: float
) -> tuple[float, float]:
    """Worth and rate of the offer of shape 1 for a page that is `own_s` old, and `group_s` by its
    groups' clock, from here on at the usual pace.

    By the clock its price is worth·(u/(1+u))², u = rate·age. The two agree in value and slope where
    the price is reached; now, if it was reached already.

    >>> worth, rate = on_group_time(1.0, 0.1, own_s=5.0, group_s=20.0, price=0.1)
    >>> u = 5.0 * rate
    >>> round(worth * (u / (1.0 + u)) ** 2, 4), round((2.0 / 3.0) ** 2, 4)
    (0.4444, 0.4444)
    """
    if own_s <= 0.0 or abs(group_s - own_s) <= _NEAR * own_s:
        return worth, rate
    age = group_s
    if worth > price > 0.0:
        root = math.sqrt(price / worth)
        age = max(age, root / ((1.0 - root) * rate))
    u = rate * age
    reached_s = own_s + age - group_s
    elasticity = 2.0 * reached_s / (age * (1.0 + u))
    return offer_through(reached_s, worth * (u / (1.0 + u)) ** 2, elasticity)
