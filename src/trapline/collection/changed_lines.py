"""Which lines of a document came and which went, for whoever asks what is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

LONGEST: Final = 2_000  # letters in all,
LONGEST_LINE: Final = 400  # and of a line
REACH: Final = 150  # of the same line, before and after what differs
_LOOKED_AT: Final = 30_000  # letters: a step of the robot must not take long


def changed_lines(old: str, new: str, begin: int, end: int) -> str:
    """Lines with `-` that went, then lines with `+` that came; cut where there are too many.

    Both texts begin with the same `begin` letters and end with the same `end` letters.

    >>> print(changed_lines("moons: 1\\nmass: 6", "moons: 2\\nmass: 6", 7, 8))
    - moons: 1
    + moons: 2
    """
    start = max(old.rfind("\n", 0, begin) + 1, begin - REACH)
    before = _part(old, start, end)
    after = _part(new, start, end)
    kept = set(before).intersection(after)
    went = _mark("-", (line for line in before if line not in kept))
    came = _mark("+", (line for line in after if line not in kept))
    # neither half takes all the room
    lines = [*_take(went, LONGEST // 2), *_take(came, LONGEST // 2)]
    return "\n".join(lines)


def _part(text: str, start: int, end: int) -> list[str]:
    """The lines of what differs, and of what follows in the same line."""
    tail = len(text) - end
    stop = text.find("\n", tail, tail + REACH)
    stop = min(tail + REACH, len(text)) if stop < 0 else stop
    return text[start : min(stop, start + _LOOKED_AT)].split("\n")


def _mark(sign: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.strip():
            cut = "…" if len(line) > LONGEST_LINE else ""
            yield f"{sign} {line[:LONGEST_LINE]}{cut}"


def _take(lines: Iterable[str], room: int) -> Iterator[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            yield f"{line[0]} …"
            return
        yield line
