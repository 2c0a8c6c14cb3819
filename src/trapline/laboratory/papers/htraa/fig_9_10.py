"""htraa/fig-9 and fig-10: worlds that switch every 80,000 or every 1,000 polls, (α, β) = (.9, 1.5),
400,000 polls.

At a switch a page drawn from the Zipf distribution changes rank with the one that follows.
`proportional` and `optimal` are told the truth of the first day and do not follow; the estimator is
given phases of 10, 40 and 160 rounds.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.study.claims import MEANING, claim, claim_columns, course_row
from trapline.laboratory.study.courses import (
    Course,
    Floats,
    PollingCase,
    PollingSetting,
    sweep_courses,
)
from trapline.laboratory.study.figures import FAINT, heading
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
    Row,
    draw_figures,
    new_figure,
)
from trapline.laboratory.study.sweep import extent_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EVERY: Final = {"htraa/fig-9": 80_000, "htraa/fig-10": 1_000}
TITLES: Final = {
    "htraa/fig-9": "Pages change ranks every 80,000 polls: who recovers",
    "htraa/fig-10": "Pages change ranks every 1,000 polls: who keeps up",
}
POLLS: Final = 400_000
WINDOW: Final = 4_000
# of the estimator's phases, and how they are drawn
ROUNDS: Final = {10: DOTTED, 40: DASHED, 160: "-"}
SORTED: Final = "H-TRAA, sorted"
SHUFFLED: Final = "H-TRAA, shuffled"
QUICK_BY: Final = 20  # a quick run is so much shorter, and its world so much quicker


def _run_figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    by = QUICK_BY if quick else 1
    every = EVERY[name] // by
    polls = POLLS // by
    window = WINDOW // by
    cases = cases_of(every, polls, window)
    found = sweep_courses(cases, extent_for(quick, seeds), progress)
    rows = [_row(course) for course in found.values()]
    rows += (
        slow_claims(found, every // window) if every > window else quick_claims(found)
    )
    world = PollingSetting().world(0)
    optimum = world.optimum / world.bound
    return Report(
        name,
        TITLES[name],
        claim_columns("whole run"),
        rows,
        remarks(found, every, window),
        draw_figures(name, out, lambda: _picture(TITLES[name], found, optimum, every)),
    )


fig_9 = partial(_run_figure, "htraa/fig-9")
fig_10 = partial(_run_figure, "htraa/fig-10")


def cases_of(every: int, polls: int, window: int) -> list[PollingCase]:
    noted = tuple(range(window, polls + 1, window))
    in_order, shuffled = (
        PollingSetting(order=order, switch_every=every)
        for order in ("sorted", "shuffled")
    )
    return [
        *(
            PollingCase(name, name, shuffled, noted)
            for name in ("proportional", "optimal")
        ),
        *(_estimator_case(rounds, shuffled, noted) for rounds in ROUNDS),
        PollingCase("LAKG", "lakg", shuffled, noted),
        PollingCase(SORTED, "htraa", in_order, noted),
        PollingCase(SHUFFLED, "htraa", shuffled, noted),
        PollingCase("posterior", "posterior", shuffled, noted),
    ]


def _estimator_case(
    rounds: int, setting: PollingSetting, noted: tuple[int, ...]
) -> PollingCase:
    return PollingCase(
        f"estimator, {rounds} rounds",
        "estimator",
        setting,
        noted,
        (("rounds", rounds),),
    )


def late_share(course: Course) -> Floats:
    """Mean of the last quarter of the run, seed by seed."""
    return np.asarray(course.shares[:, 3 * len(course.polls) // 4 :].mean(axis=1))


def whole_share(course: Course) -> Floats:
    return np.asarray(course.shares.mean(axis=1))


def _row(course: Course) -> Row:
    said = course_row(Course(course.name, (1,), late_share(course)[:, None]), 1)
    return {**said, "whole run": float(whole_share(course).mean())}


def slow_claims(found: dict[str, Course], period: int) -> list[Row]:
    """`period`: windows from one switch to the next."""
    tree = found[SORTED]
    lakg = found["LAKG"]
    starts = range(period, len(tree.polls) - period // 2 + 1, period)
    before = np.mean(
        [tree.shares[:, start - 5 : start].mean(axis=1) for start in starts], axis=0
    )
    after = np.mean(
        [tree.shares[:, start + 2 : start + 5].mean(axis=1) for start in starts], axis=0
    )
    return [
        claim(
            "near-optimal",
            "H-TRAA finds near-optimal solutions initially (within .02 of `optimal`)",
            [
                0.02
                + np.mean(
                    tree.shares[:, 5:period] - found["optimal"].shares[:, 5:period],
                    axis=1,
                )
            ],
        ),
        claim(
            "recovers",
            "H-TRAA recovers quickly (2 to 5 windows after a switch, 99 % of what it was before)",
            [after - 0.99 * before],
        ),
        claim(
            "beats LAKG",
            "H-TRAA clearly outperforms LAKG (whole run; last quarter)",
            [
                whole_share(tree) - whole_share(lakg),
                late_share(tree) - late_share(lakg),
            ],
        ),
    ]


def quick_claims(found: dict[str, Course]) -> list[Row]:
    tree = found[SORTED]
    lakg = found["LAKG"]
    estimators = [
        course for name, course in found.items() if name.startswith("estimator")
    ]
    return [
        claim(
            "improves",
            "The automata steadily improve the initial solution (last quarter, against the "
            "first window)",
            [late_share(course) - course.shares[:, 0] for course in (tree, lakg)],
        ),
        claim(
            "never optimal",
            "… but are never allowed to reach an optimal solution (.02 from the bound)",
            [0.98 - late_share(course) for course in (tree, lakg)],
        ),
        claim(
            "beats estimator",
            "They stabilise on a solution superior to the estimator's (last quarter)",
            [
                late_share(course) - late_share(other)
                for course in (tree, lakg)
                for other in estimators
            ],
        ),
        claim(
            "beats LAKG",
            "Again H-TRAA performs better than LAKG (whole run; last quarter)",
            [
                whole_share(tree) - whole_share(lakg),
                late_share(tree) - late_share(lakg),
            ],
        ),
    ]


def remarks(found: dict[str, Course], every: int, window: int) -> list[str]:
    ahead = found[SORTED].shares.mean(axis=0) > found["LAKG"].shares.mean(axis=0)
    until = found["LAKG"].polls[int(np.flatnonzero(ahead)[-1])] if ahead.any() else 0
    return [
        f"n = 512, a switch every {every:,} polls, windows of {window:,}; `ours` is the share "
        "of the bound over the "
        "last quarter of the run",
        f"H-TRAA on sorted leaves is ahead of LAKG in {int(ahead.sum())} of {len(ahead)} "
        "windows, the last of them "
        f"ends at {until:,} polls; LAKG does not care for the order, H-TRAA does",
        (
            "`proportional` and `optimal` are told the first truth only: their fall is what not "
            "learning costs"
        ),
        MEANING,
    ]


def _picture(
    title: str, found: dict[str, Course], optimum: float, every: int
) -> Figure:
    figure = new_figure(11.5, 6.0)
    axis = figure.subplots()
    last = found["LAKG"].polls[-1]
    if last // every < 10:
        for switch in range(every, last, every):
            axis.axvline(switch, color=FAINT, linewidth=2.0, zorder=0)
    for rounds, line in ROUNDS.items():
        draw_course(
            axis,
            found[f"estimator, {rounds} rounds"],
            INKS["estimator"],
            line,
            width=1.3,
        )
    for name in ("proportional", "optimal"):
        draw_course(axis, found[name], INKS[name], DASHED, f"{name}, first truth", 1.4)
    for name, ink in (
        ("LAKG", INKS["LAKG"]),
        ("posterior", INKS["posterior"]),
        (SORTED, RAMP[0]),
        (SHUFFLED, RAMP[-1]),
    ):
        draw_course(axis, found[name], ink)
    frame_shares(axis, "", 0.2, optimum, log=False)
    axis.set_xlim(0, last)
    axis.set_xticks(
        axis.get_xticks(),
        [f"{tick / 1_000:,.0f}k" if tick else "0" for tick in axis.get_xticks()],
    )
    axis.set(xlabel="polls", ylabel="share of the bound", xlim=(0, last))
    legend_below(figure, (axis,), rows=2)
    heading(figure, title, seeds_subtitle(optimum, len(found["LAKG"].shares)))
    return figure
