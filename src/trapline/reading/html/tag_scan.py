"""How often each of some words stands in a text, in small or capital letters, by one pass over its
bytes.

Every second triple of letters is looked up among the triples with which the words begin: no word of
four letters or more can stand between them (after Wu and Manber 1994, A fast algorithm for
multi-pattern searching; to leap over letters, as they do, is slower, since each leap waits for the
one before). Looking for thirty words costs no more than looking for three by themselves.

>>> WordScanner(("<nav", "cookie-", "meta")).count(b"<NAV>a cookie <meta><meta></nav>")
{'<nav': 1, 'meta': 2}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import bare_kernel

Letters = NDArray[np.uint8]
Numbers = NDArray[np.int64]

_CODES: Final = 1 << 13  # of three letters, five bits of each, folded


def _code(one: int, two: int, three: int) -> int:
    return ((one & 31) << 8) ^ ((two & 31) << 4) ^ (three & 31)


# not called where words are prepared: to import this must not compile anything
_code_in_kernels = bare_kernel(_code)


class WordScanner:
    """Words of at least four small letters, digits or marks, all of which have bit 5.

    In texts, it is not looked at.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._letters = np.frombuffer("".join(words).encode(), np.uint8)
        self._begins = np.cumsum([0, *map(len, words)])
        # by code: the first of its triples, two of each word
        self._first = np.full(_CODES, -1, np.int16)
        self._next = np.full(2 * len(words), -1, np.int16)
        for triple in range(2 * len(words)):
            number, place = divmod(triple, 2)
            code = _code(*words[number][place : place + 3].encode())
            self._next[triple] = self._first[code]
            self._first[code] = triple

    def count(self, text: bytes) -> dict[str, int]:
        """How often each word stands there; without those that do not."""
        counts = np.zeros(len(self._words), np.int64)
        _count(
            np.frombuffer(text, np.uint8),
            self._letters,
            self._begins,
            self._first,
            self._next,
            counts,
        )
        return {
            word: count
            for word, count in zip(self._words, counts.tolist(), strict=True)
            if count
        }


@bare_kernel
def _count(
    text: Letters,
    words: Letters,
    begins: Numbers,
    first: NDArray[np.int16],
    after: NDArray[np.int16],
    counts: Numbers,
) -> None:
    for at in range(0, text.size - 2, 2):
        triple = first[_code_in_kernels(text[at], text[at + 1], text[at + 2])]
        while triple >= 0:
            number = triple // 2
            place = triple % 2
            counts[number] += _is_at(
                text, at - place, words, begins[number], begins[number + 1]
            )
            triple = after[triple]


@bare_kernel
def _is_at(text: Letters, at: int, words: Letters, begin: int, end: int) -> bool:
    """Whether a word (of all words, from `begin` to `end`) stands in the text at a place."""
    if at < 0 or at + end - begin > text.size:
        return False
    place = begin
    while place < end and text[at + place - begin] | 32 == words[place]:
        place += 1
    return place == end
