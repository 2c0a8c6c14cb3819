"""Words of a text, as 31-bit hashes: lower case, singular, without the words that stand in every
text.

A kernel reads the bytes: a page of 10 KB takes some 50 µs, where a regular expression and a
dictionary take a millisecond. Letters are what is not ASCII punctuation, nor one of the punctuation
marks and symbols beyond.

>>> one, other = word_hashes("The Galaxies, and 17 stars"), word_hashes("star galaxy")
>>> one.tolist() == other.tolist()[::-1], len(one)
(True, 2)
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from trapline.topic.word_kernels import (
    BEYOND,
    CAPITAL,
    Hashes,
    Weights,
    count_different,
    read_words,
)

LONGEST: Final = 200_000  # characters of a text that are read
TITLE_TIMES: Final = 5  # a word of the title counts as often as this many in the text

_WORD: Final = re.compile(r"[^\W_]+")
# Bytes to small letters and digits; 0 = between words.
_SMALL: Final = np.array(
    [
        BEYOND if byte > 127 else ord(chr(byte).lower()) if chr(byte).isalnum() else 0
        for byte in range(256)
    ],
    np.uint8,
)
# They stand in every English text: as topic words they would make everything relevant.
STOP_WORDS: Final = (
    "a about after all also am an and any are as at be because been before being both but by "
    "can could did do does "
    "done each else etc for from had has have he her here him his how i if in into is it its "
    "itself just may me might "
    "more most must my no nor not of off on one only or other our out over own she should so "
    "some such than that the "
    "their them then there these they this those through to too under until up upon us very "
    "was we were what when "
    "where whether which while who whom whose why will with within without would yes yet you your"
)


class WordCounts(NamedTuple):
    """The different words of a document, and how often each occurs."""

    words: Hashes
    times: Weights


def normal(word: str) -> str:
    """Lower case, and the singular where a simple rule finds it. `_stem` does the same to bytes.

    >>> [normal(word) for word in ("Galaxies", "boxes", "stars", "gas", "class", "Venus")]
    ['galaxy', 'box', 'star', 'gas', 'class', 'venus']
    """
    word = word.lower()
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return (
        word[:-2]
        if word.endswith(("xes", "ches", "shes", "sses", "zes"))
        else word[:-1]
    )


def telling_words(text: str) -> list[str]:
    """The words of a text that can tell pages apart, in normal form, each once.

    >>> telling_words("The history of space telescopes, 1990")
    ['history', 'space', 'telescope']
    """
    return list(
        dict.fromkeys(
            normal(word) for word in _WORD.findall(text) if len(word_hashes(word))
        )
    )


def word_hashes(text: str) -> Hashes:
    """One hash for each telling word, in order."""
    return line_hashes(text, 1)[0]


def line_hashes(text: str, lines: int) -> tuple[Hashes, Hashes]:
    """(hashes of all words, how many there are up to the end of each line): many short texts at
    once.
    """
    return _hashes(text, lines, _stops())


def count_words(title: str, text: str) -> WordCounts:
    """The words of a document; those of the title count several times.

    >>> count_words("Stars", "A star and the sun").times.tolist()
    [6.0, 1.0]
    """
    words, ends = line_hashes(f"{' '.join(title.split())}\n{text[:LONGEST]}", 1)
    different = np.empty(len(words), np.int32)
    times = np.empty(len(words), np.float32)
    count = count_different(words, int(ends[0]), TITLE_TIMES, different, times)
    return WordCounts(different[:count], times[:count])


@cache
def _stops() -> Hashes:
    """An open-addressing table of the hashes of stop words; 0 = free."""
    table = np.zeros(1024, np.int32)
    for word in _hashes(STOP_WORDS, 1, np.zeros(1, np.int32))[0].tolist():
        slot = word & 1023
        while table[slot]:
            slot = (slot + 1) & 1023
        table[slot] = word
    return table


def _hashes(
    text: str, lines: int, stops: Hashes, *, lowered: bool = False
) -> tuple[Hashes, Hashes]:
    letters = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    words = np.empty(letters.size // 2 + 1, np.int32)
    ends = np.empty(lines, np.int32)
    count = read_words(letters, lowered, _SMALL, stops, words, ends)
    # few pages have capitals beyond ASCII, and those of all scripts are Python's to know
    if count == CAPITAL:
        return _hashes(text.lower(), lines, stops, lowered=True)
    return words[:count], ends
