"""Weights of the second look, learnt from known items: the page asked for should win.

The chance of a page is the softmax of the scores of the first look's hundred; weights that are
never negative make the pages asked for most likely (listwise logistic regression).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from trapline.laboratory.study.known_items import Item
from trapline.search.query_language import read_query
from trapline.search.ranking.asked_of import AskedOf
from trapline.search.ranking.second_look import DEPTH, Candidates, Weights, factors_of
from trapline.search.ranking.word_queries import View

Floats = NDArray[np.float64]

FACTORS: Final = Weights._fields
_SHRINKAGE: Final = 1e-3


class Case(NamedTuple):
    """The candidates of a query: a row of factors each, and which of them is the page."""

    factors: Floats
    right: int  # −1 = the first look has not found it


def make_case(view: View, item: Item) -> Case:
    asked = AskedOf(read_query(item.query), view)
    found = Candidates.found_by(asked, view.searcher.search(asked.matching(), DEPTH))
    factors = factors_of(found)
    rows = [[factor.value for factor in factors[page]] for page in found.pages]
    right = found.pages.index(item.page) if item.page in found.pages else -1
    return Case(np.array(rows, np.float64).reshape(len(rows), len(FACTORS)), right)


def learn_weights(
    kinds: Sequence[Sequence[Case]], without: Sequence[str] = ()
) -> Weights:
    """Each kind counts alike, however many cases it has."""
    used = np.array([name not in without for name in FACTORS])
    useful = [
        (case.factors[:, used], case.right, 1.0 / len(cases))
        for cases in kinds
        for case in cases
        if case.right >= 0 and len(case.factors) > 1
    ]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total = _SHRINKAGE * float(weights @ weights)
        slope = 2.0 * _SHRINKAGE * weights
        for factors, right, share in useful:
            scores = factors @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            total -= share * np.log(max(chances[right], 1e-300))
            slope -= share * (factors[right] - chances @ factors)
        return total, slope

    count = int(used.sum())
    bounds = [(0.0, None)] * count
    found = minimize(loss, np.ones(count), jac=True, method="L-BFGS-B", bounds=bounds)
    weights = np.zeros(len(FACTORS))
    weights[used] = found.x
    return Weights(*map(float, weights))


def reciprocal_rank(cases: Sequence[Case], weights: Weights) -> float:
    """Mean over the cases; 0 for those that are not within ten."""
    return float(np.mean([_reciprocal(case, np.array(weights)) for case in cases]))


def _reciprocal(case: Case, weights: Floats) -> float:
    if case.right < 0:
        return 0.0
    scores = case.factors @ weights
    place = 1 + int(np.sum(scores > scores[case.right]))
    return 1.0 / place if place <= 10 else 0.0
