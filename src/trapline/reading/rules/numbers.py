"""Numbers in texts, as people of many countries write them: 1,234.56 and 1.234,56 are the same."""

from __future__ import annotations

import re
from typing import Final

from trapline.core.errors import BadRule
from trapline.reading.rules.patterns import LONGEST_TEXT, compile_pattern

_SPACES: Final = " \u00a0\u2009\u202f'\u2019"
_GROUPED: Final = "|".join(
    rf"\d{{1,3}}(?:{one}\d{{3}})+(?!\d)(?:{fraction}\d+)?"
    for one, fraction in (("[" + _SPACES + "]", "[.,]"), (",", r"\."), (r"\.", ","))
)
_LAKHS: Final = r"\d{1,2}(?:,\d\d)+,\d{3}(?!\d)(?:\.\d+)?"  # as in India
# Digits in groups, or without; perhaps with a fraction. A dash in a word is no sign.
ANY: Final = rf"((?:(?<!\w)[-\u2212+])?(?:{_GROUPED}|{_LAKHS}|\d+(?:[.,]\d+)?))"
_GROUPS: Final = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*")


def check_number_pattern(text: str) -> None:
    """Raises BadRule unless it has one group, or none."""
    if compile_pattern(text).groups > 1:
        raise BadRule(
            text,
            "a regular expression with several groups: put one ( ) around the number",
        )


def find_number(text: str, pattern: str) -> float | None:
    """The first number where the expression matches: in its group, if it has one.

    >>> find_number("Price: 1.234,56 EUR", r"Price: (\\S+)"), find_number("none", ANY)
    (1234.56, None)
    >>> [find_number(text, ANY) for text in ("was 20.00 15.00 now", "iPhone-12", "1 234 567,5")]
    [20.0, 12.0, 1234567.5]
    """
    for match in compile_pattern(pattern).finditer(text[:LONGEST_TEXT]):
        found = match[1] if match.re.groups else match[0]
        if found and (digits := re.search(ANY, found)) is not None:
            return read_number(digits[1])
    return None


def read_number(text: str) -> float:
    """The last separator is the one of the fraction, unless it stands like one of thousands.

    >>> [read_number(text) for text in ("1,234.56", "1.234,56", "1 234,5", "1'234", "0,99")]
    [1234.56, 1234.56, 1234.5, 1234.0, 0.99]
    >>> [read_number(text) for text in ("1,234", "1.234", "12,34", "1,234,567", "0.125", "-3")]
    [1234.0, 1234.0, 12.34, 1234567.0, 0.125, -3.0]
    """
    sign = -1.0 if text[0] in "-\u2212" else 1.0
    digits = text.lstrip("-\u2212+")
    for space in _SPACES:
        digits = digits.replace(space, "")
    if _GROUPS.fullmatch(digits) and not digits.startswith("0"):
        return sign * float(re.sub("[.,]", "", digits))
    whole, fraction = digits, ""
    last = max(digits.rfind("."), digits.rfind(","))
    # one that comes twice is no sign of a fraction
    if last >= 0 and digits.count(digits[last]) == 1:
        whole, fraction = digits[:last], digits[last + 1 :]
    return sign * float(f"{re.sub('[.,]', '', whole)}.{fraction or '0'}"[:300])
