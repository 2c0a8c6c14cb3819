"""A question as it is passed on: its words, their rarities in the federation, and nothing of who
asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

import numpy as np

from trapline.oasis.merging.rescoring import AskedWord
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.shared_table import SharedTable
from trapline.oasis.terms import places_of, term_key
from trapline.search.questions import Question, Sort
from trapline.search.statistics.query_words import (
    QueryWord,
    query_words,
    telling_words,
)
from trapline.search.statistics.rarities import (
    Rarities,
    Rarity,
    write_rarities,
)

_DAY_S: Final = 86_400.0
_LONGEST_RARITIES: Final = 6_000  # characters: proxies refuse addresses of 8 KB
_MOST_HITS: Final = 100
_READABLE: Final = ":,"  # which rarities are full of


@dataclass(frozen=True, slots=True)
class PassedQuery:
    """A query in the words of a federation."""

    keys: QueryKeys
    rarities: Rarities
    words: tuple[AskedWord, ...]
    is_known: bool  # whether somebody has each of its words


def read_for_federation(
    text: str, tongues: tuple[str, ...], shared: SharedTable
) -> PassedQuery:
    words = query_words(text, tongues)
    keys = [[term_key(*stem) for stem in word.stems] for word in words]
    rarities: list[Rarity] = []
    asked = []
    known = True
    for word, own in zip(words, keys, strict=True):
        found = shared.rarities(own)
        rarities += [
            Rarity(tongue, stem, rarity)
            for (tongue, stem), rarity in zip(word.stems, found, strict=True)
        ]
        asked.append(_asked_word(word, found))
        known &= _has_any(shared, own)
    kept = _fit(tuple(dict.fromkeys(rarities)))
    telling = telling_words(words, tongues)
    chosen = [own for word, own in zip(words, keys, strict=True) if word in telling]
    return PassedQuery(QueryKeys.of(chosen), kept, tuple(asked), bool(words) and known)


def search_url(
    engine: str, question: Question, *, query_id: str, counts: bool = True
) -> str:
    """The address at which another Trapline is asked; `engine` is its URL."""
    said: dict[str, str] = {
        "q": question.text,
        "limit": str(min(question.limit, _MOST_HITS)),
        "hops": "1",
        "query_id": query_id,
        "as_typed": "true",
    }
    if question.rarities:
        said["rarities"] = write_rarities(question.rarities)
    if question.rarities and question.statistics:
        said["statistics"] = question.statistics
    if question.sort is not Sort.BEST:
        said["sort"] = question.sort.value
    if not counts:
        said["typing"] = "true"
    said |= _filters(question)
    return f"{engine}/api/search?{urlencode(said, safe=_READABLE)}"


def _filters(question: Question) -> dict[str, str]:
    said = {"host": question.host, "lang": question.language}
    if question.changed_from_s is not None:
        said["changed_from"] = _day(question.changed_from_s)
    if question.changed_to_s is not None:
        said["changed_to"] = _day(question.changed_to_s - _DAY_S)
    return {name: value for name, value in said.items() if value}


def _day(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).date().isoformat()


def _asked_word(word: QueryWord, rarities: list[float]) -> AskedWord:
    stems = frozenset(stem for _, stem in word.stems)
    # in the tongue in which it is most common: there people use it
    return AskedWord(stems, min(rarities))


def _has_any(shared: SharedTable, keys: list[int]) -> bool:
    return bool((places_of(shared.keys, np.array(keys, np.uint64)) >= 0).any())


def _fit(rarities: Rarities) -> Rarities:
    """As many as an address has room for; engines know the others by themselves."""
    kept = rarities
    while kept and len(write_rarities(kept)) > _LONGEST_RARITIES:
        kept = kept[: len(kept) * 3 // 4]
    return kept
