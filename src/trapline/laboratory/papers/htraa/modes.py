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
from trapline.laboratory.study.claims import MEANING, claim, columns, course_row
from trapline.laboratory.study.course_figures import (
    SOLID,
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
    checkpoints,
    run_all,
    seeds_for,
    workers_for,
)
from trapline.laboratory.study.figures import heading
from trapline.laboratory.study.parallel import done_by
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    file_name,
    new_figure,
    save_figure,
)
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
SETTING: Final = Setting()


@dataclass(frozen=True, slots=True)
class Look:
    """Run so far, then look at the shares."""

    contender: Contender
    polls: int
    seed: int


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    seeds = seeds_for(quick, seeds)
    contenders = contenders_until(20_000 if quick else 1_000_000)
    found = run_all(
        contenders,
        seeds,
        workers_for(quick),
        lambda share, what: progress(0.5 * share, what),
    )
    promised = promises(
        contenders,
        seeds,
        workers_for(quick),
        lambda share, what: progress(0.5 + 0.5 * share, what),
    )
    world = SETTING.world(0)
    report = Report(
        ID,
        TITLE,
        columns("at 1,000", "at 10,000", "at 100,000"),
        rows_of(found, promised),
        remarks(),
    )
    if out is not None:
        report.figures.extend(
            save_figure(
                _picture(found, promised, world.optimum / world.bound),
                out,
                file_name(ID),
            )
        )
    return report


def contenders_until(polls: int) -> list[Contender]:
    return [
        Contender(mode, "htraa", SETTING, checkpoints(1_000, polls), (("mode", mode),))
        for mode in MODES
    ]


def promises(
    contenders: list[Contender], seeds: int, workers: int, progress: Progress
) -> dict[str, Course]:
    """The formula's value of the shares at each second checkpoint.

    The same seed leads to the same state again.
    """
    looks = [
        Look(one, polls, seed)
        for one in contenders
        for polls in one.checkpoints[::2]
        for seed in range(1, seeds + 1)
    ]
    found: dict[Look, float] = {}
    for look, value in done_by(promised_by, looks, workers):
        found[look] = value
        progress(
            len(found) / len(looks),
            f"{look.contender.name}, shares after {look.polls:,}",
        )
    return {
        one.name: Course(one.name, one.checkpoints[::2], _table(found, one, seeds))
        for one in contenders
    }


def promised_by(look: Look) -> tuple[Look, float]:
    world = look.contender.setting.world(look.seed)
    policy = look.contender.ready(world, look.seed)
    poll(policy, world, look.polls, checkpoints=[look.polls])
    shares = policy.shares()[: len(world)]
    return look, detections(world.probabilities, shares) / world.bound


def _table(found: dict[Look, float], one: Contender, seeds: int) -> Floats:
    return np.array(
        [
            [found[Look(one, polls, seed)] for polls in one.checkpoints[::2]]
            for seed in range(1, seeds + 1)
        ]
    )


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
            draw(axis, course, MODES[mode], SOLID)
        axis.set_xlabel("polls")
    frame(panels[0], "detections", 0.2, optimum)
    frame(panels[1], "formula's value of the shares learnt", 0.2, optimum)
    panels[0].set_ylabel("share of the bound")
    legend(figure, panels, rows=1)
    heading(figure, TITLE, subtitle(optimum, len(next(iter(found.values())).shares)))
    return figure
