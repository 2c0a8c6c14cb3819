"""A binary heap of pages, the greatest key on top, whose members' keys may change.

Between equals the smaller number.

>>> heap = new_heap(np.array([2, 0, 1], np.int32), key := np.array([0.5, 0.5, 2.0]))
>>> [pop(heap, key) for _ in range(3)], int(heap.size[0])
([2, 0, 1], 0)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trapline.theory.argument_checks import Floats
from trapline.theory.discovery.graph import Integers, Pages
from trapline.theory.kernel import bare_kernel, kernel


class Heap(NamedTuple):
    pages: Pages  # the first `size` of them
    place: Pages  # of each page
    size: Integers  # one number


@kernel
def new_heap(pages: Pages, key: Floats) -> Heap:
    heap = Heap(
        np.empty(len(key), np.int32),
        np.empty(len(key), np.int32),
        np.zeros(1, np.int64),
    )
    for page in pages:
        push(heap, key, page)
    return heap


@bare_kernel
def push(heap: Heap, key: Floats, page: int) -> None:
    heap.pages[heap.size[0]] = page
    heap.place[page] = heap.size[0]
    heap.size[0] += 1
    rise(heap, key, page)


@bare_kernel
def pop(heap: Heap, key: Floats) -> int:
    top = heap.pages[0]
    heap.size[0] -= 1
    last = heap.pages[heap.size[0]]
    heap.pages[0] = last
    heap.place[last] = 0
    _sink(heap, key, last)
    return int(top)


@bare_kernel
def rise(heap: Heap, key: Floats, page: int) -> None:
    """Put a page in its place whose key has grown."""
    place = heap.place[page]
    while place > 0:
        above = heap.pages[(place - 1) // 2]
        if not _before(key, page, above):
            break
        heap.pages[place] = above
        heap.place[above] = place
        place = (place - 1) // 2
    heap.pages[place] = page
    heap.place[page] = place


@bare_kernel
def _sink(heap: Heap, key: Floats, page: int) -> None:
    place = heap.place[page]
    size = heap.size[0]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _before(key, heap.pages[child + 1], heap.pages[child]):
            child += 1
        if not _before(key, heap.pages[child], page):
            break
        heap.pages[place] = heap.pages[child]
        heap.place[heap.pages[child]] = place
        place = child
    heap.pages[place] = page
    heap.place[page] = place


@bare_kernel
def _before(key: Floats, one: int, other: int) -> bool:
    return bool(key[one] > key[other] or (key[one] == key[other] and one < other))
