"""htraa/chain: the states of a twofold automaton, by its Markov chain (eqs. 4–18) and by a run.

The very automaton `traa` runs in two environments: materials of unit values d_i(x) = 1 −
q_i^(1/x), which is what the chain is of; and two pages that change with these probabilities,
really polled, where a poll finds a change by the steps since the last one and not by the share.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.runs.polling import poll
from trapline.laboratory.runs.unit_values import fill
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import heading, shared_legend, tidy
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
    new_figure,
)
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.knapsack.unit_values import UnitValueWorld
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.policies.refresh.automata.fluid_edf import SHARE
from trapline.policies.refresh.automata.traa import Traa
from trapline.theory.knapsack.equality_knapsack import Floats
from trapline.theory.knapsack.traa_chain import MODES, TraaChain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "htraa/chain"
TITLE: Final = "The states of a twofold automaton: its Markov chain beside simulation"
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "chain",
    "sd",
    "chain's sd",
    "apart",
    "optimum",
    "M",
    "N·U",
    "seeds",
)
CHANGES: Final = np.array([0.3, 0.05])  # of the two pages, in a step
RESOLUTIONS: Final = (20, 100, 500)
SETTLES: Final = 100  # accesses, times N, before states are counted
LOOKS: Final = 40  # at the automaton that polls, each after so many times N polls
AWAY: Final = 0.1  # from the optimal share, where N·U is looked at
INK: Final = {"chain": "#20242a", "unit values": "#0b6e99", "polls": "#b8641a"}


@dataclass(frozen=True, slots=True)
class ChainCase:
    mode: str
    resolution: int
    accesses: int

    @property
    def name(self) -> str:
        return f"N = {self.resolution}, {self.mode}"


@dataclass(frozen=True, slots=True)
class States:
    """Of one seed."""

    met: Floats  # how often each state was, while materials were accessed
    polled: Floats  # shares seen now and then, while pages were polled


Found = dict[ChainCase, list[States]]


def detection_chances(amounts: Floats, changes: Floats = CHANGES) -> Floats:
    """d_i(x_i) = 1 − q_i^(1/x_i); 1 at 0."""
    with np.errstate(divide="ignore"):
        gaps = 1.0 / np.asarray(amounts, np.float64)
    return np.asarray(-np.expm1(gaps * np.log1p(-changes)))


def chain_of(case: ChainCase) -> TraaChain:
    return TraaChain.of(
        case.resolution,
        lambda x: detection_chances(x, CHANGES[0]),
        lambda x: detection_chances(x, CHANGES[1]),
        mode=case.mode,
    )


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    accesses = 20_000 if quick else 1_000_000
    cases = [ChainCase(mode, size, accesses) for mode in MODES for size in RESOLUTIONS]
    found = sweep(run_case, cases, extent_for(quick, seeds), progress)
    rows = [row for case in cases for row in rows_of(case, found[case])]
    return Report(
        ID,
        TITLE,
        COLUMNS,
        rows,
        remarks(accesses),
        draw_figures(ID, out, lambda: _picture(found)),
    )


def run_case(case: ChainCase, seed: int) -> States:
    world = UnitValueWorld(detection_chances, materials=2)
    policy = new_traa(case, seed)
    fill(policy, world, SETTLES * case.resolution, 2 * seed)
    met = fill(policy, world, case.accesses, 2 * seed + 1, resolution=case.resolution)
    return States(met[1:-1] / met.sum(), polled_shares(case, seed))


def new_traa(case: ChainCase, seed: int) -> Traa:
    return Traa.for_pages(2, resolution=case.resolution, mode=case.mode, seed=seed)


def polled_shares(case: ChainCase, seed: int) -> Floats:
    """What the automaton gave to the quicker page, seen now and then, while it polled."""
    policy = new_traa(case, seed)
    polls = SETTLES * case.resolution
    shares = np.zeros(LOOKS)
    for look in range(-1, LOOKS):
        world = PollingWorld(CHANGES, seed=1_000 * seed + look + 1)
        poll(policy, world, polls, checkpoints=[polls])
        shares[look] = policy.tree[1, SHARE]
    return shares


def rows_of(case: ChainCase, found: list[States]) -> list[Row]:
    chain = chain_of(case)
    world = UnitValueWorld(detection_chances, materials=2)
    best = float(world.best.amounts[0])
    steepness = chain.steepness(best)
    far = int((best - AWAY) * (case.resolution + 1)) - 1
    met = np.mean([one.met for one in found], axis=0)
    mean = Estimate.of([float(one.met @ chain.shares) for one in found])
    common: Row = {
        "chain": chain.mean_share,
        "chain's sd": chain.share_sd,
        "optimum": best,
        "M": steepness,
        "N·U": case.resolution * float(chain.state_bound(best)[far]),
        "seeds": len(found),
    }
    polled = np.array([one.polled for one in found])
    away = chain.shares - float(met @ chain.shares)
    return [
        {
            "id": f"unit values/{case.name}",
            "paper": None,
            **_interval(mean),
            "sd": float(np.sqrt(met @ away**2)),
            "apart": 0.5 * float(np.abs(met - chain.law).sum()),
            **common,
        },
        {
            "id": f"polls/{case.name}",
            "paper": None,
            **_interval(Estimate.of(polled.mean(axis=1).tolist())),
            "sd": float(polled.std()),
            **common,
        },
    ]


def _interval(found: Estimate) -> Row:
    return {"ours": found.mean, "low": found.low, "high": found.high}


def remarks(accesses: int) -> list[str]:
    return [
        f"`ours` and `sd`: mean and standard deviation of the share x₁ in {accesses:,} accesses "
        "a seed; `chain`: by its stationary law; `apart`: total variation between the two",
        "the scheduler takes turns by earliest deadline, the chain draws them: regular turns "
        "teach with less noise, about the same place",
        "the width falls as 1/√N and the mean goes to the optimum: Theorem 1 holds. Its proof "
        "does not: M of (17) goes to 1, and U of (16), times the N states (`N·U`, "
        f"{AWAY} below the optimum), grows with N",
        "polls: two pages really polled. A poll's chance depends on the steps since the last "
        "one, so that after a move of the share it lags behind",
    ]


def _bars(resolution: int) -> Floats:
    """Edges of bars between states s/(N + 1), as many states in each: about eighty in all."""
    states = -(-(resolution + 1) // 80)
    return (np.arange(0, resolution + 1 + states, states) - 0.5) / (resolution + 1)


def _picture(found: Found) -> Figure:
    figure = new_figure(11.5, 7.5)
    panels = figure.subplots(len(MODES), len(RESOLUTIONS), squeeze=False)
    places = {
        (mode, size): panels[row][column]
        for row, mode in enumerate(MODES)
        for column, size in enumerate(RESOLUTIONS)
    }
    for case, states in found.items():
        axis = places[case.mode, case.resolution]
        chain = chain_of(case)
        density = case.resolution + 1.0
        met = density * np.mean([one.met for one in states], axis=0)
        polled = np.concatenate([one.polled for one in states])
        axis.hist(
            polled,
            bins=_bars(case.resolution),
            density=True,
            color=INK["polls"],
            alpha=0.35,
            label="two pages polled",
        )
        axis.step(
            chain.shares,
            met,
            where="mid",
            color=INK["unit values"],
            label="unit values",
        )
        axis.plot(
            chain.shares,
            density * chain.law,
            "--",
            color=INK["chain"],
            label="the chain",
        )
        axis.set_xlim(0.5, 1.0)
        tidy(axis, case.name)
    for axis in panels[-1]:
        axis.set_xlabel("share of the quicker page")
    shared_legend(figure, [panels[0, 0]], ncols=3, fontsize=9.5)
    heading(figure, TITLE, "density of the automaton's share; optimum .874")
    return figure
