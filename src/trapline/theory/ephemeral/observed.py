"""The index of sources whose content is seen in every slot (`whittle`, eq. 17), where "the index is
actually the same" is false: the mean-state formula of Theorem 1 is right for many arrivals a slot
only.

The content of an unvisited source moves x → a·x + U, of a visited one to U, as if it had held
nothing. At any price it is best to visit from some content b on. Let w(y) be the mean number of
slots that a source waits from content y on, this one included, and s(y) the mean sum of its
contents over them:

    w(y) = 1 + E[w(a·y+U); a·y+U < b],   s(y) = y + E[s(a·y+U); a·y+U < b].

A cycle has w(0) slots and brings u·w(0) − (1−a)·s(0), and the price at which waiting at b is as
good as visiting is

    γ(b) = (1−a)·w(0)·[s(b)/w(b) − s(0)/w(0)]/C.

(In the mean-state model w(0) = k, w(b) = 1, s(b) = x_k: that is the age form.) w and s are taken as
linear between the points of a grid, expectations are exact, and one LU factorisation without pivots
holds the solutions for all b at once.

Accuracy: prices are right to 5e-4 of the ceiling where ΛT ≤ 500 (2e-5 for ΛT near 1), to 2e-3
elsewhere; doubling the points of the grid divides the error by 3 to 4. 400 points take ¼ s. Where
they would be coarse beside what one slot brings, there are more, up to 1600 (3 s); where these do
not suffice, about √(ΛT) > 400·μT, the source is refused: its content hardly differs from its mean.

>>> source = EphemeralSource(arrival_rate=2.0, utility=1.0, decay=0.35)
>>> round(ObservedIndex(source).price_at(5.04), 3), round(source.price_at(5.04), 3)
(3.461, 3.827)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.arrivals import (
    SlotLaw,
    Utilities,
    arrivals_that_count,
    greatest,
    second_moment,
)
from trapline.theory.ephemeral.slot_formulas import Floats
from trapline.theory.ephemeral.source import EphemeralSource

_FINER: Final = 8  # points of the law of U for one of the grid
_MOST_POINTS: Final = 1600
_FEWEST: Final = 1e-6
_NEVER: Final = 1e9  # slots of waiting, from which on a content never occurs


@dataclass(frozen=True)
class Thresholds:
    """For each content b of the grid, as threshold: its price, and what the policy "visit from b
    on" does.
    """

    contents: Floats
    prices: Floats  # γ(b)
    rates: Floats  # visits a slot, 1/w(0)
    values: Floats  # reward a slot less γ(b)·C for each visit


@dataclass(frozen=True)
class ObservedIndex:
    """The price of one source by what it is seen to hold.

    The table behind it is made when first asked for.
    """

    source: EphemeralSource
    # of single arrivals: all the same, "exponential", or {value: probability}
    utilities: Utilities = None
    points: int = 400  # at least; of the grid

    def __post_init__(self) -> None:
        if not self.source.utility > 0.0:
            raise BadNumber(
                "the mean utility ξ",
                self.source.utility,
                "above 0 where contents are seen",
            )
        if math.isfinite(self.source.lifetime):
            raise BadNumber(
                "the lifetime of items M",
                self.source.lifetime,
                "inf: what is dropped depends on more than the content that is seen",
            )
        if not self.points >= 10:
            raise BadNumber("the number of points", self.points, "at least 10")
        second_moment(self.source, self.utilities)  # refuses an impossible law
        if arrivals_that_count(self.source, self.utilities) < _FEWEST:
            wanted = f"at least {_FEWEST} (fewer never meet: the price is the content)"
            raise BadNumber(
                "the number of arrivals a slot ΛT",
                self.source.arrival_rate * self.source.period,
                wanted,
            )

    def price_at(self, content: ArrayLike) -> Any:
        """γ(x); beyond all contents that occur, x/C less what is left of the difference there."""
        found = np.asarray(content, np.float64)
        if not (found >= 0.0).all():
            raise BadNumber(
                "the content", found[~(found >= 0.0)].flat[0], "a number, at least 0"
            )
        table = self.table
        beyond = np.maximum(0.0, found - table.contents[-1]) / self.source.cost
        price = np.interp(found, table.contents, table.prices) + beyond
        return price.item() if price.ndim == 0 else price

    def rate(self, price: float) -> float:
        """Visits a slot if each is charged `price` a unit of cost."""
        return float(np.interp(price, self.table.prices, self.table.rates, right=0.0))

    def value(self, price: float) -> float:
        """The most that the source earns a slot if each visit is charged `price` a unit of cost;
        convex in `price`.
        """
        return float(self._value(price)) if price < self.table.prices[-1] else 0.0

    @cached_property
    def _value(self) -> Any:
        from scipy.interpolate import CubicHermiteSpline

        return CubicHermiteSpline(
            self.table.prices, self.table.values, -self.source.cost * self.table.rates
        )

    @cached_property
    def table(self) -> Thresholds:
        grid = self._grid()
        below, border = _kernels(self.source, self.utilities, grid)
        seen = -math.expm1(-arrivals_that_count(self.source, self.utilities))
        return _price_all(self.source, seen, grid, *_waiting(below, border, grid))

    def _grid(self) -> Floats:
        source = self.source
        square = second_moment(self.source, self.utilities)
        # of a content never visited
        deviation = math.sqrt(0.5 * source.arrival_rate * square / source.decay)
        reach = (
            source.ceiling + 6.0 * deviation + 2.0 * greatest(source, self.utilities)
        )
        # deviation of U
        slot = deviation * math.sqrt(-math.expm1(-2.0 * source.decay * source.period))
        if reach > 0.25 * _MOST_POINTS * slot / math.sqrt(
            min(1.0, arrivals_that_count(source, self.utilities))
        ):
            wanted = (
                "such that one slot matters: otherwise use price_at of the source, as "
                "its content is hardly random"
            )
            raise BadNumber(
                "the share of the content that one slot brings",
                f"{slot / reach:.1e}",
                wanted,
            )
        points = max(self.points, min(_MOST_POINTS, math.ceil(8.0 * reach / slot)))
        return np.linspace(0.0, reach, points + 1)


def _kernels(
    source: EphemeralSource, utilities: Utilities, grid: Floats
) -> tuple[Floats, Floats]:
    """[i, l]: the weight of a function's value at grid[l] in its mean after waiting at grid[i]; and
    the same if the function ends at grid[l], where what is above is cut off.
    """
    step = float(grid[1])
    slot = math.sqrt(
        source.arrival_rate * source.period * second_moment(source, utilities)
    )
    reach = max(
        grid[-1] + step, source.gain + 12.0 * slot + 20.0 * greatest(source, utilities)
    )
    law = SlotLaw.of(source, utilities, step / _FINER, reach)
    wider = np.concatenate(([-step], grid, [grid[-1] + step]))
    excess, tail = law.at(wider[None, :] - source.survival * grid[:, None])
    falls = -np.diff(excess, axis=1) / step
    return falls[:, :-1] - falls[:, 1:], falls[:, :-1] - tail[:, 1:-1]


def _waiting(below: Floats, border: Floats, grid: Floats) -> tuple[Floats, Floats]:
    """[2, n]: w and s from 0 on, and from b = grid[n] on, for each threshold b.

    For the n-th, the equations are the leading block of I − below, bordered by column n of
    `border`: the factors of the leading blocks are the leading blocks of the factors.
    """
    from scipy.linalg import solve_triangular

    factors = _factorise(np.eye(grid.size) - below)
    sides = np.column_stack((np.ones(grid.size), grid))
    forward = solve_triangular(factors, sides, lower=True, unit_diagonal=True)
    inner = np.triu(
        solve_triangular(factors, np.triu(border, 1), lower=True, unit_diagonal=True), 1
    )
    first = np.zeros(grid.size)
    first[0] = 1.0
    weights = solve_triangular(factors, first, trans="T")
    pivots = 1.0 - np.diag(border) + np.einsum("nj,jn->n", np.tril(factors, -1), inner)
    at_border = forward / pivots[:, None]
    before = np.cumsum(weights[:, None] * forward, axis=0) - weights[:, None] * forward
    at_0 = before + (weights @ inner)[:, None] * at_border
    return at_0.T, at_border.T


def _factorise(matrix: Floats, block: int = 64) -> Floats:
    """L (unit diagonal) and U in one matrix, without pivots: I less chances needs none."""
    from scipy.linalg import solve_triangular

    done = matrix.copy()
    size = len(matrix)
    for start in range(0, size, block):
        stop = min(size, start + block)
        for k in range(start, stop):
            done[k + 1 : stop, k] /= done[k, k]
            done[k + 1 : stop, k + 1 : stop] -= np.outer(
                done[k + 1 : stop, k], done[k, k + 1 : stop]
            )
        own = done[start:stop, start:stop]
        done[start:stop, stop:] = solve_triangular(
            own, done[start:stop, stop:], lower=True, unit_diagonal=True
        )
        done[stop:, start:stop] = solve_triangular(
            own, done[stop:, start:stop].T, trans="T"
        ).T
        done[stop:, stop:] -= done[stop:, start:stop] @ done[start:stop, stop:]
    return done


def _price_all(
    source: EphemeralSource, seen: float, grid: Floats, at_0: Floats, at_border: Floats
) -> Thresholds:
    (slots, sums) = at_0
    (more_slots, more_sums) = at_border
    lost = -math.expm1(-source.decay * source.period)
    # any content at all is taken
    slots[0] = 1.0 / seen
    sums[0] = 0.0
    more_slots[0] = 1.0
    prices = lost * (slots * more_sums / more_slots - sums) / source.cost
    prices[0] = 0.0
    occurs = int(np.argmin(np.append(slots < _NEVER, False)))
    rates = 1.0 / slots
    values = source.gain - rates * (lost * sums + source.cost * prices)
    return Thresholds(grid[:occurs], prices[:occurs], rates[:occurs], values[:occurs])


@dataclass(frozen=True)
class ObservedBound:
    value: float  # reward a slot
    price: float  # λ of a unit of cost at which the budget is just used up
    rates: Floats  # visits a slot of each source


def observed_bound(
    sources: Sequence[EphemeralSource | ObservedIndex], budget: float
) -> ObservedBound:
    """What no policy that sees all contents exceeds in the long run: min over λ ≥ 0 of λ·M + Σ_i
    (the most source i earns at λ).

    It is above the relaxed_bound, which such policies can exceed. From the budget on that pays for
    a visit whenever a source holds anything, the price is 0. Sources that are equal are worked out
    once.
    """
    if not (math.isfinite(budget) and budget > 0.0):
        raise BadNumber(
            "the budget M", budget, "a number above 0 (units of cost a slot)"
        )
    if not sources:
        raise BadNumber("the number of sources", 0, "at least 1")
    known = {
        source: ObservedIndex(source)
        for source in sources
        if isinstance(source, EphemeralSource)
    }
    indices = [
        known[source] if isinstance(source, EphemeralSource) else source
        for source in sources
    ]

    def rates(price: float) -> Floats:
        return np.array([index.rate(price) for index in indices])

    costs = np.array([index.source.cost for index in indices])
    low = 0.0
    high = max(float(index.table.prices[-1]) for index in indices)
    if costs @ rates(0.0) <= budget:
        high = 0.0
    while low < (middle := 0.5 * (low + high)) < high and high - low > 1e-12 * high:
        low, high = (middle, high) if costs @ rates(middle) > budget else (low, middle)
    return ObservedBound(
        high * budget + sum(index.value(high) for index in indices), high, rates(high)
    )
