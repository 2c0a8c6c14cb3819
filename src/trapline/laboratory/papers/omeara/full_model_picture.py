"""How omeara/full-model is drawn: M over time, and P, one column of panels for each budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from trapline.laboratory.papers.omeara.full_model_runs import (
    BOUND,
    DISCOVERY,
    NUTCH,
    Q_LEARNING,
    REFRESH,
    SPLIT,
    UNIFORM,
    FullModelResult,
)
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import Line, draw_mean, heading, tidy
from trapline.laboratory.study.figures_courses import FEW, legend_below
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK: Final = "#0b6e99"  # of `auto`
INKS: Final = {
    Q_LEARNING: "#c2477f",
    DISCOVERY: "#1b9e77",
    REFRESH: "#8a6fb0",
    SPLIT: "#b8641a",
    UNIFORM: "#a9afb8",
    NUTCH: "#6b7280",
}
DARK: Final = "#20242a"
SAID: Final[dict[str, Any]] = {"va": "center", "fontsize": 8.5, "color": DARK}


def full_model_figure(
    title: str,
    found: dict[str, dict[str, FullModelResult]],
    first: str,
    rivals: Sequence[str],
) -> Figure:
    figure = new_figure(12.0, 7.4)
    panels = figure.subplots(
        2, len(found), height_ratios=(3, 2), sharey="row", squeeze=False
    )
    for column, (budget, results) in enumerate(found.items()):
        upper = panels[0, column]
        lower = panels[1, column]
        for kind in (*rivals, first):
            _draw_quality(
                upper,
                results[kind].quality,
                kind,
                INKS.get(kind, INK),
                2.4 if kind == first else 1.5,
            )
        upper.set(xlabel="time, of the run", xlim=(0.0, 1.0), ylim=(0.0, 1.0))
        tidy(upper, f"budget {budget}", grid="y")
        _draw_bars(lower, results, (first, *rivals))
    panels[0, 0].set_ylabel("M = min(recall, freshness)")
    legend_below(figure, panels[0], rows=1)
    seeds = len(next(iter(found.values()))[first].p)
    bands = " with 95 % intervals" if seeds >= FEW else ""
    heading(
        figure,
        title,
        f"means of {seeds} worlds{bands}; below: P, and the bound that no robot exceeds",
    )
    return figure


def _draw_quality(
    axis: Axes, values: Floats, name: str, ink: str, width: float
) -> None:
    times = np.linspace(0.0, 1.0, values.shape[1])
    line = Line(ink, name, width=width, opacity=0.15)
    draw_mean(axis, times, values, line, band=len(values) >= FEW)


def _draw_bars(
    axis: Axes, results: dict[str, FullModelResult], kinds: Sequence[str]
) -> None:
    for place, kind in enumerate(kinds):
        found = Estimate.of(results[kind].p.tolist())
        axis.barh(place, found.mean, color=INKS.get(kind, INK), height=0.68)
        many = len(results[kind].p) >= FEW
        if many:
            axis.plot(
                [found.low, found.high], [place, place], color=DARK, linewidth=1.6
            )
        # hides what the number stands on
        beside = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
        axis.text(
            found.high + 0.015 if many else found.mean + 0.015,
            place,
            f"{found.mean:.3f}",
            bbox=beside,
            **SAID,
        )
    axis.axvline(float(results[BOUND].p.mean()), color=DARK, linewidth=1.2)
    axis.set_yticks(range(len(kinds)), kinds)
    axis.invert_yaxis()
    axis.set(xlabel="P", xlim=(0.0, 1.0))
    tidy(axis, grid="x")
