"""htraa/fig-5: which feedback an H-TRAA is to learn from: changes, polls that found none, or both.

The paper compares them in (α, β) = (.9, 1.5). Two measures: what was detected, and what the formula
promises for the shares learnt so far, in which the accuracy of learning is seen without the
scheduler's part.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.runs.polling import poll
from trapline.laboratory.study.claims import MEANING, claim, claim_columns, course_row
from trapline.laboratory.study.courses import (
    Course,
    PollingCase,
    PollingSetting,
    checkpoints,
    sweep_courses,
)
from trapline.laboratory.study.figures import heading
from trapline.laboratory.study.figures_courses import (
    SOLID,
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
from trapline.laboratory.study.sweep import Extent, extent_for, part_of, sweep
from trapline.theory.polling.allocation import detections

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "htraa/fig-5"
TITLE: Final = (
    "Learning from changes, from their absence, or from both: H-TRAA in (.9, 1.5)"
)
MODES: Final = {
    "reward-penalty": "#0b6e99",
    "reward-inaction": "#b8641a",
    "inaction-penalty": "#1b9e77",
}
SETTING: Final = PollingSetting()


@dataclass(frozen=True, slots=True)
class SharesCase:
    """Run so far, then look at the shares that were learnt."""

    polling: PollingCase
    polls: int

    @property
    def name(self) -> str:
        return f"{self.polling.name}, shares after {self.polls:,}"


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    extent = extent_for(quick, seeds)
    cases = cases_until(20_000 if quick else 1_000_000)
    found = sweep_courses(cases, extent, part_of(progress, 0.0, 0.5))
    promised = sweep_promises(cases, extent, part_of(progress, 0.5, 1.0))
    world = SETTING.world(0)
    optimum = world.optimum / world.bound
    return Report(
        ID,
        TITLE,
        claim_columns("at 1,000", "at 10,000", "at 100,000"),
        rows_of(found, promised),
        remarks(),
        draw_figures(ID, out, lambda: _picture(found, promised, optimum)),
    )


def cases_until(polls: int) -> list[PollingCase]:
    return [
        PollingCase(
            mode, "htraa", SETTING, checkpoints(1_000, polls), (("mode", mode),)
        )
        for mode in MODES
    ]


def sweep_promises(
    cases: list[PollingCase], extent: Extent, progress: Progress
) -> dict[str, Course]:
    """The formula's value of the shares at each second checkpoint.

    The same seed leads to the same state again.
    """
    looks = {
        case.name: [SharesCase(case, polls) for polls in case.checkpoints[::2]]
        for case in cases
    }
    every = [look for some in looks.values() for look in some]
    found = sweep(
        promise_of_shares, every, extent, progress, cost=lambda look: look.polls
    )
    return {
        name: Course(
            name,
            tuple(look.polls for look in some),
            np.column_stack([found[look] for look in some]),
        )
        for name, some in looks.items()
    }


def promise_of_shares(case: SharesCase, seed: int) -> float:
    world = case.polling.setting.world(seed)
    policy = case.polling.make_policy(world, seed)
    poll(policy, world, case.polls, checkpoints=[case.polls])
    shares = policy.shares()[: len(world)]
    return detections(world.probabilities, shares) / world.bound


def rows_of(found: dict[str, Course], promised: dict[str, Course]) -> list[Row]:
    last = next(iter(found.values())).polls[-1]
    earlier = (1_000, 10_000, 100_000)
    measures = {"detected": found, "formula of the shares": promised}
    rows: list[Row] = []
    for measure, courses in measures.items():
        rows += [
            course_row(course, last, earlier) | {"id": f"{name}/{measure}"}
            for name, course in courses.items()
        ]
    for measure, courses in measures.items():
        both, changes, none = (courses[mode] for mode in MODES)
        end = [course.at(last) for course in (both, changes, none)]
        rows += [
            claim(
                f"accurate/{measure}",
                "Inaction-Penalty is the most accurate of the three",
                [end[2] - end[0], end[2] - end[1]],
            ),
            claim(
                f"quick/{measure}",
                "Reward-Penalty converges more quickly (at 5,000, 10,000 and 20,000 polls)",
                [
                    both.at(polls) - other.at(polls)
                    for polls in (5_000, 10_000, 20_000)
                    for other in (changes, none)
                ],
            ),
            claim(
                f"rewards/{measure}",
                "Only relying on rewards is slightly inferior to the other two",
                [end[0] - end[1], end[2] - end[1]],
            ),
        ]
    return rows


def remarks() -> list[str]:
    return [
        (
            "n = 512, sorted leaves, N = 500, linear grid; `ours` is the share of the bound at "
            "the last checkpoint"
        ),
        (
            "what is detected falls short of the formula, whose polls are evenly spaced: no "
            "schedule reaches it here"
        ),
        MEANING,
    ]


def _picture(
    found: dict[str, Course], promised: dict[str, Course], optimum: float
) -> Figure:
    figure = new_figure(11.0, 5.0)
    panels = figure.subplots(1, 2, sharey=True)
    for axis, courses in zip(panels, (found, promised), strict=True):
        for mode, course in courses.items():
            draw_course(axis, course, MODES[mode], SOLID)
        axis.set_xlabel("polls")
    frame_shares(panels[0], "detections", 0.2, optimum)
    frame_shares(panels[1], "formula's value of the shares learnt", 0.2, optimum)
    panels[0].set_ylabel("share of the bound")
    legend_below(figure, panels, rows=1)
    heading(
        figure, TITLE, seeds_subtitle(optimum, len(next(iter(found.values())).shares))
    )
    return figure
