"""From an answer to what it means: a document for the collection, an observation for the controller, a note for people.

No socket, no clock, no store: what is held of a page is asked of a handed-in function, and what should be kept is
returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import xxhash

from trapline.core.errors import BadUrl
from trapline.core.ports import Held, UrlBook
from trapline.core.records import Failure, Fetched, Kind, Link, Outcome, Page
from trapline.core.urls import canonical
from trapline.politeness.robots import robots_from
from trapline.robot.findings import Finding, Processed, told
from trapline.robot.html_reader import Document, read_html, read_plain
from trapline.topic.relevance import Topic

__all__ = ["Processed", "ResponseProcessor", "fingerprint"]

MOVED: Final = frozenset((301, 302, 303, 307, 308))
GONE: Final = frozenset((404, 410))
TRY_LATER: Final = frozenset((408, 425, 429))  # and every 5xx
HTML: Final = frozenset(("text/html", "application/xhtml+xml"))


class ResponseProcessor:
    """Reads answers. `held(page)` says what the collection holds of a page now."""

    def __init__(self, book: UrlBook, topic: Topic, held: Callable[[int], Held | None]) -> None:
        self._book = book
        self._topic = topic
        self._held = held

    def process(self, fetched: Fetched, now_s: float) -> Processed:
        """Whatever a server sent becomes a named outcome; nothing that it sends can raise."""
        robots = fetched.ticket.kind is Kind.ROBOTS
        return told(fetched, _robots(fetched, now_s) if robots else self._finding(fetched))

    def _finding(self, fetched: Fetched) -> Finding:
        status = fetched.status
        if fetched.failure in (Failure.TOO_LARGE, Failure.FORBIDDEN_ADDRESS):
            return self._skipped(fetched, fetched.failure)
        if fetched.failure is not None or status in TRY_LATER or status >= 500:
            return Finding(Outcome.FAILED, fetched.failure or f"status {status}")
        if status == 304:
            return self._unchanged(fetched)
        if status in MOVED:
            return self._moved(fetched)
        if status in GONE:
            return Finding(Outcome.GONE, f"status {status}", gone=True)
        return self._read(fetched) if status == 200 else self._skipped(fetched, f"status {status}")

    def _skipped(self, fetched: Fetched, remark: str) -> Finding:
        """A page that can no longer be read must not stay in the collection, for nobody will visit it again."""
        return Finding(Outcome.SKIPPED, remark, gone=self._held(fetched.ticket.page) is not None)

    def _unchanged(self, fetched: Fetched) -> Finding:
        held = self._held(fetched.ticket.page)
        if held is None:  # "not modified" since what? We hold nothing and asked for everything.
            return Finding(Outcome.FAILED, "status 304 for a page that is not held")
        return Finding(Outcome.UNCHANGED, relevance=held.relevance, seen=True)

    def _moved(self, fetched: Fetched) -> Finding:
        """The target is a link found, to be judged by itself. A redirect to nowhere or to itself leads to no link."""
        try:
            target = canonical(fetched.location, base=fetched.url)
        except BadUrl:
            return Finding(Outcome.MOVED, "moved to what is not a URL")
        page, host = self._book.number(target)
        if page == fetched.ticket.page:
            return Finding(Outcome.MOVED, "moved to itself")
        link = Link(page, host, self._topic.link_score("", target))
        held = self._held(fetched.ticket.page)
        return Finding(Outcome.MOVED, f"moved to {target}", links=(link,), gone=held is not None)

    def _read(self, fetched: Fetched) -> Finding:
        kind = fetched.content_type.partition(";")[0].strip().lower()
        if kind in HTML or (not kind and fetched.body.lstrip()[:1] == b"<"):
            return self._document(fetched, read_html(fetched.body, fetched.content_type, fetched.url))
        if kind == "text/plain":
            return self._document(fetched, read_plain(fetched.body, fetched.content_type))
        return self._skipped(fetched, f"content type {kind or 'missing'}")

    def _document(self, fetched: Fetched, document: Document) -> Finding:
        held = self._held(fetched.ticket.page)
        known = len(self._book)
        links = self._links(fetched.ticket.page, document)
        news = _news(links, known)
        if document.noindex:  # it may lead somewhere, but we keep nothing of it
            return Finding(Outcome.OK, "noindex", news=news, links=links, gone=held is not None)
        page = self._page(fetched, document, held)
        changed = held is None or held.fingerprint != page.fingerprint
        # The same document under new validators is written again, or no later visit could be answered by 304.
        keep = changed or (held is not None and (held.etag, held.last_modified) != (page.etag, page.last_modified))
        return Finding(
            Outcome.OK,
            changed=changed,
            relevance=page.relevance,
            news=news,
            links=links,
            page=page if keep else None,
            seen=not keep,
        )

    def _links(self, own: int, document: Document) -> tuple[Link, ...]:
        numbered = ((self._book.number(anchor.url), anchor) for anchor in document.links)
        return tuple(
            Link(page, host, self._topic.link_score(anchor.text, anchor.url))
            for (page, host), anchor in numbered
            if page != own
        )

    def _page(self, fetched: Fetched, document: Document, held: Held | None) -> Page:
        mark = fingerprint(document)
        return Page(
            page=fetched.ticket.page,
            url=fetched.url,
            title=document.title,
            text=document.text,
            relevance=self._topic.relevance(document.title, document.text),
            fingerprint=mark,
            etag=fetched.etag,
            last_modified=fetched.last_modified,
            fetched_s=fetched.ended_s,
            changed_s=held.changed_s if held and held.fingerprint == mark else fetched.ended_s,
        )


def fingerprint(document: Document) -> int:
    """64 bits of what a reader sees of a document (title, words, where its links lead), signed as SQLite wants it.

    >>> one, other = Document("Stars", "hot and far"), Document("Stars", "cold and far")
    >>> fingerprint(one) == fingerprint(Document("Stars", "hot and far")), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    parts = (document.title, document.text, *(anchor.url for anchor in document.links))
    unsigned = xxhash.xxh3_64_intdigest("\n".join(parts).encode("utf-8", "replace"))
    return unsigned - 2**64 if unsigned >= 2**63 else unsigned


def _news(links: tuple[Link, ...], known: int) -> float:
    """What the page listed that nobody had heard of, in promised relevance: links to pages numbered `known` and up."""
    return float(sum({link.page: link.score for link in links if link.page >= known}.values()))


def _robots(fetched: Fetched, now_s: float) -> Finding:
    robots = robots_from(fetched, now_s)
    remark = fetched.failure or f"status {fetched.status}"
    return Finding(Outcome.FAILED if robots.text is None else Outcome.OK, remark, robots=robots)
