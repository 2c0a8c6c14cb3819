"""What one can type, shown by words of the collection itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from trapline.app.web.pages.markup import Html, element
from trapline.core.storage import Store

_LOOKED_AT: Final = 12  # titles
_LONGEST: Final = 26  # letters of an example
_PAIR: Final = re.compile(r"(?<!\S)([^\W\d_]{4,}) ([^\W\d_]{4,})(?!\S)")


class Named(NamedTuple):
    title: str
    host: str


class Hint(NamedTuple):
    query: str
    meaning: str


def sample_names(store: Store) -> Iterator[Named]:
    """Titles from all over the collection."""
    known = store.counts().known
    for number in range(0, known, max(1, known // _LOOKED_AT)):
        page = store.page(number)
        if page is not None:
            yield Named(page.title, urlsplit(page.url).netloc)


def hints_of(names: Iterable[Named]) -> list[Hint]:
    """One of each kind, by the longest pair of words that is not too long; none without a pair.

    >>> [hint.query for hint in hints_of([Named("A red giant", "a.org"), Named("Moon", "a.org")])]
    []
    >>> [hint.query for hint in hints_of([Named("About orbit insertion", "a.org")])]
    ['"orbit insertion"', 'insertion -orbit', 'title:insertion', 'insertion host:a.org']
    """
    pairs = [(one, found) for one in names for found in _pairs(one.title)]
    if not pairs:
        return []
    named, (first, second) = max(pairs, key=lambda pair: len("".join(pair[1])))
    return [
        Hint(f'"{first} {second}"', "words that stand together"),
        Hint(f"{second} -{first}", "without a word"),
        Hint(f"title:{second}", "in titles"),
        Hint(f"{second} host:{named.host}", "on one host"),
    ]


def _pairs(title: str) -> list[tuple[str, str]]:
    """Neighbours; each word may begin a pair.

    >>> _pairs("About orbit insertion")
    [('about', 'orbit'), ('orbit', 'insertion')]
    """
    words = title.lower().split(" ")
    found = [_PAIR.fullmatch(f"{one} {two}") for one, two in pairwise(words)]
    pairs = [(match[1], match[2]) for match in found if match]
    return [pair for pair in pairs if len("".join(pair)) <= _LONGEST]


def hint_list(hints: Iterable[Hint]) -> Html:
    items = [
        element(
            "li",
            element(
                "a",
                element("code", hint.query, dir="auto"),
                href=f"/search?{urlencode({'q': hint.query})}",
            ),
            element("span", hint.meaning),
        )
        for hint in hints
    ]
    return element("ul", items, class_="hints")
