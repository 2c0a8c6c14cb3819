"""whittle/price: what the agenda pays for a visit on the continuous clock, beside the bound's
price, and again after the budget has doubled.

2,000 random sources, offers by `whittle` with their parameters known, bought by the very agenda
that runs live. In the relaxed optimum every visit is made when its price has risen to λ. The agenda
knows no λ: its market price is the running mean of what it pays.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import new_controller, visit_ages
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.ephemeral import random_sources
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.whittle import Whittle
from trapline.robot.agenda.agenda import Budget
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.price import visit_price

Floats = NDArray[np.float64]

ID: Final = "whittle/price"
TITLE: Final = (
    "The price paid in steady state, beside the bound's, before and after the "
    "budget doubles"
)
PER_S: Final = 100.0
# the bound's slots, short against the seconds between two visits to a source
SLOT_S: Final = 0.02
WANTED: Final = 0.02  # from the bound's price


@dataclass(frozen=True, slots=True)
class PriceCase:
    sources: int = 2_000
    visits: int = 60_000  # to settle, and as many to measure, at each budget

    @property
    def name(self) -> str:
        return f"{self.sources:,} sources"


QUICK: Final = PriceCase(sources=400, visits=8_000)


@dataclass(frozen=True, slots=True)
class PricesPaid:
    """Mean price paid by the bound's price, at the first budget and at twice as much."""

    before: float
    after: float


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    case = QUICK if quick else PriceCase()
    extent = extent_for(quick, seeds, few=3)
    paid = sweep(run_case, [case], extent, progress)[case]
    rows = [
        _row("first budget", [one.before for one in paid]),
        _row("budget doubled", [one.after for one in paid]),
    ]
    return Report(
        ID,
        TITLE,
        ("id", "paper", "ours", "low", "high", "wanted", "seeds"),
        rows,
        _remarks(rows),
    )


def run_case(case: PriceCase, seed: int) -> PricesPaid:
    sources = random_sources(case.sources, seed, SLOT_S)
    truth = make_truth(
        host=np.arange(case.sources, dtype=np.int32), rate=np.ones(case.sources)
    )
    budget = PER_S * case.sources / 2_000
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=Whittle(sources),
        budget=Budget(per_s=budget),
        seeds=[],
    )
    last_s: Floats = -np.random.default_rng(seed).uniform(
        0.0, 2.0 * case.sources / budget, case.sources
    )
    hold_all(controller, truth, last_s)
    ratios = []
    start_s = 0.0
    for per_s in (budget, 2.0 * budget):
        controller.agenda.books.till["budget"][0] = per_s
        log = run_compiled(
            controller, truth, room=1, visits=2 * case.visits, start_s=start_s
        )
        ages = visit_ages(log, last_s)
        late = slice(case.visits, None)
        price = visit_price(ages, sources.decay[log.page], sources.worth[log.page])[
            late
        ].mean()
        ratios.append(float(price) / relaxed_bound(sources, per_s * SLOT_S).price)
        np.maximum.at(last_s, log.page, log.issued_s)
        start_s = float(log.issued_s[-1]) + 1e-6
    return PricesPaid(*ratios)


def _row(name: str, values: list[float]) -> Row:
    more: Row = {"wanted": 1.0 + WANTED}
    return estimate_row(f"price paid/bound, {name}", values, more=more)


def _remarks(rows: list[Row]) -> list[str]:
    off = max(abs(float(row["ours"] or 0.0) - 1.0) for row in rows)
    reached = "reached" if off <= WANTED else "NOT reached"
    return [
        f"at most {off:.2%} from the bound's price; wanted {WANTED:.0%}: {reached}",
        f"the bound is taken in slots of {SLOT_S:g} s; the agenda visits one source at a time",
    ]
