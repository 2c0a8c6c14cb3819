"""One look for all experiments: the columns of their tables, and the colours and lines of their
figures.

>>> row("λ=0.1/N_s", paper=10, ours=9, remark="erratum: miscounted")["difference"]
-1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import Cell, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

COLUMNS: Final = ("id", "paper", "ours", "difference", "remark")
STATIC: Final = "#b8641a"
DYNAMIC: Final = "#0b6e99"
WRONG: Final = "#c0392b"
QUIET: Final = "#5a6068"
FAINT: Final = "#e3e5e8"
# of policies that are compared, by their place
INKS: Final = (
    "#0b6e99",
    "#b8641a",
    "#1b9e77",
    "#c2417c",
    "#8a6fb0",
    "#7a6a00",
    "#4c72b0",
    "#5a6068",
)
DASHES: Final = ("-", "--", ":")  # for more policies than inks


class Line(NamedTuple):
    """How a curve is drawn."""

    ink: str
    label: str
    dashes: Any = "-"  # as matplotlib wants it
    width: float = 1.7
    opacity: float = 0.14  # of the band


def row(name: str, paper: Cell, ours: Cell, remark: str = "") -> Row:
    """A number of the paper's (None = it gives none) beside ours; the difference is
    ours − paper.
    """
    return {
        "id": name,
        "paper": paper,
        "ours": ours,
        "difference": _difference(ours, paper),
        "remark": remark,
    }


def _difference(ours: Cell, paper: Cell) -> Cell:
    if isinstance(paper, int | float) and isinstance(ours, int | float):
        return ours - paper
    return None


def heading(figure: Figure, title: str, subtitle: str = "") -> None:
    """Title and subtitle at the left edge, above all panels."""
    figure.suptitle(
        f"{title}\n" if subtitle else title,
        x=0.01,
        ha="left",
        fontsize=12,
        fontweight="bold",
    )
    if subtitle:
        figure.text(
            0.01,
            1.0 - 0.36 / figure.get_figheight(),
            subtitle,
            fontsize=9.5,
            color=QUIET,
            va="center",
        )


def tidy(axis: Axes, title: str = "", grid: str = "") -> None:
    """No frame but the lower and left edge, quiet ticks; `grid` along "x", "y" or not at all."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.spines[["bottom", "left"]].set_color(QUIET)
    axis.tick_params(colors=QUIET, labelsize=9)
    axis.xaxis.label.set_color(QUIET)
    axis.yaxis.label.set_color(QUIET)
    axis.set_axisbelow(True)
    if title:
        axis.set_title(title, loc="left", fontsize=10, color=QUIET)
    if grid == "x":
        axis.grid(axis="x", color=FAINT, linewidth=0.8)
    elif grid == "y":
        axis.grid(axis="y", color=FAINT, linewidth=0.8)


def line_of(place: int, label: str) -> Line:
    """The line of the policy at this place of a comparison."""
    return Line(
        INKS[place % len(INKS)], label, DASHES[place // len(INKS) % len(DASHES)]
    )


def draw_mean(
    axis: Axes,
    places: ArrayLike,
    runs: ArrayLike,
    line: Line,
    *,
    band: bool = True,
    height: Callable[[Floats], Floats] = np.asarray,
) -> None:
    """The mean over runs (rows), and its 95 % interval as a band.

    `height` says where on the axis a number is drawn.
    """
    axis.plot(
        places,
        height(np.asarray(runs, np.float64).mean(axis=0)),
        color=line.ink,
        linestyle=line.dashes,
        linewidth=line.width,
        label=line.label,
    )
    if band:
        found = Estimate.of_columns(runs)
        low = height(np.array([one.low for one in found]))
        high = height(np.array([one.high for one in found]))
        axis.fill_between(
            places, low, high, color=line.ink, alpha=line.opacity, linewidth=0
        )


def missing_to_bound(shares: ArrayLike, least: float) -> Floats:
    """1 − share; nothing is drawn nearer to the bound than `least`: a short stretch may exceed it.

    >>> missing_to_bound([0.9, 1.1], least=1e-3).round(3).tolist()
    [0.1, 0.001]
    """
    return np.clip(1.0 - np.asarray(shares, np.float64), least, 1.0)


def scale_by_missing(
    axis: Axes,
    limits: tuple[float, float],
    missing: Sequence[float],
    ticks: Mapping[float, str],
) -> None:
    """Upwards is better: what is missing to the bound, on a logarithmic scale, labelled by what is
    reached.
    """
    axis.set(xscale="log", yscale="log", ylim=limits)
    axis.set_xticks(list(ticks), list(ticks.values()))
    axis.set_yticks(missing, [f"{1.0 - one:.4g}" for one in missing])
    axis.minorticks_off()


def shared_legend(figure: Figure, panels: Sequence[Axes], **options: Any) -> None:
    """One legend for all panels, below them; what stands in several is named once."""
    handles: dict[str, Any] = {}
    for axis in panels:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.legend(
        list(handles.values()),
        list(handles),
        loc="outside lower left",
        frameon=False,
        **options,
    )
