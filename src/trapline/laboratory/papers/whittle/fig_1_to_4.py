"""whittle/fig-1 … whittle/fig-4: how interest fades, and what the four sources hold under the index
policy.

Figures 2–4 are runs of the shipped request controller, so that they are a test of it as well. In
Figure 4 contents are random and seen (eq. 17), and the paper's formula prices what is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.whittle.pictures import fading_picture, states_picture
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import COLUMNS, row
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.study.sweep import Extent, sweep
from trapline.laboratory.worlds.ephemeral import EphemeralWorld, Floats
from trapline.laboratory.worlds.ephemeral_table import SOURCES, TABLE_I
from trapline.policies.refresh.whittle import SlottedWhittle
from trapline.theory.ephemeral.cycle import long_run_reward

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES: Final = {
    "whittle/fig-1": "How the interest in an item fades, source by source",
    "whittle/fig-2": "What the sources hold when one visit a slot is made (M = 1)",
    "whittle/fig-3": "What the sources hold when two visits a slot are made (M = 2)",
    "whittle/fig-4": (
        "What the sources hold when two visits a slot are made (M = 2), contents "
        "random and seen"
    ),
}
SHOWN: Final = 60  # slots in the picture
SLOTS: Final = 2_100  # over which shares are counted: whole cycles of M = 1, 2 and 3


class TracedWorld(EphemeralWorld):
    """Writes down what was there in each slot, and what was visited."""

    def __init__(self, model: Literal["mean", "stochastic"], seed: int = 0) -> None:
        super().__init__(SOURCES, model=model, seed=seed)
        self.contents: list[Floats] = []
        self.visited: list[NDArray[np.bool_]] = []

    def step(self) -> None:
        super().step()
        self.contents.append(self.content.copy())
        self.visited.append(np.zeros(len(self.content), np.bool_))

    def visit(self, source: int) -> float:
        self.visited[-1][source] = True
        return super().visit(source)


@dataclass(frozen=True, slots=True)
class Trace:
    contents: Floats  # [slot, source] before the visits of the slot
    visited: NDArray[np.bool_]  # [slot, source]

    @property
    def reward(self) -> float:
        return float((self.contents * self.visited).sum() / len(self.contents))

    @property
    def shares(self) -> Floats:
        return np.asarray(self.visited.mean(axis=0), np.float64)


def run_traced(
    budget: int,
    slots: int,
    model: Literal["mean", "stochastic"] = "mean",
    seed: int = 0,
) -> Trace:
    """A run of the controller; in the stochastic model all contents are seen."""
    world = TracedWorld(model, seed)
    policy = SlottedWhittle(SOURCES)
    if model == "stochastic":
        policy = SlottedWhittle(
            SOURCES,
            observed=np.ones(len(SOURCES), np.bool_),
            seen=lambda: world.content,
        )
    run_slots(policy, world, budget, slots)
    return Trace(np.array(world.contents), np.array(world.visited))


@dataclass(frozen=True, slots=True)
class RandomContents:
    """Figure 4: two visits a slot, contents random and seen."""

    slots: int
    name: str = "random contents"


def run_case(case: RandomContents, seed: int) -> Trace:
    return run_traced(2, case.slots, "stochastic", seed)


def fig_1(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 1. A formula: neither `seeds` nor `quick` has a meaning."""
    name = "whittle/fig-1"
    rows: list[Row] = []
    for i, source in enumerate(TABLE_I):
        rows.append(
            row(f"source {i + 1}/value at first", source.utility, source.utility)
        )
        rows.append(
            row(
                f"source {i + 1}/half of it is left after",
                None,
                float(np.log(2.0) / source.decay),
            )
        )
    figures = draw_figures(name, out, lambda: fading_picture(TITLES[name], TABLE_I))
    progress(1.0, "done")
    return Report(
        name,
        TITLES[name],
        COLUMNS,
        rows,
        ["e^(−μt)·ξ̄; of the paper's picture only the caption is left"],
        figures,
    )


def fig_2(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 2. Nothing is random: neither `seeds` nor `quick` has a meaning."""
    claims = ("every second slot", "every second slot", "never", "never")
    return _mean_figure("whittle/fig-2", 1, claims, progress, out)


def fig_3(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 3, as Figure 2."""
    claims = ("always", "irregular", "irregular", "rather long period")
    return _mean_figure("whittle/fig-3", 2, claims, progress, out)


def fig_4(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 4: the shares are means over seeds; the first seed is drawn."""
    name = "whittle/fig-4"
    case = RandomContents(200 if quick else SLOTS // 2)
    extent = Extent(seeds or (3 if quick else 20))
    traces = sweep(run_case, [case], extent, progress)[case]
    claims = ("from time to time", None, None, None)
    rows = [
        _estimate_row(
            f"source {i + 1}/share of slots with a visit",
            claim,
            [trace.shares[i] for trace in traces],
        )
        for i, claim in enumerate(claims)
    ]
    rows.append(
        _estimate_row("reward a slot", None, [trace.reward for trace in traces])
    )
    exact = long_run_reward(TABLE_I, 2)
    remarks = [
        (
            f"{extent.seeds} seeds of {case.slots:,} slots; the mean model has the shares "
            f"{_join_rates(exact.rates)} and {exact.value:.2f}"
        ),
        "that source 1 is crawled only “from time to time” cannot be: one slot old, its price "
        "is (1−a)·x = 91 ± 6, "
        "twice what the second visit pays; source 4 may be meant",
    ]
    figures = draw_figures(name, out, lambda: _picture(name, traces[0]))
    return Report(name, TITLES[name], COLUMNS, rows, remarks, figures)


def _mean_figure(
    name: str,
    budget: int,
    claims: tuple[str, ...],
    progress: Progress,
    out: Path | None,
) -> Report:
    trace = run_traced(budget, SLOTS)
    exact = long_run_reward(TABLE_I, budget)
    progress(0.5, "run")
    settled = Trace(trace.contents[SLOTS // 2 :], trace.visited[SLOTS // 2 :])
    rows = [
        row(
            f"source {i + 1}/share of slots with a visit",
            claims[i],
            float(share),
            f"exact: {exact.rates[i]:.6f}",
        )
        for i, share in enumerate(settled.shares)
    ]
    rows.append(row("reward a slot", None, settled.reward, f"exact: {exact.value:.6f}"))
    remarks = [f"a run of the request controller; its cycle has {exact.period} slots"]
    figures = draw_figures(name, out, lambda: _picture(name, trace))
    progress(1.0, "done")
    return Report(name, TITLES[name], COLUMNS, rows, remarks, figures)


def _picture(name: str, trace: Trace) -> Figure:
    return states_picture(TITLES[name], trace.contents[:SHOWN], trace.visited[:SHOWN])


def _estimate_row(name: str, paper: str | None, values: list[float]) -> Row:
    found = Estimate.of(values)
    return row(
        name, paper, found.mean, f"95 % interval {found.low:.4f} … {found.high:.4f}"
    )


def _join_rates(rates: Floats) -> str:
    return ", ".join(f"{rate:.3f}" for rate in rates)
