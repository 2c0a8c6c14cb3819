"""An engine that crawls for a topic, and takes suggestions for it.

Its topic is a vector of words, as the live robot's is (topic/topic.py): half what it was, half the
examples, less a quarter of the counter-examples. In a round it fetches so many pages, those whose
titles are most like the topic among all that it has seen links to, and keeps the best that it has
room for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trapline.laboratory.papers.oasis.topical_web import Floats, Integers, TopicalWeb


class SpecialisingEngine:
    def __init__(
        self, web: TopicalWeb, name: str, room: int, words: Integers, seeds: Integers
    ) -> None:
        self._web = web
        self.name = name
        self._room = room
        self.interest = np.zeros(web.words)
        self.turn_to(words)
        self.held = np.zeros(web.pages, np.bool_)
        self._known = np.zeros(web.pages, np.bool_)
        # of pages that are equally good, engines take different ones
        self._taste = 1e-6 * np.random.default_rng(seeds).random(web.pages)
        self._take(seeds)

    def turn_to(self, words: Integers) -> None:
        """Another topic, whatever it was."""
        self.interest = np.zeros(self._web.words)
        self.interest[words] = 1.0
        self._normalise()

    def shift(
        self,
        words: Sequence[int],
        against: Sequence[int],
    ) -> None:
        """Half of the topic becomes these words; pages are counter-examples."""
        example = np.zeros(self._web.words)
        example[list(words)] = 1.0 / np.sqrt(max(1, len(words)))
        self.interest = 0.5 * self.interest + 0.5 * example
        self.leave(against)

    def leave(self, against: Sequence[int]) -> None:
        if len(against):
            centroid = self._web.weights[list(against)].mean(axis=0)
            length = float(np.linalg.norm(centroid)) or 1.0
            self.interest = self.interest - 0.25 * centroid / length
        self._normalise()

    def crawl(
        self,
        visits: int,
        first: Sequence[int] = (),
    ) -> None:
        """`first`: pages to begin with, such as examples."""
        self._take(np.array(first[:visits], np.int64))
        for _ in range(4):  # links of what was fetched are followed in the same round
            waiting = np.flatnonzero(self._known & ~self.held)
            promise = self.interest[self._web.title[waiting]].sum(axis=1)
            promise += self._taste[waiting]
            best = np.argsort(-promise, kind="stable")[: visits // 4]
            self._take(waiting[best])

    def documents(self) -> Integers:
        """How many of its pages have each word."""
        return np.asarray((self._web.weights[self.held] > 0.0).sum(axis=0))

    def _take(self, pages: Integers) -> None:
        self.held[pages] = True
        self._known[pages] = True
        self._known[self._web.links[pages].ravel()] = True
        held = np.flatnonzero(self.held)
        if len(held) > self._room:
            order = np.argsort(-self._likeness(held), kind="stable")
            self.held[held[order[self._room :]]] = False

    def _likeness(self, pages: Integers) -> Floats:
        vectors = self._web.weights[pages]
        likeness = vectors @ self.interest / np.linalg.norm(vectors, axis=1)
        return np.asarray(likeness + self._taste[pages])

    def _normalise(self) -> None:
        self.interest = np.maximum(self.interest, 0.0)
        length = float(np.linalg.norm(self.interest))
        self.interest /= length if length > 0.0 else 1.0
