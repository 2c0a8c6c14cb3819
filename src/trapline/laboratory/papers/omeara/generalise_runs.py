"""One pass through webs of a family that no policy has seen: what each earns, as a share of the
dominator bound.

`value`, `horn` and `q-learning` as it runs live are driven by the robot's own request controller,
without gaps, one page at a time; the policies of Figure 3 by its compiled loop
(laboratory/runs/graph_traversal.py). Policies that learn offline do so on webs of the training part
of other families: a table of q-learning (which names pages, and so says nothing of another web), or
weights of `value`.

>>> both = [PassCase(kind, kind, "forum", anchors=0.0, pages=400) for kind in (VALUE, RANDOM)]
>>> found = sweep_passes(both, Extent(seeds=2), lambda share, what: None)
>>> bool((found[VALUE].share > found[RANDOM].share).all())
True
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from trapline.laboratory.runs.discovery_pass import crawl_once
from trapline.laboratory.runs.graph_traversal import Integers, graph_of, traverse
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.report import Progress
from trapline.laboratory.study.sweep import Extent, sweep
from trapline.laboratory.worlds.families import FAMILIES, family
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.fringe_greedy import FringeGreedy
from trapline.policies.discovery.horn import Horn
from trapline.policies.discovery.kernel_policy import KernelPolicy
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.discovery.random_order import RandomOrder
from trapline.policies.discovery.value import Value
from trapline.theory.discovery.dominator_bound import dominator_horn
from trapline.theory.discovery.graph import total_relevance
from trapline.theory.discovery.performance import performance

VALUE: Final = "value"
HORN: Final = "horn"
TRAINED: Final = "value, trained elsewhere"
BEST_FIRST: Final = "best-first"
BREADTH_FIRST: Final = "breadth-first"
RANDOM: Final = "random"
Q_LEARNING: Final = "q-learning, trained elsewhere"
Q_KIN: Final = "q-learning, from its kin"
FRINGE_GREEDY: Final = "fringe-greedy"
BY_CONTROLLER: Final = (VALUE, HORN, TRAINED, BREADTH_FIRST, Q_KIN)

TRAINING_SEED: Final = 1_000  # webs of the training part that nobody else asks for
LESSONS: Final = 10  # traversals of its own graph by q-learning
LESSON_PAGES: Final = 20_000  # at most, of a web that is trained on
UNSURE: Final = 0.1  # variance of a trained weight; of one given by hand it is 1


@dataclass(frozen=True, slots=True)
class PassCase:
    name: str  # in tables and pictures
    kind: str
    family: str
    anchors: float
    pages: int = 20_000


class PassRun(NamedTuple):
    share: float  # P of the whole pass, of the dominator bound's
    sorted_share: float  # of the bound that knows no links
    early: float  # relevance found in the first tenth of the fetches, of all there is


@dataclass(frozen=True, slots=True)
class PassResult:
    name: str
    share: Floats  # [seed]
    sorted_share: Floats
    early: Floats


def sweep_passes(
    cases: Sequence[PassCase], extent: Extent, progress: Progress
) -> dict[str, PassResult]:
    """Seeds count from 0: they are those of the test webs of a family."""
    found = sweep(
        run_case,
        cases,
        extent,
        progress,
        cost=lambda case: case.pages,
        seeds_of=lambda case: range(extent.seeds),
    )
    return {
        case.name: PassResult(
            case.name, *(np.array(column) for column in zip(*runs, strict=True))
        )
        for case, runs in found.items()
    }


def run_case(case: PassCase, seed: int) -> PassRun:
    web, best, total = _judged_web(case.family, case.pages, seed, case.anchors)
    gains = web.relevance[order_of(case, web, seed)]
    early = float(gains[: case.pages // 10].sum() / total)
    p = performance(gains, total, case.pages).p
    unlinked = performance(np.sort(web.relevance)[::-1], total, case.pages).p
    return PassRun(p / best, p / unlinked, early)


@lru_cache(maxsize=2)
def _judged_web(
    name: str, pages: int, seed: int, anchors: float
) -> tuple[LinkedWeb, float, float]:
    """A web of the test part, P of the dominator bound, and all there is to be found."""
    web = family(name, pages, seed, "test", anchors=anchors)
    graph = graph_of(web)
    total = total_relevance(graph)
    return (
        web,
        performance(graph.relevance[dominator_horn(graph).order], total, pages).p,
        total,
    )


def order_of(case: PassCase, web: LinkedWeb, seed: int) -> Integers:
    """The pages, as they are fetched."""
    if case.kind in BY_CONTROLLER:
        return crawl_once(web, _make_discoverer(case), web.pages).page
    return traverse(_make_kernel_policy(case, web, seed), graph_of(web)).order


def _make_discoverer(case: PassCase) -> DiscoveryPolicy:
    if case.kind == TRAINED:
        return trained_value(case.family, case.anchors, case.pages)
    if case.kind == HORN:
        return Horn()
    if case.kind == Q_KIN:
        return QLearning()
    return Value() if case.kind == VALUE else BreadthFirst()


def _make_kernel_policy(case: PassCase, web: LinkedWeb, seed: int) -> KernelPolicy:
    if case.kind == Q_LEARNING:
        return deepcopy(
            _trained_table(
                _other_families(case.family)[0], min(case.pages, LESSON_PAGES)
            )
        )
    if case.kind == FRINGE_GREEDY:
        return FringeGreedy(web.relevance)
    return BestFirst() if case.kind == BEST_FIRST else RandomOrder(seed)


def _other_families(name: str) -> list[str]:
    return [other for other in FAMILIES if other != name]


@lru_cache(maxsize=4)
def _trained_table(name: str, pages: int) -> QLearning:
    """After some traversals of a web of the training part of another family."""
    policy = QLearning(start="zero", ties="random", seed=0)
    graph = graph_of(family(name, pages, TRAINING_SEED, "train"))
    for _ in range(LESSONS):
        traverse(policy, graph)
    return policy


def trained_value(name: str, anchors: float, pages: int) -> Value:
    """`value` begun with the mean of the weights that it has after a pass through a web of each
    other family.
    """
    policy = Value()
    others = tuple(_other_families(name))
    weights = _weights_after(others, anchors, min(pages, LESSON_PAGES)).copy()
    spread = UNSURE * np.eye(len(weights))
    policy.mind = policy.mind._replace(weights=weights, spread=spread)
    return policy


@lru_cache(maxsize=8)
def _weights_after(names: tuple[str, ...], anchors: float, pages: int) -> Floats:
    weights = []
    for name in names:
        policy = Value()
        crawl_once(
            family(name, pages, TRAINING_SEED, "train", anchors=anchors), policy, pages
        )
        weights.append(policy.mind.weights)
    return np.asarray(np.mean(weights, axis=0))
