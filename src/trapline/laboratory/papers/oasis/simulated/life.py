"""oasis/life: engines are born, gather pages and die while people ask, and topics come and go.

A quarter of the engines joins later and a quarter dies; each begins with a fifth of its slice and
gathers the rest in ten days. One broker learns and looks at descriptions every six hours; others
do not learn, or see older ones.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.oasis.simulated.life_picture import life_figure
from trapline.laboratory.papers.oasis.simulated.life_runs import (
    DAY_S,
    LifeCase,
    LifeResult,
    mean_between,
    sweep_lives,
)
from trapline.laboratory.runs.federated_search import BrokerHabits
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import extent_for
from trapline.laboratory.worlds.federation.fates import LifeShape
from trapline.laboratory.worlds.federation.federation_world import FederationShape

ID: Final = "oasis/life"
TITLE: Final = "Engines that are born, grow and die: what comes back, and with how old descriptions"
DAYS: Final = 20
LIFE: Final = LifeShape(
    length_s=DAYS * DAY_S,
    born_share=0.25,
    dies_share=0.25,
    began_with=0.2,
    grown_s=10 * DAY_S,
)
SHAPE: Final = FederationShape(
    pages=3200, hosts=160, topics=64, engines=16, life=LIFE, turn_s=80 * DAY_S
)
QUERIES: Final = 480  # one an hour
QUICK_QUERIES: Final = 40
FRESH: Final = "at most six hours old"
UNLEARNT: Final = "without lessons"
DAY_OLD: Final = "a day older"
OLD: Final = "four days older"
FIRST: Final = "those of the first day"
LOOK_S: Final = DAY_S / 4  # between two looks at descriptions
ALLOWED: Final = 0.01  # what statistics a day old may cost
HABITS: Final = {
    FRESH: BrokerHabits(refresh_s=LOOK_S),
    UNLEARNT: BrokerHabits(refresh_s=LOOK_S, learns=False),
    DAY_OLD: BrokerHabits(refresh_s=LOOK_S, age_s=DAY_S),
    OLD: BrokerHabits(refresh_s=LOOK_S, age_s=4 * DAY_S),
    FIRST: BrokerHabits(refresh_s=np.inf),
}
MORE: Final = ("first 5 days", "last 5 days", "messages")


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    cases = cases_of(QUICK_QUERIES if quick else QUERIES)
    found = sweep_lives(cases, extent_for(quick, seeds), progress)
    return Report(
        ID,
        TITLE,
        claim_columns(*MORE),
        [row_of(name, result) for name, result in found.items()] + claims_of(found),
        remarks(found[FRESH]),
        draw_figures(ID, out, lambda: life_figure(TITLE, found, DAYS)),
    )


def cases_of(queries: int) -> list[LifeCase]:
    small = replace(SHAPE, pages=1600, hosts=80)
    shape = SHAPE if queries == QUERIES else small
    return [LifeCase(name, shape, habits, queries) for name, habits in HABITS.items()]


def row_of(name: str, result: LifeResult) -> Row:
    quarter = result.share.shape[1] // 4
    return estimate_row(name, mean_between(result.share, 0).tolist()) | {
        "first 5 days": float(mean_between(result.share, 0, quarter).mean()),
        "last 5 days": float(mean_between(result.share, -quarter).mean()),
        "messages": float(result.messages.mean()),
    }


def claims_of(found: dict[str, LifeResult]) -> list[Row]:
    share = {name: mean_between(result.share, 0) for name, result in found.items()}
    return [
        claim(
            "a day old",
            f"Descriptions a day old cost less than {ALLOWED} (what is left of that)",
            [ALLOWED - (share[FRESH] - share[DAY_OLD])],
        ),
        claim(
            "lessons",
            "A broker that learns brings more of the central ten than one that does not",
            [share[FRESH] - share[UNLEARNT]],
        ),
        claim(
            "news is needed",
            "Who never looks at descriptions again loses a tenth of the central ten",
            [share[FRESH] - share[FIRST]],
            above=0.1,
        ),
    ]


def remarks(fresh: LifeResult) -> list[str]:
    engines = fresh.engines.mean(axis=0)
    covered = fresh.covered.mean(axis=0)
    return [
        "`ours` is the share of the central ten, over the whole time; the central index holds what "
        "living engines hold",
        f"on average {engines.min():.1f} to {engines.max():.1f} engines are alive, which hold "
        f"{covered[0]:.0%} of the living pages at first and {covered[-1]:.0%} at the end",
        "who joined or died is known at the next look (six hours), and who died at the first "
        "question that it does not answer; old are the statistics and samples",
        "a broker that learns comes to ask more: lessons tell it how far the forecast is right",
    ]
