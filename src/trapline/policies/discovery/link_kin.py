"""Kin of a link: what a row of q-learning begins at that nobody has followed yet.

The other links of its discoverer, and all links found on pages of like relevance. Siblings are a
chain from the youngest to the oldest, so that those that wait can be scored anew in turn when one
of them was fetched.

>>> from trapline.policies.discovery.edge_table import row_of
>>> from trapline.policies.q_table import LINKED, QSettings, QTable
>>> table = QTable(QSettings())
>>> table.mind = table.mind._replace(pages=np.zeros(9, LINKED))
>>> mind = table.mind
>>> for page in (1, 2, 3):
...     note_child(mind.pages, 0, page)
...     mind.pages["told"][page] = 0.4
...     mind.pages["row"][page] = 1 + row_of(mind.edges, 0, page)
>>> start_of(mind, 3)  # the relevance of its discoverer
0.4
>>> note_worth(mind, 1, 1.0)
>>> round(start_of(mind, 3), 3)  # (1 + 2·.6)/3, of links on pages like that (1 + 2·.4)/3 = .6
0.733
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.core.ports import Pages
from trapline.policies.mind import Records
from trapline.policies.q_table import ACTIVE, CLASSES, LESSONS, QMind
from trapline.theory.kernel import bare_kernel

SIBLINGS: Final = 8  # scored anew with a visit, at most
_LOOKS: Final = 32  # at siblings, for those that wait
_FEW: Final = 2.0  # that outweigh what the wider kin are like
_VOUCHED: Final = 1.0  # what somebody names is worth


@bare_kernel
def note_child(pages: Records, parent: int, page: int) -> None:
    if parent >= 0:
        pages["older"][page] = pages["youngest"][parent]
        pages["youngest"][parent] = page + 1.0


@bare_kernel
def _parent_of(mind: QMind, page: int) -> int:
    row = int(mind.pages["row"][page]) - 1
    return int(mind.edges.keys[row] >> 32) - 1


@bare_kernel
def _class_of(told: float) -> int:
    return int(min(max(told, 0.0), 1.0) * (CLASSES - 1))


@bare_kernel
def start_of(mind: QMind, page: int) -> float:
    """What the kin of a page of the fringe are worth."""
    told = mind.pages["told"][page]
    if told < 0.0:
        return _VOUCHED
    kin = mind.kin[_class_of(told)]
    mean = (kin[0] + _FEW * told) / (kin[1] + _FEW)
    parent = _parent_of(mind, page)
    if parent < 0:
        return float(mean)
    pages = mind.pages
    return float(
        (pages["total"][parent] + _FEW * mean) / (pages["count"][parent] + _FEW)
    )


@bare_kernel
def note_worth(mind: QMind, page: int, gain: float) -> None:
    """A page was fetched for the first time, and its visit was worth so much."""
    told = mind.pages["told"][page]
    if told < 0.0:
        return
    kin = mind.kin[_class_of(told)]
    kin[0] += gain
    kin[1] += 1.0
    parent = _parent_of(mind, page)
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
        if own >= 0 and mind.edges.values[own, LESSONS] == 0.0:
            score = start_of(mind, sibling)
            mind.edges.values[own, ACTIVE] = score
            if pages["score"][sibling] < np.inf:
                pages["score"][sibling] = score
                scored[count] = sibling
                count += 1
        if count == SIBLINGS or at <= 0.0:
            break
    pages["turn"][parent] = at
    return count
