"""How oasis/specialise is drawn: needs met and overlap, round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.oasis.specialise_runs import (
    FOLLOW,
    KINDS,
    SpecialiseOutcome,
)
from trapline.laboratory.study.figures import (
    Line,
    draw_mean,
    heading,
    shared_legend,
    tidy,
)
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INKS: Final = dict(
    zip(KINDS, ("#a9afb8", "#b8641a", "#0b6e99", "#1b9e77"), strict=True)
)
_FEW: Final = 5  # seeds, for a band to say something


def specialise_figure(
    title: str, found: dict[str, dict[str, list[SpecialiseOutcome]]]
) -> Figure:
    figure = new_figure(11.0, 7.0)
    panels = figure.subplots(
        2,
        len(found),
        sharey="row",
        sharex=True,
        squeeze=False,
    )
    for column, (start, results) in enumerate(found.items()):
        for kind, runs in results.items():
            line = Line(INKS[kind], kind, width=2.4 if kind == FOLLOW else 1.6)
            rounds = np.arange(1, len(runs[0].met) + 1)
            for axis, values in (
                (panels[0, column], [one.met for one in runs]),
                (panels[1, column], [one.overlap for one in runs]),
            ):
                draw_mean(
                    axis,
                    rounds,
                    values,
                    line,
                    band=len(runs) >= _FEW,
                )
        tidy(panels[0, column], f"engines begin with {start}", grid="y")
        tidy(panels[1, column], grid="y")
        panels[1, column].set(xlabel="round", xticks=rounds)
    panels[0, 0].set(ylabel="needs met", ylim=(0.0, None))
    panels[1, 0].set(ylabel="overlap of two engines", ylim=(0.0, None))
    shared_legend(figure, list(panels.ravel()), ncols=4)
    seeds = len(next(iter(found.values()))[FOLLOW])
    heading(figure, title, f"means of {seeds} worlds with 95 % intervals")
    return figure
