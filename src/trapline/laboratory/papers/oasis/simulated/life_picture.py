"""How oasis/life and oasis/liars are drawn: the share of the central ten as time goes by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.oasis.simulated.life_runs import (
    Floats,
    LifeResult,
    in_bins,
)
from trapline.laboratory.study.figures import (
    QUIET,
    Line,
    draw_mean,
    heading,
    line_of,
    shared_legend,
    tidy,
)
from trapline.laboratory.study.report import new_figure
from trapline.laboratory.worlds.federation.fates import Lie

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Found = dict[str, LifeResult]

WITHOUT_LIAR: Final = Line(QUIET, "no liars, with lessons", dashes=(0, (5, 2)))
LEARNING: Final = Line("#0b6e99", "liars, with lessons", width=2.2)
UNLEARNT: Final = Line("#b8641a", "liars, without lessons")
_BIN: Final = 20  # queries


def liars_figure(title: str, found: Found, lies: Mapping[Lie, str]) -> Figure:
    figure = new_figure(11.0, 6.6)
    panels = figure.subplots(2, 3, sharex=True).ravel()
    for axis, lie in zip(panels, lies, strict=False):
        _draw(axis, found["none/with lessons"].share, WITHOUT_LIAR)
        _draw(axis, found[f"{lie}/without lessons"].share, UNLEARNT)
        _draw(axis, found[f"{lie}/with lessons"].share, LEARNING)
        axis.set(ylim=(0.0, 1.02), xlabel="queries")
        tidy(axis, f"liars that {lies[lie]}", grid="y")
    _draw_asked(panels[len(lies)], found, lies)
    shared_legend(
        figure,
        panels[: len(lies)],
        ncols=3,
        fontsize=9,
    )
    seeds = len(found["none/with lessons"].share)
    heading(
        figure,
        title,
        f"share of the central ten, means of {seeds} worlds with 95 % intervals",
    )
    return figure


def life_figure(title: str, found: Found, days: int) -> Figure:
    figure = new_figure(11.0, 5.2)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    day = np.arange(days) + 0.5
    for place, (name, result) in enumerate(found.items()):
        draw_mean(
            left,
            day,
            in_bins(result.share, days),
            line_of(place, name),
        )
    left.set(xlabel="days", ylim=(0.5, 1.0), xticks=range(0, days + 1, 5))
    tidy(left, "share of the central ten", grid="y")
    left.legend(frameon=False, fontsize=9, loc="lower left")
    first = next(iter(found.values()))
    alive = in_bins(first.engines, days) / first.engines.max()
    covered = in_bins(first.covered, days)
    draw_mean(
        right,
        day,
        alive,
        Line(QUIET, "engines alive, of the most"),
    )
    draw_mean(
        right,
        day,
        covered,
        line_of(2, "pages that one of them holds"),
    )
    right.set(xlabel="days", ylim=(0.0, 1.02), xticks=range(0, days + 1, 5))
    tidy(right, "the federation", grid="y")
    right.legend(frameon=False, fontsize=9, loc="lower right")
    seeds = len(first.share)
    heading(figure, title, f"means of {seeds} worlds with 95 % intervals")
    return figure


def _draw(axis: Axes, shares: Floats, line: Line) -> None:
    bins = max(1, shares.shape[1] // _BIN)
    places = (np.arange(bins) + 0.5) * shares.shape[1] / bins
    draw_mean(
        axis,
        places,
        in_bins(shares, bins),
        line,
    )


def _draw_asked(axis: Axes, found: Found, lies: Mapping[Lie, str]) -> None:
    for place, lie in enumerate(lies):
        asked = found[f"{lie}/with lessons"].liars
        bins = max(1, asked.shape[1] // _BIN)
        places = (np.arange(bins) + 0.5) * asked.shape[1] / bins
        draw_mean(
            axis,
            places,
            in_bins(asked, bins),
            line_of(place, lie),
            band=False,
        )
    # the legend has the room above three, which is the most
    axis.set(xlabel="queries", ylim=(0.0, 4.2), yticks=range(4))
    axis.legend(frameon=False, fontsize=8, loc="upper right", ncols=3)
    tidy(axis, "liars that a query asks, with lessons", grid="y")
