"""The analysis of compare/polling: a row for each policy, and how its share of the bound grows with
polls a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.compare.policy_names import join_names
from trapline.laboratory.study.contestants import knows_truth, weighs
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import QUIET, draw_mean, heading, line_of, tidy
from trapline.laboratory.study.report import (
    Report,
    Row,
    draw_figures,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ID: Final = "compare/polling"
TITLE: Final = "Detections, as a share of what no schedule exceeds in the long run"
COLUMNS: Final = (
    "id",
    "of bound",
    "low",
    "high",
    "of formula",
    "whole run",
    "polls/s",
    "seeds",
)
TICKS: Final = (
    0.25,
    0.5,
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
)


@dataclass(frozen=True, slots=True)
class PollingRun:
    """What a policy detected a step between checkpoints, and what could be detected."""

    ends: Floats  # the checkpoints, in polls a page
    rates: Floats  # detections a step up to each from the one before
    bounds: Floats
    optima: Floats
    per_s: float  # polls a second of processor time

    @property
    def shares(self) -> Floats:
        return self.rates / self.bounds

    @property
    def whole_share(self) -> float:
        widths = np.diff(self.ends, prepend=0.0)
        return float((self.rates @ widths) / (self.bounds @ widths))


def make_report(
    world: str, weighted: bool, runs: dict[str, list[PollingRun]], out: Path | None
) -> Report:
    rows = [_row(name, found) for name, found in runs.items()]
    figures = draw_figures(ID, out, lambda: _figure(world, runs))
    return Report(ID, TITLE, COLUMNS, rows, _remarks(world, weighted, runs), figures)


def _row(name: str, runs: list[PollingRun]) -> Row:
    late = Estimate.of([float(run.shares[-1]) for run in runs])
    return {
        "id": name,
        "of bound": late.mean,
        "low": late.low,
        "high": late.high,
        "of formula": float(np.mean([run.rates[-1] / run.optima[-1] for run in runs])),
        "whole run": float(np.mean([run.whole_share for run in runs])),
        "polls/s": round(float(np.median([run.per_s for run in runs]))),
        "seeds": len(runs),
    }


def _remarks(
    world: str, weighted: bool, runs: dict[str, list[PollingRun]]
) -> list[str]:
    some = next(iter(runs.values()))
    polls = float(some[0].ends[-1])
    bound, optimum = (
        float(np.mean([getattr(one, what)[-1] for one in some]))
        for what in ("bounds", "optima")
    )
    remarks = [
        (
            f"{world}; {polls:g} polls a page, one a step; bound {bound:.5f}, formula's optimum "
            f"{optimum:.5f} a step"
        ),
        "`of bound` and `of formula`: detections over the last tenth of the polls, with the "
        "95 % interval of the mean "
        f"over {len(some)} seeds; `whole run`: of the bound, learning counted in",
    ]
    if told := [name for name in runs if knows_truth(name)]:
        remarks.append(
            f"{join_names(told)} {_verb(told, 'is', 'are')} told the change probabilities, as "
            "they are at first"
        )
    if "adaptive-whittle" in runs:
        remarks.append(
            "adaptive-whittle prices freshness and news as the live robot does, not detections"
        )
    if weighted and (blind := [name for name in runs if not weighs(name)]):
        remarks.append(
            f"{join_names(blind)} {_verb(blind, 'does', 'do')} not weigh pages"
        )
    return remarks


def _verb(names: list[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many


def _figure(world: str, runs: dict[str, list[PollingRun]]) -> Figure:
    figure = new_figure(9.0, 5.2)
    axis = figure.subplots()
    axis.axhline(1.0, color=QUIET, linewidth=0.8)
    ends = next(iter(runs.values()))[0].ends
    middles = 0.5 * (ends + np.append(0.0, ends[:-1]))
    shares = {
        name: np.array([run.shares for run in found]) for name, found in runs.items()
    }
    for place, (name, found) in enumerate(shares.items()):
        draw_mean(axis, middles, found, line_of(place, name))
    top = max(1.0, *(float(found.mean(axis=0).max()) for found in shares.values()))
    axis.set(
        xscale="log",
        xlabel="polls a page",
        ylabel="detections, of the bound",
        ylim=(0.0, 1.08 * top),
    )
    ticks = [tick for tick in TICKS if middles[0] <= tick <= ends[-1]]
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.minorticks_off()
    tidy(axis, grid="y")
    figure.legend(loc="outside lower left", ncols=6, frameon=False, fontsize=9.5)
    heading(figure, TITLE, f"{world}; bands: 95 % interval of the mean over seeds")
    return figure
