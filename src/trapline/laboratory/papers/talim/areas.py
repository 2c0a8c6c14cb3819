"""talim/areas: which of several areas gets the next fetcher.

`exact` rows: two areas, few fetchers; `ours` is the cost of sending each fetcher where it is worth
most (theory/queueing/areas/rents.py), as a share above the optimum of all joint controls. The other
rows are simulated: ten areas of different processors, weights and ways; `ours` is the cost a unit
of time of all areas together, `over bound` its mean by the bound that no control can go below.

>>> row = exact_row(TWO_AREAS, fetchers=4)
>>> round(row["ours"], 4), round(row["fixed shares"], 4)
(0.0108, 0.1206)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.talim.area_world import AreaWorld
from trapline.laboratory.papers.talim.interval_figure import interval_figure
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import Extent, extent_for, sweep
from trapline.theory.queueing.areas.joint import JointAreas
from trapline.theory.queueing.areas.rents import Rent, best_rent, worth_at_rent
from trapline.theory.queueing.areas.shares import (
    best_shares,
    level_worths,
    static_cost,
)
from trapline.theory.queueing.fetcher_queue import FetcherQueue

Floats = NDArray[np.float64]

ID: Final = "talim/areas"
TITLE: Final = (
    "Which area gets the next fetcher: shares, the emptiest, or where it is worth most"
)
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "over bound",
    "fixed shares",
    "bound",
    "fetchers",
    "seeds",
)
TWO_AREAS: Final = (FetcherQueue(0.2, 1.0, 2, 1.4), FetcherQueue(0.2, 0.5, 2, 0.7))
# quick ones, slow ones whose starvation weighs more, and ones that are far away
TEN_AREAS: Final = (
    *[FetcherQueue(0.1, 1.0, 5, 1.4)] * 4,
    *[FetcherQueue(0.1, 0.4, 5, 1.4)] * 3,
    *[FetcherQueue(0.05, 1.0, 8, 1.0)] * 3,
)
CONTROLS: Final = ("equal shares", "best shares", "own plans", "emptiest", "worth")


@dataclass(frozen=True, slots=True)
class Case:
    control: str
    fetchers: int
    events: int

    @property
    def name(self) -> str:
        return f"ten areas/N={self.fetchers}/{self.control}"


@dataclass(frozen=True, slots=True)
class Sizes:
    few: tuple[int, ...] = (2, 3, 4, 5, 6, 8)  # fetchers of the exact rows
    many: tuple[int, ...] = (60, 90, 120)
    events: int = 1_000_000


QUICK: Final = Sizes((4,), (90,), 20_000)


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    return run_study(
        QUICK if quick else Sizes(), extent_for(quick, seeds), progress, out
    )


def run_study(
    sizes: Sizes,
    extent: Extent,
    progress: Progress,
    out: Path | None,
) -> Report:
    cases = [
        Case(control, fetchers, sizes.events)
        for fetchers in sizes.many
        for control in CONTROLS
    ]
    found = sweep(simulated_cost, cases, extent, progress)
    played = [_row(case, costs) for case, costs in found.items()]
    rows = [exact_row(TWO_AREAS, fetchers) for fetchers in sizes.few] + played
    label = "cost a unit of time"
    figures = draw_figures(ID, out, lambda: interval_figure(TITLE, label, played))
    return Report(ID, TITLE, COLUMNS, rows, _remarks(found, rows), figures)


def exact_row(
    areas: Sequence[FetcherQueue],
    fetchers: int,
) -> Row:
    joint = JointAreas(areas, fetchers)
    least = joint.solve()
    rent = best_rent(areas, fetchers)
    shares = best_shares(areas, fetchers)
    fixed = sum(map(static_cost, areas, shares))
    return {
        "id": f"exact/two areas/N={fetchers}",
        "paper": None,
        "ours": joint.play(rent.worths) / least - 1.0,
        "fixed shares": fixed / least - 1.0,
        "bound": rent.bound / least - 1.0,
        "fetchers": fetchers,
    }


@cache  # all seeds of all controls meet the same areas
def _rent(fetchers: int) -> Rent:
    return best_rent(TEN_AREAS, fetchers)


@cache
def worths_of(
    control: str,
    fetchers: int,
) -> list[Floats]:
    """The control as a table of worths."""
    if control == "worth":
        return _rent(fetchers).worths
    if control == "emptiest":
        return [_emptiness(area, fetchers) for area in TEN_AREAS]
    shares = best_shares(TEN_AREAS, fetchers)
    if control == "own plans":
        pairs = zip(TEN_AREAS, shares, strict=True)
        return [worth_at_rent(area, share, rent=0.0) for area, share in pairs]
    if control == "equal shares":
        shares = [fetchers // len(TEN_AREAS)] * len(TEN_AREAS)
    return level_worths(TEN_AREAS, shares, fetchers)


def _emptiness(
    area: FetcherQueue,
    fetchers: int,
) -> Floats:
    """Everybody is always at work, where the least processing waits or is under way."""
    queue = np.arange(area.capacity + 1)[:, None]
    under_way = np.arange(fetchers + 1) * area.fetch_rate / area.process_rate
    coming = (queue + under_way) / area.process_rate
    return 1e6 - coming


def simulated_cost(
    case: Case,
    seed: int,
) -> float:
    world = AreaWorld(TEN_AREAS, case.fetchers, seed)
    worths = worths_of(case.control, case.fetchers)
    world.run(worths, case.events // 20)
    return world.run(worths, case.events).cost


def _row(
    case: Case,
    costs: list[float],
) -> Row:
    bound = _rent(case.fetchers).bound
    more: Row = {
        "over bound": float(np.mean(costs)) / bound,
        "bound": bound,
        "fetchers": case.fetchers,
    }
    return estimate_row(case.name, costs, more=more)


def _remarks(
    found: dict[Case, list[float]],
    rows: list[Row],
) -> list[str]:
    lines = []
    for case, costs in found.items():
        if case.control == "worth":
            shares = np.mean(found[Case("best shares", case.fetchers, case.events)])
            saved = 1.0 - float(np.mean(costs)) / float(shares)
            lines.append(
                f"N={case.fetchers}: sending each fetcher where it is worth most saves "
                f"{saved:.0%} of the cost of the best shares"
            )
    worst = max(float(str(row["ours"])) for row in rows if row.get("low") is None)
    return [
        *lines,
        f"two areas, exactly: at most {worst:.1%} above the optimum of all joint controls",
        "best shares: fixed numbers; own plans: each area wakes its share by its own best plan; "
        "emptiest: all at work, to the area with the least processing time waiting or under way",
    ]
