"""Which items of two sequences are the same, in order: lines of texts, words of lines.

What both begin and end with is the same. Between, items that occur once in both are anchors, as far
as they stand in the same order (patience diff, by Bram Cohen); what lies between two anchors is
compared likewise. Where there is no anchor, a longest common subsequence is looked for. The work
is bounded: when it is used up, what is left counts as different, so that a hostile page takes no
longer than others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

WORK: Final = 3_000_000  # items looked at: a second or two
LARGEST_TABLE: Final = 250_000  # cells of one table of subsequences

Pairs = list[tuple[int, int]]


class _Gap(NamedTuple):
    """What lies between two matches: old[a:b] and new[c:d]."""

    a: int
    b: int
    c: int
    d: int


def match_items(old: Sequence[str], new: Sequence[str], work: int = WORK) -> Pairs:
    """(place in `old`, place in `new`) of items that are the same, in order.

    >>> match_items("a b c d".split(), "a x c d".split())
    [(0, 0), (2, 2), (3, 3)]
    """
    found: Pairs = []
    gaps = [_Gap(0, len(old), 0, len(new))]
    while gaps:
        gap = _trim(old, new, gaps.pop(), found)
        if gap.a == gap.b or gap.c == gap.d:
            continue
        work -= gap.b - gap.a + gap.d - gap.c
        if work < 0:
            break
        anchors = _anchors(old, new, gap)
        if anchors:
            found += anchors
            gaps += _between(gap, anchors)
            continue
        cells = (gap.b - gap.a) * (gap.d - gap.c)
        if cells <= min(work, LARGEST_TABLE):
            work -= cells
            found += _subsequence(old, new, gap)
    return sorted(found)


def _trim(old: Sequence[str], new: Sequence[str], gap: _Gap, found: Pairs) -> _Gap:
    a, b, c, d = gap
    while a < b and c < d and old[a] == new[c]:
        found.append((a, c))
        a += 1
        c += 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b -= 1
        d -= 1
        found.append((b, d))
    return _Gap(a, b, c, d)


def _anchors(old: Sequence[str], new: Sequence[str], gap: _Gap) -> Pairs:
    """Items that occur once in both, the longest row of them that has one order."""
    times_old = Counter(old[gap.a : gap.b])
    times_new = Counter(new[gap.c : gap.d])
    places = {new[j]: j for j in range(gap.c, gap.d) if times_new[new[j]] == 1}
    pairs = [
        (i, places[old[i]])
        for i in range(gap.a, gap.b)
        if old[i] in places and times_old[old[i]] == 1
    ]
    return _longest_rising(pairs)


def _longest_rising(pairs: Pairs) -> Pairs:
    """The longest row of pairs in which both numbers rise; the first ones rise already.

    >>> _longest_rising([(0, 5), (1, 2), (2, 3), (3, 1)])
    [(1, 2), (2, 3)]
    """
    ends: list[int] = []  # of rows by length, the smallest second number
    last: list[int] = []  # the pair with it
    before: list[int] = []  # of each pair, the one before it in its row
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    row: Pairs = []
    at = last[-1] if last else -1
    while at >= 0:
        row.append(pairs[at])
        at = before[at]
    return row[::-1]


def _between(gap: _Gap, anchors: Pairs) -> list[_Gap]:
    gaps: list[_Gap] = []
    a = gap.a
    c = gap.c
    for i, j in (*anchors, (gap.b, gap.d)):
        if a < i and c < j:
            gaps.append(_Gap(a, i, c, j))
        a = i + 1
        c = j + 1
    return gaps


def _subsequence(old: Sequence[str], new: Sequence[str], gap: _Gap) -> Pairs:
    """A longest common subsequence, by a table of the lengths of all."""
    width = gap.d - gap.c
    table = [[0] * (width + 1)]
    for item in reversed(old[gap.a : gap.b]):
        below = table[-1]
        row = [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            same = new[gap.c + j] == item
            row[j] = below[j + 1] + 1 if same else max(below[j], row[j + 1])
        table.append(row)
    table.reverse()
    return _walk(old, new, gap, table)


def _walk(
    old: Sequence[str], new: Sequence[str], gap: _Gap, table: list[list[int]]
) -> Pairs:
    found: Pairs = []
    i = gap.a
    j = gap.c
    while i < gap.b and j < gap.d:
        if old[i] == new[j]:
            found.append((i, j))
            i += 1
            j += 1
        elif table[i - gap.a + 1][j - gap.c] >= table[i - gap.a][j - gap.c + 1]:
            i += 1
        else:
            j += 1
    return found
