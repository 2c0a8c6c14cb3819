"""Suggestions: how a query that is being typed may go on.

Titles that have the words typed so far replace the whole query, so they are offered only for plain
words. Else, and after them, only the last word is completed: what stands before it, filters above
all, stays as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from tantivy import Occur, Query

from trapline.search.index_documents import (
    SPELT,
    TITLE_BEGINNING,
    TITLE_SPELT,
    title_beginning,
)
from trapline.search.query_language import LONGEST, Asked, read_query, words_of
from trapline.search.query_parts import PHRASE, WORDS, parts_of
from trapline.search.ranking.asked_of import AskedOf
from trapline.search.ranking.word_queries import View, any_of
from trapline.search.tongues import ENGLISH, is_of_words

_OPEN_FIELD: Final = re.compile(r'title:"?$', re.IGNORECASE)  # whose value begins now
_MOST_WORDS: Final = 8
_LONGEST: Final = 30  # letters of a word that goes on
_MOST_BEGINNINGS: Final = 2000  # of titles, among which the shortest are chosen
_MOST_ENDINGS: Final = 60  # of a word, among which those of different stems are chosen
_TITLES: Final = 24  # of each kind that are looked at


def suggest(view: View, beginning: str, limit: int) -> list[str]:
    """At most `limit` queries that begin as this one does, or titles that have its words."""
    beginning = beginning[:LONGEST]
    words = words_of(beginning)
    if not words or len(words) > _MOST_WORDS or len(words[-1]) > _LONGEST:
        return []
    offers = _endings(view, *_split(beginning))
    if read_query(beginning) == Asked(tuple(words)):
        offers = chain(_titles(view, words), offers)
    return list(islice(_different(offers, beginning.strip()), limit))


def _different(offers: Iterator[str], typed: str) -> Iterator[str]:
    """Each once, in whatever letters, and not what stands there already."""
    seen = {typed.lower()}
    for offer in offers:
        if offer.lower() not in seen:
            seen.add(offer.lower())
            yield offer


def _split(beginning: str) -> tuple[str, str]:
    """What stays, and the word that is being typed; none if it is the value of a filter."""
    start = len(beginning)
    while start and is_of_words(beginning[start - 1]):
        start -= 1
    last = None
    for part in parts_of(beginning):
        last = part
    if last is None or last.kind not in (WORDS, PHRASE, "title") or last.problem:
        return beginning, ""
    return beginning[:start], "".join(words_of(beginning[start:]))


def _titles(view: View, words: list[str]) -> Iterator[str]:
    """Those that begin so, then those that have the words, then those that have the last one as a
    beginning; the shorter ones first.
    """
    yield from _titles_that_begin(view, " ".join(words))
    telling = [word for word in words[:-1] if not ENGLISH.is_stop(word)]
    if len(words) > 1 and not telling:
        return
    having = _having(view, [[word] for word in telling])
    longer = view.searcher.terms_with_prefix(
        TITLE_SPELT, words[-1], filter_query=having, limit=_TITLES
    )
    for last in ([words[-1]], [word for word, count in longer if count]):
        wanted = _having(view, [*([word] for word in telling), last])
        titles = _titles_of(view, wanted, _TITLES)
        yield from sorted(titles, key=lambda title: (len(title), title))


def _titles_that_begin(view: View, beginning: str) -> Iterator[str]:
    searcher = view.searcher
    found = searcher.terms_with_prefix(
        TITLE_BEGINNING, title_beginning(beginning), limit=_MOST_BEGINNINGS
    )
    shortest = sorted(
        (title for title, _ in found), key=lambda title: (len(title), title)
    )
    for title in shortest[:_TITLES]:
        yield from _titles_of(
            view,
            Query.term_query(
                view.schema,
                TITLE_BEGINNING,
                title,
            ),
            1,
        )


def _having(view: View, choices: list[list[str]]) -> Query:
    """The pages whose titles have one word of each choice."""
    schema = view.schema
    clauses = [
        any_of(Query.term_query(schema, TITLE_SPELT, word) for word in choice)
        for choice in choices
    ]
    return Query.boolean_query(
        [(Occur.Must, clause) for clause in (Query.all_query(), *clauses)]
    )


def _titles_of(view: View, query: Query, most: int) -> list[str]:
    """Titles that find their page when they are asked for: in others a sign would be in the way."""
    hits = view.searcher.search(
        query,
        most,
        count=False,
    ).hits
    titles = [str(view.searcher.doc(address)[TITLE_SPELT][0]) for _, address in hits]
    lines = [" ".join(title.split()) for title in titles]
    return [
        line
        for line in lines
        if len(line) <= LONGEST and read_query(line) == Asked(tuple(words_of(line)))
    ]


def _endings(view: View, head: str, last: str) -> Iterator[str]:
    """What the last word may become: words that pages have beside what was typed before, the most
    frequent first, one of each stem.
    """
    before = read_query(_OPEN_FIELD.sub("", head))
    if not last or (before.words and all(map(ENGLISH.is_stop, before.words))):
        return
    beside = None if before.is_empty else AskedOf(before, view).matching(all_words=True)
    found = view.searcher.terms_with_prefix(
        SPELT, last, filter_query=beside, limit=_MOST_ENDINGS
    )
    stems = {tuple(ENGLISH.stems(last))}
    for word, count in found:
        stem = tuple(ENGLISH.stems(word))
        if count and stem not in stems and not ENGLISH.is_stop(word):
            stems.add(stem)
            yield head + word
