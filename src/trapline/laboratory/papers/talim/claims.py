"""talim/claims: what the paper proves, suspects or leaves open about its queue, tried on many
instances.

For each claim: how many instances were tried, and `ours`, how many of them are exceptions. μ = 1.
Lemma 1 and its consequences are proved (and proved again in theory/queueing/static.py); Lemma 2 has
no proof ("Any ideas?"), nor that the best dynamic plan always is a pair of monotone switching
curves.

>>> one_minimum(capacity=5, weight=1.4)
True
>>> monotone_switching(0.1, capacity=5, weight=1.4, fetchers=16)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.talim.fig_2_to_5 import (
    best_loads,
    peak_capacity,
    single_peaked,
)
from trapline.laboratory.study.report import Progress, Report, Row
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.static import best_load

ID: Final = "talim/claims"
TITLE: Final = "What the paper proves, suspects or leaves open, tried on many instances"
COLUMNS: Final = ("id", "paper", "ours", "instances", "first exception", "remark")
PROVED = "holds"
SUSPECTED = "suspected"
UNPROVED = "unproved"
OPEN = "left open"


@dataclass(frozen=True, slots=True)
class Grid:
    """The values that are combined."""

    rates: tuple[float, ...] = (0.02, 0.05, 0.1, 0.2, 0.5)  # λ
    capacities: tuple[int, ...] = (2, 3, 5, 8, 12, 20)  # K
    weights: tuple[float, ...] = (0.1, 0.3, 0.6, 1.0, 1.4, 2.0, 5.0, 20.0)  # γ
    loads: tuple[float, ...] = (0.5, 1.0, 2.0)  # Nλ/μ, for N
    longest: int = 60  # K of the claims about its growth
    # γ ≤ μ
    low: tuple[float, ...] = (
        0.05,
        0.1,
        0.2,
        0.3,
        0.4,
        0.5,
        0.6,
        0.7,
        0.8,
        0.9,
        0.95,
        0.99,
        1.0,
    )
    high: tuple[float, ...] = (
        1.1,
        1.15,
        1.2,
        1.3,
        1.4,
        1.5,
        1.7,
        2.0,
        2.3,
        2.6,
        3.0,
        3.4,
        4.0,
        5.0,
        10.0,
        50.0,
    )

    def plans(self) -> Iterator[tuple[float, int, float, int]]:
        """λ, K, γ, N."""
        for rate, capacity, weight, load in product(
            self.rates, self.capacities, self.weights, self.loads
        ):
            yield rate, capacity, weight, max(1, round(load / rate))


QUICK: Final = Grid(
    (0.1, 0.2),
    (2, 5),
    (0.3, 1.0, 2.0),
    longest=20,
    low=(0.5, 1.0),
    high=(1.4, 2.0, 10.0),
)


def one_minimum(capacity: int, weight: float) -> bool:
    """ρ → C(ρ, γ, K) falls to a single minimum at ρ(γ, K) and grows from there on."""
    queue = FetcherQueue(1.0, 1.0, capacity, weight)
    away = 1.0 + np.concatenate(([0.0], np.geomspace(1e-3, 5.0, 60)))
    above = [queue.load_cost(queue.best_load * factor) for factor in away]
    below = [queue.load_cost(queue.best_load / factor) for factor in away]
    return bool((np.diff(above) > 0.0).all() and (np.diff(below) > 0.0).all())


def side_of_one(capacity: int, factor: float) -> bool:
    """ρ(γ, K) is below, at or above 1 as γ is below, at or above γ(K)."""
    above = best_load(capacity, factor * (capacity + 2) / capacity) - 1.0
    return bool(
        abs(above) < 1e-9 if factor == 1.0 else np.sign(above) == np.sign(factor - 1.0)
    )


def beside_best_load(rate: float, capacity: int, weight: float) -> bool:
    """N(γ, K) is beside ρ(γ, K)·μ/λ: no number up to three times that is better."""
    queue = FetcherQueue(rate, 1.0, capacity, weight)
    best = queue.best_static()
    return best.cost <= min(
        queue.static_cost(count) for count in range(1, 3 * best.fetchers + 3)
    )


def grows_with_weight(capacity: int) -> bool:
    """γ → ρ(γ, K) never falls."""
    return bool(
        (
            np.diff(
                [
                    best_load(capacity, weight)
                    for weight in np.geomspace(0.01, 100.0, 41)
                ]
            )
            >= 0.0
        ).all()
    )


def passes_bound(capacity: int, bound: float) -> bool:
    """γ → ρ(γ, K) passes every bound: for large γ it grows as (Kγ)^(1/(K+1))."""
    return best_load(capacity, 2.0 * (2.0 * bound) ** (capacity + 1)) > bound


def grows_with_capacity(weight: float, longest: int) -> bool:
    """K → ρ(γ, K) never falls if γ ≤ μ."""
    return bool((np.diff(best_loads(weight, range(2, longest + 1))) >= 0.0).all())


def grows_then_falls(weight: float, longest: int) -> bool:
    """K → ρ(γ, K) never falls up to some K_0 and never grows from there on if γ > μ."""
    return single_peaked(best_loads(weight, range(2, longest + 1)))


def peak_as_guessed(weight: float, longest: int) -> bool:
    """Our guess, the paper's K_0 being left open: it is within 1 of 1 + 4/(γ/μ − 1), and at least
    2.
    """
    return (
        abs(peak_capacity(weight, longest) - max(2.0, 1.0 + 4.0 / (weight - 1.0))) < 1.0
    )


def goes_to_one(weight: float) -> bool:
    """ρ(γ, K) → 1 as K → ∞: each tenfold K brings it nearer, K = 10,000 to within 0.1 %."""
    apart = np.abs(best_loads(weight, (100, 1_000, 10_000)) - 1.0)
    return bool((np.diff(apart) < 0.0).all() and apart[-1] < 1e-3)


def monotone_switching(
    rate: float, capacity: int, weight: float, fetchers: int
) -> bool:
    """The best dynamic plan is a pair of decreasing switching curves."""
    return FetcherQueue(rate, 1.0, capacity, weight).solve(fetchers).is_monotone


@dataclass(frozen=True, slots=True)
class Claim:
    id: str
    standing: str  # in the paper
    holds: Callable[..., bool]  # its docstring says what is claimed
    names: tuple[str, ...]  # of what it is told
    instances: Callable[[Grid], Iterator[tuple[float, ...]]]


FACTORS: Final = (0.1, 0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 2.0, 10.0)  # γ/γ(K)
CLAIMS: Final = (
    Claim(
        "Lemma 1: one minimum",
        PROVED,
        one_minimum,
        ("K", "γ"),
        lambda s: product(s.capacities, s.weights),
    ),
    Claim(
        "Lemma 1: side of 1",
        PROVED,
        side_of_one,
        ("K", "γ/γ(K)"),
        lambda s: product(s.capacities, FACTORS),
    ),
    Claim(
        "Proposition 1",
        PROVED,
        beside_best_load,
        ("λ", "K", "γ"),
        lambda s: product(s.rates, s.capacities, s.weights),
    ),
    Claim(
        "Proposition 2: monotone",
        PROVED,
        grows_with_weight,
        ("K",),
        lambda s: product(s.capacities),
    ),
    Claim(
        "Proposition 2: unbounded",
        PROVED,
        passes_bound,
        ("K", "bound"),
        lambda s: product(s.capacities, (2, 10, 100)),
    ),
    Claim(
        "Lemma 2: γ ≤ μ",
        UNPROVED,
        grows_with_capacity,
        ("γ", "K up to"),
        lambda s: product(s.low, (s.longest,)),
    ),
    Claim(
        "Lemma 2: γ > μ",
        UNPROVED,
        grows_then_falls,
        ("γ", "K up to"),
        lambda s: product(s.high, (s.longest,)),
    ),
    Claim(
        "Lemma 2: K_0",
        OPEN,
        peak_as_guessed,
        ("γ", "K up to"),
        lambda s: product(s.high, (s.longest,)),
    ),
    Claim("Lemma 3", PROVED, goes_to_one, ("γ",), lambda s: product(s.low + s.high)),
    Claim(
        "Monotone switching",
        SUSPECTED,
        monotone_switching,
        ("λ", "K", "γ", "N"),
        Grid.plans,
    ),
)


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    """Try every claim.

    Nothing is random and there is nothing to draw: `seeds` and `out` have no meaning.
    """
    grid = QUICK if quick else Grid()
    instances = {claim.id: list(claim.instances(grid)) for claim in CLAIMS}
    total = sum(map(len, instances.values()))
    tried = 0
    progress(0.0, "starting")
    rows: list[Row] = []
    for claim in CLAIMS:
        exceptions = []
        for instance in instances[claim.id]:
            if not claim.holds(*instance):
                exceptions.append(instance)
            tried += 1
            progress(tried / total, claim.id)
        rows.append(_row(claim, len(instances[claim.id]), exceptions))
    against = [str(row["id"]) for row in rows if row["ours"]]
    verdict = f"exceptions to {', '.join(against)}" if against else "no exception"
    return Report(ID, TITLE, COLUMNS, rows, [f"{total:,} instances tried: {verdict}"])


def _row(claim: Claim, tried: int, exceptions: list[tuple[float, ...]]) -> Row:
    first = exceptions[0] if exceptions else ()
    return {
        "id": claim.id,
        "paper": claim.standing,
        "ours": len(exceptions),
        "instances": tried,
        "first exception": ",".join(
            f"{name}={value:g}" for name, value in zip(claim.names, first, strict=False)
        ),
        "remark": " ".join((claim.holds.__doc__ or "").split()),
    }
