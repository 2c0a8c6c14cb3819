"""What no robot exceeds in the full model of `omeara`: pages come, change and go, and each fetch
costs one of a budget.

P = (1/T)·∫ M dt with M = min(R, F) ≤ R, and R is a sum over pages of w(t) = r/V(t) while they are
held fresh, V(t) the relevance alive. A page of change rate D that is fetched first at τ, k times in
all, and is not asked about its changes between fetches, is fresh for at most

    G(τ, k) = k·(1 − e^(−D·L/k))/D,   L = d − max(τ, b),

of its life [b, d]: a fetch with a seconds to the next earns (1 − e^(−Da))/D, concave in a, so even
spaces are best. No more than B·T + 1 fetches are made in all, and no more than B·e + 1 pages have
been fetched by e. With prices λ ≥ 0 of the first and ν_c ≥ 0 of the second, for the ends e_c of
some cells of time,

    P·T ≤ λ·(BT + 1) + Σ_c ν_c·(B·e_c + 1) + Σ_pages max(0, max_{c,k} [u·r·G(s_c, k) + r·E(s_c) − λk
    − Σ_{c' ≥ c} ν_c'])

whatever the prices are (Lagrange). u is any level of 1/V and E(s) = ∫ (1/V − u)⁺ over what is left
of the life from s on: what a page is worth beyond that level is given away. s_c is when cell c
begins. Links, hosts and latency are left out: they only take away. So is what a page loses when one
that it lists is born.

The prices are near the best: λ by search, ν by the order in which pages lose most from waiting.

Two pages for nine seconds and ten fetches: five each, 5·(1 − e^(−9D/5))/D seconds fresh at most, or
less by waiting.

>>> def bound(pages: int, rate: float, budget: float) -> float:
...     lives = [rate] * pages, [0.0] * pages, [9.0] * pages
...     there = [0.5 * pages] * 90
...     return full_model_bound(
...         [0.5] * pages, *lives, there=there, length_s=9.0, budget=budget
...     )
>>> [round(bound(pages=2, rate=rate, budget=1.0), 3) for rate in (0.0, 0.5, 5.0)]
[0.975, 0.649, 0.111]
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber, check_rate
from trapline.theory.argument_checks import (
    Floats,
    at_least_0,
    one_each,
    positive,
    several,
)
from trapline.theory.kernel import kernel
from trapline.theory.price import inverse_bracket

_LEVELS: Final = (0.0, 0.25)  # quantiles of 1/V that are tried for u
_STEPS: Final = 16  # of the search for λ
_EVEN: Final = math.log(1e6)  # and the range that it begins with: a factor of so much


class _Life(NamedTuple):
    """The pages at one level u: what there is to earn, by page and cell."""

    relevance: Floats
    rate: Floats
    # [page, cell] seconds of life from the beginning of the cell on; 0: not born by its end, or
    # dead
    left: Floats
    beyond: Floats  # [page, cell] what is given away
    level: float


def full_model_bound(
    relevance: ArrayLike,
    rate: ArrayLike,
    born_s: ArrayLike,
    dies_s: ArrayLike,
    *,
    there: ArrayLike,
    length_s: float,
    budget: float,
) -> float:
    """P / T of no schedule of [0, length_s] is greater.

    `there` is the least relevance alive, in equal parts of it.
    """
    check_rate("the length", length_s, "seconds")
    check_rate("the budget", budget, "fetches a second")
    worth = several("pages", at_least_0("a relevance", relevance), 1)
    pages = worth.size
    rates = one_each("rates", at_least_0("a change rate", rate), pages)
    alive = several("parts of the time", positive("the relevance alive", there), 1)
    born, dies = (
        one_each("times", np.asarray(given, np.float64), pages)
        for given in (born_s, dies_s)
    )
    if not (dies >= born).all():
        raise BadNumber(
            "a page's death", float(dies[~(dies >= born)][0]), "not before its birth"
        )
    scale = 1.0 / alive
    best = math.inf
    for share in _LEVELS:
        life = _lives(
            worth,
            rates,
            np.maximum(born, 0.0),
            np.minimum(dies, length_s),
            scale=scale,
            share=share,
            length_s=length_s,
        )
        best = min(best, _least(life, length_s, budget))
    return best / length_s


def _lives(
    relevance: Floats,
    rate: Floats,
    born: Floats,
    dies: Floats,
    *,
    scale: Floats,
    share: float,
    length_s: float,
) -> _Life:
    cells = len(scale)
    level = float(np.quantile(scale, share))
    start = np.arange(cells) * (length_s / cells)
    end = start + length_s / cells
    # A page may be fetched in a cell if it lives in some of it, and then as if from the later of
    # birth and beginning.
    left = np.maximum(dies[:, None] - np.maximum(start, born[:, None]), 0.0)
    left[born[:, None] >= end] = 0.0
    surplus = np.maximum(scale - level, 0.0) * (length_s / cells)
    to_come = np.append(np.cumsum(surplus[::-1])[::-1], 0.0)
    last = np.clip(np.ceil(dies / length_s * cells), 0, cells).astype(np.int64)
    beyond = np.maximum(to_come[None, :-1] - to_come[last][:, None], 0.0)
    return _Life(relevance, rate, left, relevance[:, None] * beyond, level)


def _least(life: _Life, length_s: float, budget: float) -> float:
    """The least dual value found over λ: it is nearly convex in log λ, so thirds are cut away."""
    most = life.level * float(life.relevance.max(initial=0.0)) * length_s
    if most <= 0.0:
        return 0.0
    low = math.log(most) - _EVEN
    high = math.log(most)
    best = min(_dual(life, length_s, budget, 0.0), _dual(life, length_s, budget, most))
    for _ in range(_STEPS):
        first = low + (high - low) / 3.0
        second = high - (high - low) / 3.0
        one, other = (
            _dual(life, length_s, budget, math.exp(at)) for at in (first, second)
        )
        best = min(best, one, other)
        low, high = (low, second) if one <= other else (first, high)
    return best


def _dual(life: _Life, length_s: float, budget: float, price: float) -> float:
    """The value at a price of fetches, and prices of being early made from it; a bound whatever
    they are.
    """
    cells = life.left.shape[1]
    value = np.empty(life.left.shape)
    _values(life, price, value)
    # pages fetched by the end of each cell
    most = budget * np.arange(1, cells + 1) * (length_s / cells) + 1.0
    early = _prices_of_waiting(value, most)
    cost = np.cumsum(early[::-1])[::-1]
    earned = float(np.maximum((value - cost).max(axis=1), 0.0).sum())
    return price * (budget * length_s + 1.0) + float(early @ most) + earned


def _prices_of_waiting(value: Floats, fetched: Floats) -> Floats:
    """If those that lose most from waiting go first: the loss of the page whose turn it is at the
    end of each cell.
    """
    loss = np.maximum(value[:, :-1] - np.maximum(value[:, 1:], 0.0), 0.0)
    prices = np.zeros(value.shape[1])
    for cell in range(loss.shape[1]):
        turn = int(fetched[cell])
        if turn < len(loss):
            prices[cell] = np.partition(loss[:, cell], len(loss) - 1 - turn)[
                len(loss) - 1 - turn
            ]
    return prices


@kernel
def _values(life: _Life, price: float, value: Floats) -> None:
    """max_k of what a page earns if it is fetched first in a cell, less λk; −∞ where it does not
    live.
    """
    for page in range(len(life.rate)):
        worth = life.level * life.relevance[page]
        rate = life.rate[page]
        age = math.inf  # between fetches that are worth λ each
        if rate > 0.0 and worth > 0.0:
            age = inverse_bracket(price * rate / worth, math.inf) / rate
        for cell in range(life.left.shape[1]):
            left = life.left[page, cell]
            if left <= 0.0:
                value[page, cell] = -math.inf
                continue
            few = max(math.floor(left / age), 1.0) if age > 0.0 else math.inf
            best = max(
                _earnings(worth, rate, left, few, price),
                _earnings(worth, rate, left, few + 1.0, price),
            )
            value[page, cell] = best + life.beyond[page, cell]


@kernel
def _earnings(
    worth: float, rate: float, left: float, fetches: float, price: float
) -> float:
    # always fresh: at a price of 0, or by one fetch
    if math.isinf(fetches) or rate <= 0.0:
        return worth * left - (price if rate <= 0.0 else 0.0)
    return (
        worth * fetches * (1.0 - math.exp(-rate * left / fetches)) / rate
        - price * fetches
    )
