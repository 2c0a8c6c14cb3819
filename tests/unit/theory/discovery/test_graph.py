"""What a graph refuses and bears, and how performance is counted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, TraplineError, UnknownPage
from trapline.theory import (
    dominator_tree,
    iterated_horn,
    performance,
    reachable,
    total_relevance,
    web_graph,
)
from trapline.theory.discovery.graph import breadth_first_tree

FINE: dict[str, Any] = {
    "relevance": [1.0, 0.5],
    "link_start": [0, 1, 1],
    "link_to": [1],
    "seeds": [0],
}


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"relevance": [1.0, math.nan]}, BadNumber, "a relevance is nan"),
        ({"relevance": [1.0, math.inf]}, BadNumber, "a relevance is inf"),
        ({"relevance": [1.0, -0.1]}, BadNumber, "a relevance is -0.1"),
        ({"relevance": ["much", 1.0]}, BadNumber, "a relevance"),
        ({"relevance": []}, BadNumber, "the number of pages is 0"),
        ({"relevance": [[1.0, 0.5]]}, BadNumber, "the number of pages"),
        ({"link_to": [2]}, UnknownPage, "page 2 has no card"),
        ({"link_to": [-1]}, UnknownPage, "page -1 has no card"),
        ({"link_to": [0.5]}, BadNumber, "a page is 0.5"),
        ({"link_start": [0, 1]}, BadNumber, "the number of starts of links is 2"),
        ({"link_start": [0, 2, 1]}, BadNumber, "the starts of links"),
        ({"link_start": [1, 1, 1]}, BadNumber, "the starts of links"),
        ({"link_start": [0, 1, 2]}, BadNumber, "the starts of links"),
        ({"seeds": []}, BadNumber, "the number of seeds is 0"),
        ({"seeds": [2]}, UnknownPage, "page 2 has no card"),
    ],
)
def test_bad_graphs_are_refused_in_one_line(
    changed: dict[str, Any], error: type[TraplineError], says: str
) -> None:
    with pytest.raises(error) as caught:
        web_graph(**{**FINE, **changed})
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_self_links_links_given_twice_and_seeds_given_twice_are_borne() -> None:
    graph = web_graph([1.0, 2.0, 4.0], [0, 4, 5, 6], [0, 1, 1, 0, 1, 2], seeds=[0, 0])
    assert graph.seeds.tolist() == [0]
    assert reachable(graph).tolist() == [True, True, False]
    assert total_relevance(graph) == 3.0
    assert (
        dominator_tree(graph).tolist()
        == breadth_first_tree(graph).tolist()
        == [-1, 0, -2]
    )


def test_a_page_with_a_million_links() -> None:
    links = np.arange(1_000_000) % 1000
    start = np.concatenate(([0], np.full(1000, links.size)))
    graph = web_graph(np.arange(1000.0), start, links, seeds=[0])
    assert dominator_tree(graph).tolist() == [-1] + [0] * 999
    assert iterated_horn(graph).tolist() == [0, *range(999, 0, -1)]


def test_performance_by_hand() -> None:
    # R = 1/4, 1/4, 3/4, 1, and 1 from then on
    gains = [1.0, 0.0, 2.0, 1.0]
    assert [performance(gains, 4.0, t).p for t in (1, 2, 3, 4, 5)] == pytest.approx(
        [0.25, 0.25, 1.25 / 3, 2.25 / 4, 0.65]
    )
    assert [performance(gains, 4.0, t).recall for t in (1, 2, 3, 4, 5)] == [
        0.25,
        0.25,
        0.75,
        1.0,
        1.0,
    ]


@pytest.mark.parametrize(
    ("gains", "total", "horizon", "says"),
    [
        ([0.0], 0.0, 1, "the total relevance is 0.0"),
        ([1.0], math.nan, 1, "the total relevance is nan"),
        ([1.0], 1.0, 0, "the horizon is 0"),
        ([1.0], 1.0, 1.5, "the horizon is 1.5"),
        ([math.nan], 1.0, 1, "a gain is nan"),
    ],
)
def test_performance_refuses(
    gains: list[float], total: float, horizon: Any, says: str
) -> None:
    with pytest.raises(BadNumber) as caught:
        performance(gains, total, horizon)
    assert str(caught.value).startswith(says)
