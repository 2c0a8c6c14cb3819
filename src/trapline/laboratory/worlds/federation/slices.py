"""A web cut into engines: by topic, as Oasis has it, or by host, as others have it.

Topical engines are no perfect judges: some pages lie with another engine than that of their topic
(`strays`), and some pages that speak of a second topic are held by its engine, too (`twice`). Cut
by host, each page has one engine.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from trapline.laboratory.worlds.federation.bags_of_words import Subjects
from trapline.laboratory.worlds.linked import LinkedWeb

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
TWICE: Final = 0.3  # of the pages
STRAYS: Final = 0.1


def cut_by_topic(
    about: Subjects,
    engines: int,
    rng: np.random.Generator,
) -> Flags:
    """A row an engine, a column a page. Neighbours among topics go together, pages evened out."""
    pages = len(about.topic)
    sizes = np.bincount(about.topic, minlength=len(about.subject))
    middle = np.cumsum(sizes) - sizes / 2.0
    owner = np.minimum((middle * engines / pages).astype(np.int64), engines - 1)
    home = owner[about.topic]
    strays = rng.random(pages) < STRAYS
    home = np.where(
        strays,
        rng.integers(0, engines, pages),
        home,
    )
    other = owner[about.second]
    # half of the pages have a second topic: so that `twice` of all are held by two
    several = (about.second != about.topic) & (other != home)
    share = TWICE / max(float(several.mean()), TWICE)
    both = several & (rng.random(pages) < share)
    held = np.zeros((engines, pages), np.bool_)
    held[home, np.arange(pages)] = True
    held[other[both], np.flatnonzero(both)] = True
    return held


def cut_by_host(
    web: LinkedWeb,
    engines: int,
    rng: np.random.Generator,
) -> Flags:
    """Hosts fall to engines by chance; nobody is without one."""
    owner = np.concatenate(
        (
            rng.permutation(engines),
            rng.integers(
                0,
                engines,
                web.hosts - engines,
            ),
        )
    )
    held = np.zeros((engines, web.pages), np.bool_)
    held[owner[web.host], np.arange(web.pages)] = True
    return held


class Gathering:
    """The order in which a robot meets the pages of a slice: along links, breadth first."""

    def __init__(self, web: LinkedWeb) -> None:
        truth = web.truth
        ones = np.ones(len(truth.link_to), np.int8)
        parts = ones, truth.link_to, truth.link_start
        self._links = csr_array(parts, shape=(web.pages, web.pages))
        self._pages = web.pages

    def order(self, pages: Integers) -> Integers:
        """From the first of the pages on; those that no link leads to come last."""
        if not len(pages):
            return pages
        met = breadth_first_order(
            self._links,
            int(pages[0]),
            return_predecessors=False,
        )
        rank = np.full(self._pages, self._pages)
        rank[met] = np.arange(len(met))
        return pages[np.argsort(rank[pages], kind="stable")]
