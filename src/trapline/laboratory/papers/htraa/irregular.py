"""htraa/irregular: worlds that switch at random times instead of at fixed ones (end of 4.3.4).

The paper believes "that similar results will be obtained if r is not fixed, but changing in such a
way that the scheme has enough time to learn". Here r is geometric with the mean of Figures 9 and
10, which sometimes leaves no time at all: periods of a few polls are as common as of any length.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trapline.laboratory.papers.htraa.fig_9_10 import (
    EVERY,
    POLLS,
    QUICK_BY,
    SHUFFLED,
    SORTED,
    WINDOW,
    cases_of,
    late_share,
    whole_share,
)
from trapline.laboratory.study.claims import MEANING, claim, claim_columns
from trapline.laboratory.study.courses import (
    Course,
    PollingCase,
    PollingSetting,
    sweep_courses,
)
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.figures import heading
from trapline.laboratory.study.figures_courses import (
    DASHED,
    INKS,
    RAMP,
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
from trapline.laboratory.study.sweep import extent_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "htraa/irregular"
TITLE: Final = "Pages change ranks at random times: are the results similar?"
LEARNERS: Final = {
    SORTED: RAMP[0],
    SHUFFLED: RAMP[-1],
    "LAKG": INKS["LAKG"],
    "posterior": INKS["posterior"],
}
SIMILAR: Final = 0.02  # of the bound

Found = dict[str, Course]


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    by = QUICK_BY if quick else 1
    means = [every // by for every in EVERY.values()]
    cases = [
        one for mean in means for one in both_kinds(mean, POLLS // by, WINDOW // by)
    ]
    found = sweep_courses(cases, extent_for(quick, seeds), progress)
    rows = [_row(course) for course in found.values()]
    rows += [similar(found, mean, name) for mean in means for name in LEARNERS]
    return Report(
        ID,
        TITLE,
        claim_columns("whole run"),
        rows,
        remarks(),
        draw_figures(ID, out, lambda: _picture(found, means)),
    )


def both_kinds(mean: int, polls: int, window: int) -> list[PollingCase]:
    """The learners of Figures 9 and 10, switches being fixed and random."""
    fixed = [case for case in cases_of(mean, polls, window) if case.name in LEARNERS]
    return [
        replace(
            case,
            name=_name(case.name, mean, irregular),
            setting=replace(case.setting, irregular=irregular),
        )
        for irregular in (False, True)
        for case in fixed
    ]


def _name(learner: str, mean: int, irregular: bool) -> str:
    return f"{learner}/{'irregular' if irregular else 'regular'}, r = {mean:,}"


def similar(found: Found, mean: int, learner: str) -> Row:
    fixed = found[_name(learner, mean, False)]
    drawn = found[_name(learner, mean, True)]
    return claim(
        f"similar/{learner}, r = {mean:,}",
        f"With irregular periods, too, it earns as much, but for {SIMILAR} "
        "(whole run; last quarter)",
        [
            whole_share(drawn) - whole_share(fixed) + SIMILAR,
            late_share(drawn) - late_share(fixed) + SIMILAR,
        ],
    )


def _row(course: Course) -> Row:
    whole: Row = {"whole run": float(whole_share(course).mean())}
    return estimate_row(course.name, late_share(course).tolist()) | whole


def remarks() -> list[str]:
    return [
        "n = 512, (α, β) = (.9, 1.5); irregular: each period is drawn from a geometric "
        "distribution of mean r, so that one in ten is shorter than r/10",
        "`ours` is the share of the bound over the last quarter of the run; worlds are the "
        "same up to the times of their switches",
        MEANING,
    ]


def _picture(found: Found, means: list[int]) -> Figure:
    figure = new_figure(11.5, 5.6)
    panels = figure.subplots(1, len(means), sharey=True, squeeze=False)[0]
    for axis, mean in zip(panels, means, strict=True):
        for learner, ink in LEARNERS.items():
            for irregular, line in ((False, SOLID), (True, DASHED)):
                course = found[_name(learner, mean, irregular)]
                label = f"{learner}, {'irregular' if irregular else 'regular'}"
                draw_course(axis, course, ink, line, label, width=1.4)
        frame_shares(axis, f"r = {mean:,} polls", 0.2, _optimum(), log=False)
        axis.set_xlabel("polls")
    panels[0].set_ylabel("share of the bound")
    legend_below(figure, panels, rows=2)
    seeds = len(next(iter(found.values())).shares)
    heading(figure, TITLE, seeds_subtitle(_optimum(), seeds))
    return figure


def _optimum() -> float:
    world = PollingSetting().world(0)
    return world.optimum / world.bound
