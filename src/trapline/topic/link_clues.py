"""What a link shows before anybody follows it, as one LINK record a link (core/links.py).

Likeness of its words, of its URL and of the text around it to the topic: cosines, divided by the
topic's strongest component, so that the one best word alone is a likeness of 1. Groups that links
share (tag path, directory, beginning of the last part of the URL, words) are hashes, for learners
that keep means of groups.

>>> from trapline.topic.document_frequencies import Frequencies
>>> from trapline.topic.vectors import vector_of
>>> vector = vector_of({int(word_hashes("star")[0]): 1.0})
>>> stars = ("http://a.org/stars/x.html", "All stars", "", 5)
>>> tea = ("http://a.org/tea/y.html", "tea", "a star", 5)
>>> numbers = {0: (3, 0), 1: (4, 0)}
>>> links = link_records(link_words([stars, tea]), numbers, vector, Frequencies().weights)
>>> links["page"].tolist(), links["anchor"].tolist(), links["context"].tolist()
([3, 4], [1.0, 0.0], [0.0, 1.0])
>>> round(float(links["address"][0]), 4)
0.7071
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import LINK, NO_LINKS, Links
from trapline.topic.link_kernels import LINES, fill_likeness
from trapline.topic.vectors import Vector
from trapline.topic.word_hashes import line_hashes, word_hashes
from trapline.topic.word_kernels import Hashes, Weights

# (canonical URL, words of the link, words around it, hash of the tags above it); what follows is
# not looked at
Clue = tuple[str, str, str, int, *tuple[str, ...]]

LONGEST_PATH: Final = 300  # characters that are looked at, the last ones
_BEGINNING: Final = re.compile(r"[^\W\d_]{0,6}")
_POSITIVE: Final = 0x7FFFFFFF
# they tell nothing
_ADDRESS_WORDS: Final = (
    "www com org net html htm xhtml php asp aspx jsp cgi index http https"
)


class LinkWords(NamedTuple):
    """The words of a page's links as hashes: they depend on the page only, not on the topic."""

    # of all links: each has a line of its own words, of its host, its path, and the words around it
    words: Hashes
    ends: Hashes  # how many words there are up to the end of each line
    path: NDArray[np.int32]  # groups, one of each a link
    directory: NDArray[np.int32]
    prefix: NDArray[np.int32]

    def part(self, first: int, last: int) -> LinkWords:
        """Of the links from number `first` up to before `last`."""
        ends = self.ends[LINES * first : LINES * last]
        begin = int(self.ends[LINES * first - 1]) if first else 0
        end = int(ends[-1]) if len(ends) else begin
        return LinkWords(
            self.words[begin:end],
            ends - np.int32(begin),
            self.path[first:last],
            self.directory[first:last],
            self.prefix[first:last],
        )


NO_WORDS: Final = np.empty(0, np.int32)
NO_LINK_WORDS: Final = LinkWords(NO_WORDS, NO_WORDS, NO_WORDS, NO_WORDS, NO_WORDS)


def link_words(clues: Sequence[Clue]) -> LinkWords:
    if not clues:
        return NO_LINK_WORDS
    addresses = [_address(clue[0]) for clue in clues]
    lines = [
        f"{clue[1]}\n{address.lines}\n{clue[2]}"
        for clue, address in zip(clues, addresses, strict=True)
    ]
    words, ends = line_hashes("\n".join(lines), LINES * len(clues))
    return LinkWords(
        words,
        ends,
        path=np.array([clue[3] for clue in clues], np.int32),
        directory=np.array([address.directory for address in addresses], np.int32),
        prefix=np.array([address.prefix for address in addresses], np.int32),
    )


def link_records(
    found: LinkWords,
    numbers: Mapping[int, tuple[int, int]],
    vector: Vector,
    weights: Weights,
) -> Links:
    """One record a target, of the links that are numbered: which one → (page, host).

    Where a page is linked to under several words, the most promising.
    """
    if not numbers:
        return NO_LINKS
    links = np.zeros(len(found.path), LINK)
    links["path"] = found.path
    links["directory"] = found.directory
    links["prefix"] = found.prefix
    fill_likeness(
        found.words,
        found.ends,
        weights,
        vector.words,
        vector.parts,
        vector.strongest,
        _address_stops(),
        links["anchor"],
        links["address"],
        links["context"],
        links["tokens"],
    )
    if len(numbers) < len(links):
        links = links[list(numbers)]
    links["page"], links["host"] = zip(*numbers.values(), strict=True)
    return _in_place(_once(links))


def join_records(parts: Sequence[Links]) -> Links:
    """Records of the parts of one page's links, as if they had been made together."""
    return _in_place(_once(np.concatenate(parts))) if parts else NO_LINKS


def _in_place(links: Links) -> Links:
    links["place"] = np.arange(len(links)) / max(len(links), 1)
    return links


class _Address(NamedTuple):
    lines: str  # host and path, one line each
    directory: int
    prefix: int  # the directory and the first letters of the last part


@lru_cache(1 << 14)  # the pages of a site link to the same pages
def _address(url: str) -> _Address:
    said = " ".join(unquote(url).split()) if "%" in url else url
    host, _, path = said.partition("://")[2].partition("/")
    directory, _, name = url.partition("?")[0].rpartition("/")
    mark = crc32(directory.encode())
    beginning = _BEGINNING.match(name)
    prefix = crc32(f"/{beginning[0] if beginning else ''}".encode(), mark)
    return _Address(
        f"{host}\n{path[-LONGEST_PATH:]}",
        (mark & _POSITIVE) or 1,
        (prefix & _POSITIVE) or 1,
    )


def _once(links: Links) -> Links:
    """The most promising record of each page, in the order of the page."""
    pages = links["page"].tolist()
    if len(set(pages)) == len(pages):
        return links
    anchors = links["anchor"].tolist()
    best: dict[int, int] = {}  # page → which record; a page keeps its place
    for i, page in enumerate(pages):
        if anchors[best.setdefault(page, i)] < anchors[i]:
            best[page] = i
    return links[list(best.values())]


@cache
def _address_stops() -> Hashes:
    return np.sort(word_hashes(_ADDRESS_WORDS))
