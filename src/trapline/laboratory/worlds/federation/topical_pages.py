"""The pages of a linked web with fine topics: hosts have favourites, many pages a second topic.

A linked web has eleven subjects; each is cut into topics, as many as its pages deserve.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.federation.bags_of_words import Subjects
from trapline.laboratory.worlds.linked import LinkedWeb

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_FAVOURITE: Final = 0.6  # of a host's pages on a subject keep to the host's topic in it
_SECOND: Final = 0.5  # of the pages have a second topic
_SAME_SUBJECT: Final = 0.7  # of the second topics are of the first one's subject


def draw_topics(
    web: LinkedWeb,
    topics: int,
    rng: np.random.Generator,
) -> Subjects:
    subject_of_page = web.subject.astype(np.int64)
    sizes = np.bincount(subject_of_page)
    if topics < len(sizes):
        raise BadNumber(
            "topics",
            topics,
            f"at least {len(sizes)}, one a subject",
        )
    counts = share_out(topics, sizes)
    first = np.cumsum(counts) - counts
    favourite = rng.random((web.hosts, len(sizes)))
    kept = rng.random(web.pages) < _FAVOURITE
    place = np.where(
        kept,
        favourite[web.host, subject_of_page],
        rng.random(web.pages),
    )
    own = counts[subject_of_page]
    topic = first[subject_of_page] + (place * own).astype(np.int64)
    near = first[subject_of_page] + (rng.random(web.pages) * own).astype(np.int64)
    far = rng.integers(
        0,
        topics,
        web.pages,
    )
    second = np.where(
        rng.random(web.pages) < _SAME_SUBJECT,
        near,
        far,
    )
    has_second = rng.random(web.pages) < _SECOND
    subject_of_topic = np.repeat(np.arange(len(sizes)), counts)
    return Subjects(
        topic,
        np.where(has_second, second, topic),
        subject_of_topic,
    )


def share_out(number: int, sizes: Integers) -> Integers:
    """A number of things, in proportion to some sizes; at least one for each.

    >>> share_out(7, np.array([50, 30, 1])).tolist()
    [3, 3, 1]
    """
    spare = (number - len(sizes)) * sizes / sizes.sum()
    counts: Integers = 1 + spare.astype(np.int64)
    left = number - int(counts.sum())
    counts[np.argsort(-(spare % 1.0), kind="stable")[:left]] += 1
    return counts


def prominence(web: LinkedWeb) -> Floats:
    """How much a page is linked to, 0 to 1: what no description of an engine tells."""
    links = np.log1p(np.bincount(web.truth.link_to, minlength=web.pages))
    found: Floats = links / links.max()
    return found
