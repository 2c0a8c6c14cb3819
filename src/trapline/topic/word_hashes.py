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
from numpy.typing import NDArray

from trapline.theory.kernel import kernel

LONGEST: Final = 200_000  # characters of a text that are read
TITLE_TIMES: Final = 5  # a word of the title counts as often as this many in the text

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.int32]
Weights = NDArray[np.float32]

_WORD: Final = re.compile(r"[^\W_]+")
_MASK: Final = 0xFFFFFFFF
_FNV: Final = 2166136261  # what its hashes begin with
_BEYOND: Final = 255  # a byte of a character that is not ASCII
_CAPITAL: Final = -1
# Bytes to small letters and digits; 0 = between words.
_SMALL: Final = np.array(
    [
        _BEYOND if byte > 127 else ord(chr(byte).lower()) if chr(byte).isalnum() else 0
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
    count = _count(words, int(ends[0]), different, times)
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
    count = _read(letters, lowered, _SMALL, stops, words, ends)
    # few pages have capitals beyond ASCII, and those of all scripts are Python's to know
    if count == _CAPITAL:
        return _hashes(text.lower(), lines, stops, lowered=True)
    return words[:count], ends


@kernel
def _read(
    letters: Bytes,
    lowered: bool,
    small: Bytes,
    stops: Hashes,
    words: Hashes,
    ends: Hashes,
) -> int:
    """Fill in the hash of each telling word and, at each newline, how many there were; returns how
    many in all.
    """
    prefixes = np.empty(letters.size, np.int32)
    places = np.empty(words.size + 1, np.int32)
    sizes = np.empty(words.size + 1, np.int32)
    found = _cut(letters, lowered, small, prefixes, places, sizes, ends)
    count = line = 0
    for i in range(found):
        while line < ends.size and ends[line] <= i:
            ends[line] = count
            line += 1
        begin = places[i] - sizes[i]
        end = places[i]
        if not _is_number(letters, begin, end):
            fewer, with_y = _stem(letters, small, begin, end)
            words[count] = _stir(int(prefixes[end - 1 - fewer]), with_y)
            count += not _among(stops, words[count])
    ends[line:] = count
    return count if found >= 0 else _CAPITAL


@kernel
def _cut(
    letters: Bytes,
    lowered: bool,
    small: Bytes,
    prefixes: Hashes,
    places: Hashes,
    sizes: Hashes,
    ends: Hashes,
) -> int:
    """Find where words end, and how long they are; returns how many there are, and how many up to
    each newline.

    `prefixes` becomes, at each letter, the hash (FNV-1a) of its word so far. No branch depends on
    where a word ends, because the processor could not foresee it: that is twice as fast.
    """
    count = line = size = beyond = 0
    mixed = _FNV
    for at in range(letters.size):
        letter = int(small[letters[at]])
        if letter == _BEYOND:
            gap = _gap(letters, at, lowered) if at >= beyond else 1
            if gap == _CAPITAL:
                return _CAPITAL
            beyond = max(beyond, at + gap)
            letter = 0 if gap else int(letters[at])
        places[count] = at
        sizes[count] = size
        count += size > 0 and letter == 0
        size = size + 1 if letter else 0
        # only the lower 32 bits count
        mixed = (mixed ^ letter) * 16777619 if letter else _FNV
        prefixes[at] = mixed
        if letters[at] == 10 and line < ends.size:
            ends[line] = count
            line += 1
    places[count] = letters.size
    sizes[count] = size
    count += size > 0
    ends[line:] = count
    return count


@kernel
def _gap(letters: Bytes, at: int, lowered: bool) -> int:
    """How many bytes of a character beyond ASCII that belongs to no word stand here.

    0 = a letter or a digit; _CAPITAL = perhaps a capital, in a text that may have such.
    """
    here = letters[at]
    after = letters[at + 1] if at + 1 < letters.size else 0
    if not lowered and _may_be_capital(here, after):
        return _CAPITAL
    if here == 0xC2 or (here == 0xC3 and (after in (0x97, 0xB7))):  # « © · × ÷ …
        return 2
    last = letters[at + 2] if at + 2 < letters.size else 0
    general = here == 0xE2 and after < 0xB0  # dashes, quotes, arrows, signs
    ideographic = here == 0xE3 and after == 0x80 and last < 0xA0
    wide = here == 0xEF and (
        (after == 0xBC and last < 0x90) or (after == 0xBF and last == 0xBD)
    )
    return 3 if general or ideographic or wide else 0


@kernel
def _may_be_capital(here: int, after: int) -> bool:
    """How the UTF-8 of those begins."""
    if here == 0xC3:  # À … Þ; what follows is small
        return after < 0x9F
    if here == 0xE2:  # Ω (ohm), K (kelvin), Å (ångström); Ⰰ … Ⳳ
        return after == 0x84 or 0xB0 <= after <= 0xB3
    return 0xC4 <= here <= 0xD6 or here in (0xE1, 0xEA) or here >= 0xEF


@kernel
def _is_number(letters: Bytes, begin: int, end: int) -> bool:
    for at in range(begin, end):  # noqa: SIM110 (kernels know no generator)
        if not 48 <= letters[at] <= 57:
            return False
    return True


@kernel
def _stir(mixed: int, with_y: bool) -> int:
    """31 bits for a word; never 0."""
    if with_y:
        mixed = (mixed ^ 121) * 16777619
    mixed &= _MASK
    mixed = ((mixed ^ (mixed >> 16)) * 0x45D9F3B) & _MASK
    mixed = (mixed ^ (mixed >> 15)) & 0x7FFFFFFF
    return mixed if mixed else 1


@kernel
def _stem(letters: Bytes, small: Bytes, begin: int, end: int) -> tuple[int, bool]:
    """`normal` on bytes: (how many letters fewer the singular has, whether a y follows)."""
    size = end - begin
    if size <= 3 or small[letters[end - 1]] != 115:
        return 0, False
    last = small[letters[end - 2]]
    last_but_one = small[letters[end - 3]]
    if last in (115, 117, 105):  # ss, us, is
        return 0, False
    if last != 101:  # not es
        return 1, False
    if last_but_one == 105 and size > 4:  # ies
        return 3, True
    before = small[letters[end - 4]]
    hissing = last_but_one in (120, 122)  # xes, zes
    hissing = (
        hissing
        or (last_but_one == 104 and (before in (99, 115)))
        or (last_but_one == before == 115)
    )
    return (2 if hissing else 1), False


@kernel
def _among(table: Hashes, word: int) -> bool:
    mask = table.size - 1
    slot = word & mask
    while table[slot]:
        if table[slot] == word:
            return True
        slot = (slot + 1) & mask
    return False


@kernel
def _count(words: Hashes, title: int, different: Hashes, times: Weights) -> int:
    """Fill in the different words and how often each occurs (the first `title` of them
    count more).
    """
    room = 16
    while room < 2 * words.size:
        room *= 2
    slots = np.full(room, -1, np.int32)
    count = 0
    for i in range(words.size):
        slot = words[i] & (room - 1)
        while slots[slot] >= 0 and different[slots[slot]] != words[i]:
            slot = (slot + 1) & (room - 1)
        if slots[slot] < 0:
            slots[slot] = count
            different[count] = words[i]
            times[count] = 0.0
            count += 1
        times[slots[slot]] += TITLE_TIMES if i < title else 1
    return count
