"""Discovery policies that are kernels over a little memory a page, a table of links and named
numbers.

The same kernels run when the controller calls the policy, and in the laboratory's compiled loop of
traversals (laboratory/runs/graph_traversal.py).
"""

from __future__ import annotations

import math
from typing import ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber, UnknownPage
from trapline.core.ports import Arrays, Found, Pages, Scores
from trapline.core.records import Outcome
from trapline.policies.discovery.edge_table import (
    Edges,
    edges_from,
    edges_state,
    new_edges,
    roomy,
)
from trapline.policies.discovery.fringe_policy import FringePolicy, Numbers
from trapline.theory.kernel import bare_kernel

Flags = NDArray[np.bool_]

SCORE: Final = 0  # columns of the memory that all have: the score last written,
SINCE: Final = 1  # and since when; a policy's own come after them
COLUMNS: Final = 2


class DiscoverKernel(Protocol):
    def __call__(
        self,
        numbers: Numbers,
        memory: Numbers,
        edges: Edges,
        page: int,
        relevance: float,
        targets: Pages,
        new: Flags,
        now_s: float,
        pages: Pages,
    ) -> int:
        """Write scores and times on the memory of pages, name these in `pages`, and return how many
        they are.
        """


class RescoreKernel(Protocol):
    def __call__(
        self, numbers: Numbers, memory: Numbers, edges: Edges, page: int
    ) -> float: ...


@bare_kernel
def score_written(numbers: Numbers, memory: Numbers, edges: Edges, page: int) -> float:
    """For scores that time alone does not change."""
    return float(memory[page, SCORE])


class KernelPolicy(FringePolicy):
    """Subclasses name their kernels, and the columns of memory that they need."""

    columns = COLUMNS
    keeps_edges: ClassVar[bool] = False  # its kernel looks up a row for each new link
    discover_kernel: ClassVar[DiscoverKernel]
    rescore_kernel: ClassVar[RescoreKernel] = staticmethod(score_written)

    def __init__(self, *numbers: float) -> None:
        super().__init__()
        self.numbers: Numbers = np.array(numbers, np.float64)
        self.edges: Edges = new_edges()

    def make_room(self, links: int) -> None:
        """Have room for so many new links."""
        if self.keeps_edges:
            self.edges = roomy(self.edges, links)

    def start_over(self) -> None:
        """All pages are unknown again; what was learnt stays."""
        self.memory[:] = 0.0

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        relevance = 0.0 if found.outcome is Outcome.GONE else found.relevance
        targets = found.links["page"].astype(np.int64)
        self._check(found, targets, len(cards))
        self.fit(len(cards))
        self.make_room(len(targets) + 1)
        pages = np.empty(len(targets), np.int64)
        count = self.discover_kernel(
            self.numbers,
            self.memory,
            self.edges,
            found.page,
            relevance,
            targets,
            np.ascontiguousarray(found.new, np.bool_),
            now_s,
            pages,
        )
        pages = pages[:count]
        return Scores(pages, self.memory[pages, SCORE], self.memory[pages, SINCE])

    def _check(self, found: Found, targets: Pages, pages: int) -> None:
        """Refuse before anything is learnt from it."""
        if found.page >= pages:
            raise UnknownPage(found.page, pages)
        if len(targets) and not (targets.min() >= 0 and targets.max() < pages):
            raise UnknownPage(
                int(targets[(targets < 0) | (targets >= pages)][0]), pages
            )
        if found.page >= 0 and not 0.0 <= found.relevance < math.inf:
            raise BadNumber("a relevance", found.relevance, "finite and at least 0")

    def rescore(self, page: int) -> float:
        if not 0 <= page < len(self.memory):
            raise UnknownPage(page, len(self.memory))
        return float(self.rescore_kernel(self.numbers, self.memory, self.edges, page))

    def state(self) -> Arrays:
        return {**super().state(), **edges_state(self.edges)}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        self.edges = edges_from(state["keys"], state["values"], state["counts"])
