"""Hits of a search with their snippets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import tantivy

from trapline.core.errors import BadNumber

# hits at once, and the farthest page of them: the collector allocates room for all
_MOST: Final = 1000
_FARTHEST: Final = 100_000
_SNIPPET: Final = 200  # characters


class Fragment(NamedTuple):
    """A piece of a snippet. Plain text with a mark, so that nobody has to trust HTML."""

    text: str
    is_match: bool


class Factor(NamedTuple):
    """One part of a hit's score."""

    name: str
    value: float  # as measured
    points: float  # what it adds to the score


@dataclass(frozen=True, slots=True)
class Hit:
    page: int
    url: str
    title: str
    snippet: tuple[Fragment, ...]
    score: float
    relevance: float
    fetched_s: float
    copies: int = 0  # pages that say the same, and are not shown
    marked_title: tuple[Fragment, ...] = ()
    host: str = ""
    language: str = ""
    first_seen_s: float = 0.0
    changed_s: float = 0.0
    factors: tuple[Factor, ...] = ()  # only where an explanation is asked for


class Found(NamedTuple):
    total: int
    hits: list[Hit]


def check_window(limit: int, offset: int) -> None:
    if not 1 <= limit <= _MOST:
        raise BadNumber("limit", limit, f"1 to {_MOST}")
    if not 0 <= offset <= _FARTHEST:
        raise BadNumber("offset", offset, f"0 to {_FARTHEST}")


def snippet(
    generator: tantivy.SnippetGenerator, document: tantivy.Document
) -> tuple[Fragment, ...]:
    """The piece of the text that matches best, else its beginning (the match may be in
    the title).
    """
    found = generator.snippet_from_doc(document)
    ranges = [(match.start, match.end) for match in found.highlighted()]
    if ranges:
        return mark_matches(found.fragment(), ranges)
    return (Fragment(opening_of(document["text"][0]), False),)


def snippets_of(
    searcher: tantivy.Searcher, query: tantivy.Query, schema: tantivy.Schema
) -> tantivy.SnippetGenerator:
    generator = tantivy.SnippetGenerator.create(searcher, query, schema, "text")
    generator.set_max_num_chars(_SNIPPET)
    return generator


def mark_matches(text: str, ranges: Iterable[tuple[int, int]]) -> tuple[Fragment, ...]:
    """Cut a text at ranges that count bytes of UTF-8, as Tantivy gives them.

    >>> mark_matches("größer als der Mond", [(17, 21)])
    (Fragment(text='größer als der ', is_match=False), Fragment(text='Mond', is_match=True))
    """
    data = text.encode()
    done = 0
    pieces = []
    for start, end in sorted(ranges):
        pieces += [
            Fragment(data[done:start].decode(), False),
            Fragment(data[max(start, done) : end].decode(), True),
        ]
        done = max(done, end)
    pieces.append(Fragment(data[done:].decode(), False))
    return tuple(piece for piece in pieces if piece.text)


def opening_of(text: str, length: int = _SNIPPET) -> str:
    """The first words of a text.

    >>> opening_of("the moon is far away", 14)
    'the moon is…'
    """
    if len(text) <= length:
        return text
    return text[:length].rsplit(None, 1)[0].rstrip() + "…"
