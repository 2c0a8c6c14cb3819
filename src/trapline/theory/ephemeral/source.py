"""Sources whose content loses interest exponentially, and the price of visiting them: `whittle`,
section II, Theorem 1.

New content of mean utility ξ̄ arrives at rate Λ and fades at rate μ. Once a slot of length T
sources may be visited; a visit takes all there is, and costs C. k slots after a visit a source
holds x_k = u*·(1 − a^k); the price of a visit, Whittle's index, is the subsidy for waiting at which
waiting and visiting are equally good. Prices are per unit of cost.

A source may drop what is more than M slots old (`lifetime`, M_i of `lspe`). It then holds x_k =
u*·(1 − a^min(k,M)), u* being Λξ/μ, so that nothing is gained by waiting beyond M: from there on the
price is what it holds, and before it is what it was, since of x_(k+1) nothing has been dropped yet
either. `lspe` multiplies u by (1 − α^M) instead. That is right for a source that is never visited.
Of a visited one it subtracts what would be dropped had the visit not taken it, which makes all
prices too low by that factor; so the order between sources of unlike M comes out wrong.

>>> source = EphemeralSource(arrival_rate=250.0, utility=1.0, decay=0.7)
>>> round(source.gain, 5), round(source.survival, 5), round(source.ceiling, 5)
(179.79096, 0.49659, 357.14286)
>>> round(source.content(age=2), 4), round(source.price(age=2), 4)
(269.0725, 180.4007)
>>> round(source.price_at(content=source.content(age=2)), 4)
180.4007
>>> Sources.of([source, EphemeralSource(250.0, 0.7, 0.35)]).price([1, 4]).round(4).tolist()
[90.5094, 231.0555]
>>> short = EphemeralSource(250.0, 1.0, 0.7, lifetime=2)
>>> short.price(np.array([1, 2, 9])).round(4).tolist(), round(short.ceiling, 4)
([90.5094, 269.0725, 269.0725], 269.0725)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral import slot_formulas as slotted
from trapline.theory.ephemeral.slot_formulas import Floats, in_blocks

_NEVER_FADES: Final = (
    "above 0: content that never loses interest has no price, for it loses "
    "nothing by waiting"
)
_LEAST: Final = float(np.finfo(np.float64).tiny)
_ROUNDED: Final = 1.0 - 1e-12


@dataclass(frozen=True, eq=False)
class Sources:
    """Many sources at once, a column for each quantity; slots are common to all.

    Made for a million of them.

    Ages, contents and prices are one for each source, or one for all.
    """

    arrival_rate: Floats  # Λ
    utility: Floats  # ξ̄
    decay: Floats  # μ
    cost: Floats = field(default_factory=lambda: np.ones(1))  # C of a visit
    period: float = 1.0  # T, the length of a slot
    # M: slots after which content is dropped
    lifetime: Floats = field(default_factory=lambda: np.full(1, np.inf))

    def __post_init__(self) -> None:
        columns = {
            "arrival_rate": _column(
                "the arrival rate Λ", self.arrival_rate, "a number above 0"
            ),
            "utility": _column(
                "the mean utility ξ", self.utility, "a number, at least 0", zero=True
            ),
            "decay": _column("the decay μ", self.decay, _NEVER_FADES),
            "cost": _column("the cost of a visit C", self.cost, "a number above 0"),
            "lifetime": _lifetimes(self.lifetime),
        }
        lengths = [column.size for column in columns.values()]
        if (
            len({1, *lengths}) > 2
            or 0 in lengths
            or any(column.ndim > 1 for column in columns.values())
        ):
            raise BadNumber(
                "the number of sources", lengths, "the same in all columns, at least 1"
            )
        for name, column in columns.items():
            object.__setattr__(self, name, np.broadcast_to(column, (max(lengths),)))
        period = _column("the period T", self.period, "a number above 0")
        if period.size != 1:
            raise BadNumber(
                "the period T",
                self.period,
                "one number: all sources have the same slots",
            )
        object.__setattr__(self, "period", period.item())
        self._check_range()

    def _check_range(self) -> None:
        with np.errstate(over="ignore"):
            fine = (
                np.isfinite(self.ceiling)
                & np.isfinite(self.fading)
                & np.isfinite(self.worth)
            )
        fine &= self.fading >= _LEAST
        if not fine.all():
            raise BadNumber(
                "the decay μ",
                self.decay[~fine][0],
                "such that Λξ/μ and μT are within a computer's numbers",
            )

    @classmethod
    def of(cls, sources: Sequence[EphemeralSource]) -> Sources:
        """The columns of a list of sources."""
        periods = sorted({source.period for source in sources})
        if len(periods) != 1:
            raise BadNumber(
                "the period T",
                periods,
                "one number: all sources, of which there is one, have the same slots",
            )
        rates, utilities, decays, costs, lifetimes = np.array(
            [(s.arrival_rate, s.utility, s.decay, s.cost, s.lifetime) for s in sources]
        ).T
        return cls(rates, utilities, decays, costs, periods[0], lifetimes)

    def part(self, numbers: NDArray[np.int64] | NDArray[np.intp]) -> Sources:
        """Some of them."""
        return Sources(
            self.arrival_rate[numbers],
            self.utility[numbers],
            self.decay[numbers],
            self.cost[numbers],
            self.period,
            self.lifetime[numbers],
        )

    def __len__(self) -> int:
        return self.decay.size

    @cached_property
    def fading(self) -> Floats:
        """d = μT: the share e^(−d) of the interest outlives a slot."""
        return self.decay * self.period

    @cached_property
    def endless(self) -> Floats:
        """u* = u/(1−a) = Λξ/μ: what a source would hold that is never visited and drops nothing."""
        return self.arrival_rate * self.utility / self.decay

    @cached_property
    def kept(self) -> Floats:
        """1 − a^M: the part of that which is not dropped; 1 where nothing is."""
        return -np.expm1(-self.lifetime * self.fading)

    @cached_property
    def ceiling(self) -> Floats:
        """u*·(1 − a^M): what a source holds that is never visited."""
        return self.endless * self.kept

    @cached_property
    def survival(self) -> Floats:
        """a = e^(−μT)."""
        return np.exp(-self.fading)

    @cached_property
    def gain(self) -> Floats:
        """u = (Λξ/μ)(1 − e^(−μT)): what one slot brings (eq. 1)."""
        return self.endless * -np.expm1(-self.fading)

    @cached_property
    def worth(self) -> Floats:
        """What it holds at most, by C: the price that no age exceeds."""
        return self.ceiling / self.cost

    @cached_property
    def lag(self) -> Floats:
        """What slots add to the price in continuous time (see slot_formulas.py)."""
        return slotted.slot_lag(self.fading)

    @cached_property
    def mortal(self) -> bool:
        """Whether any of them drops content."""
        return bool(np.isfinite(self.lifetime).any())

    def content(self, ages: ArrayLike) -> Floats:
        """x_k = u(1−a^k)/(1−a) after k slots (eq. 13), not more than after M: 0 at age 0."""
        since = np.minimum(_at_least_0("the age", ages), self.lifetime)
        return in_blocks(slotted.content, since, self.endless, self.fading)

    def price(self, ages: ArrayLike) -> Floats:
        """γ(k) = (x_k − k·u·a^k)/C (Theorem 1, age form), and x_M/C from age M on: increasing in k,
        from 0 to the worth.
        """
        since = _at_least_0("the age", ages)
        prices = in_blocks(
            slotted.age_price, since, self.endless / self.cost, self.fading, self.lag
        )
        if not self.mortal:
            return prices
        return np.where(since >= self.lifetime, self.worth, prices)

    def price_at(self, contents: ArrayLike) -> Floats:
        """γ(x) (Theorem 1, state form) of any content x ≥ 0: also of one that no age gives, and of
        x ≥ u*, where it is x/C and the printed log⁺ gives 0. (Where content is dropped, x/C from
        x_M on, but for rounding.)
        """
        found = _at_least_0("the content", contents)
        prices = in_blocks(
            slotted.state_price, found, self.endless, self.cost, self.fading, self.lag
        )
        if not self.mortal:
            return prices
        return np.where(found >= self.ceiling * _ROUNDED, found / self.cost, prices)

    def due_age(self, price: ArrayLike) -> Floats:
        """The first whole age, at least 1, whose price reaches `price`; ∞ if none does: how long to
        wait at a price.

        It maximises (x_k − λC)/k: one more slot is better if and only if λ exceeds γ(k).
        """
        wanted = _at_least_0("the price", price)
        ages = in_blocks(
            slotted.due_age, wanted, self.endless / self.cost, self.fading, self.lag
        )
        if not self.mortal:
            return ages
        at_last = np.where(wanted <= self.worth, self.lifetime, np.inf)
        return np.where(ages < self.lifetime, ages, at_last)


@dataclass(frozen=True)
class EphemeralSource:
    """One source. Ages are in slots; a number in, a number out; an array in, an array out."""

    arrival_rate: float  # Λ
    utility: float  # ξ̄
    decay: float  # μ
    cost: float = 1.0  # C
    period: float = 1.0  # T
    lifetime: float = math.inf  # M, in slots

    def __post_init__(self) -> None:
        if len(self._alone) != 1:
            raise BadNumber(
                "the number of sources",
                len(self._alone),
                "1 (many of them are `Sources`)",
            )

    @cached_property
    def _alone(self) -> Sources:
        # a number is a column of one
        one: tuple[Any, ...] = (self.arrival_rate, self.utility, self.decay, self.cost)
        rate, utility, decay, cost = one
        lifetime = np.array([self.lifetime])
        return Sources(rate, utility, decay, cost, self.period, lifetime)

    @property
    def gain(self) -> float:
        """u, what one slot brings (eq. 1)."""
        return self._alone.gain.item()

    @property
    def survival(self) -> float:
        """a = e^(−μT)."""
        return self._alone.survival.item()

    @property
    def ceiling(self) -> float:
        """What it holds if it is never visited: u* = Λξ/μ, less what is dropped."""
        return self._alone.ceiling.item()

    def content(self, age: ArrayLike) -> Any:
        """x_k, `age` slots after a visit."""
        return _like(age, self._alone.content(np.ravel(age)))

    def price(self, age: ArrayLike) -> Any:
        """γ(k), `age` slots after a visit."""
        return _like(age, self._alone.price(np.ravel(age)))

    def price_at(self, content: ArrayLike) -> Any:
        """γ(x) of any content x ≥ 0, also one that no age gives."""
        return _like(content, self._alone.price_at(np.ravel(content)))

    def due_age(self, price: ArrayLike) -> Any:
        """The first whole age whose price reaches `price`; ∞ if none does."""
        return _like(price, self._alone.due_age(np.ravel(price)))


def _column(
    name: str,
    given: ArrayLike,
    wanted: str,
    zero: bool = False,
    endless: bool = False,
) -> Floats:
    try:
        found = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        raise BadNumber(name, given, wanted) from None
    bad = ~((found >= 0.0) if zero else (found > 0.0))
    bad |= np.isinf(found) & (not endless)
    if bad.any():
        raise BadNumber(name, found[bad].flat[0], wanted)
    return found


def _lifetimes(given: ArrayLike) -> Floats:
    wanted = "a whole number of slots, at least 1, or inf"
    found = _column("the lifetime of items M", given, wanted, endless=True)
    bad = ~((found >= 1.0) & (found == np.floor(found)))
    if bad.any():
        raise BadNumber("the lifetime of items M", found[bad].flat[0], wanted)
    return found


def _at_least_0(name: str, given: ArrayLike) -> Floats:
    found = np.atleast_1d(np.asarray(given, dtype=np.float64))
    if found.size and not found.min() >= 0.0:
        raise BadNumber(name, found[~(found >= 0.0)].flat[0], "a number, at least 0")
    return found


def _like(given: ArrayLike, found: Floats) -> Any:
    return found.item() if np.ndim(given) == 0 else found.reshape(np.shape(given))
