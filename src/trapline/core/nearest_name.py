"""The name that was probably meant, where one is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

ALIKE: Final = 0.6
VERY_ALIKE: Final = 0.85


def nearest_name(name: str, known: Iterable[str], alike: float = ALIKE) -> str:
    """Of the known names the one most like `name`; "" if none is. 1 = only the same name is.

    >>> nearest_name("dept", ["depth", "pages"]), nearest_name("xyz", ["depth"])
    ('depth', '')
    """
    return next(iter(get_close_matches(name, list(known), 1, alike)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A clause for the end of a sentence; "" if nothing is like it.

    >>> did_you_mean("craw", ["crawl", "watch"])
    '; did you mean crawl?'
    """
    nearest = nearest_name(name, known)
    return f"; did you mean {nearest}?" if nearest else ""
