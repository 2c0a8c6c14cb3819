"""The analysis of talim/learners: a table and a figure from the costs of all policies, cells and
seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.figures import FAINT, QUIET
from trapline.laboratory.study.report import (
    Report,
    Row,
    draw_figures,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ID: Final = "talim/learners"
TITLE: Final = "How many fetchers, rates unknown: cost relative to the optimum"
COLUMNS: Final = ("id", "paper", "ours", "low", "high", "worst", "wanted", "seeds")
WANTED: Final = {"adaptive": 1.02}  # at the last checkpoint
WANTED_S: Final = 600  # for the whole run
INK: Final = {
    "switching": "#0b6e99",
    "adaptive": "#1b9e77",
    "phase-type": "#3d5a80",
    "static": "#b8641a",
    "bandwidth": "#8a6fb0",
    "average-reward": "#c2417c",
    "autoscale": "#7a7a33",
    "fixed": "#5a6068",
    "autothrottle": "#a0522d",
}


@dataclass(frozen=True, slots=True)
class CellCosts:
    """A policy on a cell: cost over the optimum by seed and checkpoint."""

    policy: str
    cell: str
    costs: Floats


def columns_of(checkpoints: tuple[int, ...]) -> tuple[str, ...]:
    """The cost at the last checkpoint is `ours`; each earlier one has a column.

    >>> columns_of((300, 1_000, 3_000))[-3:]
    ('seeds', 'at 300', 'at 1,000')
    """
    return (*COLUMNS, *(_column_at(events) for events in checkpoints[:-1]))


def make_report(
    curves: list[CellCosts],
    checkpoints: tuple[int, ...],
    seconds: float,
    out: Path | None,
) -> Report:
    """`seconds` is how long all the runs took."""
    policies = list(dict.fromkeys(curve.policy for curve in curves))
    rows = [
        row
        for policy in policies
        for row in _summary_rows([c for c in curves if c.policy == policy], checkpoints)
    ]
    rows += [_row(curve, checkpoints) for curve in curves]
    remarks = [
        *_remarks(curves, checkpoints),
        f"whole run: {seconds:.0f} s; wanted ≤ {WANTED_S}",
    ]
    figures = draw_figures(ID, out, lambda: _figure(curves, policies, checkpoints))
    return Report(ID, TITLE, columns_of(checkpoints), rows, remarks, figures)


def _column_at(events: int) -> str:
    return f"at {events:,}"


def _summary_rows(members: list[CellCosts], checkpoints: tuple[int, ...]) -> list[Row]:
    """One policy over all cells, a row for each checkpoint: each seed's geometric mean of the
    cells, the worst run.
    """
    # [cell, seed, checkpoint]
    policy = members[0].policy
    costs = np.array([curve.costs for curve in members])
    by_seed = np.exp(np.log(costs).mean(axis=0))
    rows = []
    for place, events in enumerate(checkpoints):
        name = f"{policy}/all {len(members)} cells/{events:,} events"
        row = estimate_row(name, by_seed[:, place].tolist())
        row["worst"] = float(costs[:, :, place].max())
        row["wanted"] = WANTED.get(policy) if events == checkpoints[-1] else None
        rows.append(row)
    return rows


def _row(curve: CellCosts, checkpoints: tuple[int, ...]) -> Row:
    row = estimate_row(f"{curve.policy}/{curve.cell}", curve.costs[:, -1].tolist())
    row |= {
        "worst": float(curve.costs[:, -1].max()),
        "wanted": WANTED.get(curve.policy),
    }
    earlier = zip(checkpoints[:-1], curve.costs.mean(axis=0).tolist(), strict=False)
    return row | {_column_at(events): cost for events, cost in earlier}


def _remarks(curves: list[CellCosts], checkpoints: tuple[int, ...]) -> list[str]:
    adaptive = [curve for curve in curves if curve.policy == "adaptive"]
    worst = max(adaptive, key=lambda curve: float(curve.costs[:, -1].max()))
    value = float(worst.costs[:, -1].max())
    wanted = WANTED["adaptive"]
    over = sum(int((curve.costs[:, -1] > wanted).sum()) for curve in adaptive)
    runs = sum(len(curve.costs) for curve in adaptive)
    return [
        f"adaptive after {checkpoints[-1]:,} events: worst run {value:.4f} of the optimum "
        f"({worst.cell}); "
        f"{over} of {runs} runs above {wanted}: "
        f"{'reached' if not over else 'NOT reached everywhere'}",
        "cost = exact long-run cost, at the true rates, of the plan then in force, over the "
        "optimum of the cell; "
        "all cells: geometric mean of each seed; low … high: 95 % interval of the mean over "
        "seeds, of no width where a "
        f"policy has settled; a cell's `ours` is after {checkpoints[-1]:,} events, its other "
        "columns means over seeds",
        (
            "switching and static are told the rates; average-reward is judged by its greedy "
            "table, without exploration"
        ),
        "fixed keeps 10 fetchers, autothrottle aims at 8 under way, bandwidth at the "
        "processor's rate, autoscale at "
        "its defaults; of rules that keep moving, the number at the checkpoint counts",
    ]


def _figure(
    curves: list[CellCosts], policies: list[str], checkpoints: tuple[int, ...]
) -> Figure:
    figure = new_figure(11.0, 5.6)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(5, 4))
    for place, policy in enumerate(policies):
        means = (
            np.array(
                [curve.costs.mean(axis=0) for curve in curves if curve.policy == policy]
            )
            - 1.0
        )
        _draw_quantiles(left, np.array(checkpoints), np.maximum(means, _LEAST), policy)
        _draw_dots(right, place, np.maximum(means[:, -1], _LEAST), policy)
    for axis in (left, right):
        axis.set_yscale("log")
        axis.axhline(
            WANTED["adaptive"] - 1.0,
            color=QUIET,
            linewidth=0.8,
            linestyle=(0, (4, 3)),
            zorder=0,
        )
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color=FAINT, linewidth=0.6)
    left.set(xscale="log", xlabel="events", ylabel="cost above the optimum (share)")
    left.set_title(
        "lines: median of the cells (of their means over seeds)\n"
        "bands: where eight cells in ten lie, from 10 % to 90 %; no interval of a mean",
        loc="left",
        fontsize=9.5,
    )
    figure.legend(
        *left.get_legend_handles_labels(),
        loc="outside lower left",
        ncols=8,
        frameon=False,
        fontsize=8.5,
    )
    right.set_xticks(
        range(len(policies)), policies, rotation=30, ha="right", fontsize=9
    )
    right.set_title(
        f"each cell after {checkpoints[-1]:,} events (dashed: 2 %)",
        loc="left",
        fontsize=9.5,
    )
    figure.suptitle(TITLE, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


_LEAST: Final = 1e-5  # nothing is drawn below: rounding


def _draw_quantiles(
    axis: Axes, events: NDArray[np.int64], above: Floats, policy: str
) -> None:
    low, middle, high = np.quantile(above, (0.1, 0.5, 0.9), axis=0)
    axis.plot(events, middle, color=INK[policy], linewidth=1.8, label=policy)
    axis.fill_between(events, low, high, color=INK[policy], alpha=0.12, linewidth=0)


def _draw_dots(axis: Axes, place: int, above: Floats, policy: str) -> None:
    spread = 0.5 * (np.arange(len(above)) * 0.618 % 1.0 - 0.5)
    axis.scatter(
        place + spread, above, s=14, color=INK[policy], alpha=0.6, linewidths=0
    )
