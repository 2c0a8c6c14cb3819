"""Engines made by hand, for tests of selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from trapline.oasis.federation import Member
from trapline.oasis.sample import Sample
from trapline.oasis.terms import TermTable

MOON, WAX, COMMON, UNKNOWN = 11, 22, 33, 44


def table(
    pages: int, documents: Mapping[int, int], mean: float = 1.0, variance: float = 0.1
) -> TermTable:
    keys = sorted(documents)
    shape = len(keys)
    return TermTable(
        pages,
        np.array(keys, np.uint64),
        np.array([documents[key] for key in keys], np.uint32),
        np.full(shape, mean, np.float32),
        np.full(shape, variance, np.float32),
    )


def sample(pages: Sequence[Mapping[int, tuple[float, bool]]]) -> Sample:
    """Of each page the weight of its words, and whether the title has them."""
    starts = np.cumsum([0, *(len(page) for page in pages)])
    entries = [(key, *page[key]) for page in pages for key in sorted(page)]
    return Sample(
        starts.astype(np.uint32),
        np.array([key for key, _, _ in entries], np.uint64),
        np.array([weight for _, weight, _ in entries], np.float32),
        np.array([title for _, _, title in entries], np.bool_),
    )


def astronomer() -> Member:
    pages = [{MOON: (1.8, True)}, {MOON: (1.2, False), COMMON: (0.4, False)}]
    words = {MOON: 300, COMMON: 500, WAX: 1}
    return Member("astronomer", table(1000, words), sample(pages))


def bee_keeper() -> Member:
    pages = [{WAX: (1.9, True)}, {COMMON: (0.5, False)}]
    words = {WAX: 200, COMMON: 500}
    return Member("bee keeper", table(1000, words), sample(pages))


def librarian() -> Member:
    """Large, and of everything a little."""
    pages = [{COMMON: (0.45, False)}, {COMMON: (0.3, True)}]
    words = {MOON: 20, WAX: 20, COMMON: 5000}
    return Member("librarian", table(10_000, words), sample(pages))


def three() -> list[Member]:
    return [astronomer(), bee_keeper(), librarian()]
