"""Bounds and schedules on graphs whose answers are known, and on a generated web."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, TraplineError, UnknownPage
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
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
    sorted_bound,
    total_relevance,
    web_graph,
)
from trapline.theory.discovery.graph import breadth_first_tree, hang

ALONE = web_graph([0.5, 0.0, 1.1], [0, 0, 1, 1], [2], seeds=[0, 1])  # 0; 1 → 2


def test_before_the_full_horizon_horns_order_is_no_bound_but_its_means_are() -> None:
    # The smallest graph that shows it: with two pages there is one order, or the better page goes
    # first.
    found = dominator_horn(ALONE)
    total = total_relevance(ALONE)
    best = performance([0.5, 0.0, 1.1], total, 1).p  # fetch page 0 first
    assert performance(ALONE.relevance[found.order], total, 1).p == 0.0 < best
    assert best < dominator_bound(ALONE, 1) == pytest.approx(0.55 / 1.6)
    assert dominator_bound(ALONE, 1) < performance(sorted_bound(ALONE), total, 1).p
    assert dominator_bound(ALONE, 3) == performance([0.0, 1.1, 0.5], total, 3).p


def test_equal_pages_come_in_order_of_their_numbers() -> None:
    assert horn_order([-1] * 5, [1.0, 2.0, 1.0, 2.0, 1.0]).order.tolist() == [
        1,
        3,
        0,
        2,
        4,
    ]


@pytest.mark.parametrize("step", [1.0, -1.0])
def test_horn_on_a_long_chain(step: float) -> None:
    pages = 20_000
    found = horn_order(np.arange(-1, pages - 1), 30_000.0 + step * np.arange(pages))
    assert found.order.tolist() == list(range(pages))
    # one block, or each its own
    assert len(set(found.mean.tolist())) == (1 if step > 0.0 else pages)


@pytest.mark.parametrize(
    ("parent", "relevance", "error", "says"),
    [
        (
            [-1, 2, 3, 1, 1],
            [1.0] * 5,
            BadNumber,
            "the number of pages below a root is 1",
        ),
        ([0], [1.0], BadNumber, "the number of pages below a root is 0"),
        ([-2, 0], [1.0] * 2, BadNumber, "the parent of a page of the tree is -2"),
        ([-1, 2], [1.0] * 2, UnknownPage, "page 2"),
        ([-3, 0], [1.0] * 2, UnknownPage, "page -3"),
        ([-1, 0.5], [1.0] * 2, BadNumber, "a parent is -1.0"),
        ([-1, 0], [1.0], BadNumber, "the shape of the relevances"),
        ([-1, 0], [1.0, np.nan], BadNumber, "a relevance is nan"),
    ],
)
def test_what_is_no_tree_is_refused(
    parent: Any, relevance: Any, error: type[TraplineError], says: str
) -> None:
    with pytest.raises(error) as caught:
        horn_order(parent, relevance)
    assert str(caught.value).startswith(says)


def test_dominators_of_a_long_chain_with_ways_back() -> None:
    pages = 50_000
    numbers = np.arange(pages)
    links = np.column_stack((np.minimum(numbers + 1, pages - 1), numbers // 2)).ravel()
    graph = web_graph(np.ones(pages), 2 * np.arange(pages + 1), links, seeds=[0])
    assert (dominator_tree(graph) == numbers - 1).all()
    shortcut = graph._replace(seeds=np.array([0, pages // 2], np.int32))
    roots = np.flatnonzero(dominator_tree(shortcut) == -1)
    assert roots[0] == 0
    # and what it leads back to by another way than the chain
    assert pages // 2 in roots


def test_iterated_horn_leaves_the_first_tree_for_a_better_one() -> None:
    # 0 → 1, 2; 1 → 3; 2 → 3. First come first served hangs 3 under 1, which is worth nothing.
    graph = web_graph([0.0, 0.0, 2.0, 9.0], [0, 2, 3, 4, 4], [1, 2, 3, 3], seeds=[0])
    assert horn_order(breadth_first_tree(graph), graph.relevance).order.tolist() == [
        0,
        1,
        3,
        2,
    ]
    assert iterated_horn(graph).tolist() == [0, 2, 3, 1]


def test_iterated_horn_is_not_trapped_by_its_second_start() -> None:
    # 0 → 1 → 3, 2 → 3: of the seeds 0 is worth a little, so that 3 is hung under 1, and 2 then
    # seems to lead nowhere.
    graph = web_graph([0.0001, 0.0, 0.0, 2.0], [0, 1, 2, 3, 3], [1, 3, 3], seeds=[0, 2])
    assert iterated_horn(graph).tolist() == [2, 3, 0, 1]


def test_nine_intervals_in_ten_and_more_hold_the_expectation() -> None:
    graph = web_graph(
        [0.0, 3.0, 1.0, 0.0, 2.0], [0, 2, 2, 3, 3, 3], [1, 2, 4], seeds=[0, 3]
    )
    exact = random_baseline(graph, 5, 200_000, seed=1)
    found = [random_baseline(graph, 5, 50, seed=seed) for seed in range(2, 402)]
    share = np.mean([one.low <= exact.mean <= one.high for one in found])
    assert 0.92 <= share <= 0.975  # 95 % ± 3 %, 400 of them
    assert random_baseline(graph, 5, 50, seed=2) == found[0] != found[1]


@pytest.mark.parametrize(
    ("horizon", "draws"), [(0, 5), (5, 0), (5, 1), (5, 2.5), (1.5, 5)]
)
def test_the_random_baseline_refuses(horizon: Any, draws: Any) -> None:
    with pytest.raises(BadNumber):
        random_baseline(ALONE, horizon, draws)


def test_where_nothing_is_relevant_there_is_no_performance_but_an_order() -> None:
    graph = ALONE._replace(relevance=np.zeros(3))
    assert sorted(iterated_horn(graph).tolist()) == [0, 1, 2]
    for refused in (
        lambda: random_baseline(graph, 3, 5),
        lambda: dominator_bound(graph, 3),
    ):
        with pytest.raises(BadNumber, match="nothing to find"):
            refused()


def test_a_better_page_may_open_late_under_politeness() -> None:
    # Host 0 has 1, 1, 1; the others .1 and .05. When its second page opens, two better ones replace
    # .05.
    graph = web_graph([1.0, 1.0, 1.0, 0.1, 0.1, 0.05], [0] * 7, [], seeds=range(6))
    curve = np.cumsum(polite_bound(graph, [0, 0, 0, 1, 1, 2], every=3, steps=9))
    np.testing.assert_allclose(
        curve, [1.0, 1.1, 1.15, 2.2, 2.25, 2.25, 3.25, 3.25, 3.25]
    )


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"every": 0}, "every is 0"),
        ({"steps": 0}, "the number of steps is 0"),
        ({"host": [0, 1]}, "the number of hosts of pages is 2"),
        ({"host": [0.5, 1.0, 2.0]}, "a host is 0.5"),
    ],
)
def test_politeness_refuses(changed: dict[str, Any], says: str) -> None:
    for curve in (polite_bound, polite_reference):
        with pytest.raises(BadNumber) as caught:
            curve(ALONE, **{"host": [0, 0, 1], "every": 2, "steps": 3, **changed})
        assert str(caught.value).startswith(says)


def test_a_polite_walk_wants_all_pages_of_its_tree() -> None:
    with pytest.raises(BadNumber, match="the number of pages in order is 1"):
        polite_walk(
            np.array([-1, -1], np.int32),
            np.array([0], np.int32),
            np.zeros(2, np.int64),
            1,
            2,
        )


@pytest.fixture(scope="module")
def web() -> tuple[Graph, np.ndarray[Any, np.dtype[np.int32]]]:
    found = LinkedWeb.generate(
        pages=3000,
        hosts=25,
        seed=3,
        shape=Shape(born_share=0.0, dies_share=0.0, seeds=15),
    )
    truth = found.truth
    return web_graph(
        found.relevance, truth.link_start, truth.link_to, found.seeds
    ), found.host


def test_on_a_linked_web_the_optimum_is_bracketed(
    web: tuple[Graph, np.ndarray[Any, np.dtype[np.int32]]],
) -> None:
    graph, _ = web
    total = total_relevance(graph)
    pages = 3000
    unbound = performance(sorted_bound(graph), total, pages).p
    order = iterated_horn(graph)
    carried_out = performance(graph.relevance[order], total, pages).p
    assert 0.99 * unbound < carried_out < dominator_bound(graph, pages) < unbound
    breadth_first = horn_order(breadth_first_tree(graph), graph.relevance).order
    assert performance(graph.relevance[breadth_first], total, pages).p < carried_out
    # the rounds went on until there was no more to gain
    again = horn_order(hang(graph, order), graph.relevance).order
    assert performance(graph.relevance[again], total, pages).p == pytest.approx(
        carried_out, rel=1e-8
    )
    assert random_baseline(graph, pages, 10).high < 0.75 * unbound


def test_on_a_linked_web_politeness_costs(
    web: tuple[Graph, np.ndarray[Any, np.dtype[np.int32]]],
) -> None:
    graph, host = web
    total = total_relevance(graph)
    steps = 1500
    bound = performance(polite_bound(graph, host, 20, steps), total, steps).p
    reference = performance(polite_reference(graph, host, 20, steps), total, steps).p
    order = iterated_horn(graph)
    walked = polite_walk(hang(graph, order), order, host.astype(np.int64), 20, steps)
    carried_out = performance(
        np.where(walked < 0, 0.0, graph.relevance[walked]), total, steps
    ).p
    assert carried_out < reference < bound < dominator_bound(graph, steps)
