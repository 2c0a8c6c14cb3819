"""From an answer to what it means: a document for the collection, an observation for the controller, a note for people.

No socket, no clock, no store: what is held of a page is asked of a handed-in function, and what should be kept is
returned.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Final

import xxhash

from trapline.core.errors import BadUrl
from trapline.core.links import Links
from trapline.core.ports import Held, UrlBook
from trapline.core.records import Failure, Fetched, Kind, Outcome, Page
from trapline.core.urls import canonical
from trapline.politeness.robots import robots_from
from trapline.robot.findings import Finding, Processed, told
from trapline.robot.html_reader import Document, read_html, read_plain
from trapline.topic.lessons import Lessons
from trapline.topic.relevance import Topic
from trapline.topic.words import bag_of

__all__ = ["Processed", "ResponseProcessor", "fingerprint"]

MOVED: Final = frozenset((301, 302, 303, 307, 308))
GONE: Final = frozenset((404, 410))
TRY_LATER: Final = frozenset((408, 425, 429))  # and every 5xx
HTML: Final = frozenset(("text/html", "application/xhtml+xml"))
REJUDGED: Final = 0.1  # a change of relevance that is worth writing a document again


class ResponseProcessor:
    """Reads answers. `held(page)` says what the collection holds of a page now.

    `relevance`, if given, judges documents (title, text) instead of the topic. `lessons` are pages that teach the topic
    when they are read: examples, and pages that a person has labelled.
    """

    def __init__(
        self,
        book: UrlBook,
        topic: Topic,
        held: Callable[[int], Held | None],
        relevance: Callable[[str, str], float] | None = None,
    ) -> None:
        self.lessons = Lessons(topic)
        self._book = book
        self._topic = topic
        self._held = held
        self._relevance = relevance

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
        links = self._topic.links([(target, "", "", 0)], [(page, host)])
        held = self._held(fetched.ticket.page)
        return Finding(Outcome.MOVED, f"moved to {target}", links=links, gone=held is not None)

    def _read(self, fetched: Fetched) -> Finding:
        kind = fetched.content_type.partition(";")[0].strip().lower()
        if kind in HTML or (not kind and fetched.body.lstrip()[:1] == b"<"):
            return self._document(fetched, read_html(fetched.body, fetched.content_type, fetched.url))
        if kind == "text/plain":
            return self._document(fetched, read_plain(fetched.body, fetched.content_type))
        return self._skipped(fetched, f"content type {kind or 'missing'}")

    def _document(self, fetched: Fetched, document: Document) -> Finding:
        held = self._held(fetched.ticket.page)
        links = self._links(fetched.ticket.page, document)
        if document.noindex:  # it may lead somewhere, but we keep nothing of it
            return Finding(Outcome.OK, "noindex", links=links, gone=held is not None)
        mark = fingerprint(document)
        changed = held is None or held.fingerprint != mark
        relevance, remark = self._judged(fetched.ticket.page, document, changed)
        page = _page(fetched, document, relevance, mark, fetched.ended_s if held is None or changed else held.changed_s)
        keep = changed or (held is not None and _outdated(held, page))
        return Finding(
            Outcome.OK,
            remark,
            changed=changed,
            relevance=relevance,
            links=links,
            page=page if keep else None,
            seen=not keep,
        )

    def _links(self, own: int, document: Document) -> Links:
        numbers = [self._book.number(anchor.url) for anchor in document.links]
        others = [i for i, (page, _) in enumerate(numbers) if page != own]
        return self._topic.links([document.links[i] for i in others], [numbers[i] for i in others])

    def _judged(self, page: int, document: Document, changed: bool) -> tuple[float, str]:
        """(relevance, a remark if it could not be had). What a new text teaches the topic is learnt on the way."""
        bag = bag_of(document.title, document.text)
        self.lessons.read(page, bag)
        said = self.lessons.said(page)
        if said is not None:  # by a person
            relevance, remark = said, ""
        elif self._relevance is None:
            relevance, remark = self._topic.judge(bag), ""
        else:
            relevance, remark = _checked(self._relevance(document.title, document.text))
        if changed:
            self._topic.learn(bag, relevance)
        return relevance, remark


def _checked(relevance: float) -> tuple[float, str]:
    """Whatever a plug-in says, in [0, 1], and a remark if it was something else.

    >>> _checked(0.25), _checked(float("nan"))
    ((0.25, ''), (0.0, 'relevance nan is not in [0, 1]: taken as 0'))
    """
    if isinstance(relevance, Real) and 0.0 <= relevance <= 1.0:
        return float(relevance), ""
    return 0.0, f"relevance {str(relevance)[:40]} is not in [0, 1]: taken as 0"


def _page(fetched: Fetched, document: Document, relevance: float, mark: int, changed_s: float) -> Page:
    return Page(
        page=fetched.ticket.page,
        url=fetched.url,
        title=document.title,
        text=document.text,
        relevance=relevance,
        fingerprint=mark,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
        fetched_s=fetched.ended_s,
        changed_s=changed_s,
    )


def _outdated(held: Held, page: Page) -> bool:
    """Whether the same document is to be written again.

    New validators are, or no later visit could be answered by 304; so is a relevance that has moved, because the topic
    has learnt since or is another.
    """
    validators = (held.etag, held.last_modified) != (page.etag, page.last_modified)
    return validators or abs(held.relevance - page.relevance) > REJUDGED


def fingerprint(document: Document) -> int:
    """64 bits of what a reader sees of a document (title, words, where its links lead), signed as SQLite wants it.

    >>> one, other = Document("Stars", "hot and far"), Document("Stars", "cold and far")
    >>> fingerprint(one) == fingerprint(Document("Stars", "hot and far")), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    targets = dict.fromkeys(anchor.url for anchor in document.links)
    parts = (document.title, document.text, *targets)
    unsigned = xxhash.xxh3_64_intdigest("\n".join(parts).encode("utf-8", "replace"))
    return unsigned - 2**64 if unsigned >= 2**63 else unsigned


def _robots(fetched: Fetched, now_s: float) -> Finding:
    robots = robots_from(fetched, now_s)
    remark = fetched.failure or f"status {fetched.status}"
    return Finding(Outcome.FAILED if robots.text is None else Outcome.OK, remark, robots=robots)
