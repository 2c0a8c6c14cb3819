"""What an engine says of itself: statistics and a sample of what it holds, or of what it claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.federation.word_index import WordIndex
from trapline.oasis.federation import Member
from trapline.oasis.sample import MOST_PAGES, Sample
from trapline.oasis.terms import TermTable

Integers = NDArray[np.int64]
LEAST_DOCUMENTS: Final = 2  # terms that one page has are not told
SAMPLED: Final = 0.1  # of the pages; engines here are small, a thousand would be all
_BOAST: Final = 5  # times the pages of all
# Fibonacci hashing (Knuth, volume 3, 6.4)
_SCATTER: Final = 2_654_435_769
_BIG: Final = 1 << 32


def describe(
    name: str, pages: Integers, index: WordIndex, keys: NDArray[np.uint64]
) -> Member:
    """Of the pages that it holds."""
    entries = index.entries_of_pages(pages)
    return Member(
        name,
        term_table(
            len(pages),
            entries,
            index,
            keys,
        ),
        _sample(
            pages,
            index,
            keys,
        ),
    )


def term_table(
    pages: int, entries: Integers, index: WordIndex, keys: NDArray[np.uint64]
) -> TermTable:
    word = index.bags.word[entries]
    weight = index.weight[entries]
    documents = np.bincount(word, minlength=len(keys))
    told = np.flatnonzero(documents >= LEAST_DOCUMENTS)
    having = documents[told]
    mean = (
        np.bincount(
            word,
            weight,
            len(keys),
        )[told]
        / having
    )
    square = (
        np.bincount(
            word,
            weight**2,
            len(keys),
        )[told]
        / having
    )
    return TermTable.of(
        pages,
        keys[told],
        having.astype(np.uint32),
        mean.astype(np.float32),
        np.maximum(square - mean**2, 0.0).astype(np.float32),
    )


def claim(name: str, honest: Sequence[Member]) -> Member:
    """What a liar says of itself: it has what all others have, and more of it."""
    terms = _boast([member.terms for member in honest])
    return Member(
        name,
        terms,
        _mix([member.sample for member in honest]),
    )


def _sample(
    pages: Integers,
    index: WordIndex,
    keys: NDArray[np.uint64],
) -> Sample:
    """By a hash of the page, so that engines with the same pages sample the same ones."""
    size = min(MOST_PAGES, math.ceil(len(pages) * SAMPLED))
    marks = pages * _SCATTER % _BIG
    sampled = np.sort(pages[np.argsort(marks, kind="stable")[:size]])
    entries = index.entries_of_pages(sampled)
    sizes = index.starts[sampled + 1] - index.starts[sampled]
    page = np.repeat(np.arange(len(sampled)), sizes)
    own = keys[index.bags.word[entries]]
    order = np.lexsort((own, page))
    return Sample(
        np.concatenate(([0], np.cumsum(sizes))).astype(np.uint32),
        own[order],
        index.weight[entries][order].astype(np.float32),
        index.bags.in_title[entries][order],
    )


def _boast(tables: Sequence[TermTable]) -> TermTable:
    """All words of all engines, in several times as many pages."""
    keys, place = np.unique(
        np.concatenate([table.keys for table in tables]), return_inverse=True
    )
    having = np.concatenate([table.documents for table in tables])
    documents = _BOAST * np.bincount(place, having)
    count = np.bincount(place)
    means = [
        np.bincount(place, np.concatenate(column)) / count
        for column in ([t.mean for t in tables], [t.variance for t in tables])
    ]
    return TermTable(
        _BOAST * sum(table.pages for table in tables),
        keys,
        documents.astype(np.uint32),
        means[0].astype(np.float32),
        means[1].astype(np.float32),
    )


def _mix(samples: Sequence[Sample]) -> Sample:
    """Pages of all samples, as many as fit."""
    share = MOST_PAGES / max(sum(len(sample) for sample in samples), MOST_PAGES)
    parts = [(sample, int(len(sample) * share)) for sample in samples]
    sizes = [np.diff(sample.starts[: count + 1]) for sample, count in parts]
    ends = [(sample, int(sample.starts[count])) for sample, count in parts]
    lengths = np.concatenate(([0], np.concatenate(sizes)))
    return Sample(
        np.cumsum(lengths).astype(np.uint32),
        np.concatenate([sample.keys[:end] for sample, end in ends]),
        np.concatenate([sample.weights[:end] for sample, end in ends]),
        np.concatenate([sample.in_title[:end] for sample, end in ends]),
    )
