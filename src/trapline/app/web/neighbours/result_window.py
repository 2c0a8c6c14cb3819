"""Which results another engine wants, as it says so: numbers may be missing or too great."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

USUAL: Final = 10  # results
MOST: Final = 100


@dataclass(frozen=True, slots=True)
class ResultWindow:
    count: int  # results a page
    skip: int  # results before the first


def result_window(count: str, start_index: str, start_page: str) -> ResultWindow:
    """Of an index and a page, the index counts; both begin at 1.

    >>> result_window("", "", ""), result_window("20", "", "3"), result_window("900", "0", "3")
    ... # doctest: +NORMALIZE_WHITESPACE
    (ResultWindow(count=10, skip=0), ResultWindow(count=20, skip=40),
     ResultWindow(count=100, skip=0))
    """
    wanted = min(int(count or 0) or USUAL, MOST)
    if start_index:
        return ResultWindow(wanted, max(0, int(start_index) - 1))
    return ResultWindow(wanted, max(0, int(start_page or 1) - 1) * wanted)


def language_of(tag: str) -> str:
    """Two letters; "" = any language.

    >>> [language_of(tag) for tag in ("en", "pt-BR", "*", "all", "auto", "")]
    ['en', 'pt', '', '', '', '']
    """
    first = tag.partition("-")[0].lower()
    return first if len(first) == 2 else ""
