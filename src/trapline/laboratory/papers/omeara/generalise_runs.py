"""One pass through webs of a family that nobody has seen: what each policy earns, as a share of the
dominator bound.

`value` and `horn` are driven by the robot's own request controller, without gaps, one page at a
time; the policies of Figure 3 by its compiled loop (laboratory/runs/graph_traversal.py). Policies
that learn offline do so on webs of the training part of other families: a table of q-learning
(which names pages, and so says nothing of another web), or weights of `value`.

>>> both = [Contender(kind, kind, "forum", anchors=0.0, pages=400) for kind in (VALUE, RANDOM)]
>>> found = run_all(both, 2, 0, lambda share, what: None)
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
from trapline.laboratory.study.contest import Job, contest
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.report import Progress
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
FRINGE_GREEDY: Final = "fringe-greedy"
BY_CONTROLLER: Final = (VALUE, HORN, TRAINED, BREADTH_FIRST)

TRAINING_SEED: Final = 1_000  # webs of the training part that nobody else asks for
LESSONS: Final = 10  # traversals of its own graph by q-learning
LESSON_PAGES: Final = 20_000  # at most, of a web that is trained on
UNSURE: Final = 0.1  # variance of a trained weight; of one given by hand it is 1


@dataclass(frozen=True, slots=True)
class Contender:
    name: str  # in tables and pictures
    kind: str
    family: str
    anchors: float
    pages: int = 20_000


class Earned(NamedTuple):
    share: float  # P of the whole pass, of the dominator bound's
    sorted_share: float  # of the bound that knows no links
    early: float  # relevance found in the first tenth of the fetches, of all there is


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    share: Floats  # [seed]
    sorted_share: Floats
    early: Floats


def run_all(
    contenders: Sequence[Contender], seeds: int, workers: int, progress: Progress
) -> dict[str, Result]:
    found = contest(
        play, contenders, range(seeds), workers, progress, cost=lambda one: one.pages
    )
    return {one.name: _result(one.name, found[one]) for one in contenders}


def _result(name: str, earned: Sequence[Earned]) -> Result:
    return Result(name, *(np.array(column) for column in zip(*earned, strict=True)))


def play(job: Job[Contender]) -> tuple[Job[Contender], Earned]:
    one = job.contender
    web, best, total = _met(one.family, one.pages, job.seed, one.anchors)
    order = order_of(one, web, job.seed)
    gains = web.relevance[order]
    early = float(gains[: one.pages // 10].sum() / total)
    p = performance(gains, total, one.pages).p
    unlinked = performance(np.sort(web.relevance)[::-1], total, one.pages).p
    return job, Earned(p / best, p / unlinked, early)


@lru_cache(maxsize=2)
def _met(
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


def order_of(one: Contender, web: LinkedWeb, seed: int) -> Integers:
    """The pages, as they are fetched."""
    if one.kind in BY_CONTROLLER:
        return crawl_once(web, _discoverer(one), web.pages).page
    return traverse(_kernel_policy(one, web, seed), graph_of(web)).order


def _discoverer(one: Contender) -> DiscoveryPolicy:
    if one.kind == TRAINED:
        return trained_value(one.family, one.anchors, one.pages)
    if one.kind == HORN:
        return Horn()
    return Value() if one.kind == VALUE else BreadthFirst()


def _kernel_policy(one: Contender, web: LinkedWeb, seed: int) -> KernelPolicy:
    if one.kind == Q_LEARNING:
        return deepcopy(
            _trained_table(_others(one.family)[0], min(one.pages, LESSON_PAGES))
        )
    if one.kind == FRINGE_GREEDY:
        return FringeGreedy(web.relevance)
    return BestFirst() if one.kind == BEST_FIRST else RandomOrder(seed)


def _others(name: str) -> list[str]:
    return [other for other in FAMILIES if other != name]


@lru_cache(maxsize=4)
def _trained_table(name: str, pages: int) -> QLearning:
    """After some traversals of a web of the training part of another family."""
    policy = QLearning(ties="random", seed=0)
    graph = graph_of(family(name, pages, TRAINING_SEED, "train"))
    for _ in range(LESSONS):
        traverse(policy, graph)
    return policy


def trained_value(name: str, anchors: float, pages: int) -> Value:
    """`value` begun with the mean of the weights that it has after a pass through a web of each
    other family.
    """
    policy = Value()
    others = tuple(_others(name))
    weights = _lessons(others, anchors, min(pages, LESSON_PAGES)).copy()
    spread = UNSURE * np.eye(len(weights))
    policy.mind = policy.mind._replace(weights=weights, spread=spread)
    return policy


@lru_cache(maxsize=8)
def _lessons(names: tuple[str, ...], anchors: float, pages: int) -> Floats:
    weights = []
    for name in names:
        policy = Value()
        crawl_once(
            family(name, pages, TRAINING_SEED, "train", anchors=anchors), policy, pages
        )
        weights.append(policy.mind.weights)
    return np.asarray(np.mean(weights, axis=0))
