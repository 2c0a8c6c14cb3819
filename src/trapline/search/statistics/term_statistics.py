"""What an index knows of its words: in how many pages each is, and how much it weighs there.

This is what an engine tells others, so that they can judge for which queries to ask it. A weight is
a word's BM25 in a text without its rarity: 0 to 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from tantivy import Occur, Query

from trapline.search.index_documents import TEXT
from trapline.search.ranking.word_queries import View, worthless
from trapline.search.tongues import Tongue

LEAST: Final = 2  # pages that have a word: what one page alone says tells little
_MOST_TERMS: Final = 3_000_000
# of words that more pages have, the weights are those in a sample
_MANY: Final = 500


class TermRow(NamedTuple):
    tongue: str
    stem: str
    documents: int
    mean: float  # of the weights
    variance: float


def term_statistics(view: View, sampled: Sequence[int]) -> Iterator[TermRow]:
    """The words that `LEAST` pages have; `sampled` are numbers of pages, any thousand of them."""
    only = worthless(Query.term_set_query(view.schema, "page", list(sampled)))
    for tongue in view.tongues():
        field = tongue.field(TEXT)
        found = view.searcher.terms_with_prefix(field, "", limit=_MOST_TERMS)
        for stem, documents in found:
            if documents >= LEAST:
                mean, variance = _weigh(
                    view,
                    tongue,
                    stem,
                    documents,
                    only,
                )
                # what was deleted lately is still counted
                having = min(documents, view.searcher.num_docs)
                yield TermRow(
                    tongue.code,
                    stem,
                    having,
                    mean,
                    variance,
                )


def _weigh(
    view: View, tongue: Tongue, stem: str, documents: int, only: Query
) -> tuple[float, float]:
    field = tongue.field(TEXT)
    query = Query.term_query(
        view.schema,
        field,
        stem,
        "freq",
    )
    if documents > _MANY:
        query = Query.boolean_query([(Occur.Must, only), (Occur.Must, query)])
    hits = view.searcher.search(query, _MANY, count=False).hits
    if not hits:
        return 1.0, 0.0  # deleted since, or in no page of the sample
    weights = np.array([score for score, _ in hits]) / view.rarity(field, stem)
    return float(weights.mean()), float(weights.var())
