"""talim/fig-2 … talim/fig-5: the best fixed number of fetchers as the weight, the queue's length
and the rates vary.

The paper's pictures are lost, and it says itself that they must be redrawn "with the new cost". So
`paper` is what the text states: ρ = 1 at γ(K) (Lemma 1), ρ → 1 as K → ∞ (Lemma 3), and the limit
N(γ, ∞) of eq. (16). Where a caption does not say which γ or K were drawn, γ = 0.5 and 2 (those of
Figure 3) and K = 5 and 20 were chosen. μ = 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from trapline.laboratory.papers.talim import fig_2_to_5_pictures as pictures
from trapline.laboratory.papers.talim.fig_2_to_5_pictures import (
    CAPACITIES,
    TITLES,
    WEIGHTS,
)
from trapline.laboratory.study.figures import COLUMNS, row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.theory.queueing.control import Ints
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.static import Floats, best_load, endless_cost

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Key = TypeVar("Key")

LONG: Final = 10_000  # a K that is as good as endless
PEAKED: Final = (1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0)  # γ above μ, whose K_0 is told


def best_fetchers(ratio: float, capacity: int, weight: float) -> int:
    """N(γ, K) for μ/λ = `ratio`.

    >>> best_fetchers(5.7, capacity=5, weight=1.4)
    6
    """
    return FetcherQueue(1.0 / ratio, 1.0, capacity, weight).best_static().fetchers


def endless_fetchers(ratio: float, weight: float) -> int:
    """N(γ, ∞) for μ/λ = `ratio`: the paper's approximation for a long queue (eq. 16).

    >>> endless_fetchers(5.7, weight=0.5), endless_fetchers(5.6, weight=0.5)
    (6, 5)
    """
    below = math.floor(ratio)
    above = math.ceil(ratio)
    costs = {
        count: endless_cost(count / ratio, weight, 1.0) for count in (below, above)
    }
    return above if costs[above] <= costs[below] else below


def peak_capacity(weight: float, most: int) -> int:
    """K_0 of Lemma 2, which the paper leaves open: where K → ρ(γ, K) is greatest, K from 2 to
    `most`.

    >>> peak_capacity(weight=2.0, most=30)
    5
    """
    return 2 + int(np.argmax(best_loads(weight, range(2, most + 1))))


def best_loads(weight: float, capacities: Iterable[int]) -> Floats:
    """K → ρ(γ, K)."""
    return np.array([_remembered_load(capacity, weight) for capacity in capacities])


# claims ask for the same ones again
_remembered_load = lru_cache(maxsize=20_000)(best_load)


def single_peaked(loads: Floats) -> bool:
    """Whether it never falls up to its greatest value and never grows from there on.

    >>> single_peaked(np.array([1.0, 3.0, 2.0])), single_peaked(np.array([1.0, 3.0, 2.0, 2.5]))
    (True, False)
    """
    steps = np.diff(loads)
    top = int(np.argmax(loads))
    return bool((steps[:top] >= 0.0).all() and (steps[top:] <= 0.0).all())


def fig_2(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """γ → N(γ, K), μ/λ = 5.7 (Proposition 2).

    As in all four, nothing is random: `seeds` has no meaning.
    """
    weights = np.geomspace(0.1, 10.0, 17 if quick else 161)
    curves = _sample_curves(
        progress,
        CAPACITIES,
        weights,
        lambda capacity, weight: best_fetchers(5.7, int(capacity), weight),
    )
    rows = []
    for capacity in CAPACITIES:
        balanced = (capacity + 2) / capacity
        rows.append(
            row(f"K={capacity},γ=γ(K)/ρ", 1.0, best_load(capacity, balanced), "Lemma 1")
        )
        for weight in (0.2, 0.5, 1.0, 2.0, 5.0, 10.0):
            rows.append(
                row(
                    f"K={capacity},γ={weight:g}/N",
                    None,
                    best_fetchers(5.7, capacity, weight),
                )
            )
    remarks = [
        "chosen: K = 5 and 20, γ from 0.1 to 10 (the caption has only μ/λ = 5.7)",
        "N never falls as γ grows (Proposition 2)"
        if all(np.all(np.diff(curve) >= 0) for curve in curves.values())
        else "N FALLS somewhere as γ grows, against Proposition 2",
    ]
    return _make_report(
        "talim/fig-2",
        rows,
        remarks,
        out,
        lambda: pictures.weight_figure(weights, curves),
    )


def fig_3(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """K → ρ(γ, K) for γ = 0.5 and γ = 2, and the K_0 that Lemma 2 leaves open."""
    capacities = np.arange(2, 21 if quick else 61, dtype=np.int64)
    curves = _sample_curves(
        progress,
        WEIGHTS,
        capacities,
        lambda weight, capacity: best_load(int(capacity), weight),
    )
    rows = []
    for weight in WEIGHTS:
        for capacity in (2, 3, 5, 10, 20, 50, 100, 1000):
            stated = 1.0 if weight == (capacity + 2) / capacity else None
            rows.append(
                row(
                    f"γ={weight:g},K={capacity}/ρ",
                    stated,
                    best_load(capacity, weight),
                    "γ=γ(K)" * bool(stated),
                )
            )
        rows.append(
            row(
                f"γ={weight:g},K→∞/ρ",
                1.0,
                best_load(LONG, weight),
                f"Lemma 3; ours at K={LONG:,}",
            )
        )
    for weight in PEAKED[2:] if quick else PEAKED:
        guess = 1.0 + 4.0 / (weight - 1.0)
        rows.append(
            row(
                f"γ={weight:g}/K_0",
                None,
                peak_capacity(weight, most=round(2 * guess)),
                f"1+4/(γ−1) = {guess:.3g}",
            )
        )
    holds = (
        all(single_peaked(curve) for curve in curves.values())
        and np.argmax(curves[0.5]) == len(capacities) - 1
    )
    remarks = [
        f"Lemma 2 (unproved) {'holds' if holds else 'FAILS'} for these γ, K up to "
        f"{capacities[-1]}: for γ = 0.5 ρ "
        "never falls, for γ = 2 it grows up to K_0 and falls from there on; a sweep of γ is "
        "in talim/claims",
        "K_0, which the paper leaves open, is within 1 of 1 + 4/(γ − 1), and at least 2 (μ = 1)",
    ]
    return _make_report(
        "talim/fig-3",
        rows,
        remarks,
        out,
        lambda: pictures.load_figure(capacities, curves),
    )


def fig_4(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """K → N(γ, K) for μ/λ = 5.7 and μ/λ = 6; its limit is eq. (16)."""
    capacities = np.arange(2, 21 if quick else 61, dtype=np.int64)
    keys = [(ratio, weight) for ratio in (5.7, 6.0) for weight in WEIGHTS]
    curves = _sample_curves(
        progress,
        keys,
        capacities,
        lambda key, capacity: best_fetchers(key[0], int(capacity), key[1]),
    )
    rows = []
    remarks = ["chosen: γ = 0.5 and 2, as in Figure 3 (the captions have only μ/λ)"]
    for (ratio, weight), curve in curves.items():
        name = f"μ/λ={ratio:g},γ={weight:g}"
        rows += [
            row(f"{name},K={capacity}/N", None, int(curve[place]))
            for place, capacity in enumerate(capacities)
            if capacity in (2, 3, 5, 10, 20, 50)
        ]
        limit = best_fetchers(ratio, LONG, weight)
        rows.append(
            row(
                f"{name},K→∞/N",
                endless_fetchers(ratio, weight),
                limit,
                f"eq. 16; ours at K={LONG:,}",
            )
        )
        remarks.append(
            f"{name}: N is {_limit_reached(capacities[curve != limit], capacities)}"
        )
    return _make_report(
        "talim/fig-4",
        rows,
        remarks,
        out,
        lambda: pictures.capacity_figure(capacities, curves),
    )


def fig_5(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """μ/λ → N(γ, ∞) by eq. (16), beside N(γ, K) of a very long queue."""
    ratios = np.linspace(1.0, 10.0, 1801)
    curves = _sample_curves(
        progress, WEIGHTS, ratios, lambda weight, ratio: endless_fetchers(ratio, weight)
    )
    shown = (
        (2.5, 5.7)
        if quick
        else (1.2, 1.5, 1.8, 2.0, 2.5, 3.3, 4.4, 5.2, 5.5, 5.7, 6.0, 7.6, 8.1, 9.9)
    )
    rows = [
        row(
            f"γ={weight:g},μ/λ={ratio:g}/N",
            endless_fetchers(ratio, weight),
            best_fetchers(ratio, LONG, weight),
        )
        for weight in WEIGHTS
        for ratio in shown
    ]
    remarks = [
        f"paper: eq. (16); ours: N(γ, K) at K = {LONG:,}; chosen: γ = 0.5 and 2, μ/λ from 1 to 10",
        (
            "eq. (16) in a word: ⌈μ/λ⌉ iff the fraction of μ/λ is at least 1/(1 + γ/μ), that is "
            "2/3 and 1/3 here"
        ),
    ]
    return _make_report(
        "talim/fig-5",
        rows,
        remarks,
        out,
        lambda: pictures.endless_figure(ratios, curves),
    )


def _limit_reached(away: Ints, capacities: Ints) -> str:
    """From which K on N is at its limit; `away` are those where it is not."""
    if len(away) and away[-1] == capacities[-1]:
        return f"not yet at its limit at K = {away[-1]}"
    return f"at its limit from K = {away[-1] + 1 if len(away) else capacities[0]} on"


def _sample_curves(
    progress: Progress,
    keys: Iterable[Key],
    places: Floats | Ints,
    value: Callable[[Key, float], float],
) -> dict[Key, Floats]:
    """value(key, place) for every curve and place."""
    curves: dict[Key, Floats] = {}
    todo = list(keys)
    progress(0.0, "starting")
    for key in todo:
        curves[key] = np.array([value(key, float(place)) for place in places])
        progress(len(curves) / len(todo), str(key))
    return curves


def _make_report(
    name: str,
    rows: list[Row],
    remarks: list[str],
    out: Path | None,
    figure: Callable[[], Figure],
) -> Report:
    figures = draw_figures(name, out, figure)
    return Report(name, TITLES[name], COLUMNS, rows, remarks, figures)
