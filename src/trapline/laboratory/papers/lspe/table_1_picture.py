"""The figure of lspe/table-1: every seed a dot, visits across, reward up, and the bound
above them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.study.figures import QUIET, heading, tidy
from trapline.laboratory.study.report import new_figure
from trapline.laboratory.worlds.ephemeral_table import REWARDS, SOURCES, TABLE_I
from trapline.theory.ephemeral.bound import relaxed_bound

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INKS: Final = ("#c2417c", "#b8641a", "#7a7a33", "#1b9e77", "#8a6fb0", "#5a6068")
MARKS: Final = ("o", "v", "^", "s", "D", "X")


def outcomes_picture(
    title: str, points: dict[str, tuple[list[float], list[float]]], steps: int
) -> Figure:
    figure = new_figure(9.0, 5.4)
    axis = figure.subplots()
    most = max(2.5, 1.05 * max(max(arms) for arms, _ in points.values()))
    budgets = np.linspace(0.02, most, 120)
    bounds = [relaxed_bound(TABLE_I, float(budget)).value for budget in budgets]
    axis.plot(
        budgets,
        bounds,
        color="black",
        linewidth=1.4,
        label="bound: no policy earns more",
    )
    for (name, (arms, rewards)), ink, mark in zip(
        points.items(), INKS, MARKS, strict=True
    ):
        axis.scatter(
            arms,
            rewards,
            s=30,
            color=ink,
            marker=mark,
            alpha=0.65,
            linewidths=0,
            label=f"lspe, {name}",
        )
    axis.plot(
        1.0,
        SOURCES.gain[0],
        "*",
        color="#0b6e99",
        markersize=13,
        label="always source 1",
        zorder=5,
    )
    axis.plot(
        1.0, REWARDS[1], "P", color="#0b6e99", markersize=10, label="whittle, M = 1"
    )
    axis.axhline(160.0, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axis.annotate(
        "paper: around 160",
        (most, 160.0),
        (0, 4),
        textcoords="offset points",
        ha="right",
        fontsize=9,
        color=QUIET,
    )
    axis.set(
        xlabel="visits a slot (arms active)",
        ylabel="reward a slot",
        xlim=(0.0, most),
        ylim=(0.0, None),
    )
    tidy(axis, grid="y")
    axis.legend(frameon=False, fontsize=9, loc="lower right")
    heading(figure, title, f"each dot is a seed of {steps:,} slots")
    return figure
