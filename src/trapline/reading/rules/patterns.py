"""Regular expressions of people, on texts of strangers.

Python's can take for ever: `(a+)+b` on a line of a's. Bounds on the expression and on the letters
of a line keep the harm small; the time limit of a reader process ends the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from trapline.core.errors import BadRule

LONGEST: Final = 500  # letters of an expression
LONGEST_TEXT: Final = 1_000_000  # letters that are looked at
LONGEST_LINE: Final = 20_000


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> re.Pattern[str]:
    """Raises BadRule for what is no regular expression. Case counts unless it begins with (?i)."""
    if len(text) > LONGEST:
        raise BadRule(text, f"longer than {LONGEST} letters")
    try:
        return re.compile(text, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadRule(text, f"not a regular expression ({error})") from None


def leave_out(text: str, patterns: Iterable[str]) -> str:
    """The text without what matches, line by line; a line of which nothing is left goes.

    >>> leave_out("Tea 3 EUR\\nSeen 17 times\\nCoffee", [r"Seen \\d+ times", r" \\d+ EUR"])
    'Tea\\nCoffee'
    """
    compiled = [compile_pattern(pattern) for pattern in patterns]
    if not compiled:
        return text
    lines = (_leave_out(line, compiled) for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def _leave_out(line: str, patterns: Iterable[re.Pattern[str]]) -> str:
    left = line
    for pattern in patterns:
        left = pattern.sub("", left[:LONGEST_LINE]) + left[LONGEST_LINE:]
    return " ".join(left.split())


def matches(text: str, pattern: str) -> bool:
    """Whether an expression is found anywhere in the text."""
    return compile_pattern(pattern).search(text[:LONGEST_TEXT]) is not None
