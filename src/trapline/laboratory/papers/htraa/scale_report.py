"""The analysis of htraa/scale: shares of the bound, the agenda beside the argmax, and what not
knowing costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import heading, tidy
from trapline.laboratory.study.report import (
    Report,
    Row,
    file_name,
    new_figure,
    save_figure,
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
LEARNER = "posterior"
ARGMAX = "argmax"
TOLD = "known-rate"
NEAR: Final = 0.985  # of the exact argmax with the same posterior
HOPED: Final = 0.99  # of the bound, at 10^5 pages and more
MANY: Final = 100_000
TICKS: Final = (0.5, 1, 2, 3, 5, 7, 10, 20)
# nothing is drawn nearer to the bound: over a short stretch it may be exceeded
MISSING_LEAST: Final = 1e-3
INKS: Final = ("#8a6fb0", "#0b6e99", "#1b9e77", "#b8641a")  # by number of pages


@dataclass(frozen=True, slots=True)
class Course:
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
Runs = dict[tuple[tuple[float, float], int], dict[str, dict[int, Course]]]


def make_report(courses: list[Course], out: Path | None) -> Report:
    runs: Runs = {}
    for one in sorted(courses, key=lambda one: one.pages):
        runs.setdefault((one.world, one.pages), {}).setdefault(one.policy, {})[
            one.seed
        ] = one
    rows: list[Row] = []
    for (world, pages), found in runs.items():
        where = f"{_name(world)}, {pages:,} pages"
        for policy in (LEARNER, ARGMAX, TOLD):
            if policy in found:
                late = [one.late for one in found[policy].values()]
                rows.append(
                    _row(
                        f"{where}: {policy}/bound",
                        late,
                        HOPED if _moonshot(policy, pages) else None,
                    )
                )
        if ARGMAX in found:
            ratios = [
                found[LEARNER][seed].late / one.late
                for seed, one in found[ARGMAX].items()
            ]
            rows.append(_row(f"{where}: {LEARNER}/{ARGMAX}", ratios, NEAR))
    figures = save_figure(_figure(runs), out, file_name(ID)) if out is not None else []
    return Report(ID, TITLE, COLUMNS, rows, _remarks(rows, runs, courses[0]), figures)


def _name(world: tuple[float, float]) -> str:
    return f"α {world[0]:g}, β {world[1]:g}"


def _moonshot(policy: str, pages: int) -> bool:
    return policy == LEARNER and pages >= MANY


def _row(name: str, values: list[float], wanted: float | None) -> Row:
    found = Estimate.of(values)
    return {
        "id": name,
        "paper": None,
        "ours": found.mean,
        "low": found.low,
        "high": found.high,
        "wanted": wanted,
        "seeds": len(values),
    }


def _remarks(rows: list[Row], runs: Runs, some: Course) -> list[str]:
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
        _distance(where, found) for where, found in runs.items() if where[1] >= MANY
    ]


def _distance(
    where: tuple[tuple[float, float], int], found: dict[str, dict[int, Course]]
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
        f"{_name(where[0])}, {where[1]:,} pages: {learnt:.2%} of the bound, {far}; told the "
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
                    _draw(axis, list(found[policy].values()), ink, line)
        _scales(axis)
        tidy(axis, _name(world), grid="y")
    panels[0].set_ylabel("expected detections, of the bound")
    handles = {
        label: line
        for axis in panels
        for line, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower left",
        ncols=4,
        frameon=False,
        fontsize=9.5,
    )
    heading(
        figure,
        TITLE,
        "a point is the mean since the point before; bands: 95 % interval of the mean over seeds",
    )
    return figure


def _scales(axis: Axes) -> None:
    """Upwards is better: what is missing to the bound, on a logarithmic scale, labelled by what is
    reached.
    """
    axis.set(
        xscale="log", yscale="log", xlabel="polls a page", ylim=(1.0, MISSING_LEAST)
    )
    axis.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    missing = (0.8, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)
    axis.set_yticks(missing, [f"{1.0 - one:.4g}" for one in missing])
    axis.minorticks_off()


def _draw(
    axis: Axes,
    courses: list[Course],
    ink: str,
    line: str | tuple[int, tuple[float, float]],
) -> None:
    ends = courses[0].ends
    shares = np.array([course.shares for course in courses])
    label = f"{courses[0].policy}, {courses[0].pages:,} pages"
    axis.plot(
        ends,
        _missing(shares.mean(axis=0)),
        color=ink,
        linewidth=1.7,
        linestyle=line,
        label=label,
    )
    if len(shares) > 2:  # the interval from two is as wide as the axis
        found = [Estimate.of(column.tolist()) for column in shares.T]
        low = _missing([one.low for one in found])
        high = _missing([one.high for one in found])
        axis.fill_between(ends, low, high, color=ink, alpha=0.14, linewidth=0)


def _missing(shares: Floats | list[float]) -> Floats:
    return np.clip(1.0 - np.asarray(shares, np.float64), MISSING_LEAST, 1.0)
