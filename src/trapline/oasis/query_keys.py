"""A query as a broker passes it to selectors: keys of its words, nothing that can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_WORDS: Final = 40  # of a query; more tell nothing new
MOST_FORMS: Final = 20  # of a word, in all tongues


@dataclass(frozen=True, slots=True)
class QueryKeys:
    """For each word that tells anything the keys of its stems in the federation's tongues.

    >>> QueryKeys.of([[5, 5, 9], [], [7]]).words
    ((5, 9), (7,))
    """

    words: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, words: list[list[int]]) -> QueryKeys:
        """From keys as they come: bounded, each once, words without any left out."""
        found = [tuple(dict.fromkeys(forms))[:MOST_FORMS] for forms in words if forms]
        return cls(tuple(dict.fromkeys(found))[:MOST_WORDS])
