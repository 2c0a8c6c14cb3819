"""scale/one-price: one budget over many shards, beside one agenda over all pages.

Shards that are very unlike (`unlike_shards.py`) run the robot's own request controllers in pretend
time. They begin with an equal split, or one by pages; from there bids, or prices paid, move the
budget as in the live crawl: what is granted is heard four seconds later, cuts come before raises,
and the sum never exceeds the budget.

A *round* is the time in which every page could be visited once: 600 s here, so that a bid every
10 s is seen 60 times a round, and one every 60 s ten times. A real crawl's round is a day or a
week, so it adapts much earlier in its round: this is the hard case. Pages start as if each had been
visited once in the round before, in any order: nobody's optimum. Freshness is computed from the
visits made, with nothing left to chance, in each round by itself. Prices need pages to age, so what
a change of rate does shows a round later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.scale.one_price_picture import one_price_figure
from trapline.laboratory.papers.scale.one_price_runs import (
    BIDS_10,
    BIDS_60,
    BOUND,
    DEAD,
    EQUAL,
    FEEDBACK,
    ONE,
    PAGES,
    SLOW,
    WRONG,
    MarketCase,
    MarketRun,
    MarketSizes,
    run_case,
)
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import (
    Cell,
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.study.sweep import MOST_WORKERS, Extent, sweep

ID: Final = "scale/one-price"
TITLE: Final = (
    "One budget over many shards: splits, feedback and bids beside one agenda"
)
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "wanted",
    "verdict",
    "least round",
    "of the bound",
    "price spread",
    "of all shards",
    "budget used",
    "seeds",
)
SEEDS: Final = 5
QUICK: Final = MarketSizes(shards=8, pages=80, rounds=4)
MANY: Final = MarketSizes(shards=1_024, pages=250)
MANY_SEEDS: Final = 2
CONTESTANTS: Final = (
    EQUAL,
    PAGES,
    FEEDBACK,
    SLOW,
    BIDS_10,
    BIDS_60,
    WRONG,
    DEAD,
)
PROTOTYPE: Final[dict[str, str]] = {
    EQUAL: ".81–.86",
    PAGES: ".91–.92",
    FEEDBACK: ".98–.99 in round 2, .96–.97 in round 6",
    BIDS_10: ".996–.999",
    BIDS_60: ".996–.999",
}
# of one agenda, in each round from the second on; learnt rates: from the fifth on
WANTED: Final = {BIDS_10: 0.995, BIDS_60: 0.995}
WANTED_LEARNT: Final = 0.99
SPREAD: Final = 0.10
COSTS: Final = {WRONG: 0.002, DEAD: 0.005}  # at most, of one agenda
SETTLED: Final = 1  # rounds, before results count
LEARNT: Final = 4  # the same, where rates are learnt

Runs = Mapping[str, list[MarketRun]]  # by name


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    sizes = QUICK if quick else MarketSizes()
    extent = Extent(seeds or (2 if quick else SEEDS), 0 if quick else MOST_WORKERS)
    cases = cases_of(sizes, many=None if quick else MANY)

    def seeds_of(case: MarketCase) -> range:
        few = min(extent.seeds, MANY_SEEDS)
        return range(1, few + 1) if case.sizes == MANY else extent.all_seeds

    found = sweep(
        run_case,
        cases,
        extent,
        progress,
        cost=lambda case: case.cost,
        seeds_of=seeds_of,
    )
    runs = {case.name: results for case, results in found.items()}
    return make_report(cases, runs, out)


def cases_of(sizes: MarketSizes, many: MarketSizes | None) -> list[MarketCase]:
    known = [MarketCase(kind, kind, sizes) for kind in (ONE, BOUND, *CONTESTANTS)]
    learnt = [
        MarketCase(
            f"rates learnt: {kind}",
            kind,
            sizes,
            learnt=True,
        )
        for kind in (ONE, BOUND, BIDS_60)
    ]
    if many is None:
        return known + learnt
    return [
        *known,
        *learnt,
        *(
            MarketCase(f"{many.shards:,} shards: {kind}", kind, many)
            for kind in (ONE, BOUND, PAGES, BIDS_60)
        ),
    ]


def make_report(cases: list[MarketCase], runs: Runs, out: Path | None) -> Report:
    rows = [
        _row(case, runs, replace_kind(case, ONE).name, replace_kind(case, BOUND).name)
        for case in cases
        if case.kind not in (ONE, BOUND)
    ]
    rows += _prices(cases, runs) + _costs(runs)
    figures = draw_figures(ID, out, lambda: one_price_figure(TITLE, runs, shares_of))
    return Report(
        ID,
        TITLE,
        COLUMNS,
        rows,
        remarks(rows),
        figures,
    )


def replace_kind(case: MarketCase, kind: str) -> MarketCase:
    """The case of the same world that another kind is measured by."""
    return replace(case, kind=kind, name=case.name.replace(case.kind, kind))


def shares_of(runs: Runs, name: str, whole: str) -> Floats:
    """[seed, round] What was earned, of what the other one earned in the same world."""
    return np.array(
        [
            one.earned / all_.earned
            for one, all_ in zip(runs[name], runs[whole], strict=True)
        ]
    )


def _row(case: MarketCase, runs: Runs, whole: str, bound: str) -> Row:
    shares = shares_of(runs, case.name, whole)
    settled = shares[:, min(LEARNT if case.learnt else SETTLED, shares.shape[1] - 1) :]
    found = Estimate.of(settled.mean(axis=1).tolist())
    least = float(settled.mean(axis=0).min())
    wanted = WANTED_LEARNT if case.learnt else WANTED.get(case.kind)
    if case.kind == BIDS_60 and case.sizes == MANY:
        wanted = WANTED[BIDS_60]
    own = runs[case.name]
    return {
        "id": case.name,
        "paper": PROTOTYPE.get(case.name),
        "ours": found.mean,
        "low": found.low,
        "high": found.high,
        "wanted": wanted,
        "verdict": None if wanted is None else _verdict(least >= wanted),
        "least round": least,
        "of the bound": float(shares_of(runs, case.name, bound)[:, -1].mean()),
        "price spread": float(np.mean([one.free_spread[-1] for one in own])),
        "of all shards": float(np.mean([one.spread[-1] for one in own])),
        "budget used": float(np.mean([one.used for one in own])),
        "seeds": len(own),
    }


def _prices(cases: list[MarketCase], runs: Runs) -> list[Row]:
    """Whether shards pay one price in the end."""
    return [
        _judge(
            f"log price spread, {case.name}",
            [float(one.free_spread[-1]) for one in runs[case.name]],
            SPREAD,
        )
        for case in cases
        if case.kind in WANTED and not case.learnt
    ]


def _costs(runs: Runs) -> list[Row]:
    """What a fault costs, of one agenda: while nobody sets rates in the dearest round."""
    usual = shares_of(runs, BIDS_60, ONE)[:, SETTLED:]
    rows = []
    for kind, most in COSTS.items():
        less = usual - shares_of(runs, kind, ONE)[:, SETTLED:]
        by_seed = less.max(axis=1) if kind == DEAD else less.mean(axis=1)
        rows.append(_judge(f"cost of {kind}", by_seed.tolist(), most))
    return rows


def _judge(name: str, values: list[float], most: float) -> Row:
    found = Estimate.of(values)
    return {
        "id": name,
        "paper": None,
        "ours": found.mean,
        "low": found.low,
        "high": found.high,
        "wanted": most,
        "verdict": _verdict(found.mean <= most),
        "seeds": len(values),
    }


def _verdict(reached: bool) -> Cell:
    return "reached" if reached else "NOT reached"


def remarks(rows: list[Row]) -> list[str]:
    missed = [str(row["id"]) for row in rows if row.get("verdict") == "NOT reached"]
    return [
        f"NOT reached: {', '.join(missed)}"
        if missed
        else "all that was wanted is reached",
        (
            "`ours` is freshness of what one agenda over all pages with the whole budget earns in "
            "the same world, mean over the rounds from the second on (rates learnt: from the fifth "
            "on); a verdict is by the least of these rounds, mean over worlds; `paper` is what a "
            "prototype found in a world of its own"
        ),
        (
            "`price spread` is the standard deviation of log market prices after the last round, "
            "of shards in which no host binds in the best schedule, weighed by visits; where hosts "
            "bind a market price is a mean of what saturated hosts pay too, and no λ; `of all "
            "shards` counts those too, and shards of ten visits a round like one of thousands"
        ),
        (
            "the treasurer that is gone for a round: the dearest of the rounds from the second on; "
            "bids wrong by 10 %: a factor for each shard for good, mean over those rounds"
        ),
    ]
