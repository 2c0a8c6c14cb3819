"""A web of topics, and readers who ask for its pages: where engines may specialise or not.

A page is about one topic: most of its words are that topic's, some are everybody's. Links lead
mostly to pages of the same topic. A reader wants one page and types two of its words that tell
something; topics are asked for by a Zipf law that drifts from round to round, pages of a topic by
another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

OWN_WORDS: Final = 12  # of a page, of its topic
COMMON_WORDS: Final = 6  # of a page, that any may have
TITLE: Final = 3  # words of a page that links to it show
AT_HOME: Final = 0.85  # of the links stay in the topic
MOVING: Final = 0.15  # of the topics change places in readers' minds in a round


@dataclass(frozen=True, slots=True)
class WebSize:
    topics: int = 12
    pages: int = 120  # a topic
    words: int = 80  # a topic
    common: int = 100  # words
    links: int = 8  # a page


class TopicalWeb:
    def __init__(
        self,
        size: WebSize,
        seed: int,
    ) -> None:
        chance = np.random.default_rng([seed, 1])
        self.size = size
        self.pages = size.topics * size.pages
        self.words = size.topics * size.words + size.common
        self.topic = np.repeat(np.arange(size.topics), size.pages)
        self.weights = np.zeros((self.pages, self.words))  # of words in pages
        self.title = np.zeros((self.pages, TITLE), np.int64)
        law = 1.0 / np.arange(1, size.words + 1) ** 0.7
        for page, topic in enumerate(self.topic.tolist()):
            own = chance.choice(
                size.words,
                OWN_WORDS,
                False,
                law / law.sum(),
            )
            own += topic * size.words
            common = chance.choice(
                size.common,
                COMMON_WORDS,
                False,
            )
            common += size.topics * size.words
            has = np.concatenate((own, common))
            self.weights[page, has] = chance.uniform(
                0.5,
                1.5,
                len(has),
            )
            self.title[page] = own[:TITLE]
        self.links = self._draw_links(chance)

    def _draw_links(self, chance: np.random.Generator) -> Integers:
        size = self.size
        shape = (self.pages, size.links)
        inside = chance.integers(size.pages, size=shape)
        inside += self.topic[:, None] * size.pages
        anywhere = chance.integers(self.pages, size=shape)
        return np.where(
            chance.random(shape) < AT_HOME,
            inside,
            anywhere,
        )

    def topic_words(self, topic: int) -> Integers:
        return topic * self.size.words + np.arange(self.size.words)


@dataclass(frozen=True, slots=True)
class Need:
    """What a reader wants, and what is typed for it."""

    page: int
    words: tuple[int, int]
    times: int


class Readers:
    """The same whatever engines do."""

    def __init__(
        self,
        web: TopicalWeb,
        seed: int,
    ) -> None:
        self._web = web
        self._chance = np.random.default_rng([seed, 2])
        size = web.size
        share = 1.0 / np.arange(1, size.topics + 1)
        self.law = self._chance.permutation(share / share.sum())  # over topics
        inside = 1.0 / np.arange(1, size.pages + 1) ** 0.8
        self._inside = inside / inside.sum()

    def ask(self, times: int) -> list[Need]:
        """The needs of a round; what is asked for changes after it."""
        size = self._web.size
        topics = self._chance.choice(
            size.topics,
            times,
            p=self.law,
        )
        places = self._chance.choice(
            size.pages,
            times,
            p=self._inside,
        )
        pages, counts = np.unique(topics * size.pages + places, return_counts=True)
        needs = [
            Need(
                page,
                self._type(page),
                count,
            )
            for page, count in zip(
                pages.tolist(),
                counts.tolist(),
                strict=True,
            )
        ]
        self._drift()
        return needs

    def _type(self, page: int) -> tuple[int, int]:
        own = np.flatnonzero(self._web.weights[page])
        own = own[own < self._web.size.topics * self._web.size.words]
        one, other = self._chance.choice(
            own,
            2,
            False,
        ).tolist()
        return one, other

    def _drift(self) -> None:
        moving = np.flatnonzero(self._chance.random(len(self.law)) < MOVING)
        self.law[moving] = self.law[self._chance.permutation(moving)]
