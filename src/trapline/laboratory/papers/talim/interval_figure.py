"""A figure of rows: what was found of each, as a dot with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trapline.laboratory.study.figures import FAINT, QUIET
from trapline.laboratory.study.report import Row, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK = "#0b6e99"


def interval_figure(
    title: str,
    label: str,
    rows: Sequence[Row],
) -> Figure:
    """One row below the other; a row without an interval is a dot alone."""
    figure = new_figure(8.5, 1.2 + 0.27 * len(rows))
    axis = figure.subplots()
    for place, row in enumerate(rows):
        found = float(str(row["ours"]))
        if row.get("low") is not None:
            ends = [float(str(row[end])) for end in ("low", "high")]
            axis.plot(ends, [place, place], color=_INK, linewidth=2.0, alpha=0.5)
        axis.plot(found, place, "o", color=_INK, markersize=5)
    axis.set_yticks(range(len(rows)), [str(row["id"]) for row in rows], fontsize=8.5)
    axis.invert_yaxis()
    axis.axvline(0.0, color=QUIET, linewidth=0.8, zorder=0)
    axis.grid(axis="x", color=FAINT, linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_xlabel(f"{label} (lines: 95 % interval of the mean over seeds)")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure
