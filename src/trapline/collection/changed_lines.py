"""Which lines of a document came and which went, for whoever asks what is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from trapline.collection.text_diff import CAME, CUT, WENT, signed_lines

LONGEST: Final = 2_000  # letters in all,
LONGEST_LINE: Final = 400  # and of a line
REACH: Final = 150  # of the same line, before and after what differs
# a step of the robot must not take long: letters,
_LOOKED_AT: Final = 30_000
_WORK: Final = 60_000  # and comparisons


def changed_lines(old: str, new: str, begin: int, end: int) -> str:
    """Lines with `-` that went and with `+` that came, in their order; cut where there are too
    many.

    Both texts begin with the same `begin` letters and end with the same `end` letters.

    >>> print(changed_lines("moons: 1\\nmass: 6", "moons: 2\\nmass: 6", 7, 8))
    - moons: 1
    + moons: 2
    """
    start = max(old.rfind("\n", 0, begin) + 1, begin - REACH)
    before = _part(old, start, end)
    after = _part(new, start, end)
    return "\n".join(cut_lines(signed_lines(before, after, _WORK)))


def _part(text: str, start: int, end: int) -> list[str]:
    """The lines of what differs, and of what follows in the same line."""
    tail = len(text) - end
    stop = text.find("\n", tail, tail + REACH)
    stop = min(tail + REACH, len(text)) if stop < 0 else stop
    return text[start : min(stop, start + _LOOKED_AT)].split("\n")


def cut_lines(lines: Iterable[str], longest: int = LONGEST) -> Iterator[str]:
    """Signed lines as far as there is room for them; neither sign takes all of it."""
    room = {WENT: longest // 2, CAME: longest // 2}
    for line in lines:
        sign = line[0]
        left = room[sign]
        if left <= 0:
            continue
        cut = line if len(line) <= LONGEST_LINE + 2 else line[: LONGEST_LINE + 2] + CUT
        room[sign] = left - len(cut) - 1
        yield cut if room[sign] >= 0 else f"{sign} {CUT}"
