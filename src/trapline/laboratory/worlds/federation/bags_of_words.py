"""Pages as bags of words: a Zipf vocabulary that leans towards a page's topics.

Words are numbers. A page draws from five sources: words of all pages, of its subject, of its topic,
of a second topic, and from its own theme, a few words of its topic that it repeats and that its
title is made of. Readable prose (`worlds/prose.py`) has one vocabulary a subject, ten of them: too
few for hundreds of engines, and too slow for thousands of pages in each of many seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

WORDS: Final = 60_000  # in the vocabulary
TITLE: Final = 3  # words
_THEME: Final = 6  # words of a page that it repeats
_SUBJECT_WORDS: Final = 400
_TOPIC_WORDS: Final = 150
# shares of a page's words by source: all pages, subject, topic, second topic, theme
_SOURCES: Final = (0.40, 0.10, 0.20, 0.08, 0.22)
_LEAST: Final = 30  # words of a page
_MOST: Final = 110  # so that a sample, which keeps 120 of a page, keeps them all
_COMMON: Final = 200  # words that are no topic's own
_STEEPNESS: Final = 1.05  # of the law by Zipf


@dataclass(frozen=True, slots=True)
class Bags:
    """Entries in the order of the pages, within a page of the words."""

    page: Integers
    word: Integers
    count: Integers
    in_title: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Subjects:
    """What each page is about, and which subject each topic belongs to."""

    topic: Integers  # of each page
    second: Integers  # another topic of each page; the same = it has none
    subject: Integers  # of each topic


def draw_bags(about: Subjects, rng: np.random.Generator) -> Bags:
    topics = len(about.subject)
    of_subject = _own_words(
        int(about.subject.max()) + 1,
        _SUBJECT_WORDS,
        rng,
    )
    of_topic = _own_words(
        topics,
        _TOPIC_WORDS,
        rng,
    )
    pages = len(about.topic)
    theme = of_topic[
        about.topic[:, None],
        _zipf(
            _TOPIC_WORDS,
            (pages, _THEME),
            rng,
        ),
    ]
    lengths = np.clip(
        rng.lognormal(4.1, 0.4, pages),
        _LEAST,
        _MOST,
    ).astype(np.int64)
    page = np.repeat(np.arange(pages), lengths)
    source = rng.choice(
        len(_SOURCES),
        len(page),
        p=_SOURCES,
    )
    rank = _zipf(
        _TOPIC_WORDS,
        len(page),
        rng,
    )
    wide = _zipf(
        _SUBJECT_WORDS,
        len(page),
        rng,
    )
    topic = about.topic[page]
    word = np.choose(
        source,
        (
            _zipf(
                WORDS,
                len(page),
                rng,
            ),
            of_subject[about.subject[topic], wide],
            of_topic[topic, rank],
            of_topic[about.second[page], rank],
            theme[
                page,
                rng.integers(
                    0,
                    _THEME,
                    len(page),
                ),
            ],
        ),
    )
    return _count(
        page,
        word,
        theme[:, :TITLE],
    )


def _count(
    page: Integers,
    word: Integers,
    titles: Integers,
) -> Bags:
    """Words of the title are counted as words of the text."""
    pages = np.arange(len(titles))
    titled = np.unique(np.repeat(pages, TITLE) * WORDS + titles.ravel())
    places, counts = np.unique(
        np.concatenate((page * WORDS + word, titled)), return_counts=True
    )
    in_title = np.isin(
        places,
        titled,
        assume_unique=True,
    )
    return Bags(
        places // WORDS,
        places % WORDS,
        counts,
        in_title,
    )


def _own_words(
    groups: int,
    size: int,
    rng: np.random.Generator,
) -> Integers:
    """A row of words for each group; two groups may share some."""
    return rng.integers(
        _COMMON,
        WORDS,
        (groups, size),
    )


def _zipf(
    size: int, shape: int | tuple[int, int], rng: np.random.Generator
) -> Integers:
    """Ranks from 0 on; the chance of rank r is about (r + 1)^−steepness."""
    weight = 1.0 / np.arange(1, size + 1) ** _STEEPNESS
    places = np.searchsorted(np.cumsum(weight) / weight.sum(), rng.random(shape))
    return np.minimum(places, size - 1).astype(np.int64)
