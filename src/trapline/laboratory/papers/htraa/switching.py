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

from trapline.laboratory.study.claims import MEANING, claim, columns, course_row
from trapline.laboratory.study.course_figures import (
    DASHED,
    DOTTED,
    INKS,
    RAMP,
    draw,
    frame,
    legend,
    subtitle,
)
from trapline.laboratory.study.courses import (
    Contender,
    Course,
    Floats,
    Setting,
    run_all,
    seeds_for,
    workers_for,
)
from trapline.laboratory.study.figures import FAINT, heading
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    file_name,
    new_figure,
    save_figure,
)

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
SORTED = "H-TRAA, sorted"
SHUFFLED = "H-TRAA, shuffled"
QUICK_BY: Final = 20  # a quick run is so much shorter, and its world so much quicker


def _figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    by = QUICK_BY if quick else 1
    every = EVERY[name] // by
    polls = POLLS // by
    window = WINDOW // by
    found = run_all(
        contenders_of(every, polls, window),
        seeds_for(quick, seeds),
        workers_for(quick),
        progress,
    )
    rows = [_row(course) for course in found.values()]
    rows += (
        slow_claims(found, every // window) if every > window else quick_claims(found)
    )
    world = Setting().world(0)
    report = Report(
        name, TITLES[name], columns("whole run"), rows, remarks(found, every, window)
    )
    if out is not None:
        picture = _picture(TITLES[name], found, world.optimum / world.bound, every)
        report.figures.extend(save_figure(picture, out, file_name(name)))
    return report


fig_9 = partial(_figure, "htraa/fig-9")
fig_10 = partial(_figure, "htraa/fig-10")


def contenders_of(every: int, polls: int, window: int) -> list[Contender]:
    noted = tuple(range(window, polls + 1, window))
    in_order, shuffled = (
        Setting(order=order, switch_every=every) for order in ("sorted", "shuffled")
    )
    return [
        *(
            Contender(name, name, shuffled, noted)
            for name in ("proportional", "optimal")
        ),
        *(_estimator(rounds, shuffled, noted) for rounds in ROUNDS),
        Contender("LAKG", "lakg", shuffled, noted),
        Contender(SORTED, "htraa", in_order, noted),
        Contender(SHUFFLED, "htraa", shuffled, noted),
        Contender("posterior", "posterior", shuffled, noted),
    ]


def _estimator(rounds: int, setting: Setting, noted: tuple[int, ...]) -> Contender:
    return Contender(
        f"estimator, {rounds} rounds",
        "estimator",
        setting,
        noted,
        (("phase", rounds * setting.pages),),
    )


def late(course: Course) -> Floats:
    """Mean of the last quarter of the run, seed by seed."""
    return np.asarray(course.shares[:, 3 * len(course.polls) // 4 :].mean(axis=1))


def whole(course: Course) -> Floats:
    return np.asarray(course.shares.mean(axis=1))


def _row(course: Course) -> Row:
    said = course_row(Course(course.name, (1,), late(course)[:, None]), 1)
    return {**said, "whole run": float(whole(course).mean())}


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
            [whole(tree) - whole(lakg), late(tree) - late(lakg)],
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
            [late(course) - course.shares[:, 0] for course in (tree, lakg)],
        ),
        claim(
            "never optimal",
            "… but are never allowed to reach an optimal solution (.02 from the bound)",
            [0.98 - late(course) for course in (tree, lakg)],
        ),
        claim(
            "beats estimator",
            "They stabilise on a solution superior to the estimator's (last quarter)",
            [
                late(course) - late(other)
                for course in (tree, lakg)
                for other in estimators
            ],
        ),
        claim(
            "beats LAKG",
            "Again H-TRAA performs better than LAKG (whole run; last quarter)",
            [whole(tree) - whole(lakg), late(tree) - late(lakg)],
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
        draw(
            axis,
            found[f"estimator, {rounds} rounds"],
            INKS["estimator"],
            line,
            width=1.3,
        )
    for name in ("proportional", "optimal"):
        draw(axis, found[name], INKS[name], DASHED, f"{name}, first truth", 1.4)
    for name, ink in (
        ("LAKG", INKS["LAKG"]),
        ("posterior", INKS["posterior"]),
        (SORTED, RAMP[0]),
        (SHUFFLED, RAMP[-1]),
    ):
        draw(axis, found[name], ink)
    frame(axis, "", 0.2, optimum, log=False)
    axis.set_xlim(0, last)
    axis.set_xticks(
        axis.get_xticks(),
        [f"{tick / 1_000:,.0f}k" if tick else "0" for tick in axis.get_xticks()],
    )
    axis.set(xlabel="polls", ylabel="share of the bound", xlim=(0, last))
    legend(figure, (axis,), rows=2)
    heading(figure, title, subtitle(optimum, len(found["LAKG"].shares)))
    return figure
