"""What each feature of a block, and each name around it, says for the main content or against it.

Learnt by bench/main_content_training.py, which prints these numbers: from 990 annotated pages and
154 pages of documentation. On pages of hosts that it did not learn from, F1 is .925.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.reading.blocks.class_words import HINT_BITS, HINTS
from trapline.reading.blocks.features import FEATURES

_BIAS: Final = -0.129
_FEATURES: Final = {
    "length": 0.319,
    "linked": -1.082,
    "stops": 0.122,
    "capitals": -0.730,
    "strong": -1.171,
    "paragraph": 0.571,
    "heading": 0.519,
    "item": 0.812,
    "term": 2.176,
    "cell": 1.311,
    "preformatted": 1.155,
    "caption": -0.193,
    "in list": 0.564,
    "in table": 0.725,
    "in navigation": -1.500,
    "in header": -1.000,
    "in footer": -1.933,
    "in aside": -1.791,
    "in form": -1.353,
    "in figure": -0.961,
    "in quote": 0.584,
    "in preformatted": 1.248,
    "in section": 0.175,
    "prose here": 2.392,
    "prose one above": 0.610,
    "prose two above": 0.719,
    "linked one above": -0.353,
    "linked two above": 0.033,
    "share of width above": 0.792,
    "share of prose above": -0.522,
    "mean length two above": -0.138,
    "page length": -0.093,
    "page linked": -0.111,
    "position": -0.985,
    "in best": 0.068,
    "levels to best": -0.070,
    "after best": -0.881,
    "in core": 0.424,
    "in wide core": 0.216,
    "outside main": -2.000,
    "outside article": -0.371,
    "linked before": -0.338,
    "linked after": -0.566,
    "same before": 0.272,
    "same after": 0.467,
}
_HINTS: Final = {
    "comment": -2.652,
    "foot": -1.774,
    "nav": -0.800,
    "widget": -1.009,
    "related": -2.123,
    "header": 0.004,
    "author": -1.220,
    "popup": -2.500,
    "tool": -0.311,
    "-meta": -0.961,
    "title": -0.849,
    "newsletter": -2.500,
    "caption": -2.103,
    "share": -0.800,
    "sidebar": -0.800,
    "cookie": -2.500,
    "pager": -1.207,
    "legal": -2.232,
    "login": -2.500,
    "-ad-": -3.500,
    "teaser": -0.265,
    "donat": -2.853,
    "-box": -0.375,
    "print": -0.881,
    "rating": -1.438,
    "edit": -0.580,
    "logo": 0.657,
    "hidden": -0.286,
    "video": -0.587,
    "-tag": -0.178,
    "lead": 0.831,
    "product": 0.502,
    "footnote": 1.445,
    "entry": 0.679,
    "forum": 0.812,
    "document": 0.719,
    "code": 1.011,
    "articlebody": 1.455,
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
