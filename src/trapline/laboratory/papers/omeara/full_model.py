"""omeara/full-model: what the paper could not test.

Pages are born, change, drift and die; hosts ask for gaps.

`auto` prices discovery and refresh in one queue. Its rivals do one of both, or share the budget
between them by a rule:

- `discovery only` finds pages as `auto` does and never comes back;
- `refresh only` discovers breadth-first for a tenth of the time, then comes back as `auto` does,
  and nothing else;
- `q-learning` is the paper's controller: fringe and held pages compete by one table of Q-values;
- `fixed split` discovers and comes back as `auto` does, each with half of the visits that both
  want;
- `breadth-first` with `uniform` or `nutch-adaptive`, half and half: what crawlers are found to do.

Three budgets: hardly enough to see each page once, a few times, and many times.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from trapline.laboratory.papers.omeara.full_model_picture import full_model_figure
from trapline.laboratory.papers.omeara.full_model_runs import (
    AUTO,
    BOUND,
    DISCOVERY,
    NUTCH,
    Q_LEARNING,
    REFRESH,
    SPLIT,
    UNIFORM,
    FullModelCase,
    FullModelResult,
    FullModelSetting,
    sweep_full_model,
)
from trapline.laboratory.study.claims import claim, claim_columns
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.estimate import Estimate, estimate_row
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.study.sweep import extent_for

ID: Final = "omeara/full-model"
TITLE: Final = (
    "Finding pages and coming back to them, by one price: a web that is born, "
    "changes and dies"
)
# visits a page, on average
BUDGETS: Final = {"scarce": 0.9, "medium": 3.6, "ample": 7.2}
RIVALS: Final = (Q_LEARNING, DISCOVERY, REFRESH, SPLIT, UNIFORM, NUTCH)
KINDS: Final = (AUTO, *RIVALS, BOUND)
QUICK: Final = FullModelSetting(pages=300, hosts=6, length_s=600.0)

Found = dict[str, dict[str, FullModelResult]]  # by budget, then by kind


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    cases = cases_of(QUICK if quick else FullModelSetting())
    flat = sweep_full_model(cases, extent_for(quick, seeds), progress)
    found = {
        budget: {kind: flat[case_name(kind, budget)] for kind in KINDS}
        for budget in BUDGETS
    }
    rows = [
        row_of(budget, kind, results)
        for budget, results in found.items()
        for kind in KINDS
    ]
    return Report(
        ID,
        TITLE,
        claim_columns(*MORE),
        rows + claims_of(found),
        remarks(found),
        draw_figures(ID, out, lambda: full_model_figure(TITLE, found, AUTO, RIVALS)),
    )


def cases_of(setting: FullModelSetting) -> list[FullModelCase]:
    return [
        FullModelCase(
            case_name(kind, name),
            kind,
            replace(setting, budget=visits * setting.pages / setting.length_s),
        )
        for name, visits in BUDGETS.items()
        for kind in KINDS
    ]


def case_name(kind: str, budget: str) -> str:
    return f"{budget}/{kind}"


MORE: Final = (
    "less than auto",
    "±",
    "of the bound",
    "recall at the end",
    "freshness at the end",
    "discovery",
)


def row_of(budget: str, kind: str, results: dict[str, FullModelResult]) -> Row:
    """P with its interval; how much less that is than `auto`'s in the same worlds, ± half its
    interval.
    """
    result = results[kind]
    less = Estimate.of((results[AUTO].p - result.p).tolist())
    row: Row = estimate_row(case_name(kind, budget), result.p.tolist()) | {
        "of the bound": float((result.p / results[BOUND].p).mean()),
        "less than auto": less.mean,
        "±": less.high - less.mean,
    }
    if kind == BOUND:
        return row
    return row | {
        "recall at the end": float(result.recall[:, -1].mean()),
        "freshness at the end": float(result.freshness[:, -1].mean()),
        "discovery": float(result.discovered.mean()),
    }


def claims_of(found: Found) -> list[Row]:
    claims = [
        claim(
            f"highest, {budget}",
            f"`auto` has the highest P of all, budget {budget} (least of its leads, in P)",
            [results[AUTO].p - results[kind].p for kind in RIVALS],
        )
        for budget, results in found.items()
    ]
    both = [
        _mean_of_budgets(found, AUTO) - _mean_of_budgets(found, kind) for kind in RIVALS
    ]
    return [
        claim(
            "highest",
            "`auto` has the highest P of all, mean of the three budgets",
            both,
        ),
        *claims,
        claim(
            "below the bound",
            "No run exceeds the bound (mean P)",
            [
                results[BOUND].p - results[kind].p
                for results in found.values()
                for kind in (AUTO, *RIVALS)
            ],
        ),
    ]


def _mean_of_budgets(found: Found, kind: str) -> Floats:
    """Of the budgets, seed by seed."""
    return np.asarray(np.mean([results[kind].p for results in found.values()], axis=0))


def remarks(found: Found) -> list[str]:
    said = []
    for budget, results in found.items():
        ranked = sorted((AUTO, *RIVALS), key=lambda kind: -results[kind].p.mean())
        line = " > ".join(f"{kind} {results[kind].p.mean():.3f}" for kind in ranked)
        said.append(
            f"{budget} ({BUDGETS[budget]:g} visits a page): {line}; bound "
            f"{results[BOUND].p.mean():.3f}"
        )
    return [
        *said,
        (
            "`ours` is P of eq. (3), the mean over the run of M = min(R, F), in pretend time by "
            "the robot's own controller"
        ),
        "the bound knows all pages and their change rates from the start, and has neither "
        "links to follow nor hosts to "
        "wait for: what of the distance to it is ignorance and what is manners it does not say",
        "all know how long the run is, as far as they have a setting for it (horizon_s of "
        "adaptive-whittle); "
        "nutch-adaptive begins with a sixth of it instead of 30 days",
        "q-learning is paid for changes found (eq. 11), not for seconds of freshness: it "
        "goes back too often to pages that change often",
        "`discovery` is the share of visits to pages never fetched before",
        (
            "verdicts are by 95 % intervals over worlds, all contenders in the same ones; the "
            "paper has no such experiment"
        ),
    ]
