"""What an engine answers, as a broker reads it: hits with title, snippet and score; or lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.federation.fates import Lie
from trapline.laboratory.worlds.federation.query_stream import WorldQuery
from trapline.laboratory.worlds.federation.word_index import (
    FoundPages,
    WordIndex,
    first_pages,
    spell,
)
from trapline.oasis.merging.engine_hits import EngineHit, EngineHits, Piece
from trapline.oasis.merging.rescoring import AskedWord, Rescoring, ScoreWeights, Shown
from trapline.search.ranking.second_look import WEIGHTS

Flags = NDArray[np.bool_]
TEN: Final = 10
_TOP: Final = 40.0  # about twice what the best page may have
_HOST: Final = "http://pages.test/"

# those that a score of this world is made of
SCORE_WEIGHTS: Final = ScoreWeights(
    WEIGHTS.text,
    0.0,
    WEIGHTS.spelling,
    WEIGHTS.title,
    WEIGHTS.names,
    0.0,
    0.0,
    0.0,
    0.0,
)


def answer_honestly(
    name: str, query: WorldQuery, found: FoundPages, held: Flags, index: WordIndex
) -> EngineHits:
    pages = first_pages(found, held, TEN)
    scores = found.score[np.searchsorted(found.page, pages)]
    hits = [
        EngineHit(
            _url(page),
            _title(page, index),
            _snippet(page, query, index),
            score,
        )
        for page, score in zip(pages.tolist(), scores.tolist(), strict=True)
    ]
    return EngineHits(
        name,
        hits,
        len(hits),
        comparable=True,
    )


def answer_falsely(lie: Lie, honest: EngineHits, query: WorldQuery) -> EngineHits:
    """`honest` is what it would say if it spoke the truth."""
    name = honest.engine
    if lie is Lie.SILENT:
        return EngineHits(
            name,
            (),
            0,
            comparable=True,
        )
    if lie is Lie.INFLATES:
        hits = [
            EngineHit(
                hit.url,
                hit.title,
                hit.snippet,
                _TOP - rank,
            )
            for rank, hit in enumerate(honest.hits)
        ]
    elif lie is Lie.GARBAGE:
        hits = [
            _invent(
                name,
                rank,
                "cheap watches",
                _TOP,
            )
            for rank in range(TEN)
        ]
    elif lie is Lie.STUFFS:
        title = " ".join(map(spell, query.words))
        hits = [
            _invent(
                name,
                rank,
                title,
                _possible_score(),
            )
            for rank in range(TEN)
        ]
    else:
        return honest
    return EngineHits(
        name,
        hits,
        len(hits),
        comparable=True,
    )


def page_of(hit: EngineHit) -> int:
    """Its number; −1 = it was invented."""
    number = hit.url.removeprefix(_HOST)
    return int(number) if number.isdigit() else -1


def rescoring_of(query: WorldQuery, rarities: Sequence[float]) -> Rescoring:
    words = [
        AskedWord(frozenset((spell(word),)), rarity)
        for word, rarity in zip(query.words, rarities, strict=True)
    ]
    return Rescoring(words, SCORE_WEIGHTS, _read)


def _read(hit: EngineHit) -> Shown:
    title = hit.title.split()
    return Shown(title, [*title, *hit.snippet_text.split()], ())


def _possible_score() -> float:
    """Of a page whose text and title are the query: what a liar can claim unnoticed."""
    return WEIGHTS.text * 2.0 + WEIGHTS.spelling + WEIGHTS.title


def _invent(
    engine: str,
    rank: int,
    title: str,
    score: float,
) -> EngineHit:
    url = f"http://{engine.replace(' ', '-')}.test/{title.replace(' ', '-')}-{rank}"
    return EngineHit(
        url,
        title,
        (Piece(title, False),),
        score - 0.01 * rank,
    )


def _url(page: int) -> str:
    return f"{_HOST}{page}"


def _title(page: int, index: WordIndex) -> str:
    entries = slice(index.starts[page], index.starts[page + 1])
    words = index.bags.word[entries][index.bags.in_title[entries]]
    return " ".join(map(spell, words.tolist()))


def _snippet(page: int, query: WorldQuery, index: WordIndex) -> tuple[Piece, ...]:
    """The words of the query that the page has: snippets show those."""
    own = set(index.bags.word[index.starts[page] : index.starts[page + 1]].tolist())
    return tuple(Piece(f"{spell(word)} ", True) for word in query.words if word in own)
