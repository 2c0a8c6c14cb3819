"""Horn's rule (1972): the best order of a forest in which each page comes after its parent,
1|outtree, p=1|Σ w_j·C_j.

Pages stand in blocks. The block of greatest mean relevance is best fetched as soon as its parent
has been: it joins its parent's block; if the parent is fetched already, it comes next. The order is
optimal for P at the full horizon.

It is *not* optimal at shorter ones: in the example the block (1, 2) of mean .55 comes before page
0, of relevance .5, and after one step nothing has been found. What does hold at every step: no set
of t pages that contains its members' parents has more relevance than the first t *means*, for Σ(w −
λ) over such sets is greatest for the blocks of mean above λ (Sidney 1975). The means are the least
concave curve above the best sets, never above the sorted bound.

>>> found = horn_order(parent=[-1, -1, 1], relevance=[0.5, 0.0, 1.1])
>>> found.order.tolist(), found.mean.tolist()
([1, 2, 0], [0.55, 0.55, 0.5])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber, UnknownPage
from trapline.theory.argument_checks import Floats, at_least_0, one_each
from trapline.theory.discovery.graph import OUT, ROOT, Pages, whole
from trapline.theory.discovery.heap import new_heap, pop, rise
from trapline.theory.kernel import bare_kernel, kernel


class HornOrder(NamedTuple):
    order: Pages  # all pages but those that are OUT
    # relevance of the block in which each of them stands, in this order: it never rises
    mean: Floats


def horn_order(parent: ArrayLike, relevance: ArrayLike) -> HornOrder:
    """The best order; `parent` is a tree in the sense of graph.py.

    Between equals, smaller page numbers first.
    """
    tree = np.ascontiguousarray(whole("a parent", parent), np.int32)
    worth = one_each("relevances", at_least_0("a relevance", relevance), tree.size)
    outside = (tree < OUT) | (tree >= tree.size)
    if outside.any():
        raise UnknownPage(int(tree[outside][0]), tree.size)
    if (tree[tree[tree >= 0]] == OUT).any():
        raise BadNumber("the parent of a page of the tree", OUT, "a page of the tree")
    order, mean = _horn(tree, np.ascontiguousarray(worth))
    if order.size < np.count_nonzero(tree != OUT):
        raise BadNumber(
            "the number of pages below a root",
            order.size,
            "all: some are their own ancestors",
        )
    return HornOrder(order, mean)


@kernel
def _horn(parent: Pages, relevance: Floats) -> tuple[Pages, Floats]:
    pages = len(parent)
    # of blocks, named by their first page:
    weight = relevance.copy()
    mean = relevance.copy()
    size = np.ones(pages)
    last = np.arange(pages).astype(np.int32)
    block = np.arange(pages).astype(np.int32)
    after = np.full(pages, -1, np.int32)
    fetched = np.zeros(pages, np.bool_)
    heap = new_heap(np.flatnonzero(parent != OUT).astype(np.int32), mean)
    order = np.empty(heap.size[0], np.int32)
    height = np.empty(heap.size[0])
    done = 0
    while heap.size[0] > 0:
        best = pop(heap, mean)
        above = _block_of(parent[best], block) if parent[best] != ROOT else ROOT
        if above == best:  # a ring: none of its pages can be first
            break
        if above == ROOT or fetched[above]:
            fetched[best] = True
            page = best
            while page >= 0:
                order[done] = page
                height[done] = mean[best]
                done += 1
                page = after[page]
            continue
        after[last[above]] = best
        last[above] = last[best]
        block[best] = above
        weight[above] += weight[best]
        size[above] += size[best]
        mean[above] = weight[above] / size[above]
        rise(heap, mean, above)
    return order[:done], height[:done]


@bare_kernel
def _block_of(page: int, block: Pages) -> int:
    while block[page] != page:
        block[page] = block[block[page]]
        page = block[page]
    return page
