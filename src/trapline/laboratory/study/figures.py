"""One look for the experiments of papers: the columns of their tables, and the colours and manners
of their figures.

>>> row("λ=0.1/N_s", paper=10, ours=9, remark="erratum: miscounted")["difference"]
-1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trapline.laboratory.study.report import Cell, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS: Final = ("id", "paper", "ours", "difference", "remark")
STATIC: Final = "#b8641a"
DYNAMIC: Final = "#0b6e99"
WRONG: Final = "#c0392b"
QUIET: Final = "#5a6068"
FAINT: Final = "#e3e5e8"


def row(name: str, paper: Cell, ours: Cell, remark: str = "") -> Row:
    """A number of the paper's (None = it gives none) beside ours; the difference is
    ours − paper.
    """
    return {
        "id": name,
        "paper": paper,
        "ours": ours,
        "difference": _less(ours, paper),
        "remark": remark,
    }


def _less(ours: Cell, paper: Cell) -> Cell:
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
