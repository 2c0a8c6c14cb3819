"""htraa/knapsack: the stochastic nonlinear equality knapsack of section 2 at large, not polling.

Materials of four families of unit values p_i(x), which the automata see as noisy zeros and ones
only. What a mix that was learnt is worth is set against the exact optimum, and against equal
amounts, which know nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.runs.unit_values import fill
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.figures import (
    Line,
    draw_mean,
    heading,
    shared_legend,
    tidy,
)
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
    new_figure,
)
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.knapsack.unit_values import FAMILIES, UnitValueWorld
from trapline.policies.refresh.automata.automaton import Automaton
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.automata.lakg import Lakg
from trapline.theory.knapsack.equality_knapsack import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "htraa/knapsack"
TITLE: Final = "Filling a knapsack whose materials are worth less the more there is"
SIZES: Final = (2, 16, 128)  # materials
LEARNERS: Final = {"H-TRAA": "#0b6e99", "LAKG": "#b8641a"}
UNIFORM: Final = "#a9afb8"
GOAL: Final = 0.98  # of the optimum, at the end
MAY_LOSE: Final = 0.01  # of it, to the other automaton


@dataclass(frozen=True, slots=True)
class FillCase:
    learner: str
    family: str
    materials: int
    checkpoints: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.learner}/{self.family}, n = {self.materials}"

    def world(self, seed: int) -> UnitValueWorld:
        return UnitValueWorld.family(self.family, self.materials, seed)

    def make(self, seed: int) -> Automaton:
        kind: type[Automaton] = HTraa if self.learner == "H-TRAA" else Lakg
        return kind.for_pages(self.materials, seed=seed)


Found = dict[FillCase, Floats]  # [seed, checkpoint]: of the optimum


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    checkpoints = (
        (1_000, 10_000) if quick else (1_000, 3_000, 10_000, 100_000, 1_000_000)
    )
    cases = [
        FillCase(learner, family, size, checkpoints)
        for learner in LEARNERS
        for family in FAMILIES
        for size in SIZES
    ]
    found = {
        case: np.array(shares)
        for case, shares in sweep(
            run_case, cases, extent_for(quick, seeds), progress
        ).items()
    }
    return Report(
        ID,
        TITLE,
        claim_columns("uniform", *(f"at {polls:,}" for polls in checkpoints[:-1])),
        rows_of(found) + claims_of(found),
        remarks(),
        draw_figures(ID, out, lambda: _picture(found)),
    )


def run_case(case: FillCase, seed: int) -> Floats:
    """The value of the mix at each checkpoint, of the optimum's."""
    world = case.world(seed)
    policy = case.make(seed)
    shares = []
    before = 0
    for stretch, until in enumerate(case.checkpoints):
        fill(policy, world, until - before, 1_000 * seed + stretch)
        shares.append(world.share_of_best(policy.shares()))
        before = until
    return np.array(shares)


def rows_of(found: Found) -> list[Row]:
    rows = []
    for case, shares in found.items():
        seeds = range(1, len(shares) + 1)
        uniform = float(np.mean([case.world(seed).uniform_share for seed in seeds]))
        means: Row = {
            f"at {polls:,}": float(mean)
            for polls, mean in zip(
                case.checkpoints[:-1], shares.mean(axis=0), strict=False
            )
        }
        rows.append(
            estimate_row(case.name, shares[:, -1].tolist())
            | {"uniform": uniform}
            | means
        )
    return rows


def claims_of(found: Found) -> list[Row]:
    """What the paper says of knapsacks in general, judged on each family and size."""
    last = {case: shares[:, -1] for case, shares in found.items()}
    trees = [case for case in last if case.learner == "H-TRAA"]
    other = {(case.family, case.materials): case for case in last if case not in trees}
    return [
        claim(
            "solves",
            f"H-TRAA solves stochastic NEFK problems: {GOAL:.0%} of the optimum at the end",
            [last[case] - GOAL for case in trees],
        ),
        claim(
            "as well as LAKG",
            f"H-TRAA ends no worse than LAKG, but for {MAY_LOSE:.0%}",
            [
                last[case] - last[other[case.family, case.materials]] + MAY_LOSE
                for case in trees
            ],
        ),
    ]


def remarks() -> list[str]:
    families = ", ".join(FAMILIES)
    return [
        f"p_i(x) of four families ({families}), values at 0 between .1 and .9, sorted, decays "
        "drawn; another world for each seed; N = 500",
        "`ours` is the value of the mix at the last checkpoint, of the exact optimum's "
        "(theory/knapsack/equality_knapsack.py); `uniform`: of equal amounts",
        "materials that the optimum leaves out keep the least share that the grid allows: "
        "Lemma 1 has no place for them",
    ]


def _picture(found: Found) -> Figure:
    figure = new_figure(12.0, 7.5)
    panels = figure.subplots(len(SIZES), len(FAMILIES), sharey=True, squeeze=False)
    for case, shares in found.items():
        axis = panels[SIZES.index(case.materials)][list(FAMILIES).index(case.family)]
        look = Line(LEARNERS[case.learner], case.learner, "-", 1.8, opacity=0.16)
        draw_mean(axis, case.checkpoints, shares, look, band=len(shares) > 2)
        if case.learner == "H-TRAA":
            seeds = range(1, len(shares) + 1)
            uniform = np.mean([case.world(seed).uniform_share for seed in seeds])
            axis.axhline(uniform, color=UNIFORM, linestyle=":", label="equal amounts")
            axis.axhline(1.0, color="#20242a", linewidth=0.8)
        axis.set_xscale("log")
        tidy(axis, f"{case.family}, n = {case.materials}", grid="y")
    for axis in panels[-1]:
        axis.set_xlabel("accesses")
    for axis in panels[:, 0]:
        axis.set_ylabel("value, of the optimum")
    shared_legend(figure, [panels[0, 0]], ncols=3, fontsize=9.5)
    heading(figure, TITLE, "lines: mean over seeds; bands: 95 % interval of the mean")
    return figure
