"""What each case earns, traversal by traversal of one graph: P of eq. (3), where nothing is out of
date, of the bound's.

The paper's graph is the Science part of a directory, and its topic, space, a small part of that.
Ours is a linked web that stands still, with 15 seeds, 3 % of hubs and one page in twenty on topic.
(Where 22 % are, as in other experiments, good pages are never far: fringe-greedy comes within .03
of the bound and is passed late.)

>>> case = TraversalCase("greedy", FRINGE_GREEDY, GraphSetting(300, 3))
>>> greedy = sweep_traversals([case], Extent(seeds=2), lambda share, what: None)["greedy"]
>>> greedy.shares.shape, greedy.first.shape, bool((greedy.shares < 1.0).all())
((2, 1), (2, 300), True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from trapline.laboratory.runs.graph_traversal import graph_of, traverse
from trapline.laboratory.study.courses import Course, Floats
from trapline.laboratory.study.report import Progress
from trapline.laboratory.study.sweep import Extent, sweep
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.discovery.fringe_greedy import FringeGreedy
from trapline.policies.discovery.kernel_policy import KernelPolicy
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.discovery.random_order import RandomOrder
from trapline.theory.discovery.dominator_bound import dominator_horn
from trapline.theory.discovery.graph import Graph, total_relevance
from trapline.theory.discovery.performance import performance
from trapline.theory.discovery.sorted_bound import sorted_bound

FIRST: Final = 700  # fetches that Figures 4 and 5 show
SORTED: Final = "upper bound"  # kinds of cases: the two bounds,
DOMINATOR: Final = "dominator bound"
RANDOM: Final = "random"  # and policies
BEST_FIRST: Final = "best-first"
FRINGE_GREEDY: Final = "fringe-greedy"
Q_LEARNING: Final = "q-learning"


@dataclass(frozen=True, slots=True)
class GraphSetting:
    """A graph like the paper's, up to the seed."""

    pages: int = 140_000
    hosts: int = 400
    topical_share: float = 0.05

    def graph(self, seed: int) -> Graph:
        shape = Shape(
            born_share=0.0, dies_share=0.0, seeds=15, topical_share=self.topical_share
        )
        return graph_of(
            LinkedWeb.generate(self.pages, self.hosts, seed=seed, shape=shape)
        )


@dataclass(frozen=True, slots=True)
class TraversalCase:
    name: str  # in tables and pictures
    kind: str
    setting: GraphSetting
    traversals: int = 1
    # of q-learning; its rows start at 0, as in the paper, unless one says otherwise
    options: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True, slots=True)
class TraversalRun:
    shares: Floats  # [traversal] P, of the upper bound's
    first: Floats  # relevance of the first pages fetched in the last traversal
    speed: float  # pages a second; NaN: nothing was traversed


@dataclass(frozen=True, slots=True)
class TraversalResult:
    name: str
    shares: Floats  # [seed, traversal]
    first: Floats  # [seed, fetch]
    speed: Floats  # [seed]

    @property
    def course(self) -> Course:
        return Course(self.name, tuple(range(1, self.shares.shape[1] + 1)), self.shares)

    def at(self, traversal: int) -> Floats:
        """Of each seed; what does not learn is the same in every traversal."""
        return np.asarray(self.shares[:, min(traversal, self.shares.shape[1]) - 1])


def sweep_traversals(
    cases: Sequence[TraversalCase], extent: Extent, progress: Progress
) -> dict[str, TraversalResult]:
    found = sweep(run_case, cases, extent, progress)
    return {case.name: _result_of(case.name, runs) for case, runs in found.items()}


def _result_of(name: str, runs: Sequence[TraversalRun]) -> TraversalResult:
    return TraversalResult(
        name,
        np.array([run.shares for run in runs]),
        np.array([run.first for run in runs]),
        np.array([run.speed for run in runs]),
    )


def run_case(case: TraversalCase, seed: int) -> TraversalRun:
    graph, total, bound = _judged_graph(case.setting, seed)
    pages = len(graph.relevance)
    if case.kind in (SORTED, DOMINATOR):
        gains = _bound_gains(graph, case.kind)
        share = performance(gains, total, pages).p / bound
        return TraversalRun(np.array([share]), gains[:FIRST], np.nan)
    policy = _make_policy(case, graph, seed)
    seconds = 0.0
    shares: list[float] = []
    for _ in range(case.traversals):
        traversal = traverse(policy, graph)
        gains = graph.relevance[traversal.order]
        shares.append(performance(gains, total, pages).p / bound)
        seconds += traversal.seconds
    if case.kind == RANDOM:
        shares = [float(np.mean(shares))]  # it learns nothing: its traversals are draws
    speed = case.traversals * pages / seconds
    return TraversalRun(np.array(shares), gains[:FIRST], speed)


@lru_cache(maxsize=1)
def _judged_graph(setting: GraphSetting, seed: int) -> tuple[Graph, float, float]:
    """A graph, all there is to be found in it, and P of the upper bound."""
    graph = setting.graph(seed)
    total = total_relevance(graph)
    return graph, total, performance(sorted_bound(graph), total, setting.pages).p


def _bound_gains(graph: Graph, kind: str) -> Floats:
    """Gains, fetch by fetch."""
    return (
        sorted_bound(graph)
        if kind == SORTED
        else np.asarray(graph.relevance[dominator_horn(graph).order])
    )


def _make_policy(case: TraversalCase, graph: Graph, seed: int) -> KernelPolicy:
    if case.kind == Q_LEARNING:
        options = {"start": "zero"} | dict(case.options)
        return QLearning(seed=seed, **options)  # type: ignore[arg-type]
    if case.kind == FRINGE_GREEDY:
        return FringeGreedy(graph.relevance)
    return BestFirst() if case.kind == BEST_FIRST else RandomOrder(seed)
