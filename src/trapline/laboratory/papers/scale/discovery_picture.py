"""How scale/discovery is drawn: one row of dots for each family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import QUIET, heading, tidy
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK: Final = "#0b6e99"


def discovery_figure(title: str, shares: Mapping[str, list[float]]) -> Figure:
    figure = new_figure(8.0, 3.0)
    axis = figure.subplots()
    for place, found in enumerate(shares.values()):
        axis.plot(found, [place] * len(found), "o", color=INK, alpha=0.3, markersize=4)
        axis.plot(Estimate.of(found).mean, place, "o", color=INK, markersize=7)
    axis.axvline(1.0, color=QUIET, linewidth=0.9, linestyle=(0, (5, 3)), zorder=0)
    axis.set_yticks(range(len(shares)), list(shares))
    axis.invert_yaxis()
    axis.set_xlabel("P of eight shards, of one engine's")
    tidy(axis, grid="x")
    heading(figure, title, "every web a pale dot, their mean a dark one")
    return figure
