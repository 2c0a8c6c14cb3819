"""htraa/fig-11 (LAKG) and fig-12 (H-TRAA): 512 to 32,768 pages in (α, β) = (.9, 1.5), a switch
every 200,000 polls.

The paper does not say how its worlds switch here; 200,000 polls are enough for all but the slowest
to settle first. Two things are looked at: learning from nothing, up to the first switch, and the
polls after a switch, mean of the last two. `posterior`, for comparison, runs a quarter as long and
meets one switch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.htraa.scaling_claims import (
    Scale,
    claims_of,
    remarks,
    row_of,
)
from trapline.laboratory.study.claims import columns
from trapline.laboratory.study.course_figures import (
    SIZES,
    draw,
    frame,
    legend,
    subtitle,
)
from trapline.laboratory.study.courses import (
    Contender,
    Course,
    Order,
    Setting,
    checkpoints,
    run_all,
    seeds_for,
    workers_for,
)
from trapline.laboratory.study.figures import heading
from trapline.laboratory.study.report import (
    Progress,
    Report,
    file_name,
    new_figure,
    save_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES: Final = {
    "htraa/fig-11": "LAKG, and how its learning slows down as pages become more",
    "htraa/fig-12": "H-TRAA, and how its learning slows down as pages become more",
}
KINDS: Final = {
    "htraa/fig-11": ("LAKG", "posterior"),
    "htraa/fig-12": ("H-TRAA, sorted", "H-TRAA, shuffled", "LAKG", "posterior"),
}
COLUMNS: Final = (
    "polls to half",
    "before a switch",
    "just after",
    "polls to recover",
    "lost",
)
FIRST: Final = 250  # polls of the first window


@dataclass(frozen=True, slots=True)
class Extent:
    pages: tuple[int, ...] = (512, 2_048, 8_192, 32_768)
    every: int = 200_000
    periods: int = 5
    posterior_pages: tuple[int, ...] = (512, 2_048, 8_192)
    posterior_after: int = 63_000  # polls after its only switch


QUICK: Final = Extent((512, 2_048), 10_000, 3, (512,), 5_000)


def _figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    extent = QUICK if quick else Extent()
    contenders = [one for kind in KINDS[name] for one in contenders_of(kind, extent)]
    found = run_all(contenders, seeds_for(quick, seeds), workers_for(quick), progress)
    scales = {
        kind: [
            _scale(found[f"{kind}, {n:,} pages"], n, extent)
            for n in sizes(kind, extent)
        ]
        for kind in KINDS[name]
    }
    rows = [
        row_of(scale) for of_kind in scales.values() for scale in of_kind
    ] + claims_of(name, scales)
    report = Report(
        name, TITLES[name], columns(*COLUMNS), rows, remarks(scales, extent.every)
    )
    if out is not None:
        report.figures.extend(
            save_figure(_picture(TITLES[name], scales), out, file_name(name))
        )
    return report


fig_11 = partial(_figure, "htraa/fig-11")
fig_12 = partial(_figure, "htraa/fig-12")


def sizes(kind: str, extent: Extent) -> tuple[int, ...]:
    return extent.posterior_pages if kind == "posterior" else extent.pages


def contenders_of(kind: str, extent: Extent) -> list[Contender]:
    policy = {"LAKG": "lakg", "posterior": "posterior"}.get(kind, "htraa")
    order: Order = "sorted" if kind == "H-TRAA, sorted" else "shuffled"
    within = checkpoints(FIRST, extent.every)
    every = extent.every
    noted = tuple(
        start + polls
        for start in range(0, extent.periods * every, every)
        for polls in within
    )
    if kind == "posterior":
        noted = tuple(
            polls for polls in noted if polls <= every + extent.posterior_after
        )
    return [
        Contender(
            f"{kind}, {n:,} pages",
            policy,
            Setting(n, order=order, switch_every=every),
            noted,
        )
        for n in sizes(kind, extent)
    ]


def _scale(course: Course, pages: int, extent: Extent) -> Scale:
    polls = np.array(course.polls)
    every = extent.every
    starts = list(range(every, course.polls[-1], every))[-2:]
    after = tuple(
        int(one)
        for one in polls[(polls > starts[-1]) & (polls <= starts[-1] + every)]
        - starts[-1]
    )
    # of the last window before each switch
    ends = [np.searchsorted(polls, start) for start in starts]
    recovery = np.mean(
        [course.shares[:, at + 1 : at + 1 + len(after)] for at in ends], axis=0
    )
    first = int(np.searchsorted(polls, every)) + 1
    world = Setting(pages).world(0)
    return Scale(
        name=course.name,
        pages=pages,
        learning=Course(course.name, course.polls[:first], course.shares[:, :first]),
        all=course,
        recovery=Course(course.name, after, recovery),
        before=np.mean([course.shares[:, at] for at in ends], axis=0),
        optimum=world.optimum / world.bound,
    )


def _picture(title: str, scales: dict[str, list[Scale]]) -> Figure:
    # beside H-TRAA, LAKG is in the table only
    kinds = [kind for kind in scales if kind != "LAKG" or len(scales) < 3]
    figure = new_figure(4.4 * len(kinds) + 0.6, 7.2)
    panels = figure.subplots(2, len(kinds), sharex="row", sharey="row", squeeze=False)
    for (above, below), kind in zip(panels.T, kinds, strict=True):
        for scale, ink in zip(scales[kind], SIZES, strict=False):
            draw(above, scale.learning, ink, label=f"{scale.pages:,} pages")
            draw(below, scale.recovery, ink, label=f"{scale.pages:,} pages")
        optimum = scales[kind][0].optimum
        frame(above, f"{kind}: learning", 0.0, optimum)
        frame(below, f"{kind}: after a switch", 0.0, optimum)
        above.set_xlabel("polls")
        below.set_xlabel("polls since the switch")
    for axis in panels[:, 0]:
        axis.set_ylabel("share of the bound")
    legend(figure, panels.flat, rows=1)
    first = scales[kinds[0]][0]
    heading(figure, title, subtitle(first.optimum, len(first.before)))
    return figure
