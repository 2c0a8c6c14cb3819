"""oasis/cost: what a query costs, and what it finds, in federations of 4 to 256 engines.

"In this system, each query need be propagated only to a few of the most relevant engines. [...] in
systems [...] in which the database is distributed by geographic or network domain, each query must
be propagated to and processed by all engines" (paper `omeara`, "Oasis: Topic-Specific Search").

The web grows with its engines. It is held by one central index; by engines that each have some
hosts; or by engines that each have some topics. Messages, bytes and work of a query are counted,
with lessons and descriptions, against the share of the central ten that comes back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.oasis.simulated.cost_picture import Found, cost_figure
from trapline.laboratory.papers.oasis.simulated.cost_runs import (
    HOSTS,
    PAGES,
    TOPICS,
    CostCase,
    CostResult,
    Price,
    run_cost,
)
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.federation.federation_world import Cut

ID: Final = "oasis/cost"
TITLE: Final = (
    "What a query costs and finds: one index, engines by host, engines by topic"
)
SIZES: Final = (4, 16, 64, 256)
QUICK_SIZES: Final = (4, 16)
CUTS: Final[tuple[Cut, ...]] = ("topic", "host")
SEEDS: Final = 10
UPDATES: Final = 24  # of a description, a day
QUERIES: Final = 10_000  # of a broker, a day
MORE: Final = ("messages", "bytes", "work", "descriptions, bytes a day", "pays from")


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    sizes = QUICK_SIZES if quick else SIZES
    cases = [_case(size, cut, quick) for size in sizes for cut in CUTS]
    extent = extent_for(quick, seeds, full=SEEDS)
    by_case = sweep(
        run_cost,
        cases,
        extent,
        progress,
        cost=lambda case: case.engines,
    )
    found = {(case.engines, case.cut): by_case[case] for case in cases}
    rows = [row for size in sizes for row in rows_of(size, found)]
    return Report(
        ID,
        TITLE,
        claim_columns(*MORE),
        rows + claims_of(found, sizes),
        remarks(found, sizes),
        draw_figures(
            ID,
            out,
            lambda: cost_figure(
                TITLE,
                found,
                sizes,
                QUERIES,
            ),
        ),
    )


def _case(size: int, cut: Cut, quick: bool) -> CostCase:
    if quick:
        return CostCase(
            size,
            cut,
            learnt_from=20,
            queries=30,
        )
    return CostCase(size, cut)


def rows_of(size: int, found: Found) -> list[Row]:
    topic = found[size, "topic"]
    host = found[size, "host"]
    described = float(np.mean([one.described for one in topic])) * UPDATES
    pays = {
        "descriptions, bytes a day": described,
        "pays from": float(pays_from(topic, host).mean()),
    }
    return [
        _row(f"{size}/central", [one.central for one in topic]),
        _row(f"{size}/by host, all", [one.all for one in host]),
        _row(f"{size}/by host, chosen", [one.chosen for one in host]),
        _row(f"{size}/by topic, all", [one.all for one in topic]),
        _row(f"{size}/by topic, chosen", [one.chosen for one in topic]) | pays,
    ]


def _row(name: str, prices: list[Price]) -> Row:
    return estimate_row(name, [one.share for one in prices]) | {
        "messages": float(np.mean([one.messages for one in prices])),
        "bytes": float(np.mean([one.bytes for one in prices])),
        "work": float(np.mean([one.work for one in prices])),
    }


def pays_from(topic: list[CostResult], host: list[CostResult]) -> Floats:
    """Queries a day of one broker, from which on engines by topic need fewer bytes than engines by
    host, descriptions counted; seed by seed.
    """
    described = np.array([one.described for one in topic]) * UPDATES
    saved = _prices(host, "all", "bytes") - _prices(topic, "chosen", "bytes")
    return np.asarray(described / np.maximum(saved, 1e-9))


def claims_of(found: Found, sizes: tuple[int, ...]) -> list[Row]:
    """Of the largest federation, and of messages and work in all of them."""
    size = sizes[-1]
    topic = found[size, "topic"]
    host = found[size, "host"]
    kept = _prices(topic, "chosen", "share") / _prices(topic, "all", "share")
    lost = _prices(host, "all", "share") - np.array([_at_a_quarter(h) for h in host])
    saved = _prices(host, "all", "bytes") - _prices(topic, "chosen", "bytes")
    described = np.array([one.described for one in topic]) * UPDATES / QUERIES
    return [
        claim(
            "few are enough, by topic",
            f"The few that the forecast chooses of {size} engines bring 85 % of what all bring",
            [kept],
            above=0.85,
        ),
        claim(
            "all are needed, by host",
            f"Asking the first quarter of {size} engines by host loses a tenth of the central ten",
            [lost],
            above=0.1,
        ),
        claim(
            "bytes",
            f"By topic, of {size} engines, a query needs fewer bytes than by host, descriptions "
            f"counted at {QUERIES:,} queries a day (bytes saved)",
            [saved - described],
        ),
        *_claims_of_sizes(found, (size,), f"of {size} engines"),
        *_claims_of_sizes(found, sizes, "of any size"),
    ]


def _claims_of_sizes(found: Found, sizes: tuple[int, ...], where: str) -> list[Row]:
    pairs = [(found[size, "topic"], found[size, "host"]) for size in sizes]
    return [
        claim(
            f"messages, {where}",
            "By topic a query needs a quarter of the messages of asking all, lessons counted "
            f"(what is left of the quarter), {where}",
            [0.25 - _ratio(topic, host, "messages") for topic, host in pairs],
        ),
        claim(
            f"work, {where}",
            f"By topic a query needs less work than by host (share that is saved), {where}",
            [1.0 - _ratio(topic, host, "work") for topic, host in pairs],
        ),
    ]


def _ratio(topic: list[CostResult], host: list[CostResult], what: str) -> Floats:
    """Of the few by topic to all by host, seed by seed."""
    return _prices(topic, "chosen", what) / _prices(host, "all", what)


def remarks(found: Found, sizes: tuple[int, ...]) -> list[str]:
    last = sizes[-1]
    topic = found[last, "topic"]
    changed = float(np.mean([one.changed / one.described for one in topic]))
    lessons = float(np.mean([one.lessons for one in topic]))
    return [
        "`ours` is the share of the central ten that comes back; all numbers are of one query, "
        "means over seeds",
        f"the web grows with its engines: {PAGES} pages, {TOPICS} topics and {HOSTS} hosts for "
        "each; by topic 3 of 10 pages are held by two, by host each by one",
        "messages are requests, the user's own among them; bytes are of requests and answers of "
        "ten hits as `trapline serve` sends them, without compression",
        "work is postings read, again for the (at most 100) pages that are looked at twice, and "
        "for `chosen` the entries of descriptions that the broker reads",
        f"{lessons:.1f} of the messages of {last} engines by topic are lessons",
        f"descriptions: a broker fetches all of them {UPDATES} times a day, whole; sending what "
        f"differs, samples as a whole, needs {changed:.0%} of that. `pays from` is the queries a "
        "day of one broker from which on engines by topic need fewer bytes than by host",
    ]


def _prices(results: list[CostResult], which: str, what: str) -> Floats:
    """One number a seed."""
    return np.array([getattr(getattr(one, which), what) for one in results], np.float64)


def _at_a_quarter(result: CostResult) -> float:
    """What a quarter of the engines brings, the likeliest first."""
    asked = CostCase(round(result.all.messages), "host").asked
    return float(np.interp(asked[-1] / 4.0, asked, result.curve))
