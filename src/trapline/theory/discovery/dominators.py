"""Which pages cannot be avoided: the dominator tree (Lengauer & Tarjan 1979, the simple version,
O(m log n)).

A page's immediate dominator is the last page that every way from the seeds to it passes. With
several seeds the ways start at a root above them, which is fetched already: a page that has ways
from two seeds with no page in common hangs from ROOT.

>>> from trapline.theory.discovery.graph import web_graph
>>> # 0 → 1, 2 → 3 → 4
>>> diamond = web_graph([1.0] * 5, [0, 2, 3, 4, 5, 5], [1, 2, 3, 3, 4], seeds=[0])
>>> dominator_tree(diamond).tolist()
[-1, 0, 0, 0, 3]
>>> dominator_tree(diamond._replace(seeds=np.array([0, 2], np.int32))).tolist()
[-1, 0, -1, -1, 3]
"""

from __future__ import annotations

import numpy as np

from trapline.theory.discovery.graph import OUT, ROOT, Graph, Integers, Pages
from trapline.theory.kernel import bare_kernel, kernel


@kernel
def dominator_tree(graph: Graph) -> Pages:
    """For each page the page that every schedule fetches before it: a tree in the sense of
    graph.py.

    Pages are renamed by the time of a depth-first walk; 0 is the root above the seeds.
    """
    page_of, up = _walk(graph)
    start, linked_from = _linked_from(graph, page_of)
    above = _immediate(up, start, linked_from)
    parent = np.full(len(graph.relevance), OUT, np.int32)
    for i in range(1, len(above)):
        parent[page_of[i]] = page_of[above[i]] if above[i] > 0 else ROOT
    return parent


@kernel
def _walk(graph: Graph) -> tuple[Pages, Pages]:
    """Pages in the order of a depth-first walk, and from which place in that order the walk came to
    each.
    """
    pages = len(graph.relevance)
    page_of = np.full(pages + 1, ROOT, np.int32)
    up = np.zeros(pages + 1, np.int32)
    time = np.zeros(pages, np.int32)
    next_link = graph.link_start[:-1].copy()
    met = 0
    for seed in graph.seeds:
        if time[seed]:
            continue
        met += 1
        time[seed] = met
        page_of[met] = seed
        here = met
        while here > 0:
            page = page_of[here]
            if next_link[page] == graph.link_start[page + 1]:
                here = up[here]
                continue
            target = graph.link_to[next_link[page]]
            next_link[page] += 1
            if not time[target]:
                met += 1
                time[target] = met
                page_of[met] = target
                up[met] = here
                here = met
    return page_of[: met + 1], up[: met + 1]


@kernel
def _linked_from(graph: Graph, page_of: Pages) -> tuple[Integers, Pages]:
    """Links backwards, by times: those to i are linked_from[start[i]:start[i+1]]."""
    time = np.zeros(len(graph.relevance), np.int32)
    count = np.zeros(len(page_of) + 2, np.int64)
    for i in range(1, len(page_of)):
        time[page_of[i]] = i
    for seed in graph.seeds:
        count[time[seed] + 2] += 1
    for i in range(1, len(page_of)):
        for link in range(
            graph.link_start[page_of[i]], graph.link_start[page_of[i] + 1]
        ):
            count[time[graph.link_to[link]] + 2] += 1
    start = np.cumsum(count)
    linked_from = np.zeros(start[-1], np.int32)
    for seed in graph.seeds:
        start[time[seed] + 1] += 1  # from the root, 0
    for i in range(1, len(page_of)):
        for link in range(
            graph.link_start[page_of[i]], graph.link_start[page_of[i] + 1]
        ):
            target = time[graph.link_to[link]] + 1
            linked_from[start[target]] = i
            start[target] += 1
    return start, linked_from


@kernel
def _immediate(up: Pages, start: Integers, linked_from: Pages) -> Pages:
    """Immediate dominators from semidominators; `bucket` lists the pages whose semidominator is the
    same.
    """
    size = len(up)
    semi = np.arange(size).astype(np.int32)
    label = np.arange(size).astype(np.int32)
    ancestor = np.full(size, -1, np.int32)
    path = np.empty(size, np.int32)
    above = np.zeros(size, np.int32)
    bucket = np.full(size, -1, np.int32)
    next_in = np.empty(size, np.int32)
    for i in range(size - 1, 0, -1):
        for link in range(start[i], start[i + 1]):
            semi[i] = min(
                semi[i], semi[_least(linked_from[link], ancestor, label, semi, path)]
            )
        next_in[i] = bucket[semi[i]]
        bucket[semi[i]] = i
        ancestor[i] = up[i]
        other = bucket[up[i]]
        while other >= 0:
            least = _least(other, ancestor, label, semi, path)
            above[other] = least if semi[least] < semi[other] else up[i]
            other = next_in[other]
        bucket[up[i]] = -1
    for i in range(1, size):
        if above[i] != semi[i]:
            above[i] = above[above[i]]
    return above


@bare_kernel
def _least(i: int, ancestor: Pages, label: Pages, semi: Pages, path: Pages) -> int:
    """Where the semidominator is least on the way from i up to the root of its tree, that root left
    out.
    """
    if ancestor[i] < 0:
        return i
    length = 0
    here = i
    while ancestor[ancestor[here]] >= 0:
        path[length] = here
        length += 1
        here = ancestor[here]
    while length > 0:  # the way is shortened for those who ask later
        length -= 1
        below = path[length]
        here = ancestor[path[length]]
        if semi[label[here]] < semi[label[below]]:
            label[below] = label[here]
        ancestor[below] = ancestor[here]
    return int(label[i])
