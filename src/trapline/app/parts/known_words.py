"""The words of a query in all parts together: how rare they are, and how they are better spelt.

>>> parts = [
...     PartWords(100, [("en", "moon", 9)], {"moon": 9, "orbti": 0}),
...     PartWords(120, [("en", "moon", 1)], {"moon": 1, "orbti": 1}),
... ]
>>> [(one.stem, round(one.rarity, 3)) for one in sum_rarities(parts)]
[('moon', 3.047)]
>>> unknown_words(parts)
{'orbti': 1}
>>> choose_spellings({"orbti": 0}, [{"orbti": Offer("orbit", 2)}, {"orbti": Offer("orbit", 2)}])
{'orbti': Better(word='orbit', known=0)}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from trapline.search.parts.part_search import PartWords
from trapline.search.ranking.spelling import (
    MOST_UNKNOWN,
    RARE,
    Better,
    Offer,
    Spelt,
    least_of,
)
from trapline.search.ranking.word_queries import rarity_of
from trapline.search.statistics.rarities import Rarities, Rarity

_MOST: Final = 256  # rarities that are told; of others each part takes its own


@dataclass(frozen=True, slots=True)
class KnownWords:
    rarities: Rarities
    spelt: Spelt


def sum_rarities(parts: Sequence[PartWords]) -> Rarities:
    """As one index of all of them would have them."""
    documents = sum(part.documents for part in parts)
    having: Counter[tuple[str, str]] = Counter()
    for part in parts:
        for tongue, stem, found in part.frequencies:
            having[tongue, stem] += found
    return tuple(
        Rarity(*term, rarity_of(found, documents))
        for term, found in having.most_common(_MOST)
    )


def unknown_words(parts: Sequence[PartWords]) -> dict[str, int]:
    """Words that may be slips, and how many documents have them; none if there are many."""
    known: Counter[str] = Counter()
    for part in parts:
        known.update(part.known)
    unknown = {word: found for word, found in known.items() if found < RARE}
    return unknown if len(unknown) <= MOST_UNKNOWN else {}


def choose_spellings(
    unknown: Mapping[str, int], offers: Sequence[Mapping[str, Offer]]
) -> dict[str, Better]:
    """The word that most documents of the parts have, if they are enough."""
    better = {}
    for word, known in unknown.items():
        documents: Counter[str] = Counter()
        for one in offers:
            if word in one:
                documents[one[word].word] += one[word].documents
        best, count = next(iter(documents.most_common(1)), ("", 0))
        better[word] = Better(best if count >= least_of(known) else "", known)
    return better
