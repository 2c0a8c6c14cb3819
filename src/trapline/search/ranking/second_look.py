"""The second look: the best of the first are ranked by a small linear model.

Each factor is about 0 to 2, whatever the length of the query. The weights are learnt from known
items made out of a collection (titles, sentences, link texts, with some words that are wrong),
not from questions: `trapline lab run search/quality` learns them and shows what each is worth. Of
text, title, relevance and meaning the documentation says how they were set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import tantivy
from tantivy import Occur, Query

from trapline.search.hits import Factor
from trapline.search.index_documents import PASSAGES, TONGUE_NUMBER
from trapline.search.ranking.asked_of import AskedOf
from trapline.search.ranking.word_queries import Wording, any_of, worthless
from trapline.search.tongues import all_tongues

DEPTH: Final = 100  # pages that are looked at twice


class Weights(NamedTuple):
    text: float = 2.86  # BM25 of the text
    closeness: float = 1.62  # neighbours of the query that stand close in the text
    spelling: float = 6.4  # share of the words that it has just as they are spelt
    title: float = 7.0  # how far title and query are the same
    names: float = 1.18  # share of the words that others use for the page
    close_names: float = 1.8  # and that stand together there
    address: float = 0.73  # words in the URL
    relevance: float = 0.2  # to the topic
    meaning: float = 4.0  # of the best passage; only where the index has word vectors


WEIGHTS: Final = Weights()
# the factors that the index adds up by itself, and how they are asked for
_ADDED: Final = {
    "text": Wording.text,
    "closeness": Wording.closeness,
    "spelling": Wording.spelling,
    "names": Wording.names,
    "close_names": Wording.close_names,
    "address": Wording.address,
}


class Candidates(NamedTuple):
    """Pages that the first look found, best first."""

    asked: AskedOf
    pages: list[int]
    scores: list[float]  # of the first look
    addresses: list[tantivy.DocAddress]

    @classmethod
    def found_by(cls, asked: AskedOf, result: tantivy.SearchResult) -> Candidates:
        addresses = [address for _, address in result.hits]
        scores = [score for score, _ in result.hits]
        pages = asked.view.searcher.fast_field_values("page", addresses)
        return cls(
            asked,
            [int(page or 0) for page in pages],
            scores,
            addresses,
        )

    def best(self, depth: int) -> Candidates:
        parts = self.pages[:depth], self.scores[:depth], self.addresses[:depth]
        return Candidates(self.asked, *parts)

    def parts(self, choose: Callable[[Wording], list[Query]]) -> list[Query]:
        """Of a score, in the tongues that the pages have: others would add nothing."""
        tongues = all_tongues()
        spoken = {
            tongues[int(number)] for number in self.values(TONGUE_NUMBER).values()
        }
        wordings = (w for w in self.asked.wordings if w.tongue in spoken)
        return [query for wording in wordings for query in choose(wording)]

    def whole_values(self, field: str) -> dict[int, int]:
        """Of a fast field of whole numbers."""
        found = self.asked.view.searcher.fast_field_values(field, self.addresses)
        numbers = (int(value or 0) for value in found)
        return dict(zip(self.pages, numbers, strict=True))

    def values(self, field: str) -> dict[int, float]:
        """Of a fast field."""
        searcher = self.asked.view.searcher
        found = searcher.fast_field_values(field, self.addresses)
        numbers = (float(value or 0.0) for value in found)
        return dict(zip(self.pages, numbers, strict=True))


def second_look(
    found: Candidates, weights: Weights = WEIGHTS
) -> tuple[dict[int, float], dict[int, float]]:
    """The scores of pages, and how far their titles are what was asked for."""
    linear = [
        Query.boost_query(query, getattr(weights, name))
        for name, choose in _ADDED.items()
        if getattr(weights, name)
        for query in found.parts(choose)
    ]
    added = _add_up(found, linear)
    title = _title_likeness(found)
    relevance = found.values("relevance")
    meaning = _nearness(found)
    scores = {
        page: added.get(page, 0.0)
        + weights.title * title.get(page, 0.0)
        + weights.relevance * relevance[page]
        + weights.meaning * meaning.get(page, 0.0)
        for page in found.pages
    }
    return scores, title


def factors_of(
    found: Candidates, weights: Weights = WEIGHTS
) -> dict[int, tuple[Factor, ...]]:
    """Each factor of the scores of some pages, by itself."""
    values = {
        name: _add_up(found, found.parts(choose)) for name, choose in _ADDED.items()
    }
    values["title"] = _title_likeness(found)
    values["relevance"] = found.values("relevance")
    values["meaning"] = _nearness(found)
    return {
        page: tuple(
            Factor(name, value, value * weight)
            for name, weight in weights._asdict().items()
            for value in (values[name].get(page, 0.0),)
        )
        for page in found.pages
    }


def _title_likeness(found: Candidates) -> dict[int, float]:
    """How far title and query are the same: the share of the query that stands in the title, times
    the share of the title that the query has.
    """
    marks = _add_up(found, found.parts(Wording.title))
    lengths = found.values("title_words")
    likeness = {}
    for page, mark in marks.items():
        words = math.floor(
            mark + 1e-4
        )  # of the title; the rest is a quarter of the share
        share = min(1.0, 4.0 * max(0.0, mark - words))
        likeness[page] = share * min(1.0, words / max(1.0, lengths[page]))
    return likeness


def _nearness(found: Candidates) -> dict[int, float]:
    """How near the best passages are to the query; nothing without word vectors."""
    view = found.asked.view
    if view.vectors is None:
        return {}
    documents = map(view.searcher.doc, found.addresses)
    passages = [bytes(document.get_first(PASSAGES) or b"") for document in documents]
    query = " ".join(found.asked.asked.words)
    near = view.vectors.nearness(query, passages)
    return dict(zip(found.pages, near, strict=True))


def _add_up(found: Candidates, parts: Sequence[Query]) -> dict[int, float]:
    """What the parts of a score come to, for those of the pages that have any."""
    if not parts or not found.pages:
        return {}
    view = found.asked.view
    only = Query.term_set_query(view.schema, "page", found.pages)
    query = Query.boolean_query(
        [(Occur.Must, worthless(only)), (Occur.Must, any_of(parts))]
    )
    result = view.searcher.search(query, len(found.pages), count=False)
    scored = Candidates.found_by(found.asked, result)
    return dict(zip(scored.pages, scored.scores, strict=True))
