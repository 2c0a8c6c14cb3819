"""The pictures of Figures 2–5: curves over the weight γ, the queue's length K and the rates' ratio
μ/λ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.study.figures import (
    DYNAMIC,
    FAINT,
    QUIET,
    STATIC,
    heading,
    tidy,
)
from trapline.laboratory.study.report import new_figure
from trapline.theory.queueing.control import Ints
from trapline.theory.queueing.static import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLES: Final = {
    "talim/fig-2": "The best number of fetchers grows with the weight of starvation",
    "talim/fig-3": "The best load as the queue grows longer",
    "talim/fig-4": "The best number of fetchers as the queue grows longer",
    "talim/fig-5": "The best number of fetchers for a queue without end",
}
WEIGHTS: Final = {0.5: DYNAMIC, 2.0: STATIC}  # γ of Figures 3–5 and their colours
CAPACITIES: Final = {5: DYNAMIC, 20: STATIC}  # K of Figure 2 and theirs
# so that both can be seen where they are one
LIFT: Final = {DYNAMIC: -0.04, STATIC: 0.04}


def weight_figure(weights: Floats, curves: dict[int, Floats]) -> Figure:
    """Figure 2: stairs over γ, and where each K has load 1."""
    figure = new_figure(8.5, 4.6)
    axis = figure.subplots()
    axis.set_xscale("log")
    _draw_level(axis, 5.7, "μ/λ", at=weights[0])
    for capacity, curve in curves.items():
        ink = CAPACITIES[capacity]
        balanced = (capacity + 2) / capacity
        axis.step(
            weights,
            curve + LIFT[ink],
            where="mid",
            color=ink,
            linewidth=2.2,
            label=f"K = {capacity}",
        )
        axis.plot(balanced, 5.7, "o", color=ink, markersize=6, zorder=4)
        axis.annotate(
            f"γ({capacity})={balanced:g}",
            (balanced, 5.7),
            (5 if capacity == 5 else -5, -13),
            fontsize=8.5,
            color=ink,
            textcoords="offset points",
            ha="left" if capacity == 5 else "right",
        )
    axis.set(xlabel="γ: the weight of starvation (logarithmic)", ylabel="N(γ, K)")
    axis.set_xticks(
        [0.1, 0.2, 0.5, 1, 2, 5, 10], ["0.1", "0.2", "0.5", "1", "2", "5", "10"]
    )
    axis.set_xticks([], minor=True)
    _add_titles(
        figure,
        axis,
        "talim/fig-2",
        "μ/λ = 5.7; dots: the weight at which a load of 1 is best",
    )
    return figure


def load_figure(capacities: Ints, curves: dict[float, Floats]) -> Figure:
    """Figure 3: (a) rises to 1 from below, (b) has its peak at K_0 and falls to 1."""
    figure = new_figure(10.0, 4.2)
    for axis, (weight, curve) in zip(
        figure.subplots(1, 2), curves.items(), strict=True
    ):
        _draw_level(axis, 1.0)
        axis.plot(capacities, curve, color=WEIGHTS[weight], linewidth=1.2)
        axis.plot(capacities, curve, "o", color=WEIGHTS[weight], markersize=3.5)
        top = int(np.argmax(curve))
        if 0 < top < len(curve) - 1:
            place = (capacities[top], curve[top])
            axis.annotate(
                f"$K_0$ = {capacities[top]:g}, ρ = {curve[top]:.4f}",
                place,
                (10, 0),
                fontsize=9,
                color=WEIGHTS[weight],
                textcoords="offset points",
                va="center",
            )
        axis.set(xlabel="K: places in the queue", ylabel="ρ(γ, K)")
        tidy(axis, f"γ = {weight:g}", grid="y")
    heading(figure, TITLES["talim/fig-3"], "μ = 1; the best load goes to 1 (Lemma 3)")
    return figure


def capacity_figure(
    capacities: Ints, curves: dict[tuple[float, float], Floats]
) -> Figure:
    """Figure 4: (a) μ/λ = 5.7, (b) μ/λ = 6."""
    figure = new_figure(10.0, 4.2)
    ratios = sorted({ratio for ratio, _ in curves})
    panels = figure.subplots(1, len(ratios), sharey=True)
    for axis, ratio in zip(panels, ratios, strict=True):
        _draw_level(axis, ratio)
        for weight, ink in WEIGHTS.items():
            curve = curves[ratio, weight] + LIFT[ink]
            axis.step(
                capacities, curve, where="mid", color=ink, linewidth=1.2, alpha=0.5
            )
            axis.plot(
                capacities,
                curve,
                "o",
                color=ink,
                markersize=3.5,
                label=f"γ = {weight:g}",
            )
        axis.set_xlabel("K: places in the queue")
        tidy(axis, f"μ/λ = {ratio:g}", grid="y")
        axis.locator_params(axis="y", integer=True)
    panels[0].set_ylabel("N(γ, K)")
    panels[-1].legend(frameon=False, fontsize=9.5, loc="lower right")
    heading(
        figure, TITLES["talim/fig-4"], "dashed: μ/λ, the number at which the load is 1"
    )
    return figure


def endless_figure(ratios: Floats, curves: dict[float, Floats]) -> Figure:
    """Figure 5: two stairs about the diagonal N = μ/λ."""
    figure = new_figure(8.5, 4.8)
    axis = figure.subplots()
    axis.plot(
        ratios,
        ratios,
        color=QUIET,
        linewidth=0.8,
        linestyle=(0, (4, 3)),
        label="N = μ/λ",
    )
    for weight, curve in curves.items():
        ink = WEIGHTS[weight]
        axis.step(
            ratios,
            curve + LIFT[ink],
            where="mid",
            color=ink,
            linewidth=2.2,
            label=f"γ = {weight:g}",
        )
    axis.set(xlabel="μ/λ: pages processed while a fetcher brings one", ylabel="N(γ, ∞)")
    axis.set_xticks(range(1, 11))
    axis.set_yticks(range(1, 11))
    _add_titles(
        figure,
        axis,
        "talim/fig-5",
        "eq. (16): ⌈μ/λ⌉ as soon as the fraction of μ/λ is at least 1/(1 + γ/μ)",
    )
    return figure


def _draw_level(axis: Axes, height: float, label: str = "", at: float = 0.0) -> None:
    axis.axhline(height, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    if label:
        axis.annotate(
            label,
            (at, height),
            (0, 3),
            textcoords="offset points",
            fontsize=8.5,
            color=QUIET,
            ha="center",
        )


def _add_titles(figure: Figure, axis: Axes, name: str, subtitle: str) -> None:
    axis.grid(axis="x", color=FAINT, linewidth=0.8)
    tidy(axis, grid="y")
    axis.legend(frameon=False, fontsize=9.5, loc="upper left")
    heading(figure, TITLES[name], subtitle)
