"""The analysis of lspe/learners: a table and a figure from the rewards of all policies, settings
and seeds.
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
INK: Final = {
    "whittle": "#0b6e99",
    "adaptive-whittle": "#1b9e77",
    "frequency": "#8a6fb0",
    "greedy": "#b8641a",
    "lspe": "#c2417c",
}


@dataclass(frozen=True, slots=True)
class Curve:
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


def make_report(curves: list[Curve], out: Path | None) -> Report:
    members: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        members.setdefault((curve.group, curve.policy), []).append(curve)
    order = sorted(
        members,
        key=lambda key: (list(dict.fromkeys(c.group for c in curves)).index(key[0]),),
    )
    rows = [_row(policy, group, members[group, policy]) for group, policy in order]
    figures = (
        save_figure(_figure(members), out, file_name(ID)) if out is not None else []
    )
    return Report(
        ID,
        TITLE,
        COLUMNS,
        rows,
        _on_random_sources(members) + _remarks(curves),
        figures,
    )


def _row(policy: str, group: str, members: list[Curve]) -> Row:
    last = [float(curve.shares[-1]) for curve in members]
    rewards = [float(curve.rewards[-1]) for curve in members]
    late = [curve.late_share for curve in members]
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
        "at first": float(np.mean([curve.shares[0] for curve in members])),
        "last tenth": float(np.mean(late)),
        "least last tenth": min(late),
        "reward": float(np.mean(rewards)),
        "least reward": min(rewards),
        "wanted": goal.value if goal is not None else None,
        "wanted of": goal.column if goal is not None else None,
        "seeds": len(members),
    }


def _on_random_sources(members: dict[tuple[str, str], list[Curve]]) -> list[str]:
    """How near to the bound the learner has come; it is judged only where there is a goal."""
    remarks = []
    for (group, policy), found in members.items():
        if policy != "adaptive-whittle" or group.startswith("Table"):
            continue
        share = min(curve.late_share for curve in found)
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
            when += f"; whittle, told all, then {np.mean([curve.late_share for curve in told]):.2%}"
        remarks.append(f"{said}; {far} ({when})")
    return remarks


def _remarks(curves: list[Curve]) -> list[str]:
    table = [curve for curve in curves if curve.group.startswith("Table")]
    other = [curve for curve in curves if not curve.group.startswith("Table")]
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
            "sources are empty at first, which costs all policies something; over a finite run a "
            "share may exceed 1"
        ),
    ]


def _figure(members: dict[tuple[str, str], list[Curve]]) -> Figure:
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
                _course(axis, found, policy)
            _scales(axis, next(iter(here.values()))[0].checkpoints)
            tidy(axis, f"{setting}: {model} model", grid="y")
    for axis in panels[-1]:
        axis.set_xlabel("slots")
    for axis in panels[:, 0]:
        axis.set_ylabel("reward so far, of the bound")
    handles = {
        label: handle
        for handle, label in zip(*panels[0, 0].get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower left",
        ncols=5,
        frameon=False,
        fontsize=9.5,
    )
    heading(
        figure,
        TITLE,
        "lines: mean over seeds; bands: 95 % interval of the mean; lspe: of the bound for its "
        "own visits",
    )
    return figure


def _scales(axis: Axes, checkpoints: tuple[int, ...]) -> None:
    """Upwards is better: what is missing to the bound, on a logarithmic scale, labelled by what is
    reached.
    """
    axis.set(xscale="log", yscale="log", ylim=(0.7, 0.9 * MISSING_LEAST))
    axis.set_xticks(checkpoints, [f"{slots:,}" for slots in checkpoints])
    missing = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)
    axis.set_yticks(missing, [f"{1.0 - one:.4g}" for one in missing])
    axis.minorticks_off()


def _course(axis: Axes, members: list[Curve], policy: str) -> None:
    slots = members[0].checkpoints
    shares = np.array([curve.shares for curve in members])
    line = DASHES.get(policy, "-")
    axis.plot(
        slots,
        _missing(shares.mean(axis=0)),
        color=INK[policy],
        linewidth=1.8,
        linestyle=line,
        label=policy,
    )
    if len(shares) > 1:
        found = [Estimate.of(column.tolist()) for column in shares.T]
        low = _missing([one.low for one in found])
        high = _missing([one.high for one in found])
        axis.fill_between(slots, low, high, color=INK[policy], alpha=0.15, linewidth=0)


def _missing(shares: Floats | list[float]) -> Floats:
    return np.clip(1.0 - np.asarray(shares, np.float64), MISSING_LEAST, 1.0)
