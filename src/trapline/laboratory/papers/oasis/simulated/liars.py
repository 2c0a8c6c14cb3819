"""oasis/liars: engines that claim what all others have, and what they cost before it is noticed.

Three liars join a federation. They claim the words of all engines and five times their pages, with
a sample of theirs, so that every forecast names them first; and three engines are asked, besides
the broker's own. What they answer is one of five kinds of lies. The harm is what comes back less of
the central ten than in the same world without them, for the same queries; a broker that learns is
compared with one that does not.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.oasis.simulated.life_picture import liars_figure
from trapline.laboratory.papers.oasis.simulated.life_runs import (
    LifeCase,
    LifeResult,
    mean_between,
    sweep_lives,
)
from trapline.laboratory.runs.federated_search import BrokerHabits
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import extent_for
from trapline.laboratory.worlds.federation.fates import Lie, LifeShape
from trapline.laboratory.worlds.federation.federation_world import FederationShape

ID: Final = "oasis/liars"
TITLE: Final = "Engines that lie: what they cost a federation, with and without lessons"
SHAPE: Final = FederationShape(
    pages=2400,
    hosts=120,
    topics=48,
    engines=12,
    life=LifeShape(length_s=86_400.0),
    turn_s=np.inf,
)
QUERIES: Final = 320
SEEN: Final = 200  # queries after which the harm should be gone
QUICK_QUERIES: Final = 60
QUICK_SEEN: Final = 30
LIARS: Final = 3
ASKED: Final = 3  # engines besides the own one, always: so nobody makes up for liars by asking more
LIES: Final = {
    Lie.BOASTS: "boast and have little",
    Lie.SILENT: "answer nothing",
    Lie.GARBAGE: "tell garbage",
    Lie.INFLATES: "inflate scores",
    Lie.STUFFS: "stuff titles",
}
LEARNS: Final = {"with lessons": True, "without lessons": False}
MORE: Final = ("first 20", "after", "harm after", "messages", "liars asked")

Found = dict[str, LifeResult]


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    cases = cases_of(QUICK_QUERIES if quick else QUERIES)
    found = sweep_lives(cases, extent_for(quick, seeds), progress)
    seen = QUICK_SEEN if quick else SEEN
    rows = [row_of(lie, how, found, seen) for lie in Lie for how in LEARNS]
    claims = [claim_of(lie, found, seen) for lie in LIES]
    return Report(
        ID,
        TITLE,
        claim_columns(*MORE),
        rows + claims,
        remarks(seen),
        draw_figures(ID, out, lambda: liars_figure(TITLE, found, LIES)),
    )


def cases_of(queries: int) -> list[LifeCase]:
    cases = []
    for lie in Lie:
        liars = () if lie is Lie.NONE else (lie,) * LIARS
        shape = replace(SHAPE, life=replace(SHAPE.life, liars=liars))
        for how, learns in LEARNS.items():
            habits = BrokerHabits(
                enough=1.0, most=ASKED, learns=learns, refresh_s=np.inf
            )
            cases.append(LifeCase(f"{lie}/{how}", shape, habits, queries))
    return cases


def row_of(lie: Lie, how: str, found: Found, seen: int) -> Row:
    result = found[f"{lie}/{how}"]
    after = mean_between(result.share, seen)
    return estimate_row(f"{lie}/{how}", after.tolist()) | {
        "first 20": float(mean_between(result.share, 0, 20).mean()),
        "after": float(after.mean()),
        "harm after": float(harm(lie, how, found, seen).mean()),
        "messages": float(mean_between(result.messages, seen).mean()),
        "liars asked": float(mean_between(result.liars, seen).mean()),
    }


def harm(lie: Lie, how: str, found: Found, first: int) -> Floats:
    """What is missing of the central ten because of the liar, from a query on; seed by seed."""
    honest = mean_between(found[f"{Lie.NONE}/{how}"].share, first)
    return np.asarray(honest - mean_between(found[f"{lie}/{how}"].share, first))


def claim_of(lie: Lie, found: Found, seen: int) -> Row:
    left = harm(lie, "with lessons", found, seen)
    unlearnt = harm(lie, "without lessons", found, seen)
    return claim(
        f"harm gone, {lie}",
        f"Nine tenths of the harm are gone after {seen} queries with lessons, of liars that "
        f"{LIES[lie]} (a tenth of the harm without lessons, less what is left)",
        [0.1 * unlearnt - left],
    )


def remarks(seen: int) -> list[str]:
    return [
        f"`ours` and `after` are the share of the central ten after {seen} queries; `harm after` "
        "is what it is less than in the same world without liars, with the same broker",
        f"`liars asked` is how many a query asks after that, of {ASKED} engines; `messages` are "
        "those to other engines, lessons (2 % of the queries) counted",
        "the broker has an engine of its own, which is always asked and not doubted; scores are "
        "cut to what title and snippet bear out",
        "liars whose titles are the query are believed: their pages look like the best ones, in "
        "lessons too. Only what people open could tell",
    ]
