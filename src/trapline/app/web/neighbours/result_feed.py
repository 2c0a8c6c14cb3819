"""Results by OpenSearch 1.1: an Atom 1.0 or RSS 2.0 feed, and the elements that tell of the search.

Titles and texts come from strangers: what XML cannot hold is left out, nothing is longer than it
need be, and no reader is handed HTML of theirs.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final
from urllib.parse import urlencode
from xml.sax.saxutils import escape

from trapline.app.output.changes import iso
from trapline.app.web.neighbours.plain_results import plain_text
from trapline.app.web.neighbours.xml_elements import (
    ATOM,
    OPENSEARCH,
    RELEVANCE,
    Element,
    make_root,
    put,
    write_xml,
)
from trapline.search.hits import Hit
from trapline.search.questions import Answer

FEED_TYPES: Final = {"atom": "application/atom+xml", "rss": "application/rss+xml"}
_ATOM: Final = f"{{{ATOM}}}"
_OPENSEARCH: Final = f"{{{OPENSEARCH}}}"
_SCORE: Final = f"{{{RELEVANCE}}}score"
_EXTENSIONS: Final[dict[str | None, str]] = {
    "opensearch": OPENSEARCH,
    "relevance": RELEVANCE,
}
_DESCRIPTION: Final = "application/opensearchdescription+xml"
_LONGEST_TITLE: Final = 300  # characters
_LONGEST_TEXT: Final = 2000


@dataclass(frozen=True, slots=True)
class FeedRequest:
    """What was asked, and where."""

    engine: str
    here: str  # address of the engine, without a slash
    query: str
    count: int = 10  # results a page
    skip: int = 0  # results before the first
    language: str = ""
    farthest: int = 10_000  # results that can be skipped

    @property
    def title(self) -> str:
        return f"{self.engine}: {self.query}"

    @property
    def page_for_people(self) -> str:
        return f"{self.here}/search?{urlencode({'q': self.query}, errors='replace')}"

    @property
    def description(self) -> str:
        return f"{self.here}/opensearch.xml"

    def link(self, format: str, skip: int) -> str:
        said = {
            "q": self.query,
            "count": self.count,
            "start_index": skip + 1,
            "format": format,
        }
        if self.language:
            said["language"] = self.language
        return f"{self.here}/api/opensearch?{urlencode(said, errors='replace')}"


def atom_feed(request: FeedRequest, answer: Answer) -> bytes:
    feed = make_root(f"{_ATOM}feed", {None: ATOM, **_EXTENSIONS})
    put(feed, f"{_ATOM}title", request.title)
    put(feed, f"{_ATOM}id", _urn(request.link("atom", request.skip)))
    newest_s = max((hit.changed_s for hit in answer.hits), default=0.0)
    put(feed, f"{_ATOM}updated", iso(newest_s))
    put(put(feed, f"{_ATOM}author"), f"{_ATOM}name", "Trapline")
    people = request.page_for_people
    put(feed, f"{_ATOM}link", rel="alternate", type="text/html", href=people)
    _put_links(feed, request, answer, "atom")
    _put_facts(feed, request, answer)
    for hit in answer.hits:
        _put_entry(feed, hit)
    return write_xml(feed)


def _put_entry(feed: Element, hit: Hit) -> None:
    entry = put(feed, f"{_ATOM}entry")
    put(entry, f"{_ATOM}title", _title(hit), type="text")
    put(entry, f"{_ATOM}id", hit.url)
    put(entry, f"{_ATOM}link", href=hit.url)
    put(entry, f"{_ATOM}updated", iso(hit.changed_s))
    put(entry, f"{_ATOM}summary", _text(hit), type="text")
    put(entry, _SCORE, relevance_of(hit.score))


def rss_feed(request: FeedRequest, answer: Answer) -> bytes:
    root = make_root("rss", {"atom": ATOM, **_EXTENSIONS})
    root.set("version", "2.0")
    channel = put(root, "channel")
    put(channel, "title", request.title)
    put(channel, "link", request.page_for_people)
    found = f'Results for "{request.query}" in the collection {request.engine}'
    put(channel, "description", escape(found))
    _put_links(channel, request, answer, "rss")
    _put_facts(channel, request, answer)
    for hit in answer.hits:
        _put_item(channel, hit)
    return write_xml(root)


def _put_item(channel: Element, hit: Hit) -> None:
    item = put(channel, "item")
    put(item, "title", _title(hit))
    put(item, "link", hit.url)
    put(item, "guid", hit.url, isPermaLink="true")
    put(item, "pubDate", format_datetime(datetime.fromtimestamp(hit.changed_s, UTC)))
    # readers take it for HTML
    put(item, "description", escape(_text(hit)))
    put(item, _SCORE, relevance_of(hit.score))


def relevance_of(score: float) -> str:
    """A score between 0 and 1, as the extension wants it; greater where ours is, on every page.

    >>> relevance_of(3.0), relevance_of(9.0), relevance_of(-1.0)
    ('0.7500', '0.9000', '0.0000')
    """
    score = max(0.0, score)
    return f"{score / (1.0 + score):.4f}"


def _put_facts(parent: Element, request: FeedRequest, answer: Answer) -> None:
    """The elements of OpenSearch: how many there are, and which these are."""
    put(parent, f"{_OPENSEARCH}totalResults", str(answer.total))
    put(parent, f"{_OPENSEARCH}startIndex", str(request.skip + 1))
    put(parent, f"{_OPENSEARCH}itemsPerPage", str(request.count))
    asked = {
        "searchTerms": request.query,
        "count": str(request.count),
        "startIndex": str(request.skip + 1),
        "language": request.language or "*",
    }
    put(parent, f"{_OPENSEARCH}Query", role="request", **asked)
    if answer.meant:
        meant = {"searchTerms": answer.meant}
        put(parent, f"{_OPENSEARCH}Query", role="correction", **meant)


def _put_links(
    parent: Element, request: FeedRequest, answer: Answer, form: str
) -> None:
    """Other pages of results, and the description."""
    for rel, skip in _other_pages(request, answer):
        place = request.link(form, skip)
        put(parent, f"{_ATOM}link", rel=rel, type=FEED_TYPES[form], href=place)
    place = request.description
    put(parent, f"{_ATOM}link", rel="search", type=_DESCRIPTION, href=place)


def _other_pages(request: FeedRequest, answer: Answer) -> Iterator[tuple[str, int]]:
    """(what it is to this one, results to skip)"""
    end = min(answer.total, request.farthest + 1)
    yield "self", request.skip
    yield "first", 0
    if request.skip:
        yield "previous", max(0, request.skip - request.count)
    if answer.hits and request.skip + request.count < end:
        yield "next", request.skip + request.count
    if end:
        yield "last", (end - 1) // request.count * request.count


def _title(hit: Hit) -> str:
    return (hit.title or hit.url)[:_LONGEST_TITLE]


def _text(hit: Hit) -> str:
    return plain_text(hit.snippet)[:_LONGEST_TEXT]


def _urn(name: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, name.encode("utf-8", "replace").decode()).urn
