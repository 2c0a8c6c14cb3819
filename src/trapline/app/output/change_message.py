"""The changes of a moment as one message for people: a title, then each change in a few lines.

>>> news = Line(1, "http://a/", "changed", "", 0.0, "Prices", 12, 3)
>>> print(message_of([news], "watch").text)
changed: Prices
http://a/
+12 −3 words
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from trapline.app.output.changes import Line, describe_size, describe_trouble
from trapline.app.output.readable_text import readable

TOLD: Final = 20  # changes that are told in full; the others are counted
DIFF_LINES: Final = 10  # of each, the first
_LONGEST: Final = 300  # letters of a line
_NEW: Final = "new"


class ChangeMessage(NamedTuple):
    title: str
    text: str


def message_of(lines: list[Line], engine: str) -> ChangeMessage:
    """What changed goes before what is merely new."""
    ordered = sorted(lines, key=lambda line: line.turn == _NEW)
    parts = ["\n".join(_describe(line)) for line in ordered[:TOLD]]
    if len(ordered) > TOLD:
        parts.append(f"and {len(ordered) - TOLD} more")
    return ChangeMessage(_title(ordered, engine), "\n\n".join(parts))


def trial_message(engine: str) -> ChangeMessage:
    """What a person sees who tries out a service."""
    return ChangeMessage(
        f"Trapline {engine}: a test",
        "This message was sent to test where changes are told. Nothing has changed.",
    )


def _title(lines: list[Line], engine: str) -> str:
    """
    >>> gone = Line(1, "http://a/", "gone", "", 0.0, "Prices", 0, 0)
    >>> _title([gone, gone], "shop"), _title([gone], "shop")
    ('shop: 2 gone', 'shop: gone: Prices')
    """
    if len(lines) == 1:
        return _one_line(f"{engine}: {lines[0].turn}: {lines[0].caption}")
    turns = Counter(line.turn for line in lines)
    counts = ", ".join(f"{count} {turn}" for turn, count in turns.items())
    return _one_line(f"{engine}: {counts}")


def _describe(line: Line) -> Iterator[str]:
    yield _one_line(f"{line.turn}: {line.caption}")
    yield _one_line(line.url)
    tags = " ".join(map("#{}".format, line.tags))
    about = (describe_trouble(line), describe_size(line), tags)
    if any(about):
        yield _one_line(", ".join(filter(None, about)))
    yield from map(_one_line, line.diff[:DIFF_LINES])
    if len(line.diff) > DIFF_LINES:
        yield f"({len(line.diff) - DIFF_LINES} more lines)"


def _one_line(text: str) -> str:
    text = readable(" ".join(text.split()))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
