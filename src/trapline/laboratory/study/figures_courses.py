"""How courses are drawn: share of the bound against polls, on an axis that is stretched towards the
top, where courses differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from trapline.laboratory.study.courses import Course, Floats
from trapline.laboratory.study.figures import (
    QUIET,
    Line,
    draw_mean,
    shared_legend,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SOLID: Final = "-"
DASHED: Final = (0, (5, 2))
DOTTED: Final = (0, (1.2, 1.6))
INKS: Final = {
    "H-TRAA": "#0b6e99",
    "LAKG": "#b8641a",
    "posterior": "#1b9e77",
    "estimator": "#8a6fb0",
    "optimal": "#20242a",
    "proportional": "#6b7280",
    "uniform": "#a9afb8",
}
# from order to disorder
RAMP: Final = ("#08306b", "#1f6fb2", "#41a6c4", "#7fc97f", "#e0a100", "#c0392b")
SIZES: Final = ("#1f6fb2", "#1b9e77", "#d98200", "#b03060")  # by number of pages
_CEILING: Final = 1.045  # of the stretched axis: a little above the formula's optimum
FEW: Final = 5  # seeds: with fewer a band says nothing and covers all
TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)


def draw_course(
    axis: Axes,
    course: Course,
    ink: str,
    line: Any = SOLID,
    label: str | None = None,
    width: float = 1.8,
) -> None:
    """Mean over seeds, with a band if there are seeds enough to make it useful."""
    look = Line(ink, label or course.name, line, width, opacity=0.16)
    draw_mean(axis, course.polls, course.shares, look, band=len(course.shares) >= FEW)


def stretch_shares(axis: Axes, least: float) -> None:
    """Upwards ever finer: 0.95 and 0.98 are as far apart as 0.6 and 0.8."""

    def forward(share: Floats) -> Floats:
        return np.asarray(-np.log(np.maximum(_CEILING - np.asarray(share), 1e-3)))

    def backward(place: Floats) -> Floats:
        return np.asarray(_CEILING - np.exp(-np.asarray(place)))

    axis.set_yscale("function", functions=(forward, backward))
    axis.set_ylim(least, 1.012)
    axis.set_yticks(
        [tick for tick in TICKS if tick >= least],
        [f"{tick:g}" for tick in TICKS if tick >= least],
    )
    axis.set_yticks([], minor=True)


def frame_shares(
    axis: Axes, title: str, least: float, optimum: float, *, log: bool = True
) -> None:
    """Axes, the bound, and the formula's optimum (a share of the bound) where it is not the same
    line.
    """
    stretch_shares(axis, least)
    tidy(axis, title, grid="y")
    axis.axhline(1.0, color="black", linewidth=1.0, zorder=1)
    if abs(optimum - 1.0) > 1e-3:
        axis.axhline(
            optimum, color=QUIET, linewidth=0.7, linestyle=(0, (6, 3)), zorder=1
        )
    if log:
        axis.set_xscale("log")
        axis.set_xticks([], minor=True)
        first, last = axis.get_xlim()
        ticks = [
            10**power for power in range(2, 8) if 0.9 * first <= 10**power <= 1.1 * last
        ]
        axis.set_xticks(ticks, [_short_number(tick) for tick in ticks])


def legend_below(figure: Figure, panels: Sequence[Axes], rows: int) -> None:
    """One for all panels; what stands in several is named once."""
    labels = {label for axis in panels for label in axis.get_legend_handles_labels()[1]}
    shared_legend(figure, panels, ncols=-(-len(labels) // rows), fontsize=9)


def seeds_subtitle(optimum: float, seeds: int) -> str:
    bands = ", bands: 95 % intervals" if seeds >= FEW else ""
    said = [
        f"means of {seeds} seeds{bands}",
        "black: no schedule detects more in the long run",
    ]
    if abs(optimum - 1.0) > 1e-3:
        said.append(f"dashed above it: the formula's optimum ({optimum:.4f})")
    return "; ".join(said)


def _short_number(polls: int) -> str:
    return (
        f"{polls // 1_000_000}M"
        if polls >= 1_000_000
        else f"{polls // 1_000}k"
        if polls >= 1_000
        else str(polls)
    )
