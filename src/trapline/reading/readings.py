"""What reading an answer can come to: a document, a listing of other pages, or neither.

`Reading` is one of three classes, each with what belongs to it:

- `ReadDocument`: a page with words, and everything that follows from them;
- `Listing` (listings/entries.py): a sitemap or a feed;
- `Unreadable`: nothing, and the reason for people to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trapline.core.session_urls import without_session
from trapline.reading.html.document import Document
from trapline.reading.html.links import Anchor
from trapline.reading.identity.marks import Marks
from trapline.reading.listings.entries import Listing
from trapline.topic.link_clues import LinkWords, link_words
from trapline.topic.word_hashes import WordCounts


class FoundLinks(NamedTuple):
    """The targets of links, and the words of the links as numbers."""

    urls: list[str]
    words: LinkWords


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document, and what can be said of it without knowing any other."""

    document: Document
    missing: bool  # the page says that it does not exist
    language: str  # two letters, or none
    marks: Marks
    counts: WordCounts
    links: FoundLinks


@dataclass(frozen=True, slots=True)
class Unreadable:
    reason: str
    retry: bool = False  # the reader failed, which need not be the page's fault


Reading = ReadDocument | Listing | Unreadable


def find_links(anchors: Sequence[Anchor]) -> FoundLinks:
    """The links of a page, without the marks of sessions."""
    anchors = list(map(_without_session, anchors))
    return FoundLinks([anchor.url for anchor in anchors], link_words(anchors))


def _without_session(anchor: Anchor) -> Anchor:
    """One page has one URL, whoever asks."""
    url = anchor.url
    may_have_one = "?" in url or ";" in url or "(" in url
    return anchor._replace(url=without_session(url)) if may_have_one else anchor
