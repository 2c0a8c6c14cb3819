"""Discovery policies that are kernels over a mind: settings, a record a page, a table of links.

The same kernels run when the controller calls the policy, and in the laboratory's compiled loop of
traversals (laboratory/runs/graph_traversal.py).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber, UnknownPage
from trapline.core.ports import Arrays, Found, Pages, Scores
from trapline.core.records import Outcome
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.edge_table import (
    Edges,
    edges_from,
    edges_state,
    new_edges,
    roomy,
)
from trapline.policies.mind import Blank, Records, as_records, as_table
from trapline.theory.kernel import bare_kernel

# What every policy remembers of a page: the score last written, and since when.
SCORED: Final = [("score", np.float64), ("since_s", np.float64)]


class Mind(NamedTuple):
    settings: Any  # a NamedTuple of the policy's own
    pages: Records
    edges: Edges


class Links(NamedTuple):
    """What one visit found, as kernels see it."""

    page: int  # that was visited; −1 = nobody: these are seeds
    relevance: float
    targets: Pages
    new: NDArray[np.bool_]
    now_s: float


class DiscoverKernel(Protocol):
    def __call__(self, mind: Any, found: Links, scored: Pages) -> int:
        """Write scores and times of pages, name these in `scored`; returns how many they are."""


class RescoreKernel(Protocol):
    def __call__(self, mind: Any, page: int) -> float: ...


@bare_kernel
def score_written(mind: Mind, page: int) -> float:
    """For scores that time alone does not change."""
    return float(mind.pages["score"][page])


class KernelPolicy(DiscoveryPolicy):
    """Subclasses name their kernels, and what they remember of a page (all floats)."""

    page_record: ClassVar[np.dtype[np.void]] = np.dtype(SCORED)
    keeps_edges: ClassVar[bool] = False  # its kernel looks up a row for each new link
    discover_kernel: ClassVar[DiscoverKernel]
    rescore_kernel: ClassVar[RescoreKernel] = staticmethod(score_written)
    others: int = 0  # pages beside those linked to that a visit may score, at most
    mind: Any  # a Mind, or a NamedTuple with its fields

    def __init__(self, settings: Any = Blank(), /) -> None:  # noqa: B008 (it is frozen)
        """`settings` is a NamedTuple that the kernels read."""
        self.mind = Mind(settings, np.zeros(0, self.page_record), new_edges())

    def fit(self, pages: int) -> None:
        """Have memory for so many pages; grows by doubling."""
        have = self.mind.pages
        if len(have) < pages:
            grown = np.zeros(max(pages, 2 * len(have)), self.page_record)
            grown[: len(have)] = have
            self.mind = self.mind._replace(pages=grown)

    def make_room(self, links: int) -> None:
        """Have room for so many new links."""
        if self.keeps_edges:
            self.mind = self.mind._replace(edges=roomy(self.mind.edges, links))

    def start_over(self) -> None:
        """All pages are unknown again; what was learnt stays."""
        self.mind.pages[:] = np.zeros(1, self.page_record)

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        relevance = 0.0 if found.outcome is Outcome.GONE else found.relevance
        targets = found.links["page"].astype(np.int64)
        self._check(found, targets, len(cards))
        self.fit(len(cards))
        self.make_room(len(targets) + 1)
        new = np.ascontiguousarray(found.new, np.bool_)
        scored = np.empty(len(targets) + self.others, np.int64)
        links = Links(found.page, float(relevance), targets, new, float(now_s))
        scored = scored[: self.discover_kernel(self.mind, links, scored)]
        pages = self.mind.pages
        return Scores(scored, pages["score"][scored], pages["since_s"][scored])

    def _check(self, found: Found, targets: Pages, pages: int) -> None:
        """Refuse before anything is learnt from it."""
        if found.page >= pages:
            raise UnknownPage(found.page, pages)
        if len(targets) and not (targets.min() >= 0 and targets.max() < pages):
            unknown = targets[(targets < 0) | (targets >= pages)][0]
            raise UnknownPage(int(unknown), pages)
        if found.page >= 0 and not 0.0 <= found.relevance < math.inf:
            raise BadNumber("a relevance", found.relevance, "finite and at least 0")

    def rescore(self, page: int) -> float:
        if not 0 <= page < len(self.mind.pages):
            raise UnknownPage(page, len(self.mind.pages))
        return float(self.rescore_kernel(self.mind, page))

    def move_times(self, by_s: float) -> None:
        self.mind.pages["since_s"] += by_s

    def state(self) -> Arrays:
        edges = edges_state(self.mind.edges)
        return {"memory": as_table(self.mind.pages), **edges}

    def restore(self, state: Arrays) -> None:
        pages = as_records(np.asarray(state["memory"]), self.page_record)
        edges = edges_from(state["keys"], state["values"], state["counts"])
        self.mind = self.mind._replace(pages=pages, edges=edges)
