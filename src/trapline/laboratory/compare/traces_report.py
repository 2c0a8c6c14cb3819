"""The analysis of compare/traces: a row for each policy, and how fresh it kept the pages from day
to day.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import (
    FAINT,
    QUIET,
    draw_mean,
    heading,
    line_of,
    tidy,
)
from trapline.laboratory.study.report import (
    Report,
    Row,
    draw_figures,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ID: Final = "compare/traces"
TITLE: Final = "Freshness on a history of changes"
COLUMNS: Final = ("id", "freshness", "low", "high", "× oracle", "visits", "seeds")
ORACLE: Final = "known-rate"
MOST_POINTS: Final = 75  # of a curve: more days than that are taken together


@dataclass(frozen=True, slots=True)
class FreshnessRun:
    """One replay: how fresh a policy kept the pages."""

    freshness: float  # after the days to settle
    daily: Floats
    visits: float  # a page and day


def make_report(
    history: str,
    settle_days: float,
    runs: dict[str, list[FreshnessRun]],
    out: Path | None,
) -> Report:
    rows = [_row(name, found, runs[ORACLE]) for name, found in runs.items()]
    figures = draw_figures(ID, out, lambda: _figure(history, settle_days, runs))
    seeds = len(runs[ORACLE])
    remarks = [
        history,
        "freshness, weighted by importance, after the days to settle, with the 95 % interval "
        f"of the mean over {seeds} "
        "seeds, which draw pages and importance (Pareto); `visits` that were made, a page and day",
        f"{ORACLE} is the oracle: it is told each page's mean rate of change over the window; "
        "`× oracle`: staleness (1 − freshness), as a multiple of its staleness",
    ]
    return Report(ID, TITLE, COLUMNS, rows, remarks, figures)


def _row(name: str, runs: list[FreshnessRun], oracle: list[FreshnessRun]) -> Row:
    fresh = Estimate.of([run.freshness for run in runs])
    best = float(np.mean([run.freshness for run in oracle]))
    return {
        "id": name,
        "freshness": fresh.mean,
        "low": fresh.low,
        "high": fresh.high,
        "× oracle": (1.0 - fresh.mean) / (1.0 - best) if best < 1.0 else None,
        "visits": float(np.mean([run.visits for run in runs])),
        "seeds": len(runs),
    }


def _figure(
    history: str, settle_days: float, runs: dict[str, list[FreshnessRun]]
) -> Figure:
    figure = new_figure(9.0, 5.2)
    axis = figure.subplots()
    for place, (name, found) in enumerate(runs.items()):
        days, daily = _group_days(np.array([run.daily for run in found]))
        draw_mean(axis, days, daily, line_of(place, name))
    if settle_days > 0.0:
        axis.axvspan(0.0, settle_days, color=FAINT, alpha=0.6, linewidth=0, zorder=0)
        axis.annotate(
            "to settle",
            (0.0, 0.01),
            (4, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            color=QUIET,
            fontsize=9,
        )
    axis.set(xlabel="day", ylabel="freshness", xlim=(0.0, len(runs[ORACLE][0].daily)))
    axis.set_ylim(top=min(1.0, axis.get_ylim()[1]))
    tidy(axis, grid="y")
    figure.legend(loc="outside lower left", ncols=6, frameon=False, fontsize=9.5)
    heading(figure, TITLE, f"{history}; bands: 95 % of the mean over seeds")
    return figure


def _group_days(daily: Floats) -> tuple[Floats, Floats]:
    """Middles and means of groups of days, such that there are not too many of them."""
    days = daily.shape[1]
    groups = np.arange(days) // -(-days // MOST_POINTS)
    sizes = np.bincount(groups)
    middles = np.bincount(groups, np.arange(days) + 0.5) / sizes
    return middles, np.array([np.bincount(groups, one) for one in daily]) / sizes
