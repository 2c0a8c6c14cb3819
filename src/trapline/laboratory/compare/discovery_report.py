"""The analysis of compare/discovery: a row for each policy, and how recall grows with fetches."""

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
from trapline.theory.discovery.performance import performance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ID: Final = "compare/discovery"
TITLE: Final = "One pass over a web: relevance found"
POINTS: Final = 60  # of a run


@dataclass(frozen=True, slots=True)
class DiscoveryRun:
    """One pass of a policy."""

    seed: int
    gains: Floats  # relevance found, one a step
    per_s: float  # fetches a second of processor time


@dataclass(frozen=True, slots=True)
class WebBounds:
    """What a web allows, in gains a step."""

    seed: int
    total: float  # relevance that can be found at all
    # the best order of the dominator tree: a bound of P at the full horizon
    yardstick: Floats
    polite: Floats | None  # no schedule with the gap finds more, step by step

    def share(self, gains: Floats, mark: int, polite: bool = False) -> float:
        """P of a pass at a mark, as a share of the yardstick's or of the polite bound's."""
        best = self.polite if polite and self.polite is not None else self.yardstick
        return (
            performance(gains, self.total, mark).p
            / performance(best, self.total, mark).p
        )

    def recall(self, gains: Floats) -> Floats:
        return np.asarray(np.cumsum(gains) / self.total)


# a pass, and what its web allows
JudgedRun = tuple[WebBounds, DiscoveryRun]


def make_report(
    web: str,
    marks: tuple[int, ...],
    polite: bool,
    bounds: dict[int, WebBounds],
    runs: dict[str, list[DiscoveryRun]],
    out: Path | None,
) -> Report:
    """`bounds` of each seed; if there is only one, all passes went over the same web."""
    found = {
        name: [(bounds.get(run.seed, bounds[1]), run) for run in some]
        for name, some in runs.items()
    }
    rows = [_row(name, some, marks, polite) for name, some in found.items()]
    shares = ("P", "polite P") if polite else ("P",)
    columns = (
        "id",
        *(f"{what}@{mark}" for what in ("R", *shares) for mark in marks),
        "low",
        "high",
        "fetches/s",
        "seeds",
    )
    figures = draw_figures(ID, out, lambda: _figure(web, marks, bounds, found))
    return Report(ID, TITLE, columns, rows, _remarks(web, polite, bounds), figures)


def _row(
    name: str, found: list[JudgedRun], marks: tuple[int, ...], polite: bool
) -> Row:
    row: Row = {"id": name}
    for mark in marks:
        row[f"R@{mark}"] = float(
            np.mean([bound.recall(run.gains)[mark - 1] for bound, run in found])
        )
        row[f"P@{mark}"] = float(
            np.mean([bound.share(run.gains, mark) for bound, run in found])
        )
        if polite:
            shares = [bound.share(run.gains, mark, polite=True) for bound, run in found]
            row[f"polite P@{mark}"] = float(np.mean(shares))
    last = [bound.share(run.gains, marks[-1], polite) for bound, run in found]
    interval = Estimate.of(last) if len(last) > 1 else None
    row["low"] = interval.low if interval else None
    row["high"] = interval.high if interval else None
    row["fetches/s"] = round(float(np.median([run.per_s for _, run in found])))
    row["seeds"] = len(found)
    return row


def _remarks(web: str, polite: bool, bounds: dict[int, WebBounds]) -> list[str]:
    total = float(np.mean([bound.total for bound in bounds.values()]))
    remarks = [
        f"{web}; relevance of all pages that can be reached: {total:,.0f}"
        + (f", mean over {len(bounds)} webs" if len(bounds) > 1 else ""),
        "R@t: recall, relevance found in t steps of all; P@t: mean recall over t steps, as a "
        "share of the yardstick's: "
        "Horn's order of the dominator tree (no schedule has a higher P at the full horizon)",
        "`low`, `high`: 95 % interval of the mean of the last share, over seeds",
    ]
    if polite:
        remarks.append(
            "polite P@t: as a share of what no schedule with this gap exceeds; a step may be idle"
        )
    return remarks


def _figure(
    web: str,
    marks: tuple[int, ...],
    bounds: dict[int, WebBounds],
    found: dict[str, list[JudgedRun]],
) -> Figure:
    figure = new_figure(9.0, 5.2)
    axis = figure.subplots()
    places = np.unique(np.linspace(1, marks[-1], POINTS).round()).astype(np.int64)
    _draw_bound(
        axis,
        places,
        [bound.recall(bound.yardstick) for bound in bounds.values()],
        "yardstick",
        "-",
    )
    polite = [
        bound.recall(bound.polite)
        for bound in bounds.values()
        if bound.polite is not None
    ]
    if polite:
        _draw_bound(axis, places, polite, "polite bound", "--")
    for place, (name, some) in enumerate(found.items()):
        runs = np.array([bound.recall(run.gains)[places - 1] for bound, run in some])
        line = line_of(place, name)
        draw_mean(axis, places.astype(np.float64), runs, line, band=len(runs) > 1)
    for mark in marks[:-1]:
        axis.axvline(mark, color=FAINT, linewidth=0.8, zorder=0)
    axis.set(xlabel="steps", ylabel="recall", xlim=(0, marks[-1]), ylim=(0.0, 1.02))
    tidy(axis, grid="y")
    figure.legend(loc="outside lower left", ncols=6, frameon=False, fontsize=9.5)
    heading(
        figure,
        TITLE,
        web
        + ("; bands: 95 % interval of the mean over seeds" if len(bounds) > 1 else ""),
    )
    return figure


def _draw_bound(
    axis: Axes, places: NDArray[np.int64], recalls: list[Floats], name: str, dashes: str
) -> None:
    mean = np.mean(recalls, axis=0)[places - 1]
    axis.plot(places, mean, color=QUIET, linewidth=1.1, linestyle=dashes, label=name)
