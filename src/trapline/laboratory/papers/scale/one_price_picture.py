"""How scale/one-price is drawn: freshness round by round, of one agenda's; and the prices paid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.scale.one_price_runs import (
    BIDS_10,
    BIDS_60,
    BOUND,
    EQUAL,
    FEEDBACK,
    ONE,
    PAGES,
    SLOW,
    MarketRun,
)
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.figures import Line, draw_mean, heading, tidy
from trapline.laboratory.study.figures_courses import FEW, legend_below
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INKS: Final = {
    EQUAL: "#a9afb8",
    PAGES: "#6b7280",
    FEEDBACK: "#b8641a",
    SLOW: "#d9a05b",
    BIDS_10: "#0b6e99",
    BIDS_60: "#41a6c4",
    BOUND: "#20242a",
}

Runs = Mapping[str, list[MarketRun]]


def one_price_figure(
    title: str, runs: Runs, shares_of: Callable[[Runs, str, str], Floats]
) -> Figure:
    figure = new_figure(11.0, 4.8)
    panels = figure.subplots(1, 2, width_ratios=(3, 2))
    seeds = len(runs[ONE])
    for kind, ink in INKS.items():
        shares = shares_of(runs, kind, ONE)
        times = np.arange(1, shares.shape[1] + 1)
        width = 2.4 if kind == BIDS_10 else 1.6
        line = Line(
            ink,
            kind,
            width=width,
            opacity=0.15,
        )
        draw_mean(panels[0], times, shares, line, band=seeds >= FEW)
        if kind != BOUND:
            spread = np.array([one.free_spread for one in runs[kind]])
            draw_mean(panels[1], times, spread, line, band=seeds >= FEW)
    for axis in panels:
        axis.set_xlabel("round")
    panels[0].set_ylabel("freshness, of one agenda's")
    panels[1].set_yscale("log")
    tidy(panels[0], "freshness", grid="y")
    tidy(panels[1], "spread of log prices", grid="y")
    legend_below(figure, panels[:1], rows=2)
    heading(figure, title, f"means of {seeds} worlds, round by round")
    return figure
