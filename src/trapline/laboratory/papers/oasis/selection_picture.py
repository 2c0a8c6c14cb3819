"""How the figure of oasis/selection is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trapline.laboratory.papers.oasis.federated_queries import KINDS
from trapline.laboratory.study.figures import INKS, QUIET, heading, tidy
from trapline.laboratory.study.report import Row, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SUBTITLE: Final = "share of one central index's first ten that the engines asked hold"


def draw_selection(title: str, rows: Sequence[Row]) -> Figure:
    figure = new_figure(11.0, 5.2)
    left, right = figure.subplots(
        1,
        2,
        width_ratios=(1.0, 1.25),
    )
    _draw_asked(left, rows)
    _draw_dots(right, [row for row in rows if _is_choice_of_three(str(row["id"]))])
    heading(
        figure,
        title,
        _SUBTITLE,
    )
    return figure


def _is_choice_of_three(name: str) -> bool:
    if name.startswith("forecast"):
        return True
    return "asked" not in name.partition(", ")[2] or name.endswith(", 3 asked")


def _draw_asked(axis: Axes, rows: Sequence[Row]) -> None:
    for number, kind in enumerate((*KINDS, "all")):
        for who, dashes in (("learnt", "-"), ("oracle", ":")):
            some = [row for row in rows if _is_curve(str(row["id"]), who)]
            points = [
                (row["asked"], row[kind]) for row in some if row[kind] is not None
            ]
            label = kind if who == "learnt" else None
            xs, ys = zip(*points, strict=True) if points else ((), ())
            axis.plot(
                xs,
                ys,
                dashes,
                color=INKS[number],
                marker=".",
                label=label,
            )
    axis.set(xlabel="engines asked (dotted: oracle)", ylim=(None, 1.0))
    tidy(axis, grid="y")
    axis.legend(
        frameon=False,
        fontsize=9,
        loc="lower right",
    )


def _is_curve(name: str, who: str) -> bool:
    return name.startswith(f"{who}, ") and name.endswith(" asked")


def _draw_dots(axis: Axes, rows: Sequence[Row]) -> None:
    some = [row for row in rows if row.get("asked") is not None]
    places = list(
        range(
            len(some),
            0,
            -1,
        )
    )
    values = [float(row["all"] or 0.0) for row in some]
    errors = [float(row["±"] or 0.0) for row in some]
    axis.errorbar(
        values,
        places,
        xerr=errors,
        fmt="o",
        color=INKS[0],
        ecolor=QUIET,
    )
    axis.set_yticks(
        places,
        [str(row["id"]) for row in some],
        fontsize=8,
    )
    for place, value in zip(
        places,
        values,
        strict=True,
    ):
        axis.text(
            1.01,
            place,
            f"{value:.3f}",
            va="center",
            color=QUIET,
            fontsize=8,
        )
    axis.set(xlim=(None, 1.0), xlabel="all queries; lines: 95 % intervals")
    tidy(axis, grid="x")
