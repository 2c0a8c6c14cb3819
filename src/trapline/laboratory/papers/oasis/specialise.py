"""oasis/specialise: do engines that follow `engines suggest` come to share the topics?

Six engines over a web of twelve topics, each with room for a little more than one
(`topical_web.py`, `specialising_engine.py`, `specialise_runs.py`). All begin with the same topic,
or with topics by chance. In each round they crawl, readers ask, and then they stay as they are,
shift to a missed query drawn by chance, follow what oasis/service suggests, or are told which
topics are asked for most, one each. Nobody founds a new engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.oasis.specialise_picture import specialise_figure
from trapline.laboratory.papers.oasis.specialise_runs import (
    CHANCE,
    FOLLOW,
    KINDS,
    SAME,
    STARTS,
    STAY,
    SpecialiseCase,
    SpecialiseOutcome,
    SpecialiseSetting,
    run_case,
)
from trapline.laboratory.papers.oasis.topical_web import WebSize
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import extent_for, sweep

ID: Final = "oasis/specialise"
TITLE: Final = "Engines that follow suggestions come to share the topics"
QUICK: Final = SpecialiseSetting(
    WebSize(6, 60, 40, 50, 6), engines=3, rounds=5, asked=200
)
LATE: Final = 3  # rounds, the last ones
MORE: Final = ("in round 1", "overlap", "topics covered")

Found = dict[str, dict[str, list[SpecialiseOutcome]]]  # by start, then by kind


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    setting = QUICK if quick else SpecialiseSetting()
    cases = [SpecialiseCase(kind, start, setting) for start in STARTS for kind in KINDS]
    flat = sweep(run_case, cases, extent_for(quick, seeds), progress)
    found: Found = {start: {} for start in STARTS}
    for case, results in flat.items():
        found[case.start][case.kind] = results
    rows = [row_of(start, kind, found) for start in STARTS for kind in KINDS]
    return Report(
        ID,
        TITLE,
        claim_columns(*MORE),
        rows + claims_of(found),
        remarks(found),
        draw_figures(ID, out, lambda: specialise_figure(TITLE, found)),
    )


def row_of(start: str, kind: str, found: Found) -> Row:
    runs = found[start][kind]
    more: Row = {
        "in round 1": float(np.mean([one.met[0] for one in runs])),
        "overlap": float(np.mean([one.overlap[-LATE:] for one in runs])),
        "topics covered": float(np.mean([one.covered[-LATE:] for one in runs])),
    }
    return estimate_row(f"{start}/{kind}", late(runs).tolist(), more=more)


def late(runs: list[SpecialiseOutcome]) -> NDArray[np.float64]:
    """The share of needs that is met in the last rounds, seed by seed."""
    return np.array([one.met[-LATE:].mean() for one in runs])


def late_overlap(runs: list[SpecialiseOutcome]) -> NDArray[np.float64]:
    return np.array([one.overlap[-LATE:].mean() for one in runs])


def claims_of(found: Found) -> list[Row]:
    both = list(found.values())
    return [
        claim(
            "better than staying",
            "Engines that follow meet more needs than engines that stay",
            [late(one[FOLLOW]) - late(one[STAY]) for one in both],
        ),
        claim(
            "better than chance",
            "Engines that follow meet more needs than engines that shift by chance",
            [late(one[FOLLOW]) - late(one[CHANCE]) for one in both],
        ),
        claim(
            "they share the topics",
            "Engines that began with the same topic overlap less after they followed",
            [late_overlap(found[SAME][STAY]) - late_overlap(found[SAME][FOLLOW])],
        ),
    ]


def remarks(found: Found) -> list[str]:
    said = [
        f"{start}: "
        + ", ".join(f"{kind} {late(found[start][kind]).mean():.3f}" for kind in KINDS)
        for start in found
    ]
    return [
        *said,
        f"`ours` is the share of needs whose page is among the ten best of all engines, merged by "
        f"one table of rarities, in the last {LATE} rounds; `overlap` is the mean over pairs, of "
        "the smaller engine; a topic is covered if half of its pages are held",
        "all engines are asked, so choosing and its errors play no part; a reader opens the wanted "
        "page if it is shown, and nothing else",
        "the limits of the plan were chosen on seeds 1 to 3; on seeds 101 to 120, which nobody had "
        "looked at, engines that follow meet .522 and .562",
        "topics have words of their own and a sixth of all words in common: real ones are less "
        "clear",
    ]
