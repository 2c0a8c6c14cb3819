"""The analysis of lspe/learners: a table and a figure from the rewards of all policies, settings
and seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.estimate import Estimate
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

ID: Final = "lspe/learners"
TITLE: Final = (
    "Ephemeral sources, known or learnt: reward against slots, as a share of the bound"
)
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "worst",
    "at first",
    "last tenth",
    "least last tenth",
    "reward",
    "least reward",
    "wanted",
    "wanted of",
    "seeds",
)


@dataclass(frozen=True, slots=True)
class Goal:
    """What every seed is to reach, in a run of at least so many slots."""

    column: str
    value: float
    slots: int


WANTED: Final = {
    ("adaptive-whittle", "Table I, M = 1, mean"): Goal("reward", 259.0, 10_000),
    ("adaptive-whittle", "Table I, M = 2, mean"): Goal("reward", 336.0, 10_000),
    ("adaptive-whittle", "10,000 random, M = 500, mean"): Goal(
        "last tenth", 0.97, 1_000
    ),
    ("adaptive-whittle", "10,000 random, M = 500, stochastic"): Goal(
        "last tenth", 0.97, 1_000
    ),
}
HOPED: Final = 0.99  # of the bound, on random sources
# with M = 1 they do as whittle does
DASHES: Final = {"frequency": (0, (4, 4)), "greedy": (4, (2, 6))}
# nothing is drawn nearer to the bound: chance, in a finite run
MISSING_LEAST: Final = 2e-4
LIMITS: Final = (0.7, 0.9 * MISSING_LEAST)
MISSING: Final = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)
INK: Final = {
    "whittle": "#0b6e99",
    "adaptive-whittle": "#1b9e77",
    "frequency": "#8a6fb0",
    "greedy": "#b8641a",
    "lspe": "#c2417c",
    "lspe, from rewards": "#d98200",
    "lspe, from rewards, (9)": "#7a4b00",
    "lspe, from rewards, still": "#a9afb8",
}


@dataclass(frozen=True, slots=True)
class LearnerRun:
    """One run: the mean reward a slot from the beginning up to each checkpoint, and what no policy
    exceeds.
    """

    policy: str
    group: str
    checkpoints: tuple[int, ...]
    rewards: Floats
    late: float  # mean reward a slot over the last tenth of the slots
    visits: float  # a source, in the end
    bound: float

    @property
    def shares(self) -> Floats:
        return self.rewards / self.bound

    @property
    def late_share(self) -> float:
        return self.late / self.bound


def make_report(runs: list[LearnerRun], out: Path | None) -> Report:
    members: dict[tuple[str, str], list[LearnerRun]] = {}
    for run in runs:
        members.setdefault((run.group, run.policy), []).append(run)
    order = sorted(
        members,
        key=lambda key: (list(dict.fromkeys(c.group for c in runs)).index(key[0]),),
    )
    rows = [_row(policy, group, members[group, policy]) for group, policy in order]
    figures = draw_figures(ID, out, lambda: _figure(members))
    return Report(
        ID,
        TITLE,
        COLUMNS,
        rows,
        _on_random_sources(members) + _remarks(runs),
        figures,
    )


def _row(policy: str, group: str, members: list[LearnerRun]) -> Row:
    last = [float(run.shares[-1]) for run in members]
    rewards = [float(run.rewards[-1]) for run in members]
    late = [run.late_share for run in members]
    found = Estimate.of(last) if len(last) > 1 else Estimate(last[0], last[0], last[0])
    goal = WANTED.get((policy, group))
    if goal is not None and members[0].checkpoints[-1] < goal.slots:
        goal = None
    return {
        "id": f"{policy}/{group}",
        "paper": None,
        "ours": found.mean,
        "low": found.low,
        "high": found.high,
        "worst": min(last),
        "at first": float(np.mean([run.shares[0] for run in members])),
        "last tenth": float(np.mean(late)),
        "least last tenth": min(late),
        "reward": float(np.mean(rewards)),
        "least reward": min(rewards),
        "wanted": goal.value if goal is not None else None,
        "wanted of": goal.column if goal is not None else None,
        "seeds": len(members),
    }


def _on_random_sources(members: dict[tuple[str, str], list[LearnerRun]]) -> list[str]:
    """How near to the bound the learner has come; it is judged only where there is a goal."""
    remarks = []
    for (group, policy), found in members.items():
        if policy != "adaptive-whittle" or group.startswith("Table"):
            continue
        share = min(run.late_share for run in found)
        visits = found[0].visits
        said = f"{policy}, {group}: {share:.2%} of the bound after {visits:.0f} visits a source"
        if goal := WANTED.get((policy, group)):
            said += (
                f", wanted {goal.value:.0%}: "
                f"{'reached' if share >= goal.value else 'NOT reached'}"
            )
        far = (
            f"{HOPED - share:.2%} from {HOPED:.0%}"
            if share < HOPED
            else f"{HOPED:.0%} reached too"
        )
        when = (
            f"worst seed, over the last tenth: {0.9 * visits:.0f} … {visits:.0f} visits"
        )
        # in so short a time even it may exceed the long run's bound
        if told := members.get((group, "whittle")):
            when += f"; whittle, told all, then {np.mean([run.late_share for run in told]):.2%}"
        remarks.append(f"{said}; {far} ({when})")
    return remarks


def _remarks(runs: list[LearnerRun]) -> list[str]:
    table = [run for run in runs if run.group.startswith("Table")]
    other = [run for run in runs if not run.group.startswith("Table")]
    seeds = {
        policy: sum(c.policy == policy and c.group == other[0].group for c in other)
        for policy in INK
    }
    return [
        "shares are of the mean reward from slot 1 on, what learning cost included: over "
        f"{table[0].checkpoints[-1]:,} "
        f"slots of Table I, {other[0].checkpoints[-1]:,} of the random sources; `at first` "
        "over the first "
        f"{table[0].checkpoints[0]}, `last tenth` over the last tenth of the slots",
        "one seed where nothing is random in a run; random sources (Λ .1 … 100, ξ .01 … 1, μ "
        ".01 … 1, log-uniform): "
        f"else {max(seeds.values())} seeds, each with its own sources; lspe, with n²/2 "
        "features, is left out",
        (
            "lspe, as published, chooses how many visits to make: its share is of the bound for "
            "as many as it made"
        ),
        (
            "lspe, from rewards: nothing told, one draw a visit, four features; “(9)”: its actor "
            "follows V(X') alone, as printed; “still”: its thresholds never move, so that the "
            "guessed states alone choose"
        ),
        (
            "sources are empty at first, which costs all policies something; over a finite run a "
            "share may exceed 1"
        ),
    ]


def _figure(members: dict[tuple[str, str], list[LearnerRun]]) -> Figure:
    groups = [
        group
        for group in dict.fromkeys(group for group, _ in members)
        if group.count(",") > 1
    ]
    models = ("mean", "stochastic")
    settings = list(dict.fromkeys(group.rsplit(", ", 1)[0] for group in groups))
    figure = new_figure(11.5, 6.6)
    panels = figure.subplots(len(models), len(settings), sharey=True, squeeze=False)
    for line, model in zip(panels, models, strict=True):
        for axis, setting in zip(line, settings, strict=True):
            here = {
                policy: found
                for (group, policy), found in members.items()
                if group == f"{setting}, {model}"
            }
            if setting.startswith("Table"):
                here |= {
                    p: found
                    for (group, p), found in members.items()
                    if group == f"Table I, {model}"
                }
            for policy, found in here.items():
                _draw_runs(axis, found, policy)
            slots = next(iter(here.values()))[0].checkpoints
            scale_by_missing(axis, LIMITS, MISSING, {one: f"{one:,}" for one in slots})
            tidy(axis, f"{setting}: {model} model", grid="y")
    for axis in panels[-1]:
        axis.set_xlabel("slots")
    for axis in panels[:, 0]:
        axis.set_ylabel("reward so far, of the bound")
    shared_legend(figure, [panels[0, 0]], ncols=5, fontsize=9.5)
    heading(
        figure,
        TITLE,
        "lines: mean over seeds; bands: 95 % interval of the mean; lspe: of the bound for its "
        "own visits",
    )
    return figure


def _draw_runs(axis: Axes, members: list[LearnerRun], policy: str) -> None:
    shares = np.array([run.shares for run in members])
    line = Line(INK[policy], policy, DASHES.get(policy, "-"), width=1.8, opacity=0.15)
    draw_mean(
        axis,
        members[0].checkpoints,
        shares,
        line,
        band=len(shares) > 1,
        height=partial(missing_to_bound, least=MISSING_LEAST),
    )
