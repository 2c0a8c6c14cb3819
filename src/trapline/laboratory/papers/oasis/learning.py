"""Weights of the features, learnt from trials: the engines that hold the ten best should win.

Multinomial logit: the forecast is the softmax of the sums, and its cross entropy with the shares
that the engines hold is least. Two-fold by host: weights that judge a query were learnt from
queries whose pages are of other hosts.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from trapline.laboratory.papers.oasis.trials import Trial
from trapline.oasis.federation import Federation
from trapline.oasis.selection.features import feature_matrix

Floats = NDArray[np.float64]
_SHRINK: Final = 1e-3  # of the squares of the weights


def all_features(trials: Sequence[Trial], federation: Federation) -> Floats:
    """Query × engine × feature."""
    return np.array([feature_matrix(trial.keys, federation) for trial in trials])


def learn_weights(features: Floats, shares: Floats) -> Floats:
    """`shares`: query × engine."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        forecast = softmax_rows(features @ weights)
        entropy = -(shares * np.log(forecast + 1e-12)).sum() / len(features)
        slope = -np.einsum(
            "qe,qef->f",
            shares - forecast,
            features,
        ) / len(features)
        shrink = _SHRINK * float(weights @ weights)
        return float(entropy) + shrink, slope + 2.0 * _SHRINK * weights

    start = np.zeros(features.shape[2])
    found: Floats = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
    ).x
    return found


def softmax_rows(scores: Floats) -> Floats:
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = odds / odds.sum(axis=1, keepdims=True)
    return shares


def folds_by_host(trials: Sequence[Trial], urls: dict[int, str]) -> NDArray[np.intp]:
    """0 or 1 for each query, by the host of the page that it was made of."""
    hosts = [urls[min(trial.asked.wanted)].split("/")[2] for trial in trials]
    return np.array([zlib.crc32(host.encode()) % 2 for host in hosts], np.intp)


def learn_by_fold(
    features: Floats, shares: Floats, fold: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """For each fold weights that were learnt on the other; of all, if one fold is empty."""
    found = []
    for judged in (0, 1):
        others = fold != judged
        taken = others if others.any() else np.ones(len(fold), np.bool_)
        found.append(learn_weights(features[taken], shares[taken]))
    return found[0], found[1]
