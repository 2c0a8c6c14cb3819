"""The analysis of htraa/scale: shares of the bound, the agenda beside the argmax, and what not
knowing costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.figures import (
    Line,
    draw_mean,
    heading,
    missing_to_bound,
    scale_by_missing,
    shared_legend,
    tidy,
)
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

ID: Final = "htraa/scale"
TITLE: Final = (
    "posterior against the argmax and the bound, from 512 shuffled pages to a million"
)
COLUMNS: Final = ("id", "paper", "ours", "low", "high", "wanted", "seeds")
LEARNER: Final = "posterior"
ARGMAX: Final = "argmax"
TOLD: Final = "known-rate"
NEAR: Final = 0.985  # of the exact argmax with the same posterior
HOPED: Final = 0.99  # of the bound, at 10^5 pages and more
MANY: Final = 100_000
TICKS: Final = {tick: f"{tick:g}" for tick in (0.5, 1, 2, 3, 5, 7, 10, 20)}
# nothing is drawn nearer to the bound: over a short stretch it may be exceeded
MISSING_LEAST: Final = 1e-3
MISSING: Final = (0.8, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)
INKS: Final = ("#8a6fb0", "#0b6e99", "#1b9e77", "#b8641a")  # by number of pages


@dataclass(frozen=True, slots=True)
class ScaleRun:
    """One run: detections as a share of the bound, between ends in polls a page."""

    policy: str
    world: tuple[float, float]
    pages: int
    seed: int
    ends: tuple[float, ...]
    shares: Floats

    @property
    def late(self) -> float:
        return float(self.shares[-1])


# (world, pages) → policy → seed
Runs = dict[tuple[tuple[float, float], int], dict[str, dict[int, ScaleRun]]]


def make_report(courses: list[ScaleRun], out: Path | None) -> Report:
    runs: Runs = {}
    for one in sorted(courses, key=lambda one: one.pages):
        runs.setdefault((one.world, one.pages), {}).setdefault(one.policy, {})[
            one.seed
        ] = one
    rows: list[Row] = []
    for (world, pages), found in runs.items():
        where = f"{_world_name(world)}, {pages:,} pages"
        for policy in (LEARNER, ARGMAX, TOLD):
            if policy in found:
                late = [one.late for one in found[policy].values()]
                rows.append(
                    _row(
                        f"{where}: {policy}/bound",
                        late,
                        HOPED if _is_hoped_for(policy, pages) else None,
                    )
                )
        if ARGMAX in found:
            ratios = [
                found[LEARNER][seed].late / one.late
                for seed, one in found[ARGMAX].items()
            ]
            rows.append(_row(f"{where}: {LEARNER}/{ARGMAX}", ratios, NEAR))
    figures = draw_figures(ID, out, lambda: _figure(runs))
    return Report(ID, TITLE, COLUMNS, rows, _remarks(rows, runs, courses[0]), figures)


def _world_name(world: tuple[float, float]) -> str:
    return f"α {world[0]:g}, β {world[1]:g}"


def _is_hoped_for(policy: str, pages: int) -> bool:
    return policy == LEARNER and pages >= MANY


def _row(name: str, values: list[float], wanted: float | None) -> Row:
    return estimate_row(name, values, more={"wanted": wanted})


def _remarks(rows: list[Row], runs: Runs, some: ScaleRun) -> list[str]:
    beside = [
        float(row["ours"] or 0.0)
        for row in rows
        if str(row["id"]).endswith(f"/{ARGMAX}")
    ]
    since, until = some.ends[-2:]
    remarks = [
        (
            f"expected detections over polls {since:g} to {until:g} a page; the prior is learnt, "
            "not given"
        ),
        f"{LEARNER} through the agenda earns at least {min(beside):.2%} of the exact argmax "
        "over the same offers; "
        f"wanted {NEAR:.1%}: {'reached' if min(beside) >= NEAR else 'NOT reached'}",
    ]
    return remarks + [
        _distance_to_hoped(where, found)
        for where, found in runs.items()
        if where[1] >= MANY
    ]


def _distance_to_hoped(
    where: tuple[tuple[float, float], int], found: dict[str, dict[int, ScaleRun]]
) -> str:
    learnt, told = (
        float(np.mean([one.late for one in found[name].values()]))
        for name in (LEARNER, TOLD)
    )
    far = (
        f"{HOPED - learnt:.2%} from {HOPED:.0%}"
        if learnt < HOPED
        else f"{HOPED:.0%} reached"
    )
    cost = (
        f"not knowing them costs {told - learnt:.2%}"
        if told > learnt
        else "not knowing them costs nothing"
    )
    return (
        f"{_world_name(where[0])}, {where[1]:,} pages: {learnt:.2%} of the bound, {far}; told the "
        "rates, the same agenda "
        f"earns {told:.2%}: {cost}; in so short a run the slowest pages never fall due"
    )


def _figure(runs: Runs) -> Figure:
    worlds = list(dict.fromkeys(world for world, _ in runs))
    sizes = sorted({pages for _, pages in runs})
    figure = new_figure(11.5, 5.0)
    panels = figure.subplots(1, len(worlds), sharey=True, squeeze=False)[0]
    for axis, world in zip(panels, worlds, strict=True):
        for pages, ink in zip(sizes, INKS, strict=False):
            found = runs.get((world, pages), {})
            for policy, line in (
                (LEARNER, "-"),
                (ARGMAX, (0, (1, 1.5))),
                (TOLD, (0, (5, 3))),
            ):
                if policy in found and (policy == LEARNER or ARGMAX in found):
                    _draw_runs(axis, list(found[policy].values()), ink, line)
        axis.set_xlabel("polls a page")
        scale_by_missing(axis, (1.0, MISSING_LEAST), MISSING, TICKS)
        tidy(axis, _world_name(world), grid="y")
    panels[0].set_ylabel("expected detections, of the bound")
    shared_legend(figure, panels, ncols=4, fontsize=9.5)
    heading(
        figure,
        TITLE,
        "a point is the mean since the point before; bands: 95 % interval of the mean over seeds",
    )
    return figure


def _draw_runs(
    axis: Axes,
    courses: list[ScaleRun],
    ink: str,
    dashes: str | tuple[int, tuple[float, float]],
) -> None:
    first = courses[0]
    shares = np.array([course.shares for course in courses])
    draw_mean(
        axis,
        first.ends,
        shares,
        Line(ink, f"{first.policy}, {first.pages:,} pages", dashes),
        band=len(shares) > 2,  # the interval from two is as wide as the axis
        height=partial(missing_to_bound, least=MISSING_LEAST),
    )
