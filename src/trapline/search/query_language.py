"""How a typed query is read: words, phrases and how they are combined, and nothing that is costly.

Visitors are strangers. Tantivy's own language has ranges, prefixes, patterns and weights, which
make one short line visit every word of the index; here their signs are left out and the rest is
words. What remains is bounded: so many words, phrases and brackets.

>>> tame('moon AND (title:landing OR "space probe") -mars')
'moon AND (title:landing OR "space probe") -mars'
>>> tame("text:[a TO z]"), tame("moo* OR sta~2 OR mars^9"), tame("title:/.*a.*/ state-of-the-art")
('text a to z', 'moo OR sta OR mars', 'title a "state of the art"')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import tantivy

from trapline.core.errors import BadQuery

EVERYTHING: Final = "*"
LONGEST: Final = 1000  # characters
MOST_WORDS: Final = 64  # what comes after them is left out
MOST_PHRASES: Final = 8  # each walks through the places of its words in every text
MOST_BRACKETS: Final = 8  # the parser recurses
_FIELDS: Final = ["title", "text"]  # where a bare word is looked for
_BOOSTS: Final = {"title": 2.0}
_KEYWORDS: Final = frozenset(("AND", "OR", "NOT"))
_WORD: Final = re.compile(r"\w+")
_TOKEN: Final = re.compile(
    r'"(?P<phrase>[^"]*)"(?:[~^][\d.]*|\*)?'
    r"|(?P<bracket>[()])"
    r'|(?P<sign>(?<![^\s(])[+-])(?=["\w(])'
    r"|(?P<field>\b(?:title|text):)(?=[\"\w(])"
    r"|(?P<word>\w+(?:['’.&-]\w+)*)(?:[~^][\d.]*|\*)?"
)


def read_query(index: tantivy.Index, text: str, *, all_words: bool) -> tantivy.Query:
    """The query that a text stands for; what does not fit together ("c++: why") is read as plain
    words.
    """
    # a terminal may hand over halves of characters
    text = text.encode("utf-8", "replace").decode()
    if len(text) > LONGEST:
        raise BadQuery(text[:40] + "…", f"it is longer than {LONGEST} characters")
    if text.strip() == EVERYTHING:
        return tantivy.Query.all_query()
    query, mistakes = _parse(index, tame(text), all_words)
    return _parse(index, plain_words(text), all_words)[0] if mistakes else query


def tame(text: str) -> str:
    """The same query without what is costly, in Tantivy's language."""
    if text.count("(") > MOST_BRACKETS or text.count("(") != text.count(")"):
        return plain_words(text)
    return "".join(_separate(_Tamed().read(text)))


def plain_words(text: str) -> str:
    """Only words, in small letters (AND, OR, NOT are keywords).

    >>> plain_words('C++: why NOT "that?')
    'c why not that'
    """
    return " ".join(_WORD.findall(text)[:MOST_WORDS]).lower()


class _Tamed:
    """Counts what is left of a query while it is read."""

    def __init__(self) -> None:
        self._words_left = MOST_WORDS
        self._phrases_left = MOST_PHRASES

    def read(self, text: str) -> Iterator[str]:
        for token in _TOKEN.finditer(text):
            kind = token.lastgroup
            if kind == "phrase":
                yield from self._phrase(token["phrase"])
            elif kind != "word":
                yield token[0]
            elif token["word"] in _KEYWORDS:
                yield token["word"]
            else:
                yield from self._phrase(token["word"])

    def _phrase(self, text: str) -> Iterator[str]:
        """Words that belong together, or a single one."""
        words = [word.lower() for word in _WORD.findall(text)][: self._words_left]
        self._words_left -= len(words)
        if len(words) < 2 or not self._phrases_left:
            yield from words
            return
        self._phrases_left -= 1
        yield f'"{" ".join(words)}"'


def _separate(tokens: Iterator[str]) -> Iterator[str]:
    """Tokens with spaces where they do not belong to what follows or comes before."""
    glued = True
    for token in tokens:
        if not glued and token != ")":
            yield " "
        yield token
        glued = token in ("(", "+", "-") or token.endswith(":")


def _parse(
    index: tantivy.Index, text: str, all_words: bool
) -> tuple[tantivy.Query, list[object]]:
    return index.parse_query_lenient(
        text, _FIELDS, _BOOSTS, conjunction_by_default=all_words
    )
