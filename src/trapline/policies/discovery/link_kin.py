"""Kin of a link: what a row of q-learning begins at that nobody has followed yet.

The links that the same page has led to, and what the relevance of such a page has promised so far.
Siblings are a chain from the youngest to the oldest, so that those that wait can be scored anew in
turn when one of them was fetched.

>>> from trapline.policies.discovery.edge_table import row_of
>>> from trapline.policies.q_table import LINKED, QSettings, QTable
>>> table = QTable(QSettings())
>>> table.mind = table.mind._replace(pages=np.zeros(9, LINKED))
>>> mind = table.mind
>>> for page in (1, 2, 3):
...     note_child(mind.pages, 0, page)
...     mind.pages["row"][page] = 1 + row_of(mind.edges, 0, page)
...     _ = note_parent(mind, 0, 0.4, page)
>>> start_of(mind, 3)  # the relevance of its discoverer
0.4
>>> note_worth(mind, 1, 1.0)
>>> round(start_of(mind, 3), 3)  # (1 + 2m)/3, m = .4·(1 + 2)/(.4 + 2) = .5
0.667
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.core.ports import SEEDS, Pages
from trapline.policies.mind import Records
from trapline.policies.q_table import ACTIVE, LESSONS, QMind
from trapline.theory.kernel import bare_kernel

SIBLINGS: Final = 8  # scored anew with a visit, at most
_UNLINKED: Final = 0.0
_OLDEST: Final = -1.0  # there is no older one
_LOOKS: Final = 32  # at siblings, for those that wait
_FEW: Final = 2.0  # that outweigh what the wider kin are like
_VOUCHED: Final = 1.0  # what somebody names is worth


@bare_kernel
def note_child(pages: Records, parent: int, page: int) -> None:
    """A page is linked once: who comes back to the fringe keeps its place among its kin."""
    older = pages["older"]
    if parent >= 0 and older[page] == _UNLINKED:
        youngest = pages["youngest"][parent]
        older[page] = youngest if youngest > 0.0 else _OLDEST
        pages["youngest"][parent] = page + 1.0


@bare_kernel
def note_parent(mind: QMind, parent: int, relevance: float, page: int) -> bool:
    """Another page leads to a page of the fringe; whether its row begins higher for that."""
    pages = mind.pages
    row = int(pages["row"][page]) - 1
    if row < 0 or mind.edges.values[row, LESSONS] > 0.0:
        return False
    if parent == SEEDS:
        relevance = _VOUCHED
    if not relevance > pages["told"][page]:
        return False
    pages["told"][page] = relevance
    pages["parent"][page] = max(parent, SEEDS) + 1.0
    return _write_start(mind, page, row)


@bare_kernel
def _write_start(mind: QMind, page: int, row: int) -> bool:
    """The score of a page whose row is that of its kin; False = it stays as it is."""
    score = start_of(mind, page)
    mind.edges.values[row, ACTIVE] = score
    if score == mind.pages["score"][page] or np.isinf(mind.pages["score"][page]):
        return False
    mind.pages["score"][page] = score
    return True


@bare_kernel
def start_of(mind: QMind, page: int) -> float:
    """What the kin of a page of the fringe are worth."""
    pages = mind.pages
    told = pages["told"][page]
    mean = told * (mind.kin[0] + _FEW) / (mind.kin[1] + _FEW)
    parent = int(pages["parent"][page]) - 1
    if parent < 0:
        return float(mean)
    return float(
        (pages["total"][parent] + _FEW * mean) / (pages["count"][parent] + _FEW)
    )


@bare_kernel
def note_worth(mind: QMind, page: int, gain: float) -> None:
    """A page was fetched for the first time, and its visit was worth so much."""
    parent = int(mind.pages["parent"][page]) - 1
    mind.kin[0] += gain
    mind.kin[1] += mind.pages["told"][page]
    if parent >= 0:
        mind.pages["total"][parent] += gain
        mind.pages["count"][parent] += 1.0


@bare_kernel
def take_turns(mind: QMind, row: int, scored: Pages) -> int:
    """Score some siblings of the page of a row that wait to be followed for the first time.

    Returns how many.
    """
    pages = mind.pages
    parent = int(mind.edges.keys[row] >> 32) - 1
    if parent < 0:
        return 0
    count = 0
    at = pages["turn"][parent]
    for _ in range(_LOOKS):
        if at <= 0.0:
            at = pages["youngest"][parent]
        sibling = int(at) - 1
        at = pages["older"][sibling]
        own = int(pages["row"][sibling]) - 1
        waits = own >= 0 and mind.edges.values[own, LESSONS] == 0.0
        if waits and _write_start(mind, sibling, own):
            scored[count] = sibling
            count += 1
        if count == SIBLINGS or at <= 0.0:
            break
    pages["turn"][parent] = at
    return count
