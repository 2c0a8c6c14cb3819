"""Kernels that hash the words of a text, in lower case and singular, by one pass over its bytes.

A page of 10 KB takes some 50 µs, where a regular expression and a dictionary take a millisecond.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.kernel import kernel

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.int32]
Weights = NDArray[np.float32]

_MASK: Final = 0xFFFFFFFF
_FNV: Final = 2166136261  # what its hashes begin with
BEYOND: Final = 255  # a byte of a character that is not ASCII
CAPITAL: Final = -1


@kernel
def read_words(
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
    return count if found >= 0 else CAPITAL


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
        if letter == BEYOND:
            gap = _gap(letters, at, lowered) if at >= beyond else 1
            if gap == CAPITAL:
                return CAPITAL
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

    0 = a letter or a digit; CAPITAL = perhaps a capital, in a text that may have such.
    """
    here = letters[at]
    after = letters[at + 1] if at + 1 < letters.size else 0
    if not lowered and _may_be_capital(here, after):
        return CAPITAL
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
def count_different(
    words: Hashes, title: int, title_times: int, different: Hashes, times: Weights
) -> int:
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
        times[slots[slot]] += title_times if i < title else 1
    return count
