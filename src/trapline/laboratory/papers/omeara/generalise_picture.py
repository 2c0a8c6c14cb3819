"""How omeara/generalise is drawn: one row of dots for each policy, a panel for each family and kind
of links.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from trapline.laboratory.papers.omeara.generalise_runs import (
    FRINGE_GREEDY,
    HORN,
    TRAINED,
    VALUE,
    PassResult,
)
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import QUIET, heading, tidy
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INKS: Final = {
    VALUE: "#0b6e99",
    HORN: "#41a6c4",
    TRAINED: "#1b9e77",
    FRINGE_GREEDY: "#b8641a",
}
OTHER: Final = "#6b7280"


def generalise_figure(
    title: str,
    found: Mapping[tuple[str, str], dict[str, PassResult]],
    kinds: Sequence[str],
    wanted: Mapping[str, float],
) -> Figure:
    families = list(dict.fromkeys(name for name, _ in found))
    figure = new_figure(12.0, 6.4)
    panels = figure.subplots(
        len(wanted), len(families), sharex=True, sharey=True, squeeze=False
    )
    for row, words in enumerate(wanted):
        for column, name in enumerate(families):
            axis = panels[row, column]
            _draw_dots(axis, found[name, words], kinds)
            axis.axvline(
                wanted[words],
                color=QUIET,
                linewidth=0.9,
                linestyle=(0, (5, 3)),
                zorder=0,
            )
            tidy(axis, f"{name}, {words}", grid="x")
        panels[row, 0].set_yticks(range(len(kinds)), kinds)
    panels[0, 0].invert_yaxis()
    # room for the numbers
    panels[0, 0].set_xlim(left=panels[0, 0].get_xlim()[0] - 0.08)
    for axis in panels[-1]:
        axis.set_xlabel("P, of the dominator bound's")
    count = len(next(iter(found.values()))[VALUE].share)
    said = (
        f"one pass through each of {count} webs: every web a pale dot, their mean a dark "
        "one; dashed: wanted of `value`"
    )
    heading(figure, title, said)
    return figure


def _draw_dots(
    axis: Axes, results: dict[str, PassResult], kinds: Sequence[str]
) -> None:
    for place, kind in enumerate(kinds):
        ink = INKS.get(kind, OTHER)
        shares = results[kind].share
        axis.plot(
            shares,
            [place] * len(shares),
            "o",
            color=ink,
            alpha=0.25,
            markersize=4.0,
            markeredgewidth=0.0,
        )
        mean = Estimate.of(shares.tolist()).mean
        axis.plot(mean, place, "o", color=ink, markersize=6.5)
        axis.text(
            float(shares.min()) - 0.012,
            place,
            f"{mean:.3f}",
            ha="right",
            va="center",
            fontsize=8,
            color=ink,
        )
