"""htraa/fig-6, fig-7, fig-8: all policies in worlds that stay as they are, (α, β) = (.3, 1.5), (.3,
1.0), (.9, 1.5).

H-TRAA meets its pages sorted by rate, perturbed by 10³ … 10⁶ swaps of neighbours, and shuffled (the
paper's hardest case, 10⁶ swaps, moves a page by some 60 of 512 places only). All others do not care
for the order: theirs is shuffled. The estimator is shown by the length of its phase: what it earns
when the phase is over.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.htraa.fig_6_to_8_claims import (
    CLAIMS,
    DOUBLING,
    SORTED,
    SORTED_DOUBLING,
    SWAPPED,
    findings,
)
from trapline.laboratory.study.claims import MEANING, claim_columns, course_row
from trapline.laboratory.study.courses import (
    Course,
    PollingCase,
    PollingSetting,
    checkpoints,
    sweep_courses,
)
from trapline.laboratory.study.figures import heading
from trapline.laboratory.study.figures_courses import (
    DASHED,
    DOTTED,
    INKS,
    RAMP,
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

WORLDS: Final = {
    "htraa/fig-6": (0.3, 1.5),
    "htraa/fig-7": (0.3, 1.0),
    "htraa/fig-8": (0.9, 1.5),
}
TITLES: Final = {
    "htraa/fig-6": "Polling 512 pages in (.3, 1.5): who learns how fast, and what order is worth",
    "htraa/fig-7": "Polling 512 pages in (.3, 1.0), where pages are less unlike",
    "htraa/fig-8": "Polling 512 pages in (.9, 1.5), where proportional is not optimal",
}
AT: Final = 200_000  # the table's main column
EARLIER: Final = (1_000, 10_000, 50_000, 1_000_000)
PHASES: Final = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
SETTLES: Final = 20_000  # polls, at least, that the estimator is given after its phase
# N of the automata just above the pages, where it doubles from level to level; 16,384 at the root
LOWEST: Final = 64


def _run_figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    polls = 20_000 if quick else 1_000_000
    cases = cases_of(*WORLDS[name], polls)
    found = sweep_courses(cases, extent_for(quick, seeds), progress)
    found = {
        one: course for one, course in found.items() if not one.startswith("phase")
    } | {"estimator": course_by_phase(found)}
    world = PollingSetting(512, *WORLDS[name]).world(0)
    scale = world.bound / world.optimum
    at = min(AT, polls)
    rows = [
        course_row(course, at, EARLIER)
        | {"of the optimum": scale * float(course.at(at).mean())}
        for course in found.values()
    ]
    rows += [made(found) for made in CLAIMS[name]]
    return Report(
        name,
        TITLES[name],
        claim_columns("of the optimum", *(f"at {one:,}" for one in EARLIER)),
        rows,
        remarks(found),
        draw_figures(name, out, lambda: _picture(TITLES[name], found, 1.0 / scale)),
    )


fig_6 = partial(_run_figure, "htraa/fig-6")
fig_7 = partial(_run_figure, "htraa/fig-7")
fig_8 = partial(_run_figure, "htraa/fig-8")


def cases_of(alpha: float, beta: float, polls: int) -> list[PollingCase]:
    shuffled = PollingSetting(512, alpha, beta, "shuffled")
    noted = checkpoints(1_000, polls)
    doubling = (("resolution", LOWEST), ("level_factor", 2.0))
    tree = [
        PollingCase(name, "htraa", PollingSetting(512, alpha, beta, swaps=swaps), noted)
        for name, swaps in SWAPPED.items()
    ]
    tree += [
        PollingCase("H-TRAA, shuffled", "htraa", shuffled, noted),
        PollingCase(
            DOUBLING,
            "htraa",
            PollingSetting(512, alpha, beta, swaps=10**6),
            noted,
            doubling,
        ),
        PollingCase(
            SORTED_DOUBLING, "htraa", PollingSetting(512, alpha, beta), noted, doubling
        ),
    ]
    told = [
        PollingCase(name, name, shuffled, noted)
        for name in ("uniform", "proportional", "optimal")
    ]
    other = [
        PollingCase("LAKG", "lakg", shuffled, noted),
        PollingCase(
            "posterior", "posterior", shuffled, checkpoints(1_000, min(polls, AT))
        ),
    ]
    phases = [_estimator_case(shuffled, length) for length in PHASES if length <= polls]
    return [*told, *phases, *other, *tree]


def _estimator_case(setting: PollingSetting, length: int) -> PollingCase:
    """It is looked at in the last quarter of as many polls again."""
    after = max(length, SETTLES)
    return PollingCase(
        f"phase {length}",
        "estimator",
        setting,
        (length + 3 * after // 4, length + after),
        (("rounds", length / setting.pages),),
    )


def course_by_phase(found: dict[str, Course]) -> Course:
    """The estimator's earnings after its phase, by the length of the phase."""
    lengths = tuple(length for length in PHASES if f"phase {length}" in found)
    return Course(
        "estimator",
        lengths,
        np.column_stack([found[f"phase {one}"].shares[:, -1] for one in lengths]),
    )


def remarks(found: dict[str, Course]) -> list[str]:
    return [
        f"`ours` is the share of the bound at {min(AT, found['LAKG'].polls[-1]):,} polls, "
        "measured over the last fifth "
        "of them; the estimator's columns are by the length of its phase, and what it earns "
        "after that",
        *findings(found),
        (
            f"N doubling: {LOWEST} just above the pages (of 2 … 500 the best match for LAKG; the "
            "paper names none)"
        ),
        "the estimator polls a page every 512 steps: all that change more often look alike to "
        "it, however long its "
        "phase",
        (
            "LAKG and the fixed frequencies are served by fluid EDF as H-TRAA is; LAKG drawn by "
            "chance earns less"
        ),
        MEANING,
    ]


def _picture(title: str, found: dict[str, Course], optimum: float) -> Figure:
    figure = new_figure(12.0, 6.2)
    left, right = figure.subplots(1, 2, sharey=True)
    for name in ("uniform", "proportional", "optimal"):
        draw_course(left, found[name], INKS[name], DASHED, width=1.4)
    for name in ("estimator", "LAKG", "posterior"):
        draw_course(
            left,
            found[name],
            INKS[name],
            label=f"{name}, by its phase" if name == "estimator" else name,
        )
    draw_course(left, found[SORTED], RAMP[0])
    draw_course(left, found["H-TRAA, shuffled"], RAMP[-1])
    for name, ink in zip([*SWAPPED, "H-TRAA, shuffled"], RAMP, strict=True):
        draw_course(right, found[name], ink)
    draw_course(right, found[DOUBLING], RAMP[4], DOTTED)
    draw_course(right, found[SORTED_DOUBLING], RAMP[0], DOTTED)
    draw_course(right, found["LAKG"], INKS["LAKG"], width=1.4)
    least = 0.98 * float(
        min(course.shares.mean(axis=0).min() for course in found.values())
    )
    frame_shares(left, "all policies", least, optimum)
    frame_shares(right, "H-TRAA by the order of its leaves", least, optimum)
    for axis in (left, right):
        axis.set_xlabel("polls")
    left.set_ylabel("share of the bound")
    legend_below(figure, (left, right), rows=3)
    heading(figure, title, seeds_subtitle(optimum, len(found["LAKG"].shares)))
    return figure
