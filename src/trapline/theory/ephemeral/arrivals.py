"""What one slot brings to a source whose content is seen (`whittle`, the law of U in eq. 17),
without simulation.

U is the sum of ξ·e^(−μs) over the arrivals of a slot, Poisson of mean ΛT, s uniform in (0, T). All
that dynamic programming needs is its tail P(U ≥ z) and its excess E(U−z)⁺. The excess of one
arrival is known in closed form; spread over a lattice so that it stays exact there, arrivals are
added up by the Fourier transform exp(ΛT·(ĝ − 1)).

>>> source = EphemeralSource(arrival_rate=2.0, utility=1.0, decay=0.35)
>>> law = SlotLaw.of(source, None, step=0.01, reach=20.0)
>>> excess, tail = law.at(np.array([0.0, 1e-12, 3.0]))
>>> excess.round(5).tolist(), tail.round(4).tolist()  # U is 0 with chance e^(−2)
([1.6875, 1.6875, 0.11701], [1.0, 0.8647, 0.142])
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.slot_formulas import Floats
from trapline.theory.ephemeral.source import EphemeralSource

# Of one arrival: always the mean (None), exponential, or some values with their probabilities.
Utilities = Literal["exponential"] | Mapping[float, float] | None


@dataclass(frozen=True)
class SlotLaw:
    """Tail and excess of U on a lattice; between its points the density of U counts as constant."""

    step: float
    excess: Floats
    tail: Floats  # of U > 0: at 0 it is 1 − e^(−ΛT)

    @classmethod
    def of(
        cls, source: EphemeralSource, utilities: Utilities, step: float, reach: float
    ) -> SlotLaw:
        """On a lattice of so fine a `step`, at least up to `reach`, which U must hardly ever
        exceed.
        """
        size = 1 << math.ceil(math.log2(reach / step + 2.0))
        points: Floats = step * np.arange(-1.0, size + 1.0)
        one = np.maximum(
            0.0, np.diff(_excess_of_one(points, source, utilities), 2) / step
        )
        arrivals = arrivals_that_count(source, utilities)
        chances = np.maximum(
            0.0,
            np.fft.irfft(np.exp(arrivals * (np.fft.rfft(one / one.sum()) - 1.0)), size),
        )
        # the chance of no arrival is no density
        chances[0] = max(0.0, chances[0] - math.exp(-arrivals))
        tail = np.cumsum(chances[::-1])[::-1] - 0.5 * chances
        tail[0] = -math.expm1(-arrivals)
        areas = 0.5 * step * (tail[:-1] + tail[1:])
        return cls(step, np.append(np.cumsum(areas[::-1])[::-1], 0.0), tail)

    def at(self, z: Floats) -> tuple[Floats, Floats]:
        """E(U−z)⁺ and P(U ≥ z), also of z < 0."""
        place = np.clip(z, 0.0, self.step * (self.tail.size - 2))
        cell = (place / self.step).astype(np.intp)
        past = place - cell * self.step
        slope = (self.tail[cell + 1] - self.tail[cell]) / self.step
        tail = self.tail[cell] + slope * past
        excess = self.excess[cell] - past * (self.tail[cell] + 0.5 * slope * past)
        return excess + np.maximum(0.0, -z), np.where(z > 0.0, tail, 1.0)


def arrivals_that_count(source: EphemeralSource, utilities: Utilities) -> float:
    """In a slot, on the average: those without utility are none."""
    useless = utilities.get(0.0, 0.0) if isinstance(utilities, Mapping) else 0.0
    return source.arrival_rate * source.period * (1.0 - useless)


def second_moment(source: EphemeralSource, utilities: Utilities) -> float:
    """E ξ²."""
    if utilities is None:
        return source.utility**2
    if utilities == "exponential":
        return 2.0 * source.utility**2
    return sum(chance * value**2 for value, chance in _check(source, utilities).items())


def greatest(source: EphemeralSource, utilities: Utilities) -> float:
    """The utility that hardly any arrival exceeds."""
    if utilities is None:
        return source.utility
    return (
        8.0 * source.utility
        if utilities == "exponential"
        else max(_check(source, utilities))
    )


def _check(source: EphemeralSource, utilities: object) -> Mapping[float, float]:
    if not isinstance(utilities, Mapping):
        raise BadNumber(
            "the law of utilities",
            utilities,
            'None, "exponential" or probabilities of some values',
        )
    if not all(value >= 0.0 and chance >= 0.0 for value, chance in utilities.items()):
        raise BadNumber("a utility or its probability", dict(utilities), "at least 0")
    mean = sum(value * chance for value, chance in utilities.items())
    if not math.isclose(sum(utilities.values()), 1.0, abs_tol=1e-9):
        raise BadNumber("the sum of the probabilities", sum(utilities.values()), "1")
    if not math.isclose(mean, source.utility, rel_tol=1e-9):
        raise BadNumber(
            "the mean of the utilities", mean, f"that of the source, {source.utility}"
        )
    return utilities


def _excess_of_one(z: Floats, source: EphemeralSource, utilities: Utilities) -> Floats:
    """E(ξ·e^(−μs) − z)⁺ of one arrival that counts, but for a factor."""
    fading = source.decay * source.period
    if utilities is None:
        return _excess_of_constant(z, source.utility, fading)
    if utilities == "exponential":
        return _excess_of_exponential(z, source.utility, fading)
    laws = _check(source, utilities).items()
    total = np.zeros_like(z)
    for value, chance in laws:
        if value > 0.0:
            total += chance * _excess_of_constant(z, value, fading)
    return total


def _excess_of_constant(z: Floats, utility: float, fading: float) -> Floats:
    """(ξ − z − z·log(ξ/z))/d between ξ·e^(−d) and ξ; below, the mean less z."""
    inside = np.clip(z, utility * math.exp(-fading), utility)
    logs = np.log(np.divide(utility, inside, where=inside > 0.0, out=np.ones_like(z)))
    return (utility - inside - inside * logs) / fading + np.maximum(0.0, inside - z)


def _excess_of_exponential(z: Floats, utility: float, fading: float) -> Floats:
    """(ξ̄/d)·∫ e^(−c/v) dv over e^(−d) < v < 1, c = z/ξ̄; the integral is v·e^(−c/v)
    − c·E₁(c/v).
    """
    from scipy.special import exp1

    share = np.maximum(z, 0.0) / utility
    least = max(math.exp(-fading), 1e-300)

    def integral(v: float) -> Floats:
        with np.errstate(over="ignore"):
            ratio = share / v
        found: Floats = v * np.exp(-ratio) - share * np.where(
            share > 0.0, exp1(np.maximum(ratio, 1e-300)), 0.0
        )
        return found

    return utility / fading * (integral(1.0) - integral(least)) + np.maximum(0.0, -z)
