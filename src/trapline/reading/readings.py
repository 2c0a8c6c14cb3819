"""What reading an answer can come to: a document, a listing of other pages, or neither.

`Reading` is one of four classes, each with what belongs to it:

- `ReadDocument`: a page with words, and everything that follows from them;
- `ReadListing`: a sitemap or a feed;
- `RobotsFile` (politeness/robots_txt.py): a robots.txt;
- `Unreadable`: nothing, and the reason for people to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.session_urls import without_session
from trapline.politeness.robots_txt import RobotsFile
from trapline.reading.html.document import Document
from trapline.reading.html.link_texts import link_texts
from trapline.reading.html.links import Anchor
from trapline.reading.identity.marks import Marks
from trapline.reading.listings.entries import Listing, listing_fingerprint
from trapline.reading.rules.reading_rules import NO_FINDINGS, Findings
from trapline.topic.link_clues import LinkWords, link_words
from trapline.topic.word_hashes import WordCounts


class FoundLinks(NamedTuple):
    """The targets of links, the words of the links as numbers, and what they call their targets."""

    urls: list[str]
    words: LinkWords
    texts: list[str]  # one a link, which may be nothing; or none at all

    def part(self, first: int, last: int) -> FoundLinks:
        """The links from number `first` up to before `last`."""
        return FoundLinks(
            self.urls[first:last],
            self.words.part(first, last),
            self.texts[first:last],
        )


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document, and what can be said of it without knowing any other."""

    document: Document
    missing: bool  # the page says that it does not exist
    language: str  # two letters, or none
    marks: Marks
    counts: WordCounts
    links: FoundLinks
    findings: Findings = NO_FINDINGS  # by the rules of people


@dataclass(frozen=True, slots=True)
class Unreadable:
    reason: str
    retry: bool = False  # the reader failed, which need not be the page's fault


@dataclass(frozen=True, slots=True)
class ReadListing:
    """A sitemap or a feed: where it leads, and what it says of when its pages changed."""

    what: str  # for people
    fingerprint: int
    links: FoundLinks
    modified_s: NDArray[np.float64]  # one a link; nan = it does not say


Reading = ReadDocument | ReadListing | RobotsFile | Unreadable


def read_listing(listing: Listing) -> ReadListing:
    entries = listing.entries
    words = link_words([(entry.url, entry.text, entry.around, 0) for entry in entries])
    return ReadListing(
        listing.what,
        listing_fingerprint(listing),
        FoundLinks([entry.url for entry in entries], words, []),
        np.array([entry.modified_s for entry in entries], np.float64),
    )


def find_links(anchors: Sequence[Anchor]) -> FoundLinks:
    """The links of a page, without the marks of sessions."""
    anchors = list(map(_without_session, anchors))
    return FoundLinks(
        [anchor.url for anchor in anchors],
        link_words(anchors),
        link_texts([anchor.label for anchor in anchors]),
    )


def _without_session(anchor: Anchor) -> Anchor:
    """One page has one URL, whoever asks."""
    url = anchor.url
    may_have_one = "?" in url or ";" in url or "(" in url
    return anchor._replace(url=without_session(url)) if may_have_one else anchor
