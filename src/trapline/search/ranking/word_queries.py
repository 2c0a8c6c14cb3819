"""A query in the words of an index: which of its stems are there, how rare, and in which fields.

One rarity for a word wherever it stands: that of the text. A field's own would make a word that is
rare in titles, and nowhere else, beat the page that answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import tantivy
from tantivy import Occur, Query

from trapline.search.index_documents import (
    NAMES,
    SPELT,
    TEXT,
    TITLE,
    TITLE_SPELT,
    URL_WORDS,
)
from trapline.search.meaning import WordVectors
from trapline.search.query_language import Asked
from trapline.search.tongues import ENGLISH, Tongue, tongue_of

_MOST_TONGUES: Final = 8
_TEXT_SLOP: Final = 4  # words that may stand between two that belong together
_SHORT_SLOP: Final = 2  # in what others call a page
# what a word adds to the first look where it stands in
_FIRST_LOOK: Final = ((TEXT, 1.0), (TITLE, 0.6), (NAMES, 0.3))
_FIRST_LOOK_ADDRESS: Final = 0.3


class View(NamedTuple):
    """An index as it is at one moment."""

    searcher: tantivy.Searcher
    schema: tantivy.Schema
    vectors: WordVectors | None = None  # of an index that was made with them

    def rarity(self, field: str, stem: str) -> float:
        """Inverse document frequency, as BM25 has it."""
        having = self.searcher.doc_freq(field, stem)
        return rarity_of(having, self.searcher.num_docs)

    def tongues(self) -> list[Tongue]:
        """Those of the documents, most frequent first."""
        found = self.searcher.terms_with_prefix("tongue", "", limit=_MOST_TONGUES)
        return [tongue_of(_LANGUAGE.get(code, code)) for code, _ in found]


def rarity_of(having: int, documents: int) -> float:
    without = max(0, documents - having)  # deleted ones are still counted
    return math.log1p((without + 0.5) / (having + 0.5))


_LANGUAGE: Final = {"signs": "zh"}  # any of a tongue's languages will do


def any_of(queries: Iterable[Query]) -> Query:
    found = list(queries)
    return found[0] if len(found) == 1 else Query.boolean_query(_should(found))


def worthless(query: Query) -> Query:
    """The same documents, without a score."""
    return Query.const_score_query(query, 0.0)


def _should(queries: Sequence[Query]) -> list[tuple[Occur, Query]]:
    return [(Occur.Should, query) for query in queries]


class Wording:
    """The words of a query in one tongue."""

    def __init__(
        self,
        asked: Asked,
        tongue: Tongue,
        view: View,
    ) -> None:
        self.tongue = tongue
        self._view = view
        telling = [word for word in asked.words if not tongue.is_stop(word)]
        self.tells = bool(telling)
        words = telling or asked.words  # "to be or not to be"
        self._words = [word.lower() for word in dict.fromkeys(words)]
        row = [stem for word in words for stem in tongue.stems(word)]
        self.stems = list(dict.fromkeys(row))
        self.pairs = list(dict.fromkeys(p for p in pairwise(row) if p[0] != p[1]))
        told = {r.stem: r.rarity for r in asked.rarities if r.tongue == tongue.code}
        self._own = {stem: self._own_rarity(TEXT, stem) for stem in self.stems}
        self.rarity = {stem: told.get(stem, self._own[stem]) for stem in self.stems}
        self.total = sum(self.rarity.values()) or 1.0

    def is_known(self) -> bool:
        """Whether any document has any of the words."""
        fields = [self._field(name) for name in (TEXT, TITLE, NAMES, URL_WORDS)]
        frequency = self._view.searcher.doc_freq
        return any(frequency(field, stem) for stem in self.stems for field in fields)

    # Single words and phrases

    def term(self, name: str, stem: str) -> Query:
        return Query.term_query(
            self._view.schema,
            self._field(name),
            stem,
            "freq",
        )

    def phrase(
        self,
        name: str,
        stems: Sequence[str],
        slop: int = 0,
    ) -> Query:
        if len(stems) == 1:
            return self.term(name, stems[0])
        return Query.phrase_query(
            self._view.schema, self._field(name), list(stems), slop
        )

    def weigh(self, name: str, stem: str) -> Query:
        """A word's BM25 in a field, with the rarity that it has in texts."""
        own = self._own[stem] if name == TEXT else self._own_rarity(name, stem)
        return Query.boost_query(self.term(name, stem), self.rarity[stem] / own)

    # Parts of a score; each about 0 to 2, so that queries of all lengths are comparable

    def first_look(self) -> list[Query]:
        parts = [
            Query.boost_query(self.weigh(name, stem), weight)
            for stem in self.stems
            for name, weight in _FIRST_LOOK
        ]
        if self.tongue is ENGLISH:
            parts += [
                Query.boost_query(self.weigh(URL_WORDS, stem), _FIRST_LOOK_ADDRESS)
                for stem in self.stems
            ]
        return parts

    def text(self) -> list[Query]:
        share = 1.0 / self.total
        return [Query.boost_query(self.weigh(TEXT, s), share) for s in self.stems]

    def closeness(self) -> list[Query]:
        return self._close(TEXT, _TEXT_SLOP)

    def spelling(self) -> list[Query]:
        """The share of the words, by rarity, that text or title have just as they are spelt."""
        schema = self._view.schema
        rarity = {word: self._rarity_of(word) for word in self._words}
        total = sum(rarity.values()) or 1.0
        found = []
        for word in self._words:
            fields = (SPELT, TITLE_SPELT)
            spelt = any_of(Query.term_query(schema, field, word) for field in fields)
            found.append(Query.const_score_query(spelt, rarity[word] / total))
        # these fields are shared by all tongues
        own = worthless(Query.term_query(schema, "tongue", self.tongue.code))
        both = [(Occur.Must, own), (Occur.Must, any_of(found))]
        return [Query.boolean_query(both)] if found else []

    def names(self) -> list[Query]:
        """The share of the words that others use for a page."""
        return self._share_in(NAMES, self._shares())

    def close_names(self) -> list[Query]:
        return self._close(NAMES, _SHORT_SLOP)

    def address(self) -> list[Query]:
        if self.tongue is not ENGLISH:
            return []
        share = 1.0 / self.total
        return [Query.boost_query(self.weigh(URL_WORDS, s), share) for s in self.stems]

    def title(self) -> list[Query]:
        """For each word of the title 1, and a quarter of its share of the query: two numbers in
        one, see `second_look`.
        """
        marks = [(stem, 1.0 + share / 4.0) for stem, share in self._shares()]
        return self._share_in(TITLE, marks)

    def _field(self, name: str) -> str:
        return name if name == URL_WORDS else self.tongue.field(name)

    def _own_rarity(self, name: str, stem: str) -> float:
        return self._view.rarity(self._field(name), stem)

    def _rarity_of(self, word: str) -> float:
        return sum(self.rarity.get(stem, 0.0) for stem in self.tongue.stems(word))

    def _shares(self) -> list[tuple[str, float]]:
        return [(stem, rarity / self.total) for stem, rarity in self.rarity.items()]

    def _share_in(self, name: str, shares: list[tuple[str, float]]) -> list[Query]:
        return [
            Query.const_score_query(self.term(name, s), share) for s, share in shares
        ]

    def _close(self, name: str, slop: int) -> list[Query]:
        found = []
        for pair in self.pairs:
            own = sum(self._own_rarity(name, stem) for stem in pair)
            share = sum(self.rarity[stem] for stem in pair) / own / self.total
            found.append(Query.boost_query(self.phrase(name, pair, slop), share))
        return found
