"""What discovery policies share: a little memory a fringe page, and nothing to learn unless they
say so.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards
from trapline.core.ports import Arrays, Found, Pages, Scores

Numbers = NDArray[np.float64]


def scores_of(
    pages: Pages, scores: Numbers | float, since_s: Numbers | float
) -> Scores:
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


class FringePolicy:
    """Subclasses score pages in `discover`; `columns` floats are remembered of each page, 0 =
    nothing known.
    """

    roles: ClassVar[frozenset[str]] = frozenset({"discovery"})
    # it must be told the truth, which no live robot knows
    laboratory_only: ClassVar[bool] = False
    columns: ClassVar[int] = 0
    explores: float = 0.0
    learns: bool = False
    rescores: bool = False

    def __init__(self) -> None:
        self.memory: Numbers = np.zeros((0, self.columns))

    def fit(self, pages: int) -> None:
        """Have memory for so many pages; grows by doubling."""
        if self.columns and len(self.memory) < pages:
            grown = np.zeros((max(pages, 2 * len(self.memory)), self.columns))
            grown[: len(self.memory)] = self.memory
            self.memory = grown

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        raise NotImplementedError

    def rescore(self, page: int) -> float:
        """Policies whose scores change behind their backs say `rescores` and override this."""
        raise NotImplementedError

    def state(self) -> Arrays:
        return {"memory": self.memory}

    def restore(self, state: Arrays) -> None:
        self.memory = np.array(state["memory"], np.float64)
