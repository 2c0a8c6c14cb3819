"""Learnt: the other selectors, and a few counts, added up with weights that were learnt.

The chance that one of the ten best pages is an engine's is the softmax of the sums: multinomial
logit over engines (McFadden 1974), as Arguello, Callan, Diaz, "Classification-based resource
selection", CIKM 2009, learn from evidence of several kinds. The weights are those that
`trapline lab run oasis/selection` learnt on the web box; they know no engine by name, so they serve
engines that nobody has met. What an engine is worth by itself is learnt by `oasis.lessons`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.features import FEATURES, feature_matrix
from trapline.oasis.selection.selector import Floats

WEIGHTS: Final = {
    "cori": -0.727,
    "likelihood": 0.485,
    "taily": 0.148,
    "coverage": 0.037,
    "size": 0.503,
    "cover": -0.059,
    "rarest": 0.067,
    "crcs": 0.085,
    "crcs_exponential": 0.111,
    "near_best": 0.068,
    "near_best_unscaled": 0.203,
    "best_title": 0.124,
    "cori_if_long": 0.217,
    "likelihood_if_long": -0.248,
    "taily_if_long": -0.028,
    "coverage_if_long": -0.097,
    "size_if_long": -0.021,
    "cover_if_long": -0.180,
    "rarest_if_long": 0.047,
    "crcs_if_long": 0.079,
    "crcs_exponential_if_long": 0.052,
    "near_best_if_long": -0.096,
    "near_best_unscaled_if_long": 0.138,
    "best_title_if_long": -0.291,
}


def shipped_weights() -> Floats:
    return np.array([WEIGHTS[name] for name in FEATURES])


class Learnt:
    def __init__(self, weights: Floats | None = None) -> None:
        self.weights = shipped_weights() if weights is None else weights

    def score(self, query: QueryKeys, federation: Federation) -> Floats:
        found: Floats = feature_matrix(query, federation) @ self.weights
        return found


def softmax(scores: Floats) -> Floats:
    """
    >>> softmax(np.array([0.0, 0.0])), softmax(np.empty(0))
    (array([0.5, 0.5]), array([], dtype=float64))
    """
    odds = np.exp(scores - scores.max(initial=-np.inf))
    shares: Floats = odds / odds.sum() if len(odds) else odds
    return shares
