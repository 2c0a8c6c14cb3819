"""Matching a path against rules of robots.txt, as a kernel: no backtracking, and bounded.

A pattern is matched from left to right, each piece between two `*` at the first place where it
stands: what can be matched at all can be matched so. A screen passes over most patterns without
looking at them: of each, two pairs of neighbouring letters are known, and a path that lacks one
of them cannot match.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel

STAR: Final = ord("*")
PAIRS: Final = 1 << 12  # different hashes of a pair of letters
ANY_PAIR: Final = PAIRS  # of a pattern that is too short to have one
UNDECIDED: Final = -2
UNMATCHED: Final = -1

Bytes = NDArray[np.uint8]


class RuleTables(NamedTuple):
    """Patterns in order of rank, the one that decides first; see rules.py."""

    letters: Bytes  # of all patterns, without the `$` at their ends
    ends: NDArray[np.uint32]  # where each ends
    anchored: NDArray[np.bool_]  # it ended with `$`
    pairs: NDArray[np.uint16]  # two a pattern


@bare_kernel
def pair_hash(first: int, second: int) -> int:
    return (first * 31 + second * 7 + (first >> 3) * 61) & (PAIRS - 1)


@bare_kernel
def _find(
    letters: Bytes, begin: int, end: int, path: Bytes, at: int
) -> tuple[int, int]:
    """(the first place from `at` on where a piece of a pattern stands, −1 = nowhere; the steps that
    it took)
    """
    size = end - begin
    last = len(path) - size
    steps = 0
    while at <= last:
        same = 0
        while same < size and letters[begin + same] == path[at + same]:
            same += 1
        steps += same + 1
        if same == size:
            return at, steps
        at += 1
    return -1, steps + 1


@bare_kernel
def _stands_at(letters: Bytes, begin: int, end: int, path: Bytes, at: int) -> bool:
    if at < 0 or at + end - begin > len(path):
        return False
    same = 0
    while begin + same < end and letters[begin + same] == path[at + same]:
        same += 1
    return begin + same == end


@bare_kernel
def _piece_end(letters: Bytes, begin: int, end: int) -> int:
    while begin < end and letters[begin] != STAR:
        begin += 1
    return begin


@bare_kernel
def _matches(
    letters: Bytes, begin: int, end: int, anchored: bool, path: Bytes
) -> tuple[bool, int]:
    """(whether the pattern matches the path, the steps that it took)"""
    stop = _piece_end(letters, begin, end)
    if not _stands_at(letters, begin, stop, path, 0):
        return False, 1
    at = stop - begin
    steps = at + 1
    while stop < end:
        begin = stop + 1
        stop = _piece_end(letters, begin, end)
        if stop == end and anchored:  # the last piece stands at the end
            last = len(path) - (stop - begin)
            steps += stop - begin + 1
            return last >= at and _stands_at(letters, begin, stop, path, last), steps
        at, took = _find(letters, begin, stop, path, at)
        steps += took
        if at < 0:
            return False, steps
        at += stop - begin
    return (not anchored) or at == len(path), steps


@bare_kernel
def mark_pairs(path: Bytes, present: NDArray[np.bool_], value: bool) -> None:
    """Note which pairs a path has; with False, forget them."""
    for i in range(len(path) - 1):
        present[pair_hash(path[i], path[i + 1])] = value


@bare_kernel
def first_match(
    tables: RuleTables, path: Bytes, present: NDArray[np.bool_], most_steps: int
) -> tuple[int, int]:
    """(the first pattern that matches, UNMATCHED, or UNDECIDED after so many steps; the steps)

    `present` marks the pairs that the path has, and ANY_PAIR.
    """
    steps = 0
    begin = 0
    for rule in range(len(tables.ends)):
        end = int(tables.ends[rule])
        if present[tables.pairs[2 * rule]] and present[tables.pairs[2 * rule + 1]]:
            matches, took = _matches(
                tables.letters, begin, end, tables.anchored[rule], path
            )
            steps += took
            if matches:
                return rule, steps
            if steps > most_steps:
                return UNDECIDED, steps
        begin = end
    return UNMATCHED, steps + len(tables.ends) // 4


@bare_kernel
def choose_pairs(tables: RuleTables) -> None:
    """Write two pairs of each pattern into the tables: of its longest piece the last and a middle
    one.
    """
    letters = tables.letters
    begin = 0
    for rule in range(len(tables.ends)):
        end = int(tables.ends[rule])
        longest = 0
        where = begin
        while begin < end:
            stop = _piece_end(letters, begin, end)
            if stop - begin > longest:
                longest = stop - begin
                where = begin
            begin = stop + 1
        begin = end
        tables.pairs[2 * rule] = ANY_PAIR
        tables.pairs[2 * rule + 1] = ANY_PAIR
        if longest >= 2:
            last = where + longest - 2
            middle = where + (longest - 2) // 2
            tables.pairs[2 * rule] = pair_hash(letters[last], letters[last + 1])
            tables.pairs[2 * rule + 1] = pair_hash(letters[middle], letters[middle + 1])
