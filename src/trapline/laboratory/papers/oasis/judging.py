"""How choices of engines are judged: the share of the central ten that comes back, by kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.oasis.federated_queries import KINDS
from trapline.laboratory.papers.oasis.trials import Trial
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import Row

COLUMNS = ("id", *KINDS, "all", "±", "asked")

Choice = Sequence[int]


def choice_row(name: str, trials: Sequence[Trial], *draws: Sequence[Choice]) -> Row:
    """`all` is the mean over the queries, ± half of its 95 % interval; `asked` a query.

    Of several draws a query counts once, with its mean.
    """
    came = [
        [trial.came_back(choice) for trial, choice in zip(trials, draw, strict=True)]
        for draw in draws
    ]
    asked = float(np.mean([len(choice) for draw in draws for choice in draw]))
    return value_row(name, trials, np.mean(came, axis=0).tolist()) | {"asked": asked}


def value_row(name: str, trials: Sequence[Trial], values: Sequence[float]) -> Row:
    row: Row = {"id": name}
    for kind in KINDS:
        of_kind = [
            v for t, v in zip(trials, values, strict=True) if t.asked.kind == kind
        ]
        row[kind] = float(np.mean(of_kind)) if of_kind else None
    found = Estimate.of(values)
    return row | {"all": found.mean, "±": found.high - found.mean}


def best_choice(trial: Trial, asked: int) -> Choice:
    """Of somebody who knows where the ten lie."""
    engines = range(trial.held.shape[1])
    return max(combinations(engines, min(asked, len(engines))), key=trial.came_back)


def first_of(scores: NDArray[np.float64], asked: int) -> list[Choice]:
    """For each query the engines with the highest scores."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :asked]
    return [tuple(int(engine) for engine in row) for row in order]
