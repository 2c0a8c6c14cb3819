"""Words in the names that authors give to elements (class, id, role, itemprop), as hints.

Each hint is a bit. An automaton finds all words in one pass over a name (Aho and Corasick 1975,
Efficient string matching). A dash in a word stands for the border of a word in a name: anything
but a letter, or a capital after a small letter.

>>> hints = find_hints(b"mainNav entry-12 load")
>>> [word for word in ("nav", "entry", "-ad-") if hints >> HINTS[word] & 1]
['nav', 'entry']
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

# one line, one hint
_WORDS: Final = """
comment disqus respond
foot
nav menu
widget
related recommend similar suggest
header -head- masthead banner
author byline -bio avatar profile vcard
popup modal overlay dialog lightbox tooltip
tool button btn -icon action
-meta info
title headline heading
newsletter subscri signup optin
caption credit
share sharing social follow facebook twitter
sidebar -side- aside rail
cookie consent gdpr privacy
pager pagination -prev -next
legal disclaimer imprint impressum terms copyright
login signin register account
-ad- -ads- advert adsby sponsor promo commercial outbrain taboola
teaser -card tile preview excerpt thumb carousel slider gallery
donat spende
-box panel
print
rating review -vote -like
edit
logo brand
hidden -sr-only screen-reader visuallyhidden -hide noprint
video audio player image photo
-tag categor topics keyword
lead intro abstract summary standfirst subtitle -dek perex
product price cart shop basket
footnote reference citation biblio
entry
forum thread message
document section markdown -docs
code highlight syntax
articlebody
"""
_LETTERS: Final = 27  # the border of a word, and a to z
HINT_BITS: Final = 64
HIDDEN: Final = np.uint64(1 << 63)  # the author says that it is not shown
_LINES: Final = [line.split() for line in _WORDS.strip().splitlines()]
# by the first of its words
HINTS: Final = {words[0]: bit for bit, words in enumerate(_LINES)} | {"(not-shown)": 63}
MOST_LETTERS: Final = 400  # of a name: some are programs

Steps = NDArray[np.int16]
Hints = NDArray[np.uint64]


def _letter(sign: str) -> int:
    return "-abcdefghijklmnopqrstuvwxyz".index(sign)


def _automaton() -> tuple[Steps, Hints]:
    """(state, letter) → state, and the hints that are found in a state."""
    steps = [[0] * _LETTERS]
    found = [0]
    words = [(word, bit) for bit, line in enumerate(_LINES) for word in line]
    for word, bit in words:
        state = 0
        for sign in word:
            if not steps[state][_letter(sign)]:
                steps[state][_letter(sign)] = len(steps)
                steps.append([0] * _LETTERS)
                found.append(0)
            state = steps[state][_letter(sign)]
        found[state] |= 1 << bit
    _link_failures(steps, found)
    return np.array(steps, np.int16), np.array(found, np.uint64)


def _link_failures(steps: list[list[int]], found: list[int]) -> None:
    """Where a word goes on wrong, go on with the longest end of it that begins another."""
    fallback = [0] * len(steps)
    queue = [state for state in steps[0] if state]
    for state in queue:
        found[state] |= found[fallback[state]]
        for letter in range(_LETTERS):
            after = steps[state][letter]
            if after:
                fallback[after] = steps[fallback[state]][letter]
                queue.append(after)
            else:
                steps[state][letter] = steps[fallback[state]][letter]


_STEPS, _FOUND = _automaton()


def find_hints(name: bytes) -> int:
    """The hints in a name."""
    return int(hints_in(np.frombuffer(name, np.uint8), 0, len(name)))


@bare_kernel
def hints_in(html: Bytes, begin: int, end: int) -> np.uint64:
    """The hints in a name that stands in a page."""
    hints = np.uint64(0)
    state = np.int64(_STEPS[0, 0])
    small = False
    for at in range(begin, min(end, begin + MOST_LETTERS)):
        code = html[at]
        capital = 65 <= code <= 90
        letter = (code & 31) if capital or 97 <= code <= 122 else 0
        if capital and small:
            state = np.int64(_STEPS[state, 0])
            hints |= _FOUND[state]
        state = np.int64(_STEPS[state, letter])
        hints |= _FOUND[state]
        small = 97 <= code <= 122
    return np.uint64(hints | _FOUND[_STEPS[state, 0]])
