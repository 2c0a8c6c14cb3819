"""Postings come by document and leave by term, whatever their number: sorted on disk.

In memory are at most so many as fit; whenever they are too many, they go to a file, sorted by term:
a run. In the end all runs are read side by side. Documents come in order, so the postings of a
term are in order when those of earlier runs go first.

>>> with SortedPostings(None, at_once=2) as postings:
...     for number, words in enumerate(["b", "a", "c", "a"]):
...         postings.add(number, {words: number + 1})
...     [(one.term, one.documents, one.counts) for one in postings.lists()]
[('a', [1, 3], [2, 4]), ('b', [0], [1]), ('c', [2], [3])]
"""

from __future__ import annotations

import heapq
import mmap
import struct
from array import array
from collections.abc import Iterator, Mapping
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Final, NamedTuple

import numpy as np

AT_ONCE: Final = 2_000_000  # postings in memory: 24 MB, and their terms
_NUMBER: Final = "I"  # four bytes
_HEAD: Final = struct.Struct("=II")  # bytes of a term, and how many postings it has


class TermPostings(NamedTuple):
    term: str
    documents: list[int]  # ascending
    counts: list[int]  # how often the term stands in each of them


class SortedPostings:
    """`place` is the folder of the runs; their file has no name, so none is ever left there."""

    def __init__(self, place: Path | None, at_once: int = AT_ONCE) -> None:
        self._file = TemporaryFile(dir=place)  # noqa: SIM115  # closed in __exit__
        self._at_once = at_once
        self._borders = [0]  # of the runs, in the file
        self._empty()

    def _empty(self) -> None:
        self._numbers: dict[str, int] = {}  # of terms, as they came
        self._terms = array(_NUMBER)
        self._documents = array(_NUMBER)
        self._counts = array(_NUMBER)

    def add(self, document: int, counts: Mapping[str, int]) -> None:
        """What stands how often in a document; documents come in order."""
        numbers = self._numbers
        self._terms.extend([numbers.setdefault(term, len(numbers)) for term in counts])
        self._documents.extend([document] * len(counts))
        self._counts.extend(counts.values())
        if len(self._terms) >= self._at_once:
            self._write_run()

    def lists(self) -> Iterator[TermPostings]:
        """All postings of one term after the other, terms in the order of their bytes."""
        self._write_run()
        if len(self._borders) == 1:
            return
        self._file.flush()
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            runs = [_read_run(memory, *ends) for ends in pairwise(self._borders)]
            merged = heapq.merge(*runs, key=attrgetter("term"))
            for _, parts in groupby(merged, key=attrgetter("term")):
                yield _join(list(parts))

    def _write_run(self) -> None:
        if not self._terms:
            return
        # by code points, which is by bytes in UTF-8
        terms = sorted(self._numbers)
        places = np.empty(len(terms), np.uint32)
        places[[self._numbers[term] for term in terms]] = np.arange(len(terms))
        terms_of = places[_as_array(self._terms)]
        order = np.argsort(terms_of, kind="stable")
        documents = _as_array(self._documents)[order]
        counts = _as_array(self._counts)[order]
        ends = np.cumsum(np.bincount(terms_of, minlength=len(terms))).tolist()
        for term, (start, end) in zip(terms, pairwise([0, *ends]), strict=True):
            name = term.encode()
            self._file.write(_HEAD.pack(len(name), end - start))
            self._file.write(name)
            self._file.write(documents[start:end].tobytes())
            self._file.write(counts[start:end].tobytes())
        self._borders.append(self._file.tell())
        self._empty()

    def __enter__(self) -> SortedPostings:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _as_array(numbers: array[int]) -> np.ndarray:
    return np.frombuffer(numbers, np.uint32)


def _read_run(memory: mmap.mmap, place: int, end: int) -> Iterator[TermPostings]:
    while place < end:
        length, count = _HEAD.unpack_from(memory, place)
        place += _HEAD.size
        term = memory[place : place + length].decode()
        place += length
        numbers = array(_NUMBER)
        numbers.frombytes(memory[place : place + 8 * count])
        place += 8 * count
        yield TermPostings(term, numbers[:count].tolist(), numbers[count:].tolist())


def _join(parts: list[TermPostings]) -> TermPostings:
    """The postings of one term in several runs, the earliest first."""
    if len(parts) == 1:
        return parts[0]
    documents = [number for part in parts for number in part.documents]
    counts = [number for part in parts for number in part.counts]
    return TermPostings(parts[0].term, documents, counts)
