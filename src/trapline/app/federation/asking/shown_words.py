"""The words that a hit shows, as stems of its language: what its score must be borne out by."""

from __future__ import annotations

from trapline.oasis.merging.engine_hits import EngineHit
from trapline.oasis.merging.rescoring import ScoreWeights, Shown
from trapline.search.index_documents import url_words
from trapline.search.query_language import words_of
from trapline.search.ranking.second_look import WEIGHTS
from trapline.search.tongues import ENGLISH, tongue_of


def score_weights() -> ScoreWeights:
    """Those of search's second look."""
    return ScoreWeights(
        WEIGHTS.text,
        WEIGHTS.closeness,
        WEIGHTS.spelling,
        WEIGHTS.title,
        WEIGHTS.names,
        WEIGHTS.close_names,
        WEIGHTS.address,
        WEIGHTS.relevance,
        WEIGHTS.meaning,
    )


def read_shown(hit: EngineHit) -> Shown:
    tongue = tongue_of(hit.language)
    return Shown(
        tongue.telling_stems(words_of(hit.title)),
        [*tongue.stems(hit.title), *tongue.stems(hit.snippet_text)],
        ENGLISH.stems(url_words(hit.url)),
    )
