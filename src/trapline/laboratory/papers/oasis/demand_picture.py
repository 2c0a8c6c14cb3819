"""How oasis/demand is drawn: what readers gain against what all pages lose, a panel a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.oasis.demand_runs import (
    OFF,
    READERS_ONLY,
    SHIPPED,
    TELLINGS,
    DemandOutcome,
    Telling,
)
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import INKS, QUIET, heading, shared_legend, tidy
from trapline.laboratory.study.report import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Found = dict[tuple[str, str], dict[Telling, list[DemandOutcome]]]
MARKS: Final = {"many": "o", "few": "D"}
_DRAWN: Final = [one for one in TELLINGS if one not in (OFF, READERS_ONLY)]


def demand_figure(title: str, found: Found) -> Figure:
    budgets = list(dict.fromkeys(budget for budget, _ in found))
    figure = new_figure(12.0, 5.2)
    panels = figure.subplots(1, len(budgets), squeeze=False)[0]
    for axis, budget in zip(panels, budgets, strict=True):
        for readers, mark in MARKS.items():
            _draw(
                axis,
                found[budget, readers],
                mark,
                named=readers == "many",
            )
        _draw_most(axis, found[budget, "many"])
        axis.set_xlabel("loss of all pages")
        axis.set_ylim(bottom=0.0)
        axis.set_xlim(left=0.0)
        axis.locator_params(axis="x", nbins=5)
        tidy(axis, f"budget {budget}", grid="y")
    panels[0].set_ylabel("gain of what is opened")
    shared_legend(figure, [panels[0]], ncols=len(_DRAWN))
    seeds = len(next(iter(found.values()))[OFF])
    told = (
        f"in freshness, against no demand; means of {seeds} worlds with 95 % intervals; "
        "circles: many readers, diamonds: few"
    )
    heading(figure, title, told)
    return figure


def _draw(
    axis: Axes, results: dict[Telling, list[DemandOutcome]], mark: str, named: bool
) -> None:
    for place, telling in enumerate(_DRAWN):
        gain, cost = _gain_and_cost(results, telling)
        axis.errorbar(
            cost,
            gain.mean,
            yerr=gain.high - gain.mean,
            fmt=mark,
            color=INKS[place],
            markersize=10 if telling == SHIPPED else 6,
            label=telling.name if named else None,
        )


def _draw_most(axis: Axes, results: dict[Telling, list[DemandOutcome]]) -> None:
    """What could be gained at most, and what it would cost: that lies far to the right."""
    gain, cost = _gain_and_cost(results, READERS_ONLY)
    axis.axhline(
        gain.mean,
        color=QUIET,
        linestyle="--",
        linewidth=1.0,
    )
    said = f"readers only: loss {cost:.2f}"
    axis.annotate(
        said,
        (0.02, gain.mean),
        xycoords=("axes fraction", "data"),
        xytext=(0, -12),
        textcoords="offset points",
        fontsize=9,
        color=QUIET,
    )


def _gain_and_cost(
    results: dict[Telling, list[DemandOutcome]], telling: Telling
) -> tuple[Estimate, float]:
    pairs = list(zip(results[telling], results[OFF], strict=True))
    gain = Estimate.of([one.asked - off.asked for one, off in pairs])
    return gain, float(np.mean([off.all - one.all for one, off in pairs]))
