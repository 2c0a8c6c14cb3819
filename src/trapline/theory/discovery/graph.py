"""A web graph as arrays, and trees that hang in it: `omeara`, test bed of Fig. 3.

A page can be fetched once a page that links to it has been fetched; seeds can be fetched at once. A
*tree* names for each page one page that must come first (or ROOT, for none); pages that no schedule
reaches are OUT of it.

>>> relevance = [0.0, 1.0, 0.5, 9.0]
>>> graph = web_graph(relevance, link_start=[0, 2, 3, 3, 3], link_to=[1, 2, 2], seeds=[0])
>>> reachable(graph).tolist(), total_relevance(graph)  # nothing links to page 3
([True, True, True, False], 1.5)
>>> breadth_first_tree(graph).tolist(), hang(graph, np.array([1, 0])).tolist()
([-1, 0, 0, -2], [-1, 0, 1, -2])
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, UnknownPage
from trapline.theory.argument_checks import Floats, at_least_0, several
from trapline.theory.kernel import kernel

Integers = NDArray[np.int64]
Pages = NDArray[np.int32]

ROOT: Final = -1
OUT: Final = -2


class Graph(NamedTuple):
    """Made by `web_graph`, which checks it."""

    relevance: Floats
    link_start: Integers  # links of page i: link_to[link_start[i]:link_start[i+1]]
    link_to: Pages
    seeds: Pages


def web_graph(
    relevance: ArrayLike, link_start: ArrayLike, link_to: ArrayLike, seeds: ArrayLike
) -> Graph:
    """Self links, links given twice and pages that cannot be reached are allowed."""
    worth = several("pages", at_least_0("a relevance", relevance), 1)
    start = whole("a start of links", link_start)
    targets = known_pages(link_to, worth.size)
    wanted = (
        f"one more than there are pages ({worth.size}), rising from 0 to the number of "
        f"links ({targets.size})"
    )
    if start.size != worth.size + 1:
        raise BadNumber("the number of starts of links", start.size, wanted)
    if start[0] != 0 or start[-1] != targets.size or (np.diff(start) < 0).any():
        raise BadNumber("the starts of links", f"{start[0]} … {start[-1]}", wanted)
    found = np.unique(known_pages(seeds, worth.size))
    if not found.size:
        raise BadNumber("the number of seeds", 0, "1 or more")
    return Graph(
        np.ascontiguousarray(worth), start.astype(np.int64, copy=False), targets, found
    )


def known_pages(given: ArrayLike, pages: int) -> Pages:
    """The numbers, if each is that of a page."""
    found = whole("a page", given)
    unknown = (found < 0) | (found >= pages)
    if unknown.any():
        raise UnknownPage(int(found[unknown][0]), pages)
    return np.ascontiguousarray(found, np.int32)


def whole(name: str, given: ArrayLike) -> NDArray[np.integer]:
    """The numbers, if they are a list of whole ones."""
    found = np.asarray(given)
    if found.size == 0:
        # numpy takes an empty list for numbers with fractions
        found = found.astype(np.int64)
    if found.ndim != 1 or not np.issubdtype(found.dtype, np.integer):
        raise BadNumber(
            name,
            found.flat[0] if found.size else found.shape,
            "a whole number, in a list of them",
        )
    return found


def reachable(graph: Graph) -> NDArray[np.bool_]:
    """For each page: does some schedule come to it?"""
    return np.not_equal(breadth_first_tree(graph), OUT)


def total_relevance(graph: Graph) -> float:
    """What there is to be found: the denominator of recall."""
    return float(graph.relevance[reachable(graph)].sum())


@kernel
def breadth_first_tree(graph: Graph) -> Pages:
    """Each page hangs under the page that shows it first when fetching is first come
    first served.
    """
    parent = np.full(len(graph.relevance), OUT, np.int32)
    queue = np.empty(len(parent), np.int32)
    size = len(graph.seeds)
    queue[:size] = graph.seeds
    parent[graph.seeds] = ROOT
    first = 0
    while first < size:
        page = queue[first]
        first += 1
        for link in range(graph.link_start[page], graph.link_start[page + 1]):
            target = graph.link_to[link]
            if parent[target] == OUT:
                parent[target] = page
                queue[size] = target
                size += 1
    return parent


@kernel
def hang(graph: Graph, order: Pages) -> Pages:
    """Each page hangs under the page that shows it first when pages are fetched in this order."""
    parent = np.full(len(graph.relevance), OUT, np.int32)
    parent[graph.seeds] = ROOT
    for page in order:
        for link in range(graph.link_start[page], graph.link_start[page + 1]):
            if parent[graph.link_to[link]] == OUT:
                parent[graph.link_to[link]] = page
    return parent
