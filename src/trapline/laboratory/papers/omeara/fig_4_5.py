"""omeara/fig-4 and fig-5: the relevance of the first 700 documents, beside the upper bound's.

Figure 4 is the request controller's after 30 traversals (q-learning), Figure 5 fringe-greedy's. The
paper sees in them that the request controller asks for some pages of little relevance sooner, and
what they lead to pays for it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.omeara.fig_3 import QUICK, TRAVERSALS, V0
from trapline.laboratory.papers.omeara.fig_3_to_5_pictures import (
    CONTROLLER,
    GREEDY,
    first_figure,
)
from trapline.laboratory.papers.omeara.traversal_runs import (
    FIRST,
    Q_LEARNING,
    GraphSetting,
    TraversalCase,
    TraversalResult,
    sweep_traversals,
)
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.study.sweep import extent_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def _run_figure(
    name: str, progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    cases = cases_of(QUICK if quick else GraphSetting())
    found = sweep_traversals(cases, extent_for(quick, seeds), progress)
    rows = [
        row
        for result in found.values()
        for row in rows_of(result, found["upper bound"])
    ]
    return Report(
        name,
        TITLES[name],
        claim_columns(),
        rows + claims_of(name, found),
        remarks(),
        draw_figures(name, out, lambda: _picture(name, found)),
    )


def _picture(name: str, found: dict[str, TraversalResult]) -> Figure:
    shown, ink = SHOWN[name]
    return first_figure(
        TITLES[name],
        "one of the graphs; each dot is a document",
        found["upper bound"].first[0],
        shown,
        found[shown].first[0],
        ink,
    )


fig_4 = partial(_run_figure, "omeara/fig-4")
fig_5 = partial(_run_figure, "omeara/fig-5")


def cases_of(setting: GraphSetting) -> list[TraversalCase]:
    return [
        TraversalCase("upper bound", "upper bound", setting),
        TraversalCase("q-learning", Q_LEARNING, setting, TRAVERSALS, V0),
        TraversalCase("fringe-greedy", "fringe-greedy", setting),
    ]


def share_found(
    result: TraversalResult, bound: TraversalResult, after: int = 0
) -> Floats:
    """Relevance of the first documents (but so many), of what the bound has in as many."""
    return np.asarray(
        result.first[:, after:].sum(axis=1) / bound.first[:, after:].sum(axis=1)
    )


def count_poor(result: TraversalResult, fetches: int = FIRST) -> Floats:
    """How many of the first documents have little relevance."""
    return np.asarray((result.first[:, :fetches] < POOR).sum(axis=1), np.float64)


def rows_of(result: TraversalResult, bound: TraversalResult) -> list[Row]:
    measures = {
        "relevance found, of the bound": share_found(result, bound),
        "relevance found in the second half, of the bound": share_found(
            result, bound, HALF
        ),
        "poor pages": count_poor(result),
        f"poor pages among the first {EARLY}": count_poor(result, EARLY),
        "performance of the whole traversal, of the bound": result.at(TRAVERSALS),
    }
    return [
        estimate_row(f"{result.name}/{measure}", values.tolist())
        for measure, values in measures.items()
    ]


def claims_of(name: str, found: dict[str, TraversalResult]) -> list[Row]:
    bound, learner, greedy = (
        found[one] for one in ("upper bound", "q-learning", "fringe-greedy")
    )
    late = learner.at(TRAVERSALS)
    soon = f"the first {EARLY} documents, count"
    if name == "omeara/fig-4":
        sooner = count_poor(learner, EARLY) - count_poor(greedy, EARLY)
        after, late_on = (
            share_found(learner, bound, at) - share_found(greedy, bound, at)
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
