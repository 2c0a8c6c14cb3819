"""Scores that strangers claim, cut to what title, snippet and address bear out.

A score is a sum of factors (search's second look), and each has a largest value, given which words
of the query a page shows. Snippets show the piece of a text that has most of the query: a word
that is not shown may stand elsewhere, but then it counts for less. An honest engine keeps below
the bound; of one that goes far beyond it nothing is believed but the order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from trapline.oasis.merging.engine_hits import EngineHit, EngineHits, Finding, Wrong

LARGEST_WEIGHT: Final = 2.2  # of BM25 without the rarity
UNSEEN: Final = 0.7  # what a word counts that is not shown
# beyond so many times the bound, an engine does not err but lie
_LIE: Final = 1.3
_LIARS_WORTH: Final = 0.25  # its first comes tenth


class ScoreWeights(NamedTuple):
    """Of the factors of a score, as search has them."""

    text: float
    closeness: float
    spelling: float
    title: float
    names: float
    close_names: float
    address: float
    relevance: float
    meaning: float


class AskedWord(NamedTuple):
    """A word of the query that tells something."""

    stems: frozenset[str]  # in whatever tongues
    rarity: float


class Shown(NamedTuple):
    """The words of a hit, as stems."""

    title: Sequence[str]  # those that tell something
    text: Sequence[str]  # of title and snippet
    address: Sequence[str]


Read = Callable[[EngineHit], Shown]


class Rescoring:
    """For one query."""

    def __init__(
        self, words: Sequence[AskedWord], weights: ScoreWeights, read: Read
    ) -> None:
        total = sum(word.rarity for word in words) or 1.0
        self._shares = [(word.stems, word.rarity / total) for word in words]
        self._weights = weights
        self._read = read
        # whatever a hit shows, so much may be claimed; most claim less, and need not be read
        self._least = self._bound(Shown((), (), ()))

    def cut(self, answer: EngineHits) -> tuple[EngineHits, list[Finding]]:
        """The answer with believable scores; one that lies can no longer be compared."""
        bounds = [
            self.bound(hit) if hit.score > self._least else self._least
            for hit in answer.hits
        ]
        meaning = self._weights.meaning
        pairs = list(zip(answer.hits, bounds, strict=True))
        lies = [
            (hit.score, most)
            for hit, most in pairs
            if hit.score > _LIE * most + meaning
        ]
        hits = [replace(hit, score=min(hit.score, most)) for hit, most in pairs]
        if not lies:
            return replace(answer, hits=hits), []
        score, most = max(lies)
        detail = f"claims {score:.4g} where {most:.4g} is possible"
        findings = [Finding(answer.engine, Wrong.SCORES, detail)]
        return replace(
            answer, hits=hits, comparable=False, worth=_LIARS_WORTH
        ), findings

    def bound(self, hit: EngineHit) -> float:
        """The largest score that such a hit may have."""
        return self._bound(self._read(hit))

    def _bound(self, shown: Shown) -> float:
        weights = self._weights
        seen = frozenset((*shown.text, *shown.address))
        share = self._share_in(seen)
        close = self._closeness(seen)
        believed = share + UNSEEN * (1.0 - share)
        address = self._share_in(frozenset(shown.address))
        return (
            LARGEST_WEIGHT * weights.text * believed
            + LARGEST_WEIGHT * weights.closeness * close
            + weights.spelling * believed
            + weights.title * self._likeness(shown.title)
            + weights.names * believed
            + LARGEST_WEIGHT * weights.close_names * close
            + LARGEST_WEIGHT * weights.address * address
            + weights.relevance
        )

    def _share_in(self, stems: frozenset[str]) -> float:
        return sum(share for word, share in self._shares if word & stems)

    def _closeness(self, seen: frozenset[str]) -> float:
        """Of neighbours in the query."""
        total = 0.0
        for (one, share), (other, other_share) in pairwise(self._shares):
            both = bool(one & seen) and bool(other & seen)
            total += (share + other_share) * (1.0 if both else UNSEEN)
        return total

    def _likeness(self, title: Sequence[str]) -> float:
        """How far title and query are the same: see search/ranking/second_look.py."""
        asked = frozenset(stem for stems, _ in self._shares for stem in stems)
        having = sum(1 for stem in title if stem in asked)
        return self._share_in(frozenset(title)) * having / max(1, len(title))
