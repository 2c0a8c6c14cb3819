"""What no polite schedule exceeds: a host is fetched from at most once every `every` steps,
whatever the links say.

Within t steps a host gives at most ⌈t/every⌉ pages, at best its most relevant ones. The best sum of
t pages under these caps bounds R_t. All caps grow together, every `every` steps, when each host
offers one page more; so the pages on offer are kept by rank (a Fenwick tree of counts and sums),
and the sum of the t best is read off at each step: O(log n).

Each step is bounded by itself: where bounds of other kinds hold step by step too, the least of them
does.

>>> from trapline.theory.discovery.graph import web_graph
>>> graph = web_graph([1.0, 0.8, 0.1], [0, 0, 0, 0], [], seeds=[0, 1, 2])
>>> polite_bound(graph, host=[0, 0, 1], every=3, steps=5).round(6).tolist()  # 1, 1.1, 1.1, 1.9, 1.9
[1.0, 0.1, 0.0, 0.8, 0.0]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber, check_count
from trapline.theory.argument_checks import Floats
from trapline.theory.discovery.graph import Graph, Integers, reachable, whole
from trapline.theory.kernel import bare_kernel, kernel


def polite_bound(graph: Graph, host: ArrayLike, every: int, steps: int) -> Floats:
    """Gains, one a step: their sum over t steps bounds what any polite schedule finds in them.

    A step may be idle.
    """
    check_count("every", every, "steps from one fetch of a host to the next")
    check_count("the number of steps", steps, "fetches, or waiting for a host")
    hosts = host_of(graph, host)
    pages = np.flatnonzero(reachable(graph))
    best_first = pages[np.argsort(-graph.relevance[pages], kind="stable")]
    at_most = np.empty(best_first.size, np.int64)  # rank of the page among its host's
    by_host = np.argsort(hosts[best_first], kind="stable")
    _, first, count = np.unique(
        hosts[best_first][by_host], return_index=True, return_counts=True
    )
    at_most[by_host] = np.arange(by_host.size) - np.repeat(first, count)
    # all hosts' best pages, then all their second ones, …
    offered = np.argsort(at_most, kind="stable")
    return np.diff(
        _best_sums(
            graph.relevance[best_first], offered, at_most[offered], every, steps
        ),
        prepend=0.0,
    )


def host_of(graph: Graph, host: ArrayLike) -> Integers:
    """The column, if it has the number of a host for each page."""
    found = whole("a host", host).astype(np.int64)
    if found.size != graph.relevance.size:
        raise BadNumber(
            "the number of hosts of pages",
            found.size,
            f"{graph.relevance.size}: one for each page",
        )
    return found


@kernel
def _best_sums(
    best: Floats, offered: Integers, cap: Integers, every: int, steps: int
) -> Floats:
    count = np.zeros(len(best) + 1, np.int64)
    total = np.zeros(len(best) + 1)
    found = np.empty(steps)
    opened = 0
    for step in range(steps):
        while opened < len(offered) and cap[opened] <= step // every:
            _add(count, total, offered[opened], best[offered[opened]])
            opened += 1
        found[step] = _sum_of_best(count, total, step + 1)
        if step > 0:
            # sums of the same pages in another order
            found[step] = max(found[step], found[step - 1])
    return found


@bare_kernel
def _add(count: Integers, total: Floats, rank: int, relevance: float) -> None:
    place = rank + 1
    while place < len(count):
        count[place] += 1
        total[place] += relevance
        place += place & -place


@bare_kernel
def _sum_of_best(count: Integers, total: Floats, most: int) -> float:
    """Of the `most` pages on offer that rank first, or of all if there are fewer."""
    width = 1
    while 2 * width < len(count):
        width *= 2
    place = 0
    found = 0.0
    while width > 0:
        if place + width < len(count) and count[place + width] <= most:
            place += width
            most -= count[place]
            found += total[place]
        width //= 2
    return found
