"""What the formulas of polling, age and change rates refuse: one place for all of them.

>>> chances("a change probability", [0.3, 0.05]).tolist()
[0.3, 0.05]
>>> chances("a change probability", [0.3, 1.0])
Traceback (most recent call last):
trapline.core.errors.BadNumber: a change probability is 1.0, but must be above 0 and below 1
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, check_rate

Floats = NDArray[np.float64]


def chances(name: str, given: ArrayLike) -> Floats:
    """Probabilities of what is neither impossible nor certain."""
    return _column(
        name, given, "above 0 and below 1", lambda found: (found > 0.0) & (found < 1.0)
    )


def positive(name: str, given: ArrayLike) -> Floats:
    return _column(
        name,
        given,
        "finite and above 0",
        lambda found: (found > 0.0) & np.isfinite(found),
    )


def at_least_0(name: str, given: ArrayLike) -> Floats:
    return _column(
        name,
        given,
        "finite and at least 0",
        lambda found: (found >= 0.0) & np.isfinite(found),
    )


def one_each(what: str, column: Floats, pages: int) -> Floats:
    """The column, if it has one number for each page."""
    if column.shape != (pages,):
        raise BadNumber(
            f"the shape of the {what}", column.shape, f"({pages},): one for each page"
        )
    return column


def several(what: str, column: Floats, least: int) -> Floats:
    """The column, if it is one, and not too short."""
    if column.ndim != 1 or column.size < least:
        raise BadNumber(
            f"the number of {what}",
            column.size if column.ndim == 1 else column.shape,
            f"{least} or more",
        )
    return column


def check_natural(name: str, found: int) -> None:
    """Raise BadNumber unless `found` is a whole number from 0 on: a seed, or how often.

    >>> check_natural("the seed", -1)
    Traceback (most recent call last):
    trapline.core.errors.BadNumber: the seed is -1, but must be a whole number, at least 0
    """
    if isinstance(found, bool) or not isinstance(found, Integral) or found < 0:
        raise BadNumber(name, found, "a whole number, at least 0")


def weights_of(given: ArrayLike | None, pages: int) -> Floats:
    """What a detection, or a second of freshness or age, counts for each page; 1 if nothing is
    given.
    """
    if given is None:
        return np.ones(pages)
    weights = one_each("weights", at_least_0("a weight", given), pages)
    if not weights.any():
        raise BadNumber("every weight", 0, "above 0 for at least one page")
    return weights


def check_polls(budget: float, pages: int) -> None:
    """Polls a step: above 0, and no page more than once a step."""
    check_rate("the budget", budget, "polls a step")
    if budget > pages:
        raise BadNumber(
            "the budget", budget, f"at most {pages}: no page is polled twice in a step"
        )


def _column(
    name: str,
    given: ArrayLike,
    wanted: str,
    fine: Callable[[Floats], NDArray[np.bool_]],
) -> Floats:
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise BadNumber(name, given, wanted) from None
    bad = ~np.atleast_1d(fine(found))
    if bad.any():
        raise BadNumber(name, np.atleast_1d(found)[bad][0], wanted)
    return found
