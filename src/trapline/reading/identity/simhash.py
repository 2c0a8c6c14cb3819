"""Simhash: 64 bits of a text that differ little where texts differ little (Charikar 2002; Manku,
Jain, Das Sarma 2007).

Every different run of three words is hashed; each bit of the simhash says what most of the hashes
have there. Half a text in common leaves half of the votes as they were: the share of equal bits
tells how much two texts have in common.

A word's hash is a polynomial of its small letters, Σ c[i]·B^i modulo 2^64, a run's is one of the
hashes of its words, stirred. Kernels go over the code points, and then the runs, once: a page of 20
KB takes some 0.1 ms. Nothing is random: the same text has the same simhash in every process.

>>> fox = simhash("the quick brown fox jumps over the lazy dog " * 9)
>>> cat = simhash("a lazy cat sleeps all day " * 9)
>>> distance(fox, cat)
33

Short texts share their few words with too many others: of them only exact copies have near
simhashes.

>>> simhash("too short to tell")
0
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import kernel

FEWEST_WORDS: Final = 30  # of shorter texts only copies word for word are the same,
FEWEST_OF_COPIES: Final = 5  # and those of even shorter ones say too little
LONGEST: Final = 1 << 17  # characters: who has read so much knows what a text is about

Bits = NDArray[np.uint64]
Codes = NDArray[np.uint32]
Letters = NDArray[np.uint16]

_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_BASE_SQUARED: Final = np.uint64(0x9E3779B97F4A7C15**2 % (1 << 64))
# from here on, most scripts write without spaces: a sign is a word
_IDEOGRAPHS: Final = 0x2E80
# Code points to those of small letters, everything between words to 0: one look-up is faster than
# str.lower().
_SMALL: Final = np.array(
    [ord(chr(c).lower()[0]) if chr(c).isalnum() else 0 for c in range(_IDEOGRAPHS)],
    np.uint16,
)
_BYTES: Final = np.uint64(0x0101_0101_0101_0101)


def simhash(text: str) -> int:
    """Of a text, signed as SQLite wants it; 0 = too short to tell."""
    codes = np.frombuffer(text[:LONGEST].encode("utf-32-le", "replace"), np.uint32)
    words = _word_hashes(codes, _SMALL)
    if words.size < FEWEST_OF_COPIES:
        return 0
    return (
        int(
            _votes(_different(words))
            if words.size >= FEWEST_WORDS
            else _in_order(words)
        )
        or 1
    )


def distance(one: int, other: int) -> int:
    """In how many bits two simhashes differ.

    >>> distance(-1, 0), distance(5, 4), distance(-1, -1)
    (64, 1, 0)
    """
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


@kernel
def _word_hashes(codes: Codes, small: Letters) -> Bits:
    """One hash for each word, in order.

    No branch depends on where a word ends, because the processor could not foresee it: masks do
    that, twice as fast.
    """
    hashes = np.empty(codes.size + 1, np.uint64)
    count = 0
    # of the word so far; the power is 1 between words
    value = _ZERO
    power = _ONE
    for at in range(codes.size):
        alone = codes[at] >= _IDEOGRAPHS
        letter = _ZERO if alone else np.uint64(small[codes[at]])
        inside = np.uint64(letter != _ZERO)
        hashes[count] = value
        count += power != _ONE and letter == _ZERO
        value = (value + letter * power) & (_ZERO - inside)
        power = (power * _BASE) & (_ZERO - inside) | (_ONE - inside)
        if alone:
            hashes[count] = codes[at]
            count += 1
    hashes[count] = value
    count += power != _ONE
    return hashes[:count]


@kernel
def _in_order(words: Bits) -> np.int64:
    """One hash of all words as they follow each other, signed."""
    value = _ZERO
    for word in words:
        value = _stir(value * _BASE + word)
    return np.int64(value)


@kernel
def _different(words: Bits) -> Bits:
    """The hash of every run of three words, each once: a table of a thousand zeros must not outvote
    what is beside it.

    A hash table with open addressing; 0 = free, and the one run in 2^64 that is hashed to 0 is left
    out.
    """
    room = 64
    while room < 2 * words.size:
        room *= 2
    table = np.zeros(room, np.uint64)
    mask = np.uint64(room - 1)
    different = np.empty(words.size, np.uint64)
    count = 0
    for at in range(words.size - 2):
        run = _stir(words[at] + words[at + 1] * _BASE + words[at + 2] * _BASE_SQUARED)
        slot = run & mask
        while table[slot] != _ZERO and table[slot] != run:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] != run:
            table[slot] = different[count] = run
            count += 1
    return different[:count]


@kernel
def _stir(value: np.uint64) -> np.uint64:
    """Every bit of a sum must depend on all its words: the finisher of splitmix64."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def _votes(hashes: Bits) -> np.int64:
    """The majority of every bit, signed.

    Eight bits at a distance of 8 are counted in the eight bytes of one sum: no count overflows
    below 2^8 hashes.
    """
    counts = np.zeros(64, np.int64)
    sums = np.zeros(8, np.uint64)
    for first in range(0, hashes.size, 255):
        sums[:] = _ZERO
        for hashed in hashes[first : first + 255]:
            for shift in range(8):
                sums[shift] += (hashed >> np.uint64(shift)) & _BYTES
        for bit in range(64):
            counts[bit] += np.int64(
                (sums[bit & 7] >> np.uint64(bit & 56)) & np.uint64(255)
            )
    value = _ZERO
    for bit in range(64):
        if 2 * counts[bit] > hashes.size:
            value |= np.uint64(1) << np.uint64(bit)
    return np.int64(value)
