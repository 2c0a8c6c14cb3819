"""A query put to an index: the documents that answer, and what restricts them."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy
from tantivy import Occur, Query

from trapline.search.index_documents import ADDRESS, NAMES, TEXT, TITLE
from trapline.search.query_language import Asked
from trapline.search.ranking.word_queries import View, Wording, any_of, worthless
from trapline.search.tongues import Tongue, tongue_of


class AskedOf:
    """A query put to an index."""

    def __init__(self, asked: Asked, view: View) -> None:
        self.asked = asked
        self.view = view
        tongues = self._tongues()
        # what restricts must be judged in every tongue, even where it has none of the words
        self._all = [Wording(asked, tongue, view) for tongue in tongues]
        # a word of one tongue may be a stop word of another
        telling = [w for w in self._all if w.tells] or self._all
        self.wordings = [wording for wording in telling if wording.is_known()]

    def _tongues(self) -> list[Tongue]:
        if self.asked.languages:
            return list(dict.fromkeys(map(tongue_of, self.asked.languages)))
        return self.view.tongues()

    def matching(self, *, all_words: bool = False) -> Query:
        """The documents that answer, scored by the first look."""
        if self.asked.is_empty:
            return Query.empty_query()
        clauses = [(Occur.Must, worthless(query)) for query in self._demands()]
        clauses += [(Occur.MustNot, query) for query in self._refusals()]
        if not self.asked.words:
            return Query.boolean_query([*clauses, (Occur.Must, Query.all_query())])
        if self._is_held(self.asked.address):
            return Query.boolean_query(
                [*clauses, (Occur.Must, self._page_at_address())]
            )
        looks = [look for wording in self.wordings for look in wording.first_look()]
        if not looks:
            return Query.empty_query()
        clauses.append((Occur.Must, any_of(looks)))
        if all_words:
            clauses += [(Occur.Must, worthless(query)) for query in self._every_word()]
        return Query.boolean_query(clauses)

    def _page_at_address(self) -> Query:
        """The page whose URL was typed."""
        return Query.term_query(self.view.schema, ADDRESS, self.asked.address)

    def _is_held(self, address: str) -> bool:
        return bool(address) and bool(
            self.view.searcher.search(self._page_at_address(), 1, count=False).hits
        )

    def _every_word(self) -> list[Query]:
        """For each word that tells anything: the documents that have it."""
        return [self._standing((TEXT, TITLE, NAMES), (w,)) for w in self._telling()]

    def _telling(self) -> list[str]:
        words = [
            word
            for word in dict.fromkeys(self.asked.words)
            if not all(w.tongue.is_stop(word) for w in self.wordings)
        ]
        return words or list(self.asked.words)

    def _demands(self) -> list[Query]:
        asked, schema = self.asked, self.view.schema
        queries = [self._standing((TEXT, TITLE), phrase) for phrase in asked.phrases]
        queries += [self._standing((TEXT, TITLE, NAMES), (w,)) for w in asked.demanded]
        queries += [self._standing((TITLE,), phrase) for phrase in asked.in_title]
        for field, values in (("host", asked.hosts), ("language", asked.languages)):
            terms = [Query.term_query(schema, field, value) for value in values]
            queries += [any_of(terms)] if terms else []
        if asked.changed.from_s is not None or asked.changed.to_s is not None:
            queries.append(self._span_of_changes())
        return queries

    def _refusals(self) -> list[Query]:
        asked, schema = self.asked, self.view.schema
        return [
            *(self._standing((TEXT, TITLE), phrase) for phrase in asked.unwanted),
            *(self._standing((TITLE,), phrase) for phrase in asked.unwanted_in_title),
            *(Query.term_query(schema, "host", host) for host in asked.unwanted_hosts),
            *(
                Query.term_query(schema, "language", language)
                for language in asked.unwanted_languages
            ),
        ]

    def _standing(self, fields: Sequence[str], words: Sequence[str]) -> Query:
        """The documents where words stand in a row in one of some fields."""
        found = []
        for wording in self._all:
            stems = [stem for word in words for stem in wording.tongue.stems(word)]
            if stems:
                found += [wording.phrase(field, stems) for field in fields]
        return any_of(found) if found else Query.empty_query()

    def _span_of_changes(self) -> Query:
        span = self.asked.changed
        return Query.range_query(
            self.view.schema,
            "changed_s",
            tantivy.FieldType.Float,
            span.from_s,
            span.to_s,
            include_upper=span.to_s is None,
        )
