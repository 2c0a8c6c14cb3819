"""Values of a file that another program wrote, or a person: each may be of any type."""

from __future__ import annotations

import re
from datetime import date
from math import isfinite
from typing import Any, Final

ACROSS_LINES: Final = "it reaches across lines; text is left out line by line"
_LARGEST: Final = 1e9
# where lines end, outside of a set of characters, and not only perhaps
_LINE_END: Final = re.compile(r"(?<!\\)(?:\\\\)*(?:\\n|\n)(?![?*]|\{0)")
_SET: Final = re.compile(r"(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


def text_of(value: object) -> str:
    """ "" for what is no text: lists and tables may hold themselves, or be huge.

    >>> text_of(" tea "), text_of(3), text_of(None), text_of(["tea"])
    ('tea', '3', '', '')
    """
    if not isinstance(value, str | int | float | date):
        return ""
    try:
        text = str(value)
    except ValueError:  # Python writes no number of thousands of digits
        return ""
    # half a letter, which no file can hold
    return text.encode("utf-8", "replace").decode().strip()


def texts_of(value: object) -> list[str]:
    """Of a list, or of one value.

    >>> texts_of(["tea", None, " "]), texts_of("tea"), texts_of(None)
    (['tea'], ['tea'], [])
    """
    return [text for text in map(text_of, list_of(value)) if text]


def list_of(value: object) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None or value == "" else [value]


def table_of(value: object) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def count_of(value: object) -> float | None:
    """A number from 0 on; nothing is 0, and None = it is no number.

    >>> count_of("2"), count_of(None), count_of("two"), count_of(-1), count_of(True)
    (2.0, 0.0, None, None, None)
    """
    if value is None or value == "":
        return 0.0
    try:
        number = float(value) if isinstance(value, str | int | float) else -1.0
    except (ValueError, OverflowError):
        return None
    good = isfinite(number) and 0.0 <= number <= _LARGEST
    return number if good and not isinstance(value, bool) else None


def spans_lines(pattern: str) -> bool:
    r"""Whether an expression can be found only across the ends of lines.

    >>> spans_lines(r"a\nb"), spans_lines(r"[^\n]*b"), spans_lines(r"a\n?b"), spans_lines(r"a\\nb")
    (True, False, False, False)
    """
    return _LINE_END.search(_SET.sub("x", pattern)) is not None
