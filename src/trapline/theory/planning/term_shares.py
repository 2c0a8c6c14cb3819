"""What a visit to a held page was made for, by the two terms of its price (core/cards.py)."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.theory.planning.page_gains import Floats

_YOUNGEST_S: Final = 1e-6
_OLDEST_S: Final = 1e12
_HALVINGS: Final = 60


def term_prices(worth: Floats, rate: Floats, shape: Floats, age_s: Floats) -> Floats:
    """[page, term] → what each term is worth at an age: worth·φ(rate·age), over a Gamma posterior
    of the given shape (theory/price.py).

    >>> one = np.array([[1.0, 1.0]])
    >>> found = term_prices(one, 0.5 * one, np.array([[1.0, np.inf]]), np.array([2.0]))
    >>> found.round(4).tolist()
    [[0.25, 0.2642]]
    """
    y = rate * age_s[:, None]
    u = np.minimum(y / shape, 1e150)
    after = np.where(np.isinf(shape), 0.0, shape) + 1.0
    spread = 1.0 - np.exp(-after * np.log1p(u)) * (1.0 + after * u)
    known = -np.expm1(-y) - y * np.exp(-np.minimum(y, 700.0))
    found: Floats = worth * np.where(np.isinf(shape), known, spread)
    return found


def news_shares(worth: Floats, rate: Floats, shape: Floats, price: Floats) -> Floats:
    """Of the price that was paid, the part that the second term made up, at the age at which both
    together come to it.

    >>> worth = np.array([[3.0, 1.0]])
    >>> rate = np.ones((1, 2))
    >>> news_shares(worth, rate, np.full((1, 2), np.inf), np.array([0.4])).round(3).tolist()
    [0.25]
    """
    low = np.full(len(price), np.log(_YOUNGEST_S))
    high = np.full(len(price), np.log(_OLDEST_S))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        short = term_prices(worth, rate, shape, np.exp(middle)).sum(axis=1) < price
        low = np.where(short, middle, low)
        high = np.where(short, high, middle)
    terms = term_prices(worth, rate, shape, np.exp(high))
    total = terms.sum(axis=1)
    found: Floats = np.divide(
        terms[:, 1], total, out=np.zeros(len(price)), where=total > 0.0
    )
    return found
