"""What each feature of a block, and each name around it, says for the main content or against it.

Learnt by bench/main_content_training.py, which prints this file's numbers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.reading.blocks.class_words import HINT_BITS, HINTS
from trapline.reading.blocks.features import FEATURES

_BIAS: Final = -0.139
_FEATURES: Final = {
    "length": 0.320,
    "linked": -1.080,
    "stops": 0.123,
    "capitals": -0.724,
    "strong": -1.164,
    "paragraph": 0.565,
    "heading": 0.522,
    "item": 0.803,
    "term": 2.136,
    "cell": 1.315,
    "preformatted": 1.154,
    "caption": -0.209,
    "in list": 0.558,
    "in table": 0.726,
    "in navigation": -1.500,
    "in header": -0.098,
    "in footer": -1.931,
    "in aside": -1.771,
    "in form": -1.358,
    "in figure": -0.951,
    "in quote": 0.548,
    "in preformatted": 1.246,
    "in section": 0.172,
    "prose here": 2.360,
    "prose one above": 0.595,
    "prose two above": 0.712,
    "linked one above": -0.348,
    "linked two above": 0.024,
    "share of width above": 0.802,
    "share of prose above": -0.521,
    "mean length two above": -0.135,
    "page length": -0.093,
    "page linked": -0.100,
    "position": -0.972,
    "in best": 0.064,
    "levels to best": -0.072,
    "after best": -0.875,
    "in core": 0.417,
    "in wide core": 0.225,
    "outside main": -2.000,
    "outside article": -0.416,
    "linked before": -0.338,
    "linked after": -0.567,
    "same before": 0.265,
    "same after": 0.467,
}
_HINTS: Final = {
    "comment": -2.641,
    "foot": -1.776,
    "nav": -0.800,
    "widget": -1.011,
    "related": -2.110,
    "header": -0.030,
    "author": -1.203,
    "popup": -2.500,
    "tool": -0.304,
    "-meta": -0.951,
    "title": -0.844,
    "newsletter": -2.500,
    "caption": -2.114,
    "share": -0.800,
    "sidebar": -0.800,
    "cookie": -2.500,
    "pager": -1.207,
    "legal": -2.224,
    "login": -2.500,
    "-ad-": -2.500,
    "teaser": -0.251,
    "donat": -2.832,
    "-box": -0.378,
    "print": -0.874,
    "rating": -1.427,
    "edit": -0.566,
    "logo": 0.287,
    "hidden": -0.373,
    "video": -0.578,
    "-tag": -0.194,
    "lead": 0.746,
    "product": 0.503,
    "footnote": 1.459,
    "entry": 0.693,
    "forum": 0.810,
    "document": 0.673,
    "code": 1.015,
    "articlebody": 1.462,
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
