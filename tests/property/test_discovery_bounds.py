"""Discovery on small graphs: bounds and schedules against all orders in which the pages can be
fetched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.theory import (
    Graph,
    dominator_bound,
    dominator_horn,
    dominator_tree,
    horn_order,
    iterated_horn,
    performance,
    polite_bound,
    polite_reference,
    polite_walk,
    random_baseline,
    reachable,
    sorted_bound,
    total_relevance,
    web_graph,
)
from trapline.theory.discovery.graph import OUT, ROOT, hang

some = settings(max_examples=150, deadline=None)
few = settings(max_examples=60, deadline=None)
# whole: sums are exact
scores = st.sampled_from([0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 7.0, 10.0])


def graph_of(
    relevance: list[float], links: list[tuple[int, int]], seeds: list[int]
) -> Graph:
    links = sorted(links, key=lambda link: link[0])
    start = np.searchsorted(
        [source for source, _ in links], np.arange(len(relevance) + 1)
    )
    return web_graph(relevance, start, [target for _, target in links], seeds)


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> Graph:
    """Any graph in which there is something to find: self links, links twice and unreachable pages
    among them.
    """
    pages = draw(st.integers(1, most))
    page = st.integers(0, pages - 1)
    links = draw(st.lists(st.tuples(page, page), max_size=2 * pages))
    seeds = draw(st.lists(page, min_size=1, max_size=2))
    relevance = draw(st.lists(scores, min_size=pages, max_size=pages))
    relevance[seeds[0]] += draw(st.sampled_from([0.5, 4.0]))
    return graph_of(relevance, links, seeds)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    """Parents and relevance, the pages numbered at random."""
    pages = draw(st.integers(1, 7))
    number = draw(st.permutations(range(pages)))
    parent = [ROOT] * pages
    for i in range(1, pages):
        above = draw(st.integers(ROOT, i - 1))
        parent[number[i]] = number[above] if above >= 0 else ROOT
    return parent, draw(st.lists(scores, min_size=pages, max_size=pages))


def tree_graph(parent: list[int], relevance: list[float]) -> Graph:
    links = [(above, page) for page, above in enumerate(parent) if above >= 0]
    return graph_of(
        relevance, links, [page for page, above in enumerate(parent) if above == ROOT]
    )


def links_of(graph: Graph, page: int) -> set[int]:
    return set(
        graph.link_to[graph.link_start[page] : graph.link_start[page + 1]].tolist()
    )


def fringe(graph: Graph, fetched: frozenset[int]) -> set[int]:
    shown = set(graph.seeds.tolist()).union(
        *(links_of(graph, page) for page in fetched)
    )
    return shown - fetched


def worth(graph: Graph, fetched: frozenset[int]) -> float:
    return float(sum(graph.relevance[page] for page in fetched))


def layers(graph: Graph) -> Iterator[dict[frozenset[int], float]]:
    """For t = 1, 2, …: every set of t pages that can have been fetched, with the most that Σ_{s≤t}
    C_s can be then.
    """
    layer = {frozenset[int](): 0.0}
    while True:
        following: dict[frozenset[int], float] = {}
        for fetched, most in layer.items():
            for page in fringe(graph, fetched):
                more = fetched | {page}
                following[more] = max(
                    following.get(more, 0.0), most + worth(graph, more)
                )
        if not following:
            return
        yield following
        layer = following


def optimum(graph: Graph) -> list[float]:
    """For T = 1, 2, …: the greatest P of any schedule."""
    total = total_relevance(graph)
    return [
        max(layer.values()) / (total * (t + 1)) for t, layer in enumerate(layers(graph))
    ]


def best_prefix(graph: Graph) -> list[float]:
    return [max(worth(graph, fetched) for fetched in layer) for layer in layers(graph)]


def is_schedule(graph: Graph, order: list[int]) -> bool:
    return all(
        page in fringe(graph, frozenset(order[:step]))
        for step, page in enumerate(order)
    )


@some
@given(tree=trees())
def test_on_trees_horns_order_is_the_best_there_is(
    tree: tuple[list[int], list[float]],
) -> None:
    graph = tree_graph(*tree)
    order = horn_order(*tree).order
    assert is_schedule(graph, order.tolist())
    reached = float(graph.relevance[order] @ np.arange(order.size, 0, -1))
    *_, last = layers(graph)
    # exactly: one set, all pages, and the best of its orders
    assert [reached] == list(last.values())


@some
@given(tree=trees())
def test_on_trees_the_means_are_the_least_concave_curve_above_the_best_sets(
    tree: tuple[list[int], list[float]],
) -> None:
    points = [0.0, *best_prefix(tree_graph(*tree))]
    steps = range(len(points))
    hull = [
        max(
            points[i] + (points[j] - points[i]) * (t - i) / (j - i)
            if j > i
            else points[t]
            for i in range(t + 1)
            for j in range(t, len(points))
        )
        for t in steps
    ]
    np.testing.assert_allclose(np.cumsum(horn_order(*tree).mean), hull[1:], rtol=1e-12)


@some
@given(graph=graphs())
def test_dominators_are_the_pages_without_which_a_page_is_not_reached(
    graph: Graph,
) -> None:
    tree = dominator_tree(graph)
    met = reachable(graph)
    for page in range(len(met)):
        if not met[page]:
            assert tree[page] == OUT
            continue
        above = set()
        here = int(tree[page])
        while here != ROOT:
            above.add(here)
            here = int(tree[here])
        assert above == {
            other
            for other in range(len(met))
            if other != page and not reached_without(graph, other, page)
        }


def reached_without(graph: Graph, closed: int, page: int) -> bool:
    met = set(graph.seeds.tolist()) - {closed}
    for _ in graph.relevance:
        met |= set().union(*(links_of(graph, one) for one in met)) - {closed}
    return page in met


@some
@given(graph=graphs())
def test_no_schedule_exceeds_a_bound_at_any_horizon(graph: Graph) -> None:
    total = total_relevance(graph)
    best = optimum(graph)
    by_rank = [
        performance(sorted_bound(graph), total, t).p for t in range(1, len(best) + 1)
    ]
    by_horn = [dominator_bound(graph, t) for t in range(1, len(best) + 1)]
    assert (np.array(best) <= np.array(by_horn) * (1.0 + 1e-12)).all()
    assert (np.array(by_horn) <= np.array(by_rank) * (1.0 + 1e-12)).all()
    assert len(best) == np.count_nonzero(reachable(graph))
    assert (
        np.array(best_prefix(graph))
        <= np.cumsum(dominator_horn(graph).mean) * (1.0 + 1e-12)
    ).all()


@some
@given(graph=graphs())
def test_iterated_horn_is_a_schedule_and_no_better_than_the_best(graph: Graph) -> None:
    order = iterated_horn(graph)
    total = total_relevance(graph)
    assert sorted(order.tolist()) == np.flatnonzero(reachable(graph)).tolist()
    assert is_schedule(graph, order.tolist())
    reached = performance(graph.relevance[order], total, order.size).p
    best = optimum(graph)[-1]
    assert reached <= best * (1.0 + 1e-12)
    again = horn_order(hang(graph, order), graph.relevance).order
    assert performance(graph.relevance[again], total, order.size).p == pytest.approx(
        reached, rel=1e-9
    )


def chances(
    graph: Graph,
    fetched: frozenset[int] = frozenset(),
    so_far: float = 0.0,
    chance: float = 1.0,
) -> Iterator[tuple[float, float]]:
    """Of every random schedule its chance and its Σ C_t."""
    choices = fringe(graph, fetched)
    if not choices:
        yield chance, so_far
    for page in choices:
        more = fetched | {page}
        yield from chances(
            graph, more, so_far + worth(graph, more), chance / len(choices)
        )


@few
@given(graph=graphs(most=5), seed=st.integers(0, 2**40))
def test_the_random_baseline_is_near_its_expectation(graph: Graph, seed: int) -> None:
    steps = int(np.count_nonzero(reachable(graph)))
    draws = 1000
    chance, sums = np.array(list(chances(graph))).T
    exact = sums / (total_relevance(graph) * steps)
    mean = chance @ exact
    spread = math.sqrt(max(0.0, chance @ (exact - mean) ** 2) / draws)
    found = random_baseline(graph, steps, draws, seed)
    assert abs(found.mean - mean) <= 7.0 * spread + 1e-12


def polite_best(graph: Graph, host: list[int], every: int, steps: int) -> list[float]:
    """For t = 1, 2, …: the most that a polite schedule can have found, idle steps allowed."""
    states: set[tuple[frozenset[int], tuple[int, ...]]] = {
        (frozenset(), (0,) * 3)
    }  # what is fetched, and when each host may be fetched from again
    found = []
    for step in range(steps):
        following = set(states)
        for fetched, free in states:
            for page in fringe(graph, fetched):
                if free[host[page]] <= step:
                    later = tuple(
                        step + every if h == host[page] else at
                        for h, at in enumerate(free)
                    )
                    following.add((fetched | {page}, later))
        states = following
        found.append(max(worth(graph, fetched) for fetched, _ in states))
    return found


@few
@given(
    graph=graphs(most=5),
    host=st.lists(st.integers(0, 2), min_size=5, max_size=5),
    every=st.integers(1, 4),
)
def test_no_polite_schedule_exceeds_the_polite_bound_at_any_step(
    graph: Graph, host: list[int], every: int
) -> None:
    hosts = host[: graph.relevance.size]
    steps = 8
    bound = np.cumsum(polite_bound(graph, hosts, every, steps))
    assert (
        np.array(polite_best(graph, hosts, every, steps)) <= bound * (1.0 + 1e-12)
    ).all()
    assert (
        bound <= np.cumsum(polite_bound(graph, hosts, 1, steps)) * (1.0 + 1e-12)
    ).all()
    free = sorted_bound(graph)
    np.testing.assert_allclose(
        polite_bound(graph, hosts, 1, free.size), free, rtol=1e-9, atol=1e-9
    )


@few
@given(
    graph=graphs(),
    host=st.lists(st.integers(0, 2), min_size=7, max_size=7),
    every=st.integers(1, 4),
)
def test_the_polite_reference_hurries_no_host_and_wastes_no_step(
    graph: Graph, host: list[int], every: int
) -> None:
    tree = dominator_tree(graph)
    hosts = host[: graph.relevance.size]
    steps = 40
    order = horn_order(tree, graph.relevance).order
    walked = polite_walk(tree, order, np.array(hosts), every, steps).tolist()
    rank = {page: place for place, page in enumerate(order.tolist())}
    last = [-every] * 3
    fetched: set[int] = set()
    for step, page in enumerate(walked):
        open_now = [
            p for p in set(rank) - fetched if tree[p] == ROOT or tree[p] in fetched
        ]
        allowed = [p for p in open_now if step - last[hosts[p]] >= every]
        assert page == min(allowed, key=lambda p: rank[p], default=-1)
        if page >= 0:
            fetched.add(page)
            last[hosts[page]] = step
    assert fetched == set(rank)
    gains = polite_reference(graph, hosts, every, steps)
    assert gains.tolist() == [
        graph.relevance[page] if page >= 0 else 0.0 for page in walked
    ]
    assert (
        np.cumsum(gains)
        <= np.cumsum(polite_bound(graph, hosts, every, steps)) * (1.0 + 1e-12)
    ).all()
