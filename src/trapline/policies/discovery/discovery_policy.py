"""The base of all discovery policies: which page of the fringe to fetch first.

A policy scores pages that nobody has fetched (`discover`); the request controller turns scores into
prices. What it can do beyond that, it declares here: nobody looks for methods.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.cards import Cards
from trapline.core.links import Links
from trapline.core.ports import (
    NOTHING_TO_SAY,
    Arrays,
    Explanation,
    Found,
    Pages,
    Scores,
)

Floats = NDArray[np.float64]


def scores_of(pages: Pages, scores: Floats | float, since_s: Floats | float) -> Scores:
    """Scores as the controller wants them; one value may stand for all.

    >>> scores_of(np.array([3, 4]), 0.5, 9.0).scores.tolist()
    [0.5, 0.5]
    """
    count = len(pages)
    return Scores(
        np.ascontiguousarray(pages, np.int64),
        np.ascontiguousarray(np.broadcast_to(np.asarray(scores, np.float64), count)),
        np.ascontiguousarray(np.broadcast_to(np.asarray(since_s, np.float64), count)),
    )


class DiscoveryPolicy:
    laboratory_only: ClassVar[bool] = False  # it needs to be told what no robot knows
    learns: ClassVar[bool] = False  # it is told of every first visit, links or not
    first_come: ClassVar[bool] = (
        False  # pages in the order found: the compiled loop's rule
    )
    rescores_others: ClassVar[bool] = False  # a visit may change the scores of any page
    rescores: bool = False  # scores change behind its back: ask `rescore` before buying
    # what a host never visited adds to the scores of its pages; shrinks as 1/√(1 + visits)
    explores: float = 0.0
    shared: object = (
        None  # what it learns in, where a refresh policy may learn in it, too
    )

    @classmethod
    def example(cls, relevance: ArrayLike, seed: int = 0) -> Self:
        """One for a web of pages whose relevance is this, as tests and comparisons use it."""
        return cls()

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        """New scores after a visit (or for seeds): of all new links, and what else changes."""
        raise NotImplementedError

    def appraise(self, page: int, relevance: float, links: Links) -> float:
        """The best score of links of a page that other shards follow, for its own lesson.

        They have no numbers here; 0 = the policy learns nothing from what a page leads to.
        """
        return 0.0

    def rescore(self, page: int) -> float:
        """The score of a fringe page as it would be written now: asked before it is bought."""
        raise NotImplementedError

    def explain(self, page: int) -> Explanation:
        """What speaks for a fringe page, for `why`."""
        return NOTHING_TO_SAY

    def move_times(self, by_s: float) -> None:
        """All times shift by so much: those that it remembers beside the cards, too."""

    def state(self) -> Arrays:
        return {}

    def restore(self, state: Arrays) -> None:
        """Take over what `state` gave."""
