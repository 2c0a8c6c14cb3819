"""whittle/joint-control: fetching and reading under one price, beside separate control.

The paper's future work: "to add to the model the dynamics of the indexing engine". 200 random
sources are visited by `whittle`, told their parameters; fetchers bring answers to a reader with a
queue of 16 places, all times exponential, and what waits loses interest. `fixed` wakes all 64
fetchers, `adaptive` (`talim`) as many as keep the queue short of full and the reader at work;
neither knows prices. `joint` asks for each visit whether it is worthwhile as the queue is. The best
fixed number is found with hindsight, case by case.

Where the budget is what is scarce, the queue is short and `joint` has nothing to do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.runs.compiled import hold_all
from trapline.laboratory.runs.drive import new_controller
from trapline.laboratory.runs.reading_queue import QueueCircle, QueueRun, QueueWorld
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, file_name
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.ephemeral import random_sources
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.adaptive import Adaptive
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.fetchers.joint import Joint
from trapline.policies.refresh.whittle import Whittle
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "whittle/joint-control"
TITLE: Final = (
    "Fetching and reading under one price: what is earned, beside separate control"
)
MOST: Final = 64
ROOM: Final = 16
FETCHES: Final = 10.0  # a fetch takes as long as so many readings
# of reading, in units of time; sources lose half their interest in 1 to 70 of them
READINGS: Final = (0.02, 0.1, 0.5)
SCARCE: Final = 0.5  # of what the reader can read: a budget that is what is scarce
LEVELS: Final = (1, 2, 4, 8, 16, 32)
ADAPTIVE: Final = "adaptive"
ALL: Final = f"fixed {MOST}"
JOINT: Final = "joint"
HINDSIGHT: Final = "best fixed"


@dataclass(frozen=True, slots=True)
class Setting:
    read_s: float
    budget: float = math.inf  # visits a reading time
    sources: int = 200
    readings: int = 4_000  # to settle, and twice as many to measure

    @property
    def name(self) -> str:
        scarce = f", {self.budget:g} visits a reading" if self.budget < math.inf else ""
        return f"reading takes {self.read_s:g}{scarce}"


@dataclass(frozen=True, slots=True)
class Case:
    setting: Setting
    control: str

    @property
    def name(self) -> str:
        return f"{self.control}, {self.setting.name}"


def _at_level(
    level: int,
    most: int,
    capacity: int,
) -> Fixed:
    return Fixed(most, capacity, level)


# each is made for (most fetchers, places of the queue)
CONTROLS: Final[dict[str, Callable[[int, int], FetcherPolicy]]] = {
    **{f"fixed {level}": partial(_at_level, level) for level in (*LEVELS, MOST)},
    ADAPTIVE: Adaptive,
    JOINT: Joint,
}


def settings(quick: bool) -> list[Setting]:
    if quick:
        return [Setting(read_s, sources=100, readings=600) for read_s in READINGS[1:]]
    free = [Setting(read_s) for read_s in READINGS]
    return [*free, Setting(READINGS[1], budget=SCARCE)]


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    extent = extent_for(quick, seeds)
    wanted = settings(quick)
    names = [ALL, ADAPTIVE, JOINT] if quick else list(CONTROLS)
    cases = [Case(setting, control) for setting in wanted for control in names]
    found = sweep(run_case, cases, extent, progress)
    rows = [row for setting in wanted for row in _rows(setting, names, found)]
    return Report(
        ID,
        TITLE,
        ("id", "paper", "ours", "low", "high", "starved", "waiting", "price", "seeds"),
        rows,
        _remarks(rows),
        [] if out is None else [_draw(rows, out)],
    )


def run_case(
    case: Case,
    seed: int,
) -> QueueRun:
    setting = case.setting
    sources = random_sources(setting.sources, seed, setting.read_s)
    read_s = setting.read_s
    truth = make_truth(
        host=np.arange(setting.sources, dtype=np.int32), rate=np.ones(setting.sources)
    )
    requests = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=Whittle(sources),
        budget=Budget(per_s=setting.budget / read_s),
        seeds=[],
    )
    hold_all(requests, truth, np.zeros(setting.sources))
    fetchers = FetcherController(CONTROLS[case.control](MOST, ROOM), ROOM)
    world = QueueWorld(sources, FETCHES * read_s, read_s, ROOM)
    circle = QueueCircle(world, requests, fetchers, seed)
    begun_s = setting.readings * read_s
    circle.run(begun_s)
    return circle.run(3.0 * begun_s)


def _rows(
    setting: Setting, names: list[str], found: dict[Case, list[QueueRun]]
) -> list[Row]:
    """What each control earns, as a share of what `joint` does with the same seed."""
    joint = found[Case(setting, JOINT)]
    others = {
        name: found[Case(setting, name)]
        for name in names
        if not name.startswith("fixed") or name == ALL
    }
    levels = [found[Case(setting, name)] for name in names if name.startswith("fixed")]
    if len(levels) > 1:
        best = max(levels, key=lambda runs: sum(one.earned for one in runs))
        others[HINDSIGHT] = best
    return [_row(setting, name, runs, joint) for name, runs in others.items()]


def _row(
    setting: Setting, name: str, runs: list[QueueRun], joint: list[QueueRun]
) -> Row:
    shares = [one.earned / own.earned for one, own in zip(runs, joint, strict=True)]
    if (
        name == JOINT
    ):  # beside the separate control of `talim`, which is told apart below
        shares = [1.0 for _ in runs]
    means = np.mean(np.array(runs), axis=0)
    figures = QueueRun(*means.tolist())
    more: Row = {
        "starved": figures.starvation,
        "waiting": figures.waiting_s / setting.read_s,
        "price": figures.price,
    }
    return estimate_row(f"{setting.name}: {name}/joint", shares, more=more)


def _remarks(rows: list[Row]) -> list[str]:
    by = {str(row["id"]): float(row["ours"] or 0.0) for row in rows}
    talim = [share for name, share in by.items() if f": {ADAPTIVE}/" in name]
    remarks = [
        f"separate control (`{ADAPTIVE}`) earns {min(talim):.1%} to {max(talim):.1%} of joint "
        "control",
    ]
    best = [share for name, share in by.items() if f": {HINDSIGHT}/" in name]
    if best:
        remarks.append(
            f"the best fixed number, chosen with hindsight, earns {min(best):.1%} to "
            f"{max(best):.1%}"
        )
    return [
        *remarks,
        "waiting is in reading times; price is the mean of what was bought",
    ]


def _draw(rows: list[Row], out: Path) -> Path:
    figure = _picture(rows)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{file_name(ID)}.png"
    figure.savefig(path, dpi=150)
    return path


def _picture(rows: list[Row]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 0.4 * len(rows) + 1.2), layout="constrained")
    axes = figure.subplots()
    names = [str(row["id"]).removesuffix("/joint") for row in rows]
    values = [float(row["ours"] or 0.0) for row in rows]
    colours = ["#1b9e77" if name.endswith(JOINT) else "#888888" for name in names]
    axes.barh(names[::-1], values[::-1], color=colours[::-1])
    axes.set_xlabel("earned, as a share of joint control")
    figure.suptitle("Market price and response queue decide together")
    return figure
