"""How Figures 3–5 are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trapline.laboratory.papers.omeara.traversal_runs import TraversalResult
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import heading, tidy
from trapline.laboratory.study.figures_courses import (
    DASHED,
    DOTTED,
    FEW,
    SOLID,
    draw_course,
    legend_below,
)
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Line = str | tuple[int, tuple[float, float]]
Look = tuple[str, Line, float]  # ink, line and its width

BOUND: Final = "#20242a"
CONTROLLER: Final = "#0b6e99"
GREEDY: Final = "#b8641a"
LOOKS: Final[dict[str, Look]] = {
    "V0": (CONTROLLER, SOLID, 2.2),
    "V0, ties to the first": (CONTROLLER, DASHED, 1.3),
    "V0, ties to the last": (CONTROLLER, DOTTED, 1.5),
    "V1": ("#8a6fb0", SOLID, 1.8),
}
LEVELS: Final[dict[str, Look]] = {
    "upper bound": (BOUND, SOLID, 1.0),
    "dominator bound": (BOUND, DASHED, 1.0),
    "fringe-greedy": (GREEDY, SOLID, 1.8),
    "best-first": ("#1b9e77", SOLID, 1.4),
    "random": ("#8b929c", SOLID, 1.8),
}


def traversals_figure(title: str, found: dict[str, TraversalResult]) -> Figure:
    figure = new_figure(9.0, 5.4)
    axis = figure.subplots()
    last = max(result.shares.shape[1] for result in found.values())
    for name, look in LEVELS.items():
        _draw_level(axis, found[name], look, last)
    for name, (ink, line, width) in LOOKS.items():
        draw_course(axis, found[name].course, ink, line, f"q-learning {name}", width)
    axis.set(
        xlabel="traversal of the graph",
        ylabel="performance, of the upper bound's",
        xlim=(1, last),
    )
    axis.set_xticks([1, *range(5, last + 1, 5)])
    tidy(axis, grid="y")
    legend_below(figure, [axis], rows=3)
    seeds = len(found["random"].shares)
    bands = "; bands: 95 % intervals" if seeds >= FEW else ""
    heading(
        figure,
        title,
        f"means of {seeds} graphs{bands}; V0: children count as fetched, V1: as left",
    )
    return figure


def _draw_level(axis: Axes, result: TraversalResult, look: Look, last: int) -> None:
    ink, line, width = look
    found = Estimate.of(result.at(1).tolist())
    axis.plot(
        [1, last],
        [found.mean] * 2,
        color=ink,
        linestyle=line,
        linewidth=width,
        label=result.name,
    )
    if len(result.shares) >= FEW:
        axis.fill_between(
            [1, last],
            [found.low] * 2,
            [found.high] * 2,
            color=ink,
            alpha=0.16,
            linewidth=0,
        )


def first_figure(
    title: str, subtitle: str, bound: Floats, name: str, relevance: Floats, ink: str
) -> Figure:
    """One dot for each document, in the order in which it was fetched."""
    figure = new_figure(9.0, 4.6)
    axis = figure.subplots()
    count = range(1, len(bound) + 1)
    axis.plot(count, relevance, "o", color=ink, markersize=3.0, alpha=0.75, label=name)
    axis.plot(count, bound, "o", color=BOUND, markersize=1.6, label="upper bound")
    axis.set(
        xlabel="document, in order of retrieval",
        ylabel="relevance",
        xlim=(-4, len(bound) + 5),
        ylim=(-0.02, 1.02),
    )
    tidy(axis, grid="y")
    legend_below(figure, [axis], rows=1)
    heading(figure, title, subtitle)
    return figure
