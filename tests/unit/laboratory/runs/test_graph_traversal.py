"""The compiled loop of traversals fetches what a loop over the policy object would."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.core.errors import BadNumber
from trapline.core.links import links_to
from trapline.core.ports import Found
from trapline.laboratory.runs.graph_traversal import graph_of, traverse
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.discovery.fringe_greedy import FringeGreedy
from trapline.policies.discovery.kernel_policy import KernelPolicy
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.discovery.random_order import RandomOrder
from trapline.theory.discovery.graph import Graph, web_graph

GRAPH = graph_of(
    LinkedWeb.generate(
        1_500, 12, seed=3, shape=Shape(born_share=0.0, dies_share=0.0, seeds=5)
    )
)
MAKERS: dict[str, Callable[[], KernelPolicy]] = {
    "random": lambda: RandomOrder(seed=7),
    "best-first": BestFirst,
    "fringe-greedy": lambda: FringeGreedy(GRAPH.relevance),
    "V0": QLearning,
    "V1": lambda: QLearning(children="passive"),
    "slow": lambda: QLearning(alpha=0.2, gamma=0.9, ties="last"),
    "curious": lambda: QLearning(epsilon=0.1, ties="random", passive="zero", seed=2),
}


def by_object(policy: KernelPolicy, graph: Graph) -> list[int]:
    """The same loop as plain as can be: nothing of it is compiled but what the object
    itself calls.
    """
    cards = blank_cards(len(graph.relevance))
    order = list[int]()
    written: dict[int, tuple[float, float]] = {}  # of the fringe: score and since
    heap: list[tuple[float, float, int]] = []
    fetched: set[int] = set()
    policy.start_over()
    page = -1
    targets = graph.seeds.tolist()
    while True:
        listed = [one for one in dict.fromkeys(targets) if one not in fetched]
        new = np.array([one not in written for one in listed], np.bool_)
        relevance = float(graph.relevance[page]) if page >= 0 else 0.0
        scores = policy.discover(
            cards,
            Found(page, relevance, links_to(listed, [0] * len(listed)), new),
            len(order),
        )
        for one, score, since in zip(
            *(column.tolist() for column in scores), strict=True
        ):
            written[one] = score, since
            heapq.heappush(heap, (-score, since, one))
        best = (0.0, 0.0, -1)
        aside = list[tuple[float, float, int]]()
        while heap and (best[2] < 0 or heap[0] < best):
            entry = heapq.heappop(heap)
            if written.get(entry[2]) != (-entry[0], entry[1]):
                continue
            aside.append(entry)
            now = (-policy.rescore(entry[2]), entry[1], entry[2])
            best = now if best[2] < 0 else min(best, now)
        if best[2] < 0:
            return order
        page = best[2]
        for entry in aside:
            if entry[2] != page:
                heapq.heappush(heap, entry)
        del written[page]
        fetched.add(page)
        order.append(page)
        targets = graph.link_to[
            graph.link_start[page] : graph.link_start[page + 1]
        ].tolist()


@pytest.mark.parametrize("name", MAKERS)
def test_the_compiled_loop_fetches_what_the_object_would(name: str) -> None:
    one = MAKERS[name]()
    other = MAKERS[name]()
    other.fit(len(GRAPH.relevance))
    for _ in range(4):
        order = traverse(one, GRAPH).order.tolist()
        assert order == by_object(other, GRAPH)
        assert sorted(order) == list(range(1_500))
    assert one.mind.edges.counts.tolist() == other.mind.edges.counts.tolist()


def test_every_fetch_but_a_seed_follows_a_link() -> None:
    order = traverse(RandomOrder(seed=1), GRAPH).order
    met = set(GRAPH.seeds.tolist())
    for page in order.tolist():
        assert page in met
        met.update(
            GRAPH.link_to[GRAPH.link_start[page] : GRAPH.link_start[page + 1]].tolist()
        )


def test_only_what_can_be_reached_is_fetched_and_each_page_once() -> None:
    """Links to self, twice, back, and a page that nothing leads to."""
    graph = web_graph(
        [0.1, 0.2, 0.3, 0.4], [0, 4, 6, 6, 6], [0, 1, 1, 2, 0, 2], seeds=[0, 0]
    )
    for make in (RandomOrder, BestFirst, QLearning):
        assert sorted(traverse(make(), graph).order.tolist()) == [0, 1, 2]


def test_a_page_alone() -> None:
    graph = web_graph([0.5], [0, 0], [], seeds=[0])
    assert traverse(QLearning(), graph).order.tolist() == [0]


def test_best_first_fetches_sooner_what_a_better_page_links_to() -> None:
    """Page 3 is found under a poor page before 4, and then under a good one."""
    graph = web_graph(
        [0.3, 0.9, 0.2, 0.0, 0.0], [0, 2, 3, 3, 3, 3], [4, 3, 3], seeds=[0, 1, 2]
    )
    assert traverse(BestFirst(), graph).order.tolist() == [0, 1, 2, 3, 4]


def test_so_many_fetches() -> None:
    whole = traverse(FringeGreedy(GRAPH.relevance), GRAPH).order
    part = traverse(FringeGreedy(GRAPH.relevance), GRAPH, fetches=70).order
    assert part.tolist() == whole[:70].tolist()
    with pytest.raises(BadNumber, match="the number of fetches"):
        traverse(BestFirst(), GRAPH, fetches=0)


def test_what_was_learnt_stays_and_what_was_met_does_not() -> None:
    policy = QLearning()
    first, again = (traverse(policy, GRAPH).order for _ in range(2))
    assert not np.array_equal(first, again)
    assert np.array_equal(first, traverse(QLearning(), GRAPH).order)


def test_random_traversals_differ() -> None:
    policy = RandomOrder(seed=5)
    first, again = (traverse(policy, GRAPH).order for _ in range(2))
    assert not np.array_equal(first, again)
    assert np.array_equal(first, traverse(RandomOrder(seed=5), GRAPH).order)
