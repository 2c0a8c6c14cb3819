"""How a typed query is read: words that are wished for, and the few signs that people know.

`"…"` must stand there just so, `+word` must be there, `-word` must not; `title:`, `host:` (or
`site:`), `lang:` and `changed:` restrict. `AND`, `OR` and `NOT` are understood; what is no syntax
is read as words. Visitors are strangers, so nothing here is costly: no ranges over words, no
patterns, no weights, and a bounded number of words and phrases.

>>> asked = read_query('moon "space probe" +orbit -mars title:landing host:nasa.gov')
>>> asked.words, asked.phrases, asked.demanded, asked.unwanted
(('moon', 'space', 'probe', 'orbit', 'landing'), (('space', 'probe'),), ('orbit',), (('mars',),))
>>> asked.in_title, asked.hosts
((('landing',),), ('nasa.gov',))
>>> read_query("text:[a TO z] c++: why").words, read_query("a AND b NOT c").demanded
(('text', 'a', 'to', 'z', 'c', 'why'), ('a', 'b'))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from trapline.core.errors import BadQuery
from trapline.search.query_dates import Span, read_span

LONGEST: Final = 1000  # characters
MOST_WORDS: Final = 64  # what comes after them is left out
MOST_PHRASES: Final = 8  # each walks through the places of its words in every text
_EVERYTHING: Final = "*"
_WORD: Final = re.compile(r"[^\W_]+")
_TOKEN: Final = re.compile(
    r"(?P<sign>[+-])?(?:(?P<field>title|host|site|lang|changed):(?=\S))?"
    r'(?:"(?P<phrase>[^"]*)"?|(?P<chunk>[^\s"]+))',
    re.IGNORECASE,
)
_HOST: Final = re.compile(
    r"[\w.-]+(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?", re.IGNORECASE
)
_LANGUAGE: Final = re.compile(r"[a-z]{2}", re.IGNORECASE)

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as it was understood. All words are in small letters, in the order typed."""

    words: tuple[
        str, ...
    ] = ()  # wished for; those of phrases and demands are among them
    phrases: tuple[Phrase, ...] = ()
    demanded: tuple[str, ...] = ()
    unwanted: tuple[Phrase, ...] = ()  # a phrase of one word is a word
    in_title: tuple[Phrase, ...] = ()
    hosts: tuple[str, ...] = ()
    unwanted_hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    changed: Span = field(default_factory=Span)
    everything: bool = False  # `*`

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for."""
        return self == Asked()


def read_query(text: str) -> Asked:
    """What a text stands for; BadQuery if it is absurdly long."""
    # a terminal may hand over halves of characters
    text = text.encode("utf-8", "replace").decode()
    if len(text) > LONGEST:
        raise BadQuery(text[:40] + "…", f"it is longer than {LONGEST} characters")
    if text.strip() == _EVERYTHING:
        return Asked(everything=True)
    reading = _Reading()
    for token in _TOKEN.finditer(text):
        reading.take(token)
    return reading.result()


def words_of(text: str) -> list[str]:
    """
    >>> words_of("C++: Why not pandas.read_csv?")
    ['c', 'why', 'not', 'pandas', 'read', 'csv']
    """
    return [word.lower() for word in _WORD.findall(text)]


class _Reading:
    """What has been read of a query so far."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._phrases: list[Phrase] = []
        self._demanded: list[str] = []
        self._unwanted: list[Phrase] = []
        self._in_title: list[Phrase] = []
        self._hosts: list[str] = []
        self._unwanted_hosts: list[str] = []
        self._languages: list[str] = []
        self._changed = Span()
        self._and = False  # the next word is demanded
        self._not = False  # the next word is unwanted

    def take(self, token: re.Match[str]) -> None:
        if token["chunk"] in ("AND", "OR", "NOT"):
            self._take_operator(token["chunk"])
            return
        unwanted = token["sign"] == "-" or self._not
        demanded = token["sign"] == "+" or self._and
        self._and = self._not = False
        name = (token["field"] or "").lower()
        value = token["phrase"] if token["chunk"] is None else token["chunk"]
        if name and self._take_field(name, value, unwanted):
            return
        words = words_of(f"{name} {value}")[: MOST_WORDS - len(self._words)]
        if unwanted:
            self._add_phrase(self._unwanted, words)
            return
        self._words += words
        if token["phrase"] is not None and len(words) > 1:
            self._add_phrase(self._phrases, words)
        elif demanded or token["phrase"] is not None:
            self._demanded += words

    def result(self) -> Asked:
        return Asked(
            tuple(self._words),
            tuple(self._phrases),
            tuple(self._demanded),
            tuple(self._unwanted),
            tuple(self._in_title),
            tuple(self._hosts),
            tuple(self._unwanted_hosts),
            tuple(self._languages),
            self._changed,
        )

    def _take_operator(self, operator: str) -> None:
        self._and = operator == "AND"
        self._not = operator == "NOT"
        if self._and and self._words:
            self._demanded.append(self._words[-1])

    def _take_field(self, name: str, value: str, unwanted: bool) -> bool:
        """Whether it was a restriction, and not words that look like one."""
        match name:
            case "title" if not unwanted:
                words = words_of(value)[: MOST_WORDS - len(self._words)]
                self._words += words
                return self._add_phrase(self._in_title, words)
            case "host" | "site" if _HOST.fullmatch(value):
                hosts = self._unwanted_hosts if unwanted else self._hosts
                hosts.append(value.lower())
                return True
            case "lang" if _LANGUAGE.fullmatch(value) and not unwanted:
                self._languages.append(value.lower())
                return True
            case "changed" if not unwanted and (span := read_span(value)):
                self._changed = self._changed.within(span)
                return True
        return False

    def _add_phrase(self, phrases: list[Phrase], words: Sequence[str]) -> bool:
        """Those that are too many are read as words."""
        taken = bool(words) and (len(phrases) < MOST_PHRASES or len(words) == 1)
        if taken:
            phrases.append(tuple(words))
        return taken
