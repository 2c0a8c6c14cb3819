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
from dataclasses import dataclass, field, replace
from typing import Final

from trapline.core.errors import BadQuery, BadUrl
from trapline.core.urls import canonical
from trapline.search.query_dates import Span
from trapline.search.query_parts import (
    PHRASE,
    Part,
    parts_of,
    read_host,
    read_language,
    span_of,
)
from trapline.search.statistics.rarities import Rarities
from trapline.search.tongues import is_of_words, plain_spelling

LONGEST: Final = 1000  # characters
MOST_WORDS: Final = 64  # what comes after them is left out
MOST_PHRASES: Final = 8  # each walks through the places of its words in every text
_EVERYTHING: Final = "*"
_WORD: Final = re.compile(r"[a-z0-9]+")
_URL: Final = re.compile(r"(?:https?://\S+|[\w.-]+(?::\d{1,5})?/\S*)", re.IGNORECASE)

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as it was understood. All words are in small letters, in the order typed."""

    # wished for; those of phrases and demands are among them
    words: tuple[str, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    demanded: tuple[str, ...] = ()
    unwanted: tuple[Phrase, ...] = ()  # a phrase of one word is a word
    in_title: tuple[Phrase, ...] = ()
    unwanted_in_title: tuple[Phrase, ...] = ()
    hosts: tuple[str, ...] = ()
    unwanted_hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    unwanted_languages: tuple[str, ...] = ()
    changed: Span = field(default_factory=Span)
    everything: bool = False  # `*`
    address: str = ""  # of a page, when nothing else is typed; see `address_of`
    remarks: tuple[str, ...] = ()  # restrictions that are read as words, and why
    rarities: Rarities = ()  # of its stems; of those that are missing the index has its own

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for."""
        return replace(self, rarities=()) == Asked()


def read_query(text: str) -> Asked:
    """What a text stands for; BadQuery if it is absurdly long."""
    # a terminal may hand over halves of characters
    text = text.encode("utf-8", "replace").decode()
    if len(text) > LONGEST:
        raise BadQuery(text[:40] + "…", f"it is longer than {LONGEST} characters")
    if text.strip() == _EVERYTHING:
        return Asked(everything=True)
    reading = _Reading()
    for part in parts_of(text):
        reading.take(part)
    return reading.result(_pasted_address(text.strip()))


def address_of(url: str) -> str:
    """A canonical URL as people copy it: the scheme, and whether a slash ends it, do not matter.

    >>> address_of("https://example.org/a/"), address_of("http://example.org/")
    ('example.org/a', 'example.org')
    """
    return url.partition("://")[2].rstrip("/")


def _pasted_address(text: str) -> str:
    if not _URL.fullmatch(text):
        return ""
    try:
        return address_of(canonical(text if "://" in text else f"http://{text}"))
    except BadUrl:
        return ""


def words_of(text: str) -> list[str]:
    """The words of a text in small letters. What each of them is in an index, a tongue decides.

    >>> words_of("C++: Why not pandas.read_csv?")
    ['c', 'why', 'not', 'pandas', 'read', 'csv']
    """
    small = plain_spelling(text).lower()
    if small.isascii():
        return _WORD.findall(small)
    letters = (sign if is_of_words(sign) else " " for sign in small)
    return "".join(letters).split()


class _Reading:
    """What has been read of a query so far."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._phrases: list[Phrase] = []
        self._demanded: list[str] = []
        self._unwanted: list[Phrase] = []
        self._in_title: list[Phrase] = []
        self._unwanted_in_title: list[Phrase] = []
        self._hosts: list[str] = []
        self._unwanted_hosts: list[str] = []
        self._languages: list[str] = []
        self._unwanted_languages: list[str] = []
        self._changed = Span()
        self._remarks: list[str] = []

    def take(self, part: Part) -> None:
        if part.before_too and self._words:
            self._demanded.append(self._words[-1])
        if part.problem:
            self._remarks.append(part.problem)
        match part.kind:
            case "host":
                hosts = self._unwanted_hosts if part.unwanted else self._hosts
                hosts.append(read_host(part.text) or "")
            case "lang":
                unwanted = self._unwanted_languages
                languages = unwanted if part.unwanted else self._languages
                languages.append(read_language(part.text) or "")
            case "changed":
                self._changed = self._changed.within(span_of(part))
            case "title":
                self._take_title(part)
            case _:
                self._take_words(part)

    def result(self, address: str) -> Asked:
        return Asked(
            tuple(self._words),
            tuple(self._phrases),
            tuple(self._demanded),
            tuple(self._unwanted),
            tuple(self._in_title),
            tuple(self._unwanted_in_title),
            tuple(self._hosts),
            tuple(self._unwanted_hosts),
            tuple(self._languages),
            tuple(self._unwanted_languages),
            self._changed,
            address=address,
            remarks=tuple(self._remarks),
        )

    def _take_words(self, part: Part) -> None:
        words = self._words_of(part)
        if part.unwanted:
            _add_phrase(self._unwanted, words)
            return
        self._words += words
        if part.kind == PHRASE and len(words) > 1:
            _add_phrase(self._phrases, words)
        elif part.demanded or part.kind == PHRASE:
            self._demanded += words

    def _take_title(self, part: Part) -> None:
        words = self._words_of(part)
        if part.unwanted:
            _add_phrase(self._unwanted_in_title, words)
            return
        self._words += words
        _add_phrase(self._in_title, words)

    def _words_of(self, part: Part) -> list[str]:
        return words_of(part.text)[: MOST_WORDS - len(self._words)]


def _add_phrase(phrases: list[Phrase], words: Sequence[str]) -> None:
    """Those that are too many are read as words."""
    if words and (len(phrases) < MOST_PHRASES or len(words) == 1):
        phrases.append(tuple(words))
