"""oasis/merging: lists of engines as one list.

The three engines that the learnt selector asks answer a query; their lists are merged by their own
scores, by CORI's formula, by reciprocal rank, and by scores that were made with shared rarities.
Judged are the share of the central ten that the merged ten have, and the mean reciprocal rank of
the page that the query was made of, beside one central index.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.oasis.federated_queries import KINDS
from trapline.laboratory.papers.oasis.judging import first_of, value_row
from trapline.laboratory.papers.oasis.learning import (
    all_features,
    folds_by_host,
    learn_by_fold,
)
from trapline.laboratory.papers.oasis.study import Study, make_study
from trapline.laboratory.papers.oasis.trials import TEN, Lists, Trial
from trapline.laboratory.study.figures import INKS, heading, shared_legend, tidy
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
    new_figure,
)
from trapline.oasis.selection.forecast import ENOUGH, choose
from trapline.oasis.selection.learnt import softmax

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "oasis/merging"
TITLE: Final = "Lists of engines as one list, beside one central index"
ASKED: Final = 3
COLUMNS: Final = ("id", *KINDS, "all", "±")
_LATE: Final = 60.0  # of reciprocal rank fusion

Floats = NDArray[np.float64]
# lists of the engines asked, what selection thinks of them → pages, best first
Merge = Callable[[Lists, Floats], list[int]]


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
    data: Path | None = None,
) -> Report:
    """Nothing is drawn by chance: `seeds` change nothing."""
    study = make_study(progress, quick, data, age=False)
    return make_report(study, out, data)


def make_report(study: Study, out: Path | None, data: Path | None) -> Report:
    scores = _selection_scores(study)
    chosen = first_of(scores, ASKED)
    rows: list[Row] = []
    for name, merge, by_shared in METHODS:
        merged = [
            _merge(trial.shared if by_shared else trial.own, choice, score, merge)
            for trial, choice, score in zip(study.judged, chosen, scores, strict=True)
        ]
        rows += _rows(name, study.judged, merged)
    forecast = [choose(softmax(score), ENOUGH, len(score)) for score in scores]
    everybody = [range(len(study.members))] * len(study.judged)
    for name, choices in (("by forecast", forecast), ("all engines", everybody)):
        merged = [
            _merge(trial.shared, choice, score, by_score)
            for trial, choice, score in zip(study.judged, choices, scores, strict=True)
        ]
        rows += _rows(f"shared rarities, {name}", study.judged, merged)
    central = [[ranked.page for ranked in trial.central] for trial in study.judged]
    rows += _rows("one central index", study.judged, central)
    where = "a web of the laboratory" if data is None else str(data)
    remarks = [
        f"{len(study.judged):,} queries on {len(study.urls):,} pages of {where}, "
        f"{ASKED} of {len(study.members)} engines asked; by forecast "
        f"{np.mean([len(choice) for choice in forecast]):.2f} on average.",
    ]
    draw = partial(_draw, rows)
    return Report(ID, TITLE, COLUMNS, rows, remarks, draw_figures(ID, out, draw))


def by_score(lists: Lists, worth: Floats) -> list[int]:
    best: dict[int, float] = {}
    for some in lists:
        for page, score in some:
            best[page] = max(score, best.get(page, -np.inf))
    return _order(best)


def by_cori(lists: Lists, worth: Floats) -> list[int]:
    """Callan 2000: both scores brought to 0 … 1, (page + .4·page·engine) / 1.4."""
    engine = _to_one(worth)
    best: dict[int, float] = {}
    for some, own in zip(lists, engine, strict=True):
        scaled = _to_one(np.array([ranked.score for ranked in some]))
        for (page, _), score in zip(some, scaled, strict=True):
            value = float(score + 0.4 * score * own) / 1.4
            best[page] = max(value, best.get(page, -np.inf))
    return _order(best)


def by_reciprocal_rank(lists: Lists, worth: Floats) -> list[int]:
    """Cormack, Clarke, Büttcher 2009."""
    sums: dict[int, float] = defaultdict(float)
    for some in lists:
        for rank, (page, _) in enumerate(some, 1):
            sums[page] += 1.0 / (_LATE + rank)
    return _order(sums)


METHODS: Final[tuple[tuple[str, Merge, bool], ...]] = (
    ("own scores", by_score, False),
    ("CORI merge", by_cori, False),
    ("reciprocal rank", by_reciprocal_rank, False),
    ("shared rarities", by_score, True),
)


def _selection_scores(study: Study) -> Floats:
    features = all_features(study.judged, study.federation)
    shares = np.array([trial.shares() for trial in study.judged])
    fold = folds_by_host(study.judged, study.urls)
    weights = np.array(learn_by_fold(features, shares, fold))
    found: Floats = np.einsum("qef,qf->qe", features, weights[fold])
    return found


def _merge(
    lists: Lists, chosen: Sequence[int], scores: Floats, merge: Merge
) -> list[int]:
    return merge([lists[e] for e in chosen], scores[list(chosen)])[:TEN]


def _rows(name: str, trials: Sequence[Trial], merged: Sequence[list[int]]) -> list[Row]:
    shares = [_share(t, pages) for t, pages in zip(trials, merged, strict=True)]
    ranks = [
        _reciprocal_rank(t, pages) for t, pages in zip(trials, merged, strict=True)
    ]
    return [
        value_row(f"{name}: share of the central ten", trials, shares),
        value_row(f"{name}: reciprocal rank", trials, ranks),
    ]


def _share(trial: Trial, pages: list[int]) -> float:
    return float(np.mean([ranked.page in pages for ranked in trial.central]))


def _reciprocal_rank(trial: Trial, pages: list[int]) -> float:
    wanted = trial.asked.wanted
    return next((1.0 / n for n, page in enumerate(pages, 1) if page in wanted), 0.0)


def _to_one(numbers: Floats) -> Floats:
    low, high = numbers.min(initial=np.inf), numbers.max(initial=-np.inf)
    return (numbers - low) / (high - low) if high > low else np.ones(len(numbers))


def _order(scores: dict[int, float]) -> list[int]:
    return sorted(scores, key=lambda page: (-scores[page], page))


def _draw(rows: Sequence[Row]) -> Figure:
    figure = new_figure(10.0, 4.4)
    axes = figure.subplots(1, 2, sharey=True)
    names = [str(row["id"]).partition(":")[0] for row in rows[::2]]
    for axis, some, what in zip(
        axes,
        (rows[::2], rows[1::2]),
        ("share of the central ten", "mean reciprocal rank"),
        strict=True,
    ):
        for number, kind in enumerate(KINDS):
            places = np.arange(len(some), 0, -1) + 0.19 * (1.5 - number)
            values = [float(row[kind] or 0.0) for row in some]
            axis.barh(places, values, 0.18, color=INKS[number], label=kind)
        axis.set_yticks(range(len(some), 0, -1), names)
        axis.set(xlabel=what, xlim=(0.0, 1.0))
        tidy(axis, grid="x")
    shared_legend(figure, axes, ncols=len(KINDS))
    heading(figure, TITLE, f"{ASKED} engines asked where nothing else is said")
    return figure
