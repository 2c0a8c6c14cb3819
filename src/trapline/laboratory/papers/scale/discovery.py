"""scale/discovery: what eight shards discover of a web, beside one engine with the whole budget.

One pass through webs of the four families (worlds/families.py) with words on their links. The
shards follow the links to their own hosts and mail the others; each learns by itself what links are
worth; bids share the budget of ten visits a second. P is the mean recall of relevance over the pass
(`omeara`, eq. 3), as in `omeara/generalise`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from trapline.laboratory.papers.scale.discovery_picture import discovery_figure
from trapline.laboratory.papers.scale.shard_discovery import crawl_in_shards
from trapline.laboratory.runs.discovery_pass import Pass, crawl_once
from trapline.laboratory.study.estimate import Estimate, estimate_row
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.study.sweep import Extent, extent_for, sweep
from trapline.laboratory.worlds.families import FAMILIES, family
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.policies.discovery.value import Value
from trapline.theory.discovery.performance import performance

ID: Final = "scale/discovery"
TITLE: Final = "What eight shards discover together, beside one engine"
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "wanted",
    "verdict",
    "P of one engine",
    "P of shards",
    "fetched",
    "seeds",
)
SHARDS: Final = 8
PER_S: Final = 10.0
PAGES: Final = 20_000
QUICK_PAGES: Final = 1_000
SEEDS: Final = 5
WANTED: Final = 0.97  # of one engine's P


@dataclass(frozen=True, slots=True)
class DiscoveryCase:
    name: str  # the family
    pages: int


class DiscoveryRun(NamedTuple):
    one: float  # P
    shards: float
    fetched: float  # by the shards, of all steps

    @property
    def share(self) -> float:
        return self.shards / self.one


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    extent = extent_for(quick, seeds, full=SEEDS)
    pages = QUICK_PAGES if quick else PAGES
    return run_study(pages, extent, progress, out)


def run_study(
    pages: int, extent: Extent, progress: Progress, out: Path | None
) -> Report:
    """Seeds count from 0: they are those of the test webs of a family."""
    cases = [DiscoveryCase(name, pages) for name in FAMILIES]
    found = sweep(
        run_case, cases, extent, progress, seeds_of=lambda case: range(extent.seeds)
    )
    runs = {case.name: results for case, results in found.items()}
    rows = [row_of(name, results) for name, results in runs.items()]
    figures = draw_figures(ID, out, lambda: discovery_figure(TITLE, shares_of(runs)))
    return Report(
        ID,
        TITLE,
        COLUMNS,
        rows,
        remarks(rows),
        figures,
    )


def run_case(case: DiscoveryCase, seed: int) -> DiscoveryRun:
    web = family(case.name, case.pages, seed, "test")
    one = crawl_once(web, Value(), web.pages)
    shards = crawl_in_shards(web, Value, SHARDS, PER_S)
    return DiscoveryRun(
        p_of(one, web), p_of(shards, web), len(shards.page) / shards.steps
    )


def p_of(found: Pass, web: LinkedWeb) -> float:
    total = float(web.relevance.sum())
    return performance(found.gains(web.relevance), total, found.steps).p


def shares_of(runs: dict[str, list[DiscoveryRun]]) -> dict[str, list[float]]:
    return {name: [one.share for one in results] for name, results in runs.items()}


def row_of(name: str, results: list[DiscoveryRun]) -> Row:
    reached = Estimate.of([one.share for one in results]).mean >= WANTED
    count = len(results)
    more: Row = {
        "wanted": WANTED,
        "verdict": "reached" if reached else "NOT reached",
        "P of one engine": sum(one.one for one in results) / count,
        "P of shards": sum(one.shards for one in results) / count,
        "fetched": sum(one.fetched for one in results) / count,
    }
    return estimate_row(name, [one.share for one in results], more=more)


def remarks(rows: list[Row]) -> list[str]:
    least = min(float(row["ours"] or 0.0) for row in rows)
    return [
        f"in its worst family {SHARDS} shards have {least:.3f} of one engine's P; wanted "
        f"{WANTED}: {'reached' if least >= WANTED else 'NOT reached'}",
        "`ours` is P of the shards, of one engine's in the same web; `fetched` is how many visits "
        "the shards made, of those that the budget allowed",
        "no gaps, no latency, nothing changes; mail takes a second, bids are made every ten "
        "seconds, and shards without a seed begin with nothing: what is lost is lost at the start, "
        "so a short pass shows more of it",
    ]
