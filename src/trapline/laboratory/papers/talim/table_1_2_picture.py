"""The figure of Tables 1 and 2: what waking fetchers one by one saves, and how many are at work for
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from trapline.laboratory.papers.talim.printed import ERRATA, Cell
from trapline.laboratory.study.figures import (
    DYNAMIC,
    FAINT,
    QUIET,
    STATIC,
    WRONG,
    heading,
    tidy,
)
from trapline.laboratory.study.report import new_figure
from trapline.theory.queueing.fetcher_queue import StaticPlan
from trapline.theory.queueing.switching import Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TICKS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


class DrawnRow(Protocol):
    """What is drawn of a row of a table."""

    @property
    def cell(self) -> Cell: ...
    @property
    def static(self) -> StaticPlan: ...
    @property
    def plan(self) -> Plan: ...


def table_picture(title: str, rows: Sequence[DrawnRow]) -> Figure:
    """A block for each λ: at the left the two costs of every queue, at the right its fetchers."""
    rates = sorted({row.cell.fetch_rate for row in rows})
    blocks = [[row for row in rows if row.cell.fetch_rate == rate] for rate in rates]
    heights = [len(block) for block in blocks]
    figure = new_figure(10.5, 2.1 + 0.28 * sum(heights))
    panels = figure.subplots(
        len(rates), 2, height_ratios=heights, width_ratios=(5, 4), squeeze=False
    )
    for block, (costs, fetchers) in zip(blocks, panels, strict=True):
        _draw_costs(costs, block)
        _draw_fetchers(fetchers, block)
        costs.set_title(
            f"λ = {block[0].cell.fetch_rate:g}",
            loc="left",
            fontsize=10,
            fontweight="bold",
        )
    low = min(row.plan.cost for row in rows)
    high = max(row.static.cost for row in rows)
    for costs, _ in panels:
        costs.set_xlim(low / (high / low) ** 0.12, high * 1.15)
    panels[-1, 0].set_xlabel("long-run cost a unit of time (logarithmic)")
    panels[-1, 1].set_xlabel("fetchers at work")
    _add_legend(figure, wrong=any(_is_wrong(row) for row in rows))
    heading(figure, title)
    return figure


def _is_wrong(row: DrawnRow) -> bool:
    """Whether what is printed is so far off that it can be seen."""
    return row.cell.id in ERRATA and abs(row.cell.cost / row.plan.cost - 1.0) > 0.01


def _draw_costs(axis: Axes, block: list[DrawnRow]) -> None:
    axis.set_xscale("log")
    for place, row in enumerate(block):
        axis.plot(
            [row.plan.cost, row.static.cost],
            [place, place],
            color=FAINT,
            linewidth=5,
            zorder=1,
        )
        axis.plot(row.static.cost, place, "o", color=STATIC, markersize=6, zorder=3)
        axis.plot(row.plan.cost, place, "o", color=DYNAMIC, markersize=6, zorder=3)
        saved = f"−{1.0 - row.plan.cost / row.static.cost:.0%} "
        axis.text(
            row.plan.cost / 1.03,
            place,
            saved,
            ha="right",
            va="center_baseline",
            fontsize=8.5,
            color=DYNAMIC,
        )
        if _is_wrong(row):
            axis.plot(
                row.cell.cost,
                place,
                "x",
                color=WRONG,
                markersize=7,
                markeredgewidth=1.8,
                zorder=4,
            )
    _tidy_rows(axis, block, grid="x")
    axis.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axis.set_xticks([], minor=True)
    axis.set_yticks(
        range(len(block)),
        [f"K={row.cell.capacity}  γ={row.cell.printed_weight}" for row in block],
    )


def _draw_fetchers(axis: Axes, block: list[DrawnRow]) -> None:
    for place, row in enumerate(block):
        plan = row.plan
        axis.plot(
            [plan.min_fetchers, plan.max_fetchers],
            [place, place],
            color=DYNAMIC,
            linewidth=5,
            alpha=0.3,
            solid_capstyle="butt",
            zorder=2,
        )
        axis.plot(plan.mean_fetchers, place, "o", color=DYNAMIC, markersize=6, zorder=3)
        axis.plot(
            row.static.fetchers,
            place,
            "|",
            color=STATIC,
            markersize=11,
            markeredgewidth=2.2,
            zorder=4,
        )
    balanced = 1.0 / block[0].cell.fetch_rate
    axis.axvline(balanced, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axis.text(
        balanced, -0.8, "μ/λ", ha="center", va="bottom", fontsize=8.5, color=QUIET
    )
    _tidy_rows(axis, block, grid="x")
    axis.locator_params(axis="x", integer=True)
    axis.set_yticks(range(len(block)), [""] * len(block))


def _tidy_rows(axis: Axes, block: list[DrawnRow], grid: str) -> None:
    tidy(axis, grid=grid)
    axis.set_ylim(len(block) - 0.4, -0.6)
    axis.spines["left"].set_visible(False)
    axis.tick_params(axis="y", length=0)


def _add_legend(figure: Figure, wrong: bool) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], marker="o", linestyle="", color=STATIC, label="static: cost"),
        Line2D(
            [], [], marker="o", linestyle="", color=DYNAMIC, label="dynamic: cost, mean"
        ),
        Line2D(
            [],
            [],
            linewidth=5,
            alpha=0.3,
            color=DYNAMIC,
            label="dynamic: N_min to N_max",
        ),
        Line2D(
            [],
            [],
            marker="|",
            linestyle="",
            markersize=11,
            markeredgewidth=2.2,
            color=STATIC,
            label="static: N",
        ),
    ]
    if wrong:
        handles.append(
            Line2D(
                [], [], marker="x", linestyle="", color=WRONG, label="printed, wrong"
            )
        )
    figure.legend(
        handles=handles,
        loc="outside lower left",
        ncols=len(handles),
        frameon=False,
        fontsize=9,
    )
