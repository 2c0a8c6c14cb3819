"""talim/classes: fetchers of several speeds, and what it costs to take them for equally fast.

Exact. `ours` is the least cost of a plan that knows the classes, `as one` the cost of the paper's
plan for their mean rate, which wakes the classes in their order, slowest or quickest first.

>>> row = row_of(Mix("two", (0.05, 0.2), (8, 4)), weight=1.4)
>>> round(row["ours"], 5), round(row["as one"], 5)
(0.25081, 0.26904)
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from trapline.laboratory.study.report import Progress, Report, Row
from trapline.theory.queueing.fetcher_classes import ClassQueue

ID: Final = "talim/classes"
TITLE: Final = (
    "Fetchers of several speeds: the plan that knows them, and the one that does not"
)
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "as one",
    "saved",
    "fetchers",
    "at work",
    "remark",
)
CAPACITY: Final = 5


class Mix(NamedTuple):
    name: str
    rates: tuple[float, ...]
    fetchers: tuple[int, ...]

    @property
    def mirrored(self) -> Mix:
        return Mix(
            f"{self.name}, quickest first", self.rates[::-1], self.fetchers[::-1]
        )


MIXES: Final = (
    Mix("one class", (0.1,), (16,)),
    Mix("two classes", (0.05, 0.2), (8, 4)),
    Mix("three classes", (0.03, 0.1, 0.4), (10, 5, 2)),
    Mix("four classes", (0.03, 0.1, 0.2, 0.4), (6, 4, 2, 1)),
)
WEIGHTS: Final = (0.4, 1.4, 2.4)


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    """Nothing is random and there is nothing to draw: `seeds` and `out` have no meaning."""
    mixes = MIXES[1:2] if quick else MIXES
    weights = WEIGHTS[1:2] if quick else WEIGHTS
    cases = [
        (one, weight)
        for mix in mixes
        for one in (mix, mix.mirrored)
        if one == mix or len(mix.rates) > 1
        for weight in weights
    ]
    progress(0.0, "starting")
    rows = []
    for mix, weight in cases:
        rows.append(row_of(mix, weight))
        progress(len(rows) / len(cases), mix.name)
    most = max(float(str(row["saved"])) for row in rows)
    remark = f"knowing the classes saves up to {most:.0%} of the cost"
    return Report(ID, TITLE, COLUMNS, rows, [remark])


def row_of(
    mix: Mix,
    weight: float,
) -> Row:
    queue = ClassQueue(mix.rates, 1.0, CAPACITY, weight)
    plan = queue.solve(mix.fetchers)
    alike = queue.solve_as_one(mix.fetchers)
    first = plan.wake_at_departure(1, (0,) * len(mix.rates))
    return {
        "id": f"{mix.name}/γ={weight:g}",
        "paper": None,
        "ours": plan.cost,
        "as one": alike.cost,
        "saved": 1.0 - plan.cost / alike.cost,
        "fetchers": "+".join(map(str, mix.fetchers)),
        "at work": " + ".join(f"{mean:.1f}" for mean in plan.mean_fetchers),
        "remark": f"an empty queue wakes rate {mix.rates[first or 0]:g}",
    }
