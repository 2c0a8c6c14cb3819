"""The forecast: which share of the ten best pages each engine holds, and whom to ask for it."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation
from trapline.oasis.lessons import Lessons
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.features import feature_matrix
from trapline.oasis.selection.selector import Floats

# Of the ten best, by the forecast. A page that two engines hold counts half for each, so more comes
# back than that: on the web box .97, of three and a half engines in sixteen on average.
ENOUGH: Final = 0.87
MOST: Final = 8  # engines asked by one query


class Forecast:
    """What the learnt weights and an engine's record say together."""

    def __init__(self, lessons: Lessons | None = None) -> None:
        self.lessons = lessons or Lessons()

    def shares(self, query: QueryKeys, federation: Federation) -> Floats:
        """Expected share of the ten best, by engine; sums to 1.

        A page that two engines hold counts half for each.
        """
        features = feature_matrix(query, federation)
        return self.lessons.expect(features, federation.engines)


def choose(shares: Floats, enough: float = ENOUGH, most: int = MOST) -> tuple[int, ...]:
    """The fewest engines that are expected to hold enough, best first; at most so many.

    >>> choose(np.array([0.05, 0.7, 0.25]), enough=0.9)
    (1, 2)
    >>> choose(np.array([0.05, 0.7, 0.25]), enough=0.9, most=1)
    (1,)
    """
    order = np.argsort(-shares, kind="stable")
    found = np.cumsum(shares[order])
    wanted = int(np.searchsorted(found, enough * (1.0 - 1e-9))) + 1
    return tuple(int(engine) for engine in order[: min(wanted, most)])
