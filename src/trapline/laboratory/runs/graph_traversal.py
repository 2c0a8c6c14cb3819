"""The light loop of discovery: one fetch a step over a static graph, as `omeara` tests its request
controller.

No hosts, no gaps, nothing changes: at step k = 1, 2, … the page of the fringe with the highest
score is fetched, all its links are seen, and the policy scores what they lead to. The policy's own
kernels are called, so that the compiled loop fetches the same pages in the same order as a loop
that calls `discover` and `rescore` of the object (a test does).

Pages are in a heap by (score, since, page) as last written. The first one is asked for its score of
now, which may have fallen; those that fell are held aside until no page of the heap can be ahead of
the best of them. So the choice is exact as long as no score rises above what was written. A policy
keeps what it learnt from traversal to traversal.

>>> from trapline.policies.discovery.fringe_greedy import FringeGreedy
>>> from trapline.theory.discovery.graph import web_graph
>>> relevance = [0.1, 0.2, 0.9, 0.5]
>>> graph = web_graph(relevance, link_start=[0, 2, 3, 3, 3], link_to=[1, 3, 2], seeds=[0])
>>> traverse(FringeGreedy(graph.relevance), graph).order.tolist()
[0, 3, 1, 2]
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from trapline.core.errors import check_count
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.policies.discovery.kernel_policy import KernelPolicy, Links
from trapline.theory.discovery.graph import Graph, web_graph
from trapline.theory.kernel import bare_kernel, kernel_for, loop_kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# of a page; else the number of the visit that listed it last (seeds: 1), or
_UNMET: Final = 0
_FETCHED: Final = -1


@dataclass(frozen=True, slots=True)
class Traversal:
    # pages, as they were fetched; those that nothing leads to are not among them
    order: Integers
    seconds: float  # that it took


def graph_of(web: LinkedWeb) -> Graph:
    """A linked web as a graph that stands still, with all its pages there."""
    return web_graph(web.relevance, web.truth.link_start, web.truth.link_to, web.seeds)


def traverse(
    policy: KernelPolicy, graph: Graph, fetches: int | None = None
) -> Traversal:
    """Once through the graph from its seeds, or so many fetches; all pages are unknown again when
    it starts.
    """
    pages = len(graph.relevance)
    if fetches is not None:
        check_count("the number of fetches", fetches, "one a step")
    policy.fit(pages)
    policy.start_over()
    policy.make_room(pages)
    order = np.empty(pages if fetches is None else min(fetches, pages), np.int64)
    # that one visit lists
    most = max(int(np.diff(graph.link_start).max()), len(graph.seeds))
    # of the heap: a page may be there once for each link to it, and each time it is scored anew
    entries = len(graph.link_to) + len(graph.seeds) + policy.others * pages
    start_s = time.perf_counter()
    count = _compiled_traverse(numba.typeof(policy.mind))(
        policy.mind,
        policy.discover_kernel,
        policy.rescore_kernel,
        graph.relevance,
        graph.link_start,
        graph.link_to,
        graph.seeds,
        order,
        np.empty((entries, 3)),
        np.empty((entries, 4)),
        np.empty(most, np.int64),
        np.empty(most, np.bool_),
        np.empty(most + policy.others, np.int64),
        np.zeros(pages, np.int64),
    )
    return Traversal(order[:count], time.perf_counter() - start_s)


@bare_kernel
def _ahead(
    score: float,
    since: float,
    page: float,
    other: float,
    other_since: float,
    other_page: float,
) -> bool:
    if score != other:
        return score > other
    if since != other_since:
        return since < other_since
    return page < other_page


@bare_kernel
def _push(heap: Floats, size: int, score: float, since: float, page: float) -> None:
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if not _ahead(
            score, since, page, heap[above, 0], heap[above, 1], heap[above, 2]
        ):
            break
        for k in range(3):
            heap[place, k] = heap[above, k]
        place = above
    heap[place, 0] = score
    heap[place, 1] = since
    heap[place, 2] = page


@bare_kernel
def _drop_first(heap: Floats, size: int) -> None:
    """Take the first of `size` out; they are one less then."""
    last = size - 1
    place = 0
    score = heap[last, 0]
    since = heap[last, 1]
    page = heap[last, 2]
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        right = below + 1
        if right < last and _ahead(
            heap[right, 0],
            heap[right, 1],
            heap[right, 2],
            heap[below, 0],
            heap[below, 1],
            heap[below, 2],
        ):
            below = right
        if not _ahead(
            heap[below, 0], heap[below, 1], heap[below, 2], score, since, page
        ):
            break
        for k in range(3):
            heap[place, k] = heap[below, k]
        place = below
    heap[place, 0] = score
    heap[place, 1] = since
    heap[place, 2] = page


@bare_kernel
def _list_targets(
    links: Any,
    first: int,
    last: int,
    visit: int,
    met: Integers,
    targets: Integers,
    new: Any,
) -> int:
    """The targets that were not fetched yet, each once; returns how many."""
    count = 0
    for i in range(first, last):
        target = links[i]
        if met[target] != _FETCHED and met[target] != visit:
            targets[count] = target
            new[count] = met[target] == _UNMET
            met[target] = visit
            count += 1
    return count


_found_type = numba.typeof(
    Links(0, 0.0, np.zeros(1, np.int64), np.zeros(1, np.bool_), 0.0)
)


@cache
def _compiled_traverse(mind: types.Type) -> Any:
    """The loop, for policies with such a mind; compiled once, then found in the cache."""
    row = types.float64[::1]
    table = types.float64[:, ::1]
    whole = types.int64[::1]
    pages = types.int32[::1]
    flags = types.boolean[::1]
    discover = types.FunctionType(types.int64(mind, _found_type, whole))
    rescore = types.FunctionType(types.float64(mind, types.int64))
    policy = (mind, discover, rescore)
    graph = (row, whole, pages, pages)
    desk = (whole, table, table, whole, flags, whole, whole)
    return kernel_for(types.int64(*policy, *graph, *desk), mind)(_traverse)


@loop_kernel
def _traverse(
    mind: Any,
    discover: Any,
    rescore: Any,
    relevance: Any,
    link_start: Any,
    link_to: Any,
    seeds: Any,
    order: Any,
    heap: Any,
    aside: Any,
    targets: Any,
    new: Any,
    scored: Any,
    met: Any,
) -> int:
    """One function, because numba cannot hand the policy's functions on; returns how many pages
    were fetched.
    """
    written_on = mind.pages
    size = 0
    fetched = 0
    page = -1
    worth = 0.0
    count = _list_targets(seeds, 0, len(seeds), 1, met, targets, new)
    while True:
        found = Links(page, worth, targets[:count], new[:count], float(fetched))
        written = discover(mind, found, scored)
        for i in range(written):
            _push(
                heap,
                size,
                written_on["score"][scored[i]],
                written_on["since_s"][scored[i]],
                float(scored[i]),
            )
            size += 1
        if fetched == len(order):
            return fetched
        held = 0
        best = -1
        while size > 0:
            score = heap[0, 0]
            since = heap[0, 1]
            number = heap[0, 2]
            if best >= 0 and not _ahead(
                score, since, number, aside[best, 3], aside[best, 1], aside[best, 2]
            ):
                break
            _drop_first(heap, size)
            size -= 1
            page = int(number)
            if met[page] == _FETCHED or written_on["score"][page] != score:
                continue  # it was fetched, or scored anew, since this was written
            now = rescore(mind, page)
            aside[held, 0] = score
            aside[held, 1] = since
            aside[held, 2] = number
            aside[held, 3] = now
            if best < 0 or _ahead(
                now, since, number, aside[best, 3], aside[best, 1], aside[best, 2]
            ):
                best = held
            held += 1
        if best < 0:
            return fetched
        for i in range(held):
            if i != best:
                _push(heap, size, aside[i, 0], aside[i, 1], aside[i, 2])
                size += 1
        page = int(aside[best, 2])
        met[page] = _FETCHED
        worth = relevance[page]
        order[fetched] = page
        fetched += 1
        count = _list_targets(
            link_to,
            link_start[page],
            link_start[page + 1],
            fetched + 1,
            met,
            targets,
            new,
        )
