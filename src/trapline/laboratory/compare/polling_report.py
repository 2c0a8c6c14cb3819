"""The analysis of compare/polling: a row for each policy, and how its share of the bound grows with
polls a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.compare.entrants import draw, named_policies
from trapline.laboratory.study.contestants import knows_truth, weighs
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import QUIET, heading, tidy
from trapline.laboratory.study.report import (
    Report,
    Row,
    file_name,
    new_figure,
    save_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ID: Final = "compare/polling"
TITLE: Final = "Detections, as a share of what no schedule exceeds"
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
class Course:
    """One run: what it detected a step between checkpoints, and what could be."""

    policy: str
    seed: int
    ends: Floats  # the checkpoints, in polls a page
    rates: Floats  # detections a step up to each from the one before
    bounds: Floats
    optima: Floats
    per_s: float  # polls a second of processor time

    @property
    def shares(self) -> Floats:
        return self.rates / self.bounds

    @property
    def whole(self) -> float:
        widths = np.diff(self.ends, prepend=0.0)
        return float((self.rates @ widths) / (self.bounds @ widths))


def make_report(
    world: str, weighted: bool, courses: dict[str, list[Course]], out: Path | None
) -> Report:
    rows = [_row(name, found) for name, found in courses.items()]
    figures = (
        save_figure(_figure(world, courses), out, file_name(ID))
        if out is not None
        else []
    )
    return Report(ID, TITLE, COLUMNS, rows, _remarks(world, weighted, courses), figures)


def _row(name: str, courses: list[Course]) -> Row:
    late = Estimate.of([float(course.shares[-1]) for course in courses])
    return {
        "id": name,
        "of bound": late.mean,
        "low": late.low,
        "high": late.high,
        "of formula": float(
            np.mean([course.rates[-1] / course.optima[-1] for course in courses])
        ),
        "whole run": float(np.mean([course.whole for course in courses])),
        "polls/s": round(float(np.median([course.per_s for course in courses]))),
        "seeds": len(courses),
    }


def _remarks(world: str, weighted: bool, courses: dict[str, list[Course]]) -> list[str]:
    some = next(iter(courses.values()))
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
    if told := [name for name in courses if knows_truth(name)]:
        remarks.append(
            f"{named_policies(told)} {_verb(told, 'is', 'are')} told the change probabilities, as "
            "they are at first"
        )
    if "adaptive-whittle" in courses:
        remarks.append(
            "adaptive-whittle prices freshness and news as the live robot does, not detections"
        )
    if weighted and (blind := [name for name in courses if not weighs(name)]):
        remarks.append(
            f"{named_policies(blind)} {_verb(blind, 'does', 'do')} not weigh pages"
        )
    return remarks


def _verb(names: list[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many


def _figure(world: str, courses: dict[str, list[Course]]) -> Figure:
    figure = new_figure(9.0, 5.2)
    axis = figure.subplots()
    axis.axhline(1.0, color=QUIET, linewidth=0.8)
    ends = next(iter(courses.values()))[0].ends
    middles = 0.5 * (ends + np.append(0.0, ends[:-1]))
    shares = {
        name: np.array([course.shares for course in found])
        for name, found in courses.items()
    }
    for number, (name, found) in enumerate(shares.items()):
        draw(axis, number, name, middles, found)
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
