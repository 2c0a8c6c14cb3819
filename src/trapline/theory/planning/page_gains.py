"""What visits to held pages gain, by how often they are made: the terms of the price, tabulated.

With weights w_i on change rates D_i, a page of relevance r that lists news at rate Λ (in relevance
a second, each worth W seconds and lost at rate c) has at age t the price

    V(t) = r·Σ w_i·φ(D_i·t)/D_i + Λ·W·φ(c·t)/c,   φ(y) = 1 − (1+y)·e^(−y),

and visited every t seconds it is fresh a share Σ w_i·s(D_i·t) of the time, s(y) = (1 − e^(−y))/y.
Of interest in its news, s(c·t) is left when they are found.

>>> gains = PageGains.of_rates(np.array([1.0, 1.0]), relevance=np.ones(2))
>>> asked = ask_ages(gains, np.array([0.2642, 2.0]), cost=np.ones(2))
>>> asked.age_s.round(2).tolist()  # at a price beyond its worth a page is never visited
[[1.0, inf], [1.0, inf]]
>>> asked.fresh.round(2).tolist()
[[0.63, 0.0], [0.63, 0.0]]
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_AGES: Final = 160  # of the table
_SOONEST: Final = 1e-3  # of the time between changes of the fastest pages
_LATEST: Final = 30.0  # times that of the slowest
_CHUNK: Final = 8192  # pages at once


class PageGains(NamedTuple):
    """Of pages, one row each."""

    rates: Floats  # the grid, falling
    weights: Floats  # [page, rate]: what is believed of their change rates
    relevance: Floats
    news: Floats  # Λ
    news_worth_s: Floats  # W
    news_lost: Floats  # c

    @classmethod
    def of_rates(cls, rates: Floats, relevance: Floats) -> PageGains:
        """Pages whose change rates are known, and that list no news."""
        grid, place = np.unique(-np.asarray(rates, np.float64), return_inverse=True)
        none = np.zeros(len(rates))
        weights = np.eye(len(grid))[place]
        return cls(-grid, weights, relevance, none, none, none - grid[0])

    def take(self, pages: slice | Ints) -> PageGains:
        """Of some of the pages."""
        return PageGains(self.rates, *(column[pages] for column in self[1:]))


class AskedAges(NamedTuple):
    """[page, price] → how long it is left alone at that price, and what that leads to."""

    age_s: Floats  # ∞ = it is never visited
    fresh: Floats  # relevance × share of the time
    news: Floats  # a second, in relevance × interest left


def mean_survival(y: Floats) -> Floats:
    """s(y) = (1 − e^(−y))/y, 1 at 0 and 0 at ∞.

    >>> mean_survival(np.array([0.0, 1.0, np.inf])).round(3).tolist()
    [1.0, 0.632, 0.0]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        share = -np.expm1(-y) / y
    return np.where(y > 0.0, np.where(np.isinf(y), 0.0, share), 1.0)


def _phi(y: Floats) -> Floats:
    """1 − (1+y)·e^(−y), by its series where that would lose digits."""
    series = y * y * (0.5 - y * (1.0 / 3.0 - y / 8.0))
    return np.where(y < 1e-3, series, -np.expm1(-y) - y * np.exp(-y))


def age_table(gains: PageGains) -> Floats:
    """Ages, in equal ratios, that matter for these pages."""
    rates = np.concatenate((gains.rates, gains.news_lost))
    return np.geomspace(_SOONEST / rates.max(), _LATEST / rates.min(), _AGES)


def price_table(gains: PageGains, ages_s: Floats) -> Floats:
    """[page, age] → price."""
    y = np.outer(gains.rates, ages_s)
    fresh = gains.weights @ (_phi(y) / gains.rates[:, None])
    ceiling = gains.news * gains.news_worth_s / gains.news_lost
    news = ceiling[:, None] * _phi(np.outer(gains.news_lost, ages_s))
    found: Floats = gains.relevance[:, None] * fresh + news
    return found


def ask_ages(gains: PageGains, prices: Floats, cost: Floats) -> AskedAges:
    """For rising prices, each of a unit of what a visit to the page costs."""
    ages_s = age_table(gains)
    survival = mean_survival(np.outer(gains.rates, ages_s))
    shape = (len(gains.relevance), len(prices))
    age_s = np.empty(shape)
    fresh = np.empty(shape)
    for start in range(0, shape[0], _CHUNK):
        part = slice(start, start + _CHUNK)
        some = gains.take(part)
        with np.errstate(divide="ignore"):
            table = np.log(price_table(some, ages_s) / cost[part, None])
        alive = some.weights @ survival
        _look_up(table, alive, np.log(ages_s), np.log(prices), age_s[part], fresh[part])
    interest = mean_survival(gains.news_lost[:, None] * age_s)
    return AskedAges(
        age_s, gains.relevance[:, None] * fresh, gains.news[:, None] * interest
    )


def _look_up(
    table: Floats,
    alive: Floats,
    ages: Floats,
    prices: Floats,
    age_s: Floats,
    fresh: Floats,
) -> None:
    """Row by row between the points of the tables, all but `alive` in logarithms; writes the last
    two.
    """
    for page in range(len(table)):
        asked = np.interp(prices, table[page], ages, right=np.inf)
        age_s[page] = np.exp(asked)
        fresh[page] = np.interp(asked, ages, alive[page], right=0.0)
