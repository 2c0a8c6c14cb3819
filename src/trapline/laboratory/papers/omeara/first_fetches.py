"""omeara/fig-4 and fig-5: the relevance of the first 700 documents, beside the upper bound's.

Figure 4 is the request controller's after 30 traversals (q-learning), Figure 5 fringe-greedy's. The
paper sees in them that the request controller asks for some pages of little relevance sooner, and
what they lead to pays for it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.omeara.pictures import CONTROLLER, GREEDY, first_figure
from trapline.laboratory.papers.omeara.runs import (
    FIRST,
    Q_LEARNING,
    Contender,
    Result,
    Setting,
    run_all,
)
from trapline.laboratory.papers.omeara.traversals import QUICK, TRAVERSALS, V0
from trapline.laboratory.study.claims import claim, columns
from trapline.laboratory.study.courses import Floats, seeds_for, workers_for
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    file_name,
    save_figure,
)

TITLES: Final = {
    "omeara/fig-4": "The first 700 documents: q-learning asks early for poor pages that lead on",
    "omeara/fig-5": "The first 700 documents: fringe-greedy takes the best in sight",
}
SHOWN: Final = {
    "omeara/fig-4": ("q-learning", CONTROLLER),
    "omeara/fig-5": ("fringe-greedy", GREEDY),
}
# relevance below which a page has little content: all hubs, and most that are not on topic
POOR: Final = 0.1
EARLY: Final = 100  # fetches, of which poor pages are counted
HALF: Final = FIRST // 2


def _figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    found = run_all(
        contenders_of(QUICK if quick else Setting()),
        seeds_for(quick, seeds),
        workers_for(quick),
        progress,
    )
    rows = [
        row
        for result in found.values()
        for row in rows_of(result, found["upper bound"])
    ]
    report = Report(
        name, TITLES[name], columns(), rows + claims_of(name, found), remarks()
    )
    if out is not None:
        shown, ink = SHOWN[name]
        figure = first_figure(
            TITLES[name],
            "one of the graphs; each dot is a document",
            found["upper bound"].first[0],
            shown,
            found[shown].first[0],
            ink,
        )
        report.figures.extend(save_figure(figure, out, file_name(name)))
    return report


fig_4 = partial(_figure, "omeara/fig-4")
fig_5 = partial(_figure, "omeara/fig-5")


def contenders_of(setting: Setting) -> list[Contender]:
    return [
        Contender("upper bound", "upper bound", setting),
        Contender("q-learning", Q_LEARNING, setting, TRAVERSALS, V0),
        Contender("fringe-greedy", "fringe-greedy", setting),
    ]


def found_of(result: Result, bound: Result, after: int = 0) -> Floats:
    """Relevance of the first documents (but so many), of what the bound has in as many."""
    return np.asarray(
        result.first[:, after:].sum(axis=1) / bound.first[:, after:].sum(axis=1)
    )


def poor_of(result: Result, fetches: int = FIRST) -> Floats:
    """How many of the first documents have little relevance."""
    return np.asarray((result.first[:, :fetches] < POOR).sum(axis=1), np.float64)


def rows_of(result: Result, bound: Result) -> list[Row]:
    measures = {
        "relevance found, of the bound": found_of(result, bound),
        "relevance found in the second half, of the bound": found_of(
            result, bound, HALF
        ),
        "poor pages": poor_of(result),
        f"poor pages among the first {EARLY}": poor_of(result, EARLY),
        "performance of the whole traversal, of the bound": result.at(TRAVERSALS),
    }
    rows: list[Row] = []
    for measure, values in measures.items():
        found = Estimate.of(values.tolist())
        rows.append(
            {
                "id": f"{result.name}/{measure}",
                "paper": None,
                "ours": found.mean,
                "low": found.low,
                "high": found.high,
                "seeds": len(values),
            }
        )
    return rows


def claims_of(name: str, found: dict[str, Result]) -> list[Row]:
    bound, learner, greedy = (
        found[one] for one in ("upper bound", "q-learning", "fringe-greedy")
    )
    late = learner.at(TRAVERSALS)
    soon = f"the first {EARLY} documents, count"
    if name == "omeara/fig-4":
        sooner = poor_of(learner, EARLY) - poor_of(greedy, EARLY)
        after, late_on = (
            found_of(learner, bound, at) - found_of(greedy, bound, at)
            for at in (0, HALF)
        )
        return [
            claim(
                "near",
                "It is near the upper bound (.95 of it in the whole traversal)",
                [late - 0.95],
            ),
            claim(
                "sooner",
                f"It requests some pages with low scores sooner than fringe-greedy ({soon})",
                [sooner],
            ),
            claim(
                "leads on",
                f"… which lead to better ones: documents {HALF + 1} to {FIRST} are more relevant",
                [late_on],
            ),
            claim(
                "paid",
                f"… and more relevance has been found than by fringe-greedy after {FIRST}",
                [after],
            ),
        ]
    return [
        claim(
            "fails",
            "Fringe-greedy fails to achieve near upper bound performance (.95)",
            [0.95 - greedy.at(1)],
        ),
        claim(
            "worse",
            "The request controller achieves better performance than fringe-greedy",
            [late - greedy.at(1)],
        ),
    ]


def remarks() -> list[str]:
    return [
        (
            f"poor: relevance below {POOR}; the first {FIRST} of q-learning's are those of "
            f"traversal {TRAVERSALS}"
        ),
        "α = .5, γ = .1, ties at random, 5 % of the pages on topic, as in omeara/fig-3",
        (
            "verdicts are by 95 % intervals over graphs, all contenders in the same ones; the "
            "picture shows one of them"
        ),
    ]
