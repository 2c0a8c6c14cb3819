"""A polite walk over a tree: what an order is worth if a host is fetched from at most once every
`every` steps.

At each step the page is fetched that stands first in the order, among those whose parent has been
fetched and whose host may be fetched from; if there is none, the step is idle. On the dominator
tree, with Horn's order, this is the *polite reference*: no robot can do it, for the tree forbids
less than the links do, but it is greedy and so **not a bound** either. On a tree of discoveries
(`hang`) it is a schedule that a robot could have carried out.

>>> from trapline.theory.discovery.graph import web_graph
>>> graph = web_graph([1.0, 0.8, 0.1], [0, 0, 0, 0], [], seeds=[0, 1, 2])
>>> polite_reference(graph, host=[0, 0, 1], every=3, steps=5).tolist()
[1.0, 0.1, 0.0, 0.8, 0.0]
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber, check_count
from trapline.theory.argument_checks import Floats
from trapline.theory.discovery.dominators import dominator_tree
from trapline.theory.discovery.graph import OUT, ROOT, Graph, Integers, Pages
from trapline.theory.discovery.horn import horn_order
from trapline.theory.discovery.polite_bound import host_of
from trapline.theory.kernel import bare_kernel, kernel

IDLE: Final = -1  # no page was fetched in this step


def polite_reference(graph: Graph, host: ArrayLike, every: int, steps: int) -> Floats:
    """Gains, one a step, of Horn's order of the dominator tree under politeness. It is
    not a bound.
    """
    tree = dominator_tree(graph)
    walked = polite_walk(
        tree,
        horn_order(tree, graph.relevance).order,
        host_of(graph, host),
        every,
        steps,
    )
    return np.where(walked == IDLE, 0.0, graph.relevance[walked])


def polite_walk(
    tree: Pages, order: Pages, host: Integers, every: int, steps: int
) -> Pages:
    """The page fetched in each step, or IDLE. `order` has all pages of the tree, parents first."""
    check_count("every", every, "steps from one fetch of a host to the next")
    check_count("the number of steps", steps, "fetches, or waiting for a host")
    if order.size != np.count_nonzero(tree != OUT):
        raise BadNumber("the number of pages in order", order.size, "that of the tree")
    by_host = np.argsort(host[order], kind="stable")  # ranks, host by host
    _, start = np.unique(host[order][by_host], return_index=True)
    bounds = np.append(start, order.size).astype(np.int64)
    leaf = np.empty(order.size, np.int64)
    leaf[by_host] = np.arange(order.size)
    return _walk(tree, order, leaf, bounds, min(every, steps), steps)


@kernel
def _children(tree: Pages, order: Pages) -> tuple[Integers, Integers]:
    """Ranks of the pages below each rank, and last of those below no page:
    below[start[i]:start[i+1]].
    """
    size = len(order)
    rank = np.empty(len(tree), np.int64)
    rank[order] = np.arange(size)
    parent = np.array(
        [rank[tree[page]] if tree[page] != ROOT else size for page in order]
    )
    count = np.zeros(size + 2, np.int64)
    for above in parent:
        count[above + 1] += 1
    return np.cumsum(count), np.argsort(parent, kind="mergesort")


@kernel
def _walk(
    tree: Pages, order: Pages, leaf: Integers, bounds: Integers, every: int, steps: int
) -> Pages:
    """`ready` holds the ranks that may be fetched, host by host; `first` of each host that is not
    cooling the least.
    """
    size = len(order)
    hosts = len(bounds) - 1
    start, below = _children(tree, order)
    ready = np.full(2 * size, size)
    first = np.full(2 * hosts, size)
    host_of_leaf = np.repeat(np.arange(hosts), np.diff(bounds))
    cooling = np.full(every, -1)
    free_at = np.zeros(hosts, np.int64)
    walked = np.full(steps, IDLE, np.int32)
    rank = size
    for step in range(steps):
        for child in below[start[rank] : start[rank + 1]] if rank >= 0 else below[:0]:
            _put(ready, leaf[child], child)
            host = host_of_leaf[leaf[child]]
            if free_at[host] <= step:
                _put(first, host, min(child, first[hosts + host]))
        awake = cooling[step % every]
        if awake >= 0:
            _put(first, awake, _least(ready, bounds[awake], bounds[awake + 1], size))
        rank = -1
        cooling[step % every] = -1
        if first[1] < size:
            rank = first[1]
            host = host_of_leaf[leaf[rank]]
            walked[step] = order[rank]
            cooling[step % every] = host
            free_at[host] = step + every
            _put(ready, leaf[rank], size)
            _put(first, host, size)
    return walked


@bare_kernel
def _put(tree: Integers, leaf: int, value: int) -> None:
    """A tournament: the leaves are the second half of `tree`, every other place has the least of
    the two below it.
    """
    place = len(tree) // 2 + leaf
    tree[place] = value
    while place > 1:
        place //= 2
        tree[place] = min(tree[2 * place], tree[2 * place + 1])


@bare_kernel
def _least(tree: Integers, from_leaf: int, to_leaf: int, none: int) -> int:
    """Of the leaves from the first up to the one before the second."""
    low = len(tree) // 2 + from_leaf
    high = len(tree) // 2 + to_leaf
    found = none
    while low < high:
        if low % 2:
            found = min(found, tree[low])
            low += 1
        if high % 2:
            high -= 1
            found = min(found, tree[high])
        low = low // 2
        high = high // 2
    return found
