"""Iterated Horn: a schedule that can be carried out, nearly as good as the dominator-tree bound.

Horn's rule orders a tree of discoveries; then every page is hung under the page that was the first
to show it in that order, and the new tree is ordered again. The last order respects the new tree
too, so P never falls; rounds go on until it no longer rises. The graph is known here: this is what
a robot could have done, not what it can know.

Rounds can end in a tree that no single page wants to leave, so they are begun twice: from the
breadth-first tree, and from the order of the dominator tree as far as links allow (of the pages
that are shown, the one that stands first there is fetched next). The better end is kept; in webs it
is mostly the second.

>>> from trapline.theory.discovery.graph import web_graph
>>> relevance = [0.0, 0.0, 0.6, 1.0, 0.1]
>>> # 0 → 1 → 3, 0 → 2 → 4
>>> graph = web_graph(relevance, [0, 2, 3, 4, 4, 4], [1, 2, 3, 4], seeds=[0])
>>> iterated_horn(graph).tolist()
[0, 2, 1, 3, 4]
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.theory.argument_checks import Floats
from trapline.theory.discovery.dominator_bound import dominator_horn
from trapline.theory.discovery.graph import Graph, Pages, breadth_first_tree, hang
from trapline.theory.discovery.heap import new_heap, pop, push
from trapline.theory.discovery.horn import horn_order
from trapline.theory.kernel import kernel

_ROUNDS: Final = 100  # far more than were ever needed
_RISE: Final = 1e-9  # of P, below which it no longer rises


def iterated_horn(graph: Graph) -> Pages:
    """All pages that can be reached, each after one that links to it."""
    ends = [
        _improve(graph, breadth_first_tree(graph)),
        _improve(graph, hang(graph, _follow(graph))),
    ]
    return max(ends, key=lambda order: _value(graph, order))


def _improve(graph: Graph, tree: Pages) -> Pages:
    order = horn_order(tree, graph.relevance).order
    for _ in range(_ROUNDS):
        better = horn_order(hang(graph, order), graph.relevance).order
        if _value(graph, better) <= _value(graph, order) * (1.0 + _RISE):
            break
        order = better
    return order


def _value(graph: Graph, order: Pages) -> float:
    """P at the full horizon, but for its denominator."""
    return float(graph.relevance[order] @ np.arange(order.size, 0, -1))


def _follow(graph: Graph) -> Pages:
    wish = dominator_horn(graph).order
    key = np.zeros(len(graph.relevance))
    key[wish] = np.arange(wish.size, 0, -1)
    return _greatest_shown(graph, key, wish.size)


@kernel
def _greatest_shown(graph: Graph, key: Floats, steps: int) -> Pages:
    """The pages in the order in which they are fetched if of those shown the one of greatest key
    always comes next.
    """
    shown = np.zeros(len(key), np.bool_)
    shown[graph.seeds] = True
    heap = new_heap(graph.seeds, key)
    order = np.empty(steps, np.int32)
    for step in range(steps):
        page = pop(heap, key)
        order[step] = page
        for link in range(graph.link_start[page], graph.link_start[page + 1]):
            target = graph.link_to[link]
            if not shown[target]:
                shown[target] = True
                push(heap, key, target)
    return order
