"""How oasis/demand is drawn: what readers gain against what all pages lose, a panel a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.oasis.demand_runs import (
    OFF,
    SHIPPED,
    TELLINGS,
    DemandOutcome,
    Telling,
)
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import INKS, QUIET, heading, tidy
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Found = dict[tuple[str, str], dict[Telling, list[DemandOutcome]]]
MARKS: Final = {"many": "o", "few": "D"}


def demand_figure(title: str, found: Found) -> Figure:
    budgets = list(dict.fromkeys(budget for budget, _ in found))
    figure = new_figure(12.0, 5.2)
    panels = figure.subplots(1, len(budgets), squeeze=False)[0]
    for axis, budget in zip(panels, budgets, strict=True):
        for readers, mark in MARKS.items():
            _draw(axis, found[budget, readers], mark, named=readers == "many")
        axis.set_xlabel("freshness of all pages, less than without demand")
        axis.axhline(0.0, color=QUIET, linewidth=0.8)
        tidy(axis, f"budget {budget}", grid="y")
    panels[0].set_ylabel("freshness of what is opened,\nmore than without demand")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", frameon=False, ncols=6)
    seeds = len(next(iter(found.values()))[OFF])
    told = f"means of {seeds} worlds with 95 % intervals; circles: many readers, diamonds: few"
    heading(figure, title, told)
    return figure


def _draw(
    axis: Axes, results: dict[Telling, list[DemandOutcome]], mark: str, named: bool
) -> None:
    base = results[OFF]
    for place, telling in enumerate(TELLINGS):
        if telling == OFF:
            continue
        gain = Estimate.of(
            [a.asked - b.asked for a, b in zip(results[telling], base, strict=True)]
        )
        cost = np.mean(
            [b.all - a.all for a, b in zip(results[telling], base, strict=True)]
        )
        axis.errorbar(
            float(cost),
            gain.mean,
            yerr=gain.high - gain.mean,
            fmt=mark,
            color=INKS[place % len(INKS)],
            markersize=9 if telling == SHIPPED else 6,
            label=telling.name if named else None,
        )
