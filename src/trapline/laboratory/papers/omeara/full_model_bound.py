"""The bound of the full model (theory/discovery/full_model.py) for a world: what it needs to know
of the truth.

Relevance drifts: a page counts with the most that any of its versions may have, of so many as it
may come to. That depends on how many changes it has, not on when they are, so nobody is told when
to come.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trapline.laboratory.worlds.drift import drift
from trapline.laboratory.worlds.truth import (
    Floats,
    Truth,
    fresh_copy,
    links_born,
    relevance_at,
)
from trapline.theory.discovery.full_model import full_model_bound
from trapline.theory.kernel import bare_kernel

CELLS: Final = 90  # of time
_LOOKS: Final = 10  # at the relevance alive, in each of them
# standard deviations above the mean number of changes, and as many changes
_SURELY: Final = 5.0


@bare_kernel
def most_relevant(truth: Truth, length_s: float, most: Floats) -> None:
    """The greatest relevance of each page in any version that it comes to, or might, by then."""
    pages = truth.pages
    for page in range(len(pages)):
        mean = pages["rate"][page] * max(
            min(pages["dies_s"][page], length_s) - pages["born_s"][page], 0.0
        )
        listed = links_born(truth, page, length_s) - links_born(
            truth, page, pages["born_s"][page]
        )
        most[page] = pages["relevance"][page]
        if truth.drift[0] <= 0.0:
            continue
        for changes in range(1, int(mean + _SURELY * (math.sqrt(mean) + 1.0)) + listed):
            found = drift(
                pages["relevance"][page], truth.drift[0], truth.seed[0], page, changes
            )
            most[page] = max(most[page], found)


@bare_kernel
def relevance_alive(truth: Truth, now_s: float) -> float:
    total = 0.0
    for page in range(len(truth.pages)):
        if truth.pages["born_s"][page] <= now_s < truth.pages["dies_s"][page]:
            total += relevance_at(truth, page, now_s)
    return total


def bound_of(truth: Truth, length_s: float, budget: float) -> float:
    """No robot that fetches `budget` pages a second from 0 on has a greater P on average, up to
    `length_s`.
    """
    copy = fresh_copy(truth)
    most = np.empty(len(copy.pages))
    most_relevant(copy, length_s, most)
    times = np.linspace(0.0, length_s, CELLS * _LOOKS + 1).tolist()
    alive = np.array([relevance_alive(copy, now_s) for now_s in times])
    there = np.minimum(
        alive[:-1].reshape(CELLS, _LOOKS).min(axis=1), alive[_LOOKS::_LOOKS]
    )
    pages = copy.pages
    return full_model_bound(
        most,
        pages["rate"],
        pages["born_s"],
        pages["dies_s"],
        there=there,
        length_s=length_s,
        budget=budget,
    )
