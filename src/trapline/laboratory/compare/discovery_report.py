"""The analysis of compare/discovery: a row for each policy, and how recall grows with fetches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.compare.entrants import draw
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import FAINT, QUIET, heading, tidy
from trapline.laboratory.study.report import (
    Report,
    Row,
    file_name,
    new_figure,
    save_figure,
)
from trapline.theory.discovery.performance import performance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ID: Final = "compare/discovery"
TITLE: Final = "One pass over a web: relevance found"
POINTS: Final = 60  # of a curve


@dataclass(frozen=True, slots=True)
class Curve:
    """One pass of a policy."""

    policy: str
    seed: int
    gains: Floats  # relevance found, one a step
    per_s: float  # fetches a second of processor time


@dataclass(frozen=True, slots=True)
class Scale:
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


def make_report(
    web: str,
    marks: tuple[int, ...],
    polite: bool,
    scales: dict[int, Scale],
    curves: dict[str, list[Curve]],
    out: Path | None,
) -> Report:
    """`scales` of each seed; if there is only one, all passes went over the same web."""
    found = {
        name: [(scales.get(curve.seed, scales[1]), curve) for curve in some]
        for name, some in curves.items()
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
    figures = (
        save_figure(_figure(web, marks, scales, found), out, file_name(ID))
        if out is not None
        else []
    )
    return Report(ID, TITLE, columns, rows, _remarks(web, polite, scales), figures)


def _row(
    name: str, found: list[tuple[Scale, Curve]], marks: tuple[int, ...], polite: bool
) -> Row:
    row: Row = {"id": name}
    for mark in marks:
        row[f"R@{mark}"] = float(
            np.mean([scale.recall(curve.gains)[mark - 1] for scale, curve in found])
        )
        row[f"P@{mark}"] = float(
            np.mean([scale.share(curve.gains, mark) for scale, curve in found])
        )
        if polite:
            shares = [
                scale.share(curve.gains, mark, polite=True) for scale, curve in found
            ]
            row[f"polite P@{mark}"] = float(np.mean(shares))
    last = [scale.share(curve.gains, marks[-1], polite) for scale, curve in found]
    interval = Estimate.of(last) if len(last) > 1 else None
    row["low"], row["high"] = (
        (interval.low, interval.high) if interval else (None, None)
    )
    row["fetches/s"], row["seeds"] = (
        round(float(np.median([curve.per_s for _, curve in found]))),
        len(found),
    )
    return row


def _remarks(web: str, polite: bool, scales: dict[int, Scale]) -> list[str]:
    total = float(np.mean([scale.total for scale in scales.values()]))
    remarks = [
        f"{web}; relevance of all pages that can be reached: {total:,.0f}"
        + (f", mean over {len(scales)} webs" if len(scales) > 1 else ""),
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
    scales: dict[int, Scale],
    found: dict[str, list[tuple[Scale, Curve]]],
) -> Figure:
    figure = new_figure(9.0, 5.2)
    axis = figure.subplots()
    places = np.unique(np.linspace(1, marks[-1], POINTS).round()).astype(np.int64)
    _bound(
        axis,
        places,
        [scale.recall(scale.yardstick) for scale in scales.values()],
        "yardstick",
        "-",
    )
    polite = [
        scale.recall(scale.polite)
        for scale in scales.values()
        if scale.polite is not None
    ]
    if polite:
        _bound(axis, places, polite, "polite bound", "--")
    for number, (name, some) in enumerate(found.items()):
        runs = np.array(
            [scale.recall(curve.gains)[places - 1] for scale, curve in some]
        )
        # one run has a line, but no band
        twice = runs if len(runs) > 1 else np.repeat(runs, 2, axis=0)
        draw(axis, number, name, places.astype(np.float64), twice)
    for mark in marks[:-1]:
        axis.axvline(mark, color=FAINT, linewidth=0.8, zorder=0)
    axis.set(xlabel="steps", ylabel="recall", xlim=(0, marks[-1]), ylim=(0.0, 1.02))
    tidy(axis, grid="y")
    figure.legend(loc="outside lower left", ncols=6, frameon=False, fontsize=9.5)
    heading(
        figure,
        TITLE,
        web
        + ("; bands: 95 % interval of the mean over seeds" if len(scales) > 1 else ""),
    )
    return figure


def _bound(
    axis: Axes, places: NDArray[np.int64], recalls: list[Floats], name: str, dashes: str
) -> None:
    mean = np.mean(recalls, axis=0)[places - 1]
    axis.plot(places, mean, color=QUIET, linewidth=1.1, linestyle=dashes, label=name)
