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

from trapline.laboratory.papers.htraa.fig_11_12_claims import (
    PolicyAtSize,
    claims_of,
    remarks,
    row_of,
)
from trapline.laboratory.study.claims import claim_columns
from trapline.laboratory.study.courses import (
    Course,
    Order,
    PollingCase,
    PollingSetting,
    checkpoints,
    sweep_courses,
)
from trapline.laboratory.study.figures import heading
from trapline.laboratory.study.figures_courses import (
    SIZES,
    draw_course,
    frame_shares,
    legend_below,
    seeds_subtitle,
)
from trapline.laboratory.study.report import (
    Progress,
    Report,
    draw_figures,
    new_figure,
)
from trapline.laboratory.study.sweep import extent_for

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
class ScalingSizes:
    """How many pages, and how long."""

    pages: tuple[int, ...] = (512, 2_048, 8_192, 32_768)
    every: int = 200_000
    periods: int = 5
    posterior_pages: tuple[int, ...] = (512, 2_048, 8_192)
    posterior_after: int = 63_000  # polls after its only switch


QUICK: Final = ScalingSizes((512, 2_048), 10_000, 3, (512,), 5_000)


def _run_figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    sizes = QUICK if quick else ScalingSizes()
    cases = [one for kind in KINDS[name] for one in cases_of(kind, sizes)]
    found = sweep_courses(cases, extent_for(quick, seeds), progress)
    scales = {
        kind: [
            _at_size(found[f"{kind}, {n:,} pages"], n, sizes.every)
            for n in pages_of(kind, sizes)
        ]
        for kind in KINDS[name]
    }
    rows = [row_of(scale) for of_kind in scales.values() for scale in of_kind]
    return Report(
        name,
        TITLES[name],
        claim_columns(*COLUMNS),
        rows + claims_of(name, scales),
        remarks(scales, sizes.every),
        draw_figures(name, out, lambda: _picture(TITLES[name], scales)),
    )


fig_11 = partial(_run_figure, "htraa/fig-11")
fig_12 = partial(_run_figure, "htraa/fig-12")


def pages_of(kind: str, sizes: ScalingSizes) -> tuple[int, ...]:
    return sizes.posterior_pages if kind == "posterior" else sizes.pages


def cases_of(kind: str, sizes: ScalingSizes) -> list[PollingCase]:
    policy = {"LAKG": "lakg", "posterior": "posterior"}.get(kind, "htraa")
    order: Order = "sorted" if kind == "H-TRAA, sorted" else "shuffled"
    every = sizes.every
    within = checkpoints(FIRST, every)
    noted = tuple(
        start + polls
        for start in range(0, sizes.periods * every, every)
        for polls in within
    )
    if kind == "posterior":
        noted = tuple(
            polls for polls in noted if polls <= every + sizes.posterior_after
        )
    return [
        PollingCase(
            f"{kind}, {n:,} pages",
            policy,
            PollingSetting(n, order=order, switch_every=every),
            noted,
        )
        for n in pages_of(kind, sizes)
    ]


def _at_size(course: Course, pages: int, every: int) -> PolicyAtSize:
    polls = np.array(course.polls)
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
    world = PollingSetting(pages).world(0)
    return PolicyAtSize(
        name=course.name,
        pages=pages,
        learning=Course(course.name, course.polls[:first], course.shares[:, :first]),
        all=course,
        recovery=Course(course.name, after, recovery),
        before=np.mean([course.shares[:, at] for at in ends], axis=0),
        optimum=world.optimum / world.bound,
    )


def _picture(title: str, scales: dict[str, list[PolicyAtSize]]) -> Figure:
    # beside H-TRAA, LAKG is in the table only
    kinds = [kind for kind in scales if kind != "LAKG" or len(scales) < 3]
    figure = new_figure(4.4 * len(kinds) + 0.6, 7.2)
    panels = figure.subplots(2, len(kinds), sharex="row", sharey="row", squeeze=False)
    for (above, below), kind in zip(panels.T, kinds, strict=True):
        for scale, ink in zip(scales[kind], SIZES, strict=False):
            draw_course(above, scale.learning, ink, label=f"{scale.pages:,} pages")
            draw_course(below, scale.recovery, ink, label=f"{scale.pages:,} pages")
        optimum = scales[kind][0].optimum
        frame_shares(above, f"{kind}: learning", 0.0, optimum)
        frame_shares(below, f"{kind}: after a switch", 0.0, optimum)
        above.set_xlabel("polls")
        below.set_xlabel("polls since the switch")
    for axis in panels[:, 0]:
        axis.set_ylabel("share of the bound")
    legend_below(figure, list(panels.flat), rows=1)
    first = scales[kinds[0]][0]
    heading(figure, title, seeds_subtitle(first.optimum, len(first.before)))
    return figure
