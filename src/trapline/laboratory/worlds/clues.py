"""What the links of a woven web show before anybody follows them: words, addresses, places on the
page.

Nothing here tells a target's relevance; everything leans to it. Each page has a *title* that may
say what it is about, say nothing or mislead. Links to it mostly repeat the title, so that many
links are hardly better than one; some have words of their own, and many ("more", "next") say
nothing. Half of the addresses are made of the title, the others of numbers. The text around a link
is more about its own page than about the target. Pages lie in directories that lean to a subject; a
few host templates decide along which tags navigation, body, related pages and lists of links are
found.

>>> from trapline.laboratory.worlds.linked import LinkedWeb
>>> web = LinkedWeb.generate(pages=500, hosts=4, seed=1)
>>> clues = web.truth.clues
>>> bool((clues["page"] == web.truth.link_to).all())
True
>>> round(float((clues["anchor"] == 0.0).mean()), 1)
0.5
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.links import TOKENS, Links, links_to
from trapline.laboratory.worlds.page_layout import SUBJECTS, Draft, Flags, Shape
from trapline.laboratory.worlds.truth import Floats, Integers

_NAVIGATION, _BODY, _RELATED, _LISTING = range(4)  # as they follow each other on a page
_BOXES: Final = 3  # of each kind in a template
_HOSTS_A_TEMPLATE: Final = 4

# of the pages lie in a directory of their subject, the others in any of their host
_ORDERLY: Final = 0.5
_SHELF: Final = 150  # pages, about, in a directory
_BATCH: Final = 12  # pages, about, whose names begin alike

_TELLING: Final = 0.7  # of the titles say what the page is about;
_MISLEADING: Final = 0.08  # of them are about something else
# of a telling text to the topic, as a share of the target's relevance
_LIKENESS: Final = 0.8
_OF_SUBJECT: Final = 0.3  # of the words of a telling title are words of its subject
_STRAY: Final = 0.4  # of these belong to another subject: stars are of the film, too
_SUBJECT_WORDS: Final = 40
_COMMON_WORDS: Final = 600
_STOCK_WORDS: Final = 8  # more, next, here, …

_REPEATS: Final = 0.6  # of the links repeat the title,
_OWN_WORDS: Final = 0.8  # less that: have words of their own; the rest says nothing
_NAMED: Final = 0.5  # of the addresses are made of the title

Words = NDArray[np.int32]


def link_clues(
    draft: Draft,
    links: tuple[Integers, NDArray[np.int32]],
    shape: Shape,
    seeds: np.random.SeedSequence,
) -> Links:
    """One record a link. With and without words (`shape.anchors` = 0) everything else
    is the same.
    """
    layout, words = (np.random.default_rng(seed) for seed in seeds.spawn(2))
    start, target = links
    source = np.repeat(np.arange(len(draft.host)), np.diff(start))
    clues = links_to(target, draft.host[target])
    kind = _kinds(draft, source, target, layout)
    clues["path"] = _paths(draft, source, kind, layout)
    clues["place"] = _places(source, kind, start, layout)
    directory, prefix = _addresses(draft, shape, layout)
    clues["directory"] = directory[target]
    clues["prefix"] = prefix[target]
    if shape.anchors > 0.0:
        _write_words(clues, draft, source, kind, shape.anchors, words)
    return clues


def _kinds(
    draft: Draft, source: Integers, target: NDArray[np.int32], rng: np.random.Generator
) -> Integers:
    """Where on its page each link stands. Boxes of related pages lean to the page's own subject."""
    chance = rng.random((2, len(source)))
    alike = draft.subject[source] == draft.subject[target]
    at_home = draft.host[source] == draft.host[target]
    kind = np.where(chance[0] < np.where(alike, 0.5, 0.25), _RELATED, _BODY)
    kind[draft.prominent[source] & (chance[0] < 0.85)] = _LISTING
    kind[draft.prominent[target] & at_home & (chance[1] < 0.8)] = _NAVIGATION
    return kind


def _paths(
    draft: Draft, source: Integers, kind: Integers, rng: np.random.Generator
) -> Words:
    template = rng.integers(0, 1 + draft.hosts // _HOSTS_A_TEMPLATE, draft.hosts)[
        draft.host[source]
    ]
    return _names(1, template, kind, rng.integers(0, _BOXES, len(source)))


def _places(
    source: Integers, kind: Integers, start: Integers, rng: np.random.Generator
) -> Floats:
    order = np.argsort(source + (kind + rng.random(len(source))) / (_LISTING + 1))
    place = np.empty(len(source))
    place[order] = (np.arange(len(source)) - start[source]) / np.diff(start)[source]
    return place


def _addresses(
    draft: Draft, shape: Shape, rng: np.random.Generator
) -> tuple[Words, Words]:
    """The directory of each page, and how its name begins there: now and then by how relevant it
    is.

    Sections that lie in each other are the directories; flat ones (threads) are told by how names
    begin.
    """
    chance = rng.random((3, len(draft.host)))
    subject = np.where(
        chance[0] < _ORDERLY, draft.subject, rng.integers(0, SUBJECTS, len(draft.host))
    )
    shelf = _drawn_of(draft.host * SUBJECTS + subject, _SHELF, chance[1])
    directory = _names(2, draft.host, subject, shelf)
    lean = np.where(
        rng.random(len(draft.host)) < 0.35, draft.relevance * (1.0 - 1e-9), chance[2]
    )
    if shape.layout.nested:
        directory = _names(6, draft.plan.section)
    elif shape.layout.section_pages:
        return directory, _names(7, draft.plan.section)
    return directory, _names(3, directory, _drawn_of(directory, _BATCH, lean))


def _drawn_of(group: NDArray[np.integer], size: int, share: Floats) -> Integers:
    """The part of its group that each page falls to, where groups are cut in parts of about this
    size.
    """
    _, which, count = np.unique(group, return_inverse=True, return_counts=True)
    return np.asarray(share * (1 + count[which] // size), np.int64)


class _Titles(NamedTuple):
    """What the title of each page says."""

    likeness: Floats  # to the topic
    tokens: Words


def _titles(draft: Draft, rng: np.random.Generator) -> _Titles:
    pages = len(draft.host)
    about = np.where(
        rng.random(pages) < _MISLEADING, rng.integers(0, pages, pages), np.arange(pages)
    )
    telling = rng.random(pages) < _TELLING
    likeness = np.where(
        telling,
        _blur_likeness(draft.relevance[about], 0.2, rng),
        _blur_likeness(np.zeros(pages), 0.03, rng),
    )
    return _Titles(likeness, _words(draft.subject[about], telling, rng))


def _write_words(
    clues: Links,
    draft: Draft,
    source: Integers,
    kind: Integers,
    anchors: float,
    rng: np.random.Generator,
) -> None:
    """`anchors` is the share of links, addresses and surroundings that have words at all."""
    titles = _titles(draft, rng)
    target = clues["page"]
    count = len(clues)
    named = (rng.random(len(draft.host)) < _NAMED * anchors)[target]
    clues["address"] = np.where(
        named, _blur_likeness(titles.likeness, 0.1, rng)[target], 0.0
    )
    chance = rng.random(count)
    chance[(kind == _NAVIGATION) | (rng.random(count) >= anchors)] = 1.0
    repeats = chance < _REPEATS
    own = (chance >= _REPEATS) & (chance < _OWN_WORDS)
    said = np.where(own, _blur_likeness(draft.relevance[target], 0.25, rng), 0.0)
    clues["anchor"] = np.where(repeats, titles.likeness[target], said)
    around = 0.6 * draft.relevance[source] + 0.2 * draft.relevance[target]
    silent = (kind == _NAVIGATION) | (rng.random(count) >= anchors)
    clues["context"] = np.where(silent, 0.0, _blur_likeness(around, 0.15, rng))
    clues["tokens"] = _link_tokens(
        titles.tokens[target], draft.subject[target], repeats, own, named, rng
    )


def _link_tokens(
    title: Words,
    subject: NDArray[np.int32],
    repeats: Flags,
    own: Flags,
    named: Flags,
    rng: np.random.Generator,
) -> Words:
    """Four words of the link, or one that says nothing; two of the address, if it has any."""
    tokens = np.zeros_like(title)
    tokens[:, 0] = _names(4, rng.integers(0, _STOCK_WORDS, len(title)))
    tokens[own] = _words(subject[own], np.ones(np.count_nonzero(own), np.bool_), rng)
    tokens[repeats] = title[repeats]
    tokens[:, 4:] = np.where(named[:, None], title[:, 4:], 0)
    return tokens


def _words(
    subject: NDArray[np.int32], telling: Flags, rng: np.random.Generator
) -> Words:
    """Words of the subject among common ones; few words are used often."""
    shape = (len(subject), TOKENS)
    special = (rng.random(shape) < _OF_SUBJECT) & telling[:, None]
    of = (
        np.where(
            rng.random(shape) < _STRAY,
            rng.integers(0, SUBJECTS, shape),
            subject[:, None],
        )
        + 1
    )
    word = rng.random(shape) ** 2 * np.where(special, _SUBJECT_WORDS, _COMMON_WORDS)
    return _names(5, np.where(special, of, 0), word)


def _blur_likeness(likeness: Floats, blur: float, rng: np.random.Generator) -> Floats:
    seen: Floats = np.clip(
        _LIKENESS * likeness + rng.normal(0.0, blur, len(likeness)), 0.0, 1.0
    )
    return seen


def _names(*parts: ArrayLike) -> Words:
    """A number from 1 on for each combination of whole numbers, as a hash of a name would be."""
    # an array: only their products wrap around in silence
    mixed = np.zeros(1, np.uint64)
    for part in parts:
        mixed = (
            mixed ^ np.asarray(part).astype(np.int64).astype(np.uint64)
        ) * np.uint64(0x9E3779B97F4A7C15)
        mixed = mixed ^ (mixed >> np.uint64(29))
    return (mixed % np.uint64(2**31 - 1) + np.uint64(1)).astype(np.int32)
