"""What each feature of a block, and each name around it, says for the main content or against it.

Learnt by bench/main_content_training.py, which prints this file's numbers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.reading.blocks.class_words import HINT_BITS, HINTS
from trapline.reading.blocks.features import FEATURES

_BIAS: Final = -0.354
_FEATURES: Final = {
    "length": 0.316,
    "linked": -0.991,
    "stops": 0.134,
    "capitals": -0.848,
    "strong": -1.037,
    "paragraph": 0.646,
    "heading": 0.507,
    "item": 0.746,
    "term": 1.948,
    "cell": 1.360,
    "preformatted": 1.247,
    "caption": -0.188,
    "in list": 0.507,
    "in table": 0.751,
    "in navigation": -1.500,
    "in header": 0.013,
    "in footer": -1.783,
    "in aside": -1.670,
    "in form": -1.409,
    "in figure": -0.998,
    "in quote": 0.568,
    "in preformatted": 1.305,
    "in section": 0.175,
    "prose here": 2.002,
    "prose one above": 0.460,
    "prose two above": 0.549,
    "linked one above": -0.311,
    "linked two above": 0.059,
    "share of width above": 0.879,
    "share of prose above": -0.487,
    "mean length two above": -0.083,
    "page length": -0.105,
    "page linked": 0.060,
    "position": -0.913,
    "in best": 0.130,
    "levels to best": -0.074,
    "after best": -0.813,
    "in core": 0.367,
    "in wide core": 0.291,
    "outside main": -2.000,
    "outside article": -0.585,
    "linked before": -0.305,
    "linked after": -0.568,
    "same before": 0.300,
    "same after": 0.511,
}
_HINTS: Final = {
    "comment": -2.578,
    "foot": -1.811,
    "nav": -0.800,
    "widget": -1.024,
    "related": -2.132,
    "header": -0.009,
    "author": -1.209,
    "popup": -2.500,
    "tool": -0.204,
    "-meta": -0.916,
    "title": -0.829,
    "newsletter": -2.500,
    "caption": -1.816,
    "share": -0.800,
    "sidebar": -0.800,
    "cookie": -2.500,
    "pager": -1.005,
    "legal": -2.242,
    "login": -2.500,
    "-ad-": -2.500,
    "teaser": -0.309,
    "donat": -2.941,
    "-box": -0.469,
    "print": -0.869,
    "rating": -1.250,
    "edit": -0.544,
    "logo": 0.124,
    "hidden": -0.242,
    "video": -0.644,
    "-tag": -0.166,
    "lead": 0.838,
    "product": 0.533,
    "footnote": 1.384,
    "entry": 0.625,
    "forum": 0.945,
    "document": 0.743,
    "code": 0.954,
    "articlebody": 1.488,
    "(not-shown)": -0.800,
}


class Weights(NamedTuple):
    bias: float
    features: NDArray[np.float64]
    hints: NDArray[np.float64]  # by bit


def _weights() -> Weights:
    hints = np.zeros(HINT_BITS)
    for word, weight in _HINTS.items():
        hints[HINTS[word]] = weight
    features = np.array([_FEATURES.get(name, 0.0) for name in FEATURES])
    return Weights(_BIAS, features, hints)


WEIGHTS: Final = _weights()
