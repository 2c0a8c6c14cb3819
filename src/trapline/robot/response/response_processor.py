"""From an answer to what it means: a document for the collection, an observation for the
controller, a note for people.

No socket, no clock, no store: what is held of a page is asked of a handed-in function, and what
should be kept is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trapline.core.links import Links
from trapline.core.ports import Held, UrlBook
from trapline.core.records import Failure, Fetched, Kind, Outcome
from trapline.politeness.robots_txt import robots_from, sitemaps_in
from trapline.reading.answer import Leads, Reading, is_readable, leads_of, read_answer
from trapline.reading.html.document import Document
from trapline.reading.html.links import Anchor
from trapline.reading.identity.marks import Marks
from trapline.reading.listings.entries import (
    Listing,
    listing_fingerprint,
    resolve_link,
    signals_of,
)
from trapline.robot.response.aliases import Aliases
from trapline.robot.response.judge import Judge
from trapline.robot.response.page_builder import REJUDGED, build_page, finding_of
from trapline.robot.response.results import Finding, Processed, results_of
from trapline.topic.link_clues import said_by
from trapline.topic.topic import Topic

__all__ = ["REJUDGED", "Processed", "ResponseProcessor"]

LASTING: Final = frozenset((301, 308))
MOVED: Final = frozenset((301, 302, 303, 307, 308))
GONE: Final = frozenset((404, 410))
TRY_LATER: Final = frozenset((408, 425, 429))  # and every 5xx
CONFIRM_S: Final = 60.0  # a held page is gone when it was missing twice, so far apart


def _any(_: str) -> bool:
    return True


def _none(_: str) -> bool:
    return False


class ResponseProcessor:
    """Reads answers. `held(page)` says what the collection holds of a page now.

    `relevance`, if given, judges documents (title, text) instead of the topic. `lessons` are pages
    that teach the topic when they are read: examples, and pages that a person has labelled.
    Documents in a language that `speaks` denies are not kept; a link that is not `in_scope` gets no
    number, wherever it is found; an answer whose URL was `barred` meanwhile is not looked at.
    """

    def __init__(
        self,
        book: UrlBook,
        topic: Topic,
        held: Callable[[int], Held | None],
        relevance: Callable[[str, str], float] | None = None,
        *,
        speaks: Callable[[str], bool] = _any,
        in_scope: Callable[[str], bool] = _any,
        barred: Callable[[str], bool] = _none,
    ) -> None:
        self._book = book
        self._topic = topic
        self._held = held
        self._speaks = speaks
        self._in_scope = in_scope
        self._barred = barred
        self._judge = Judge(topic, relevance)
        self.lessons = self._judge.lessons
        self._aliases = Aliases()
        self._missing: dict[int, float] = {}  # held page → when it was first not there

    def process(
        self, fetched: Fetched, now_s: float, reading: Reading | None = None
    ) -> Processed:
        """Whatever a server sent becomes a named outcome; nothing that it sends can raise.

        `reading` is what another process has read of it; without one, it is read here.
        """
        if fetched.ticket.kind is Kind.ROBOTS:
            return results_of(fetched, self._robots(fetched, now_s))
        if self._barred(fetched.url):
            return results_of(fetched, self._skipped(fetched, "not wanted any more"))
        if is_readable(fetched):
            return results_of(
                fetched, self._read(fetched, reading or read_answer(fetched))
            )
        return results_of(fetched, self._finding(fetched))

    def _robots(self, fetched: Fetched, now_s: float) -> Finding:
        robots = robots_from(fetched, now_s)
        links = self._links(
            -1, leads_of([Anchor(url, "") for url in sitemaps_in(robots, fetched.url)])
        )
        remark = fetched.failure or f"status {fetched.status}"
        return Finding(
            Outcome.FAILED if robots.text is None else Outcome.OK,
            remark,
            links=links,
            robots=robots,
        )

    def _finding(self, fetched: Fetched) -> Finding:
        status = fetched.status
        if fetched.failure in (Failure.TOO_LARGE, Failure.FORBIDDEN_ADDRESS):
            return self._skipped(fetched, fetched.failure)
        if fetched.failure is not None or status in TRY_LATER or status >= 500:
            return Finding(Outcome.FAILED, fetched.failure or f"status {status}")
        if status in GONE:
            return self._left(fetched, f"status {status}", Outcome.GONE)
        if status == 304:
            self._missing.pop(fetched.ticket.page, None)
            return self._unchanged(fetched)
        if status in MOVED:
            return self._moved(fetched)
        return self._left(fetched, f"status {status}", Outcome.SKIPPED)

    def _skipped(self, fetched: Fetched, remark: str) -> Finding:
        """A page that can no longer be read must not stay in the collection, for nobody will visit
        it again.
        """
        return Finding(
            Outcome.SKIPPED, remark, gone=self._held(fetched.ticket.page) is not None
        )

    def _unchanged(self, fetched: Fetched) -> Finding:
        held = self._held(fetched.ticket.page)
        # "not modified" since what? We hold nothing and asked for everything.
        if held is None:
            return Finding(Outcome.FAILED, "status 304 for a page that is not held")
        return Finding(Outcome.UNCHANGED, relevance=held.relevance, seen=True)

    def _left(self, fetched: Fetched, remark: str, outcome: Outcome) -> Finding:
        """Servers err: what is held is given up only when it is denied a second time.

        A restart asks once more.
        """
        page = fetched.ticket.page
        first_s = self._missing.setdefault(page, fetched.ended_s)
        if self._held(page) is not None and fetched.ended_s - first_s < CONFIRM_S:
            return Finding(Outcome.FAILED, f"{remark}, to be confirmed")
        del self._missing[page]
        return Finding(outcome, remark, gone=True)

    def _moved(self, fetched: Fetched) -> Finding:
        """The target is a link found, to be judged by itself, so that loops end where they began.

        A held page that is elsewhere only for now, or that leads nowhere, stays held and is tried
        again later.
        """
        own = fetched.ticket.page
        target = resolve_link(fetched.location, fetched.url)
        held = self._held(own)
        lasting = fetched.status in LASTING
        links = self._links(own, leads_of([Anchor(target, "")] if target else []))
        if len(links) and lasting:
            self._aliases.note(own, int(links["page"][0]))
        remark = self._whereto(fetched, target)
        if held is not None and (not lasting or target in (None, fetched.url)):
            return Finding(
                Outcome.FAILED, remark, relevance=held.relevance, links=links
            )
        return Finding(Outcome.MOVED, remark, links=links, gone=held is not None)

    def _whereto(self, fetched: Fetched, target: str | None) -> str:
        if target is None:
            return "moved to what is not a URL"
        if target == fetched.url:
            return "moved to itself"
        how = "moved" if fetched.status in LASTING else "moved for now"
        return (
            f"{how} to {target}"
            if self._in_scope(target)
            else f"{how} out of scope, to {target}"
        )

    def _read(self, fetched: Fetched, reading: Reading) -> Finding:
        content = reading.content
        if isinstance(content, str):
            return (
                Finding(Outcome.FAILED, content)
                if reading.later
                else self._skipped(fetched, content)
            )
        if reading.missing:
            return self._left(fetched, "it says that it is not there", Outcome.GONE)
        self._missing.pop(fetched.ticket.page, None)
        if isinstance(content, Listing):
            return self._listing(fetched, content)
        if target := self._original(fetched, content):
            return self._copy(fetched, target)
        return self._document(fetched, content, reading)

    def _original(self, fetched: Fetched, document: Document) -> str:
        """The held page that this one says it is a copy of; "" = there is none.

        Only of what is held: pages that name each other, or one that is gone, forbidden or
        redirected back here, must not make us lose both.
        """
        if not document.canonical or not self._in_scope(document.canonical):
            return ""
        page = self._aliases.of(self._book.number(document.canonical)[0])
        known = page != fetched.ticket.page and self._held(page) is not None
        return self._book.url(page) if known else ""

    def _copy(self, fetched: Fetched, target: str) -> Finding:
        links = self._links(fetched.ticket.page, leads_of([Anchor(target, "")]))
        self._aliases.note(fetched.ticket.page, int(links["page"][0]))
        gone = self._held(fetched.ticket.page) is not None
        return Finding(Outcome.MOVED, f"canonical is {target}", links=links, gone=gone)

    def _document(
        self, fetched: Fetched, document: Document, reading: Reading
    ) -> Finding:
        own = fetched.ticket.page
        held = self._held(fetched.ticket.page)
        links = self._links(own, reading.leads)
        language = reading.language
        marks = reading.marks
        foreign = bool(language) and not self._speaks(language)
        # it may lead on, but nothing is kept
        if document.noindex or fetched.ended_s >= document.until_s or foreign:
            remark = f"language {language}" if foreign else "noindex"
            return Finding(Outcome.OK, remark, links=links, gone=held is not None)
        changed = held is None or held.fingerprint != marks.fingerprint
        relevance, remark = self._judge.judge(own, document, reading.bag, changed)
        return finding_of(
            held,
            build_page(fetched, document, relevance, marks, language),
            remark,
            links,
        )

    def _listing(self, fetched: Fetched, listing: Listing) -> Finding:
        """A sitemap or feed is held without words, for its validators and its mark: no search will
        show it.
        """
        held = self._held(fetched.ticket.page)
        entries = [entry for entry in listing.entries if self._in_scope(entry.url)]
        numbers = [self._book.number(entry.url) for entry in entries]
        page = build_page(
            fetched, Document("", ""), 0.0, Marks(listing_fingerprint(listing))
        )
        signals = signals_of(entries, [number for number, _ in numbers])
        said = said_by([(entry.url, entry.text, entry.around, 0) for entry in entries])
        return finding_of(
            held,
            page,
            listing.what,
            self._topic.links(said, dict(enumerate(numbers))),
            signals,
        )

    def _links(self, own: int, leads: Leads) -> Links:
        numbers = {
            i: self._book.number(url)
            for i, url in enumerate(leads.urls)
            if self._in_scope(url)
        }
        others = {i: number for i, number in numbers.items() if number[0] != own}
        return self._topic.links(leads.said, others)
