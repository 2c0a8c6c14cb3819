"""The picture of the leaderboard: a panel for each budget, a line for each history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from trapline.laboratory.study.figures import (
    DYNAMIC,
    FAINT,
    QUIET,
    STATIC,
    heading,
    shared_legend,
    tidy,
)
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST: Final = -0.3  # what is worse stands at the edge
MOST: Final = 1.02


class Standing(NamedTuple):
    """A history at a budget: each policy's share, with the ends of its interval."""

    history: str
    per_page_day: float
    shares: dict[str, tuple[float, float, float]]
    place: str  # of the default


def draw(standings: Sequence[Standing], default: str, seeds: int) -> Figure:
    budgets = sorted({one.per_page_day for one in standings})
    histories = sorted({one.history for one in standings}, reverse=True)
    width = max(7.6, 3.6 * len(budgets) + 1.2)
    figure = new_figure(width, 1.9 + 0.52 * len(histories))
    panels = figure.subplots(1, len(budgets), sharey=True, squeeze=False)[0]
    for axis, per_page_day in zip(panels, budgets, strict=True):
        for one in standings:
            if one.per_page_day == per_page_day and one.shares:
                _draw_line(axis, histories.index(one.history), one, default)
        tidy(axis, f"a visit a page in {1.0 / per_page_day:g} days", grid="x")
        axis.set(xlim=(LEAST - 0.04, MOST), ylim=(-0.6, len(histories) - 0.4))
        axis.set_yticks(range(len(histories)), histories)
        axis.set_xticks([0.0, 1.0], ["uniform", "oracle"])
        axis.set_xticks([0.25, 0.5, 0.75], minor=True)
        axis.axvline(0.0, color=QUIET, linewidth=0.8, zorder=0)
    shared_legend(figure, list(panels), ncols=3, fontsize=9)
    heading(
        figure,
        "Freshness of real pages, of the way from uniform to an oracle",
        f"weighted by importance; bars: 95 % over {seeds} draws of pages",
    )
    return figure


def _draw_line(axis: Axes, height: int, one: Standing, default: str) -> None:
    others = {name: share for name, share in one.shares.items() if name != default}
    best = max(others, key=lambda name: others[name][0])
    axis.axhline(height, color=FAINT, linewidth=0.8, zorder=0)
    axis.scatter(
        [max(LEAST, share) for share, _, _ in others.values()],
        [height] * len(others),
        s=16,
        color=QUIET,
        alpha=0.45,
        linewidth=0,
        label="other policies",
        zorder=2,
    )
    _draw_share(axis, height - 0.14, others[best], STATIC, "the best of them")
    label = f"{default}, the default"
    _draw_share(axis, height + 0.14, one.shares[default], DYNAMIC, label)
    axis.annotate(
        best,
        (others[best][0], height - 0.14),
        (0, -9),
        textcoords="offset points",
        ha="center",
        color=STATIC,
        fontsize=7,
    )


def _draw_share(
    axis: Axes,
    height: float,
    share: tuple[float, float, float],
    ink: str,
    label: str,
) -> None:
    mean, low, high = share
    axis.plot(
        [max(LEAST, low), min(MOST, high)],
        [height, height],
        color=ink,
        linewidth=1.6,
        zorder=3,
    )
    axis.scatter([max(LEAST, mean)], [height], s=30, color=ink, label=label, zorder=4)
