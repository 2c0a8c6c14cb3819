"""From an answer to what it means: a document for the collection, an observation for the
controller, a note for people.

No socket, no clock, no store: a function that is handed in tells what is held of a page, and what
should be kept is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import NO_SIGNALS, LinkTexts
from trapline.core.ports import UrlBook
from trapline.core.records import Failure, Fetched, Kind, Outcome
from trapline.core.storage import Held
from trapline.politeness.robots_txt import RobotsFile, robots_from
from trapline.reading.answer import is_readable, read_answer
from trapline.reading.html.document import Document
from trapline.reading.identity.marks import Marks
from trapline.reading.listings.entries import resolve_link
from trapline.reading.readings import ReadDocument, Reading, ReadListing, Unreadable
from trapline.reading.rules.reading_rules import Findings, ReadingRules
from trapline.robot.response.aliases import Aliases
from trapline.robot.response.host_dates import HostDates
from trapline.robot.response.judge import Judge
from trapline.robot.response.link_numbers import NOT_SAID, LinkNumbers, Numbered
from trapline.robot.response.missing_pages import MissingPages
from trapline.robot.response.named_originals import NamedOriginals
from trapline.robot.response.page_builder import REJUDGED, build_page, finding_of
from trapline.robot.response.page_noise import PageNoise
from trapline.robot.response.page_rules import PageRules
from trapline.robot.response.results import PART, Finding, Processed, results_of
from trapline.robot.response.told_changes import TELL, Telling, ToldChanges
from trapline.topic.topic import Topic

__all__ = ["REJUDGED", "Processed", "ResponseProcessor"]

LASTING: Final = frozenset((301, 308))
MOVED: Final = frozenset((301, 302, 303, 307, 308))
GONE: Final = frozenset((404, 410))
TRY_LATER: Final = frozenset((408, 425, 429))  # and every 5xx
_ALLOW_ALL: Final = PageRules()


class ResponseProcessor:
    """Decides what answers mean. `held(page)` tells what the collection holds of a page now.

    `relevance`, if given, judges documents (title, text) instead of the topic. `lessons` are pages
    that teach the topic when they are read: examples, and pages that a person has labelled.
    """

    def __init__(
        self,
        book: UrlBook,
        topic: Topic,
        held: Callable[[int], Held | None],
        relevance: Callable[[str, str], float] | None = None,
        *,
        rules: PageRules = _ALLOW_ALL,
        noise: PageNoise | None = None,
    ) -> None:
        self._book = book
        self._held = held
        self._rules = rules
        self._noise = noise or PageNoise()
        self._told = ToldChanges(self._noise)
        self._links = LinkNumbers(book, topic, rules.in_scope, rules.elsewhere)
        self._judge = Judge(topic, relevance)
        self.lessons = self._judge.lessons
        self._aliases = Aliases()
        self._originals = NamedOriginals(book, self._aliases, held, rules.is_ours)
        self._missing = MissingPages()
        self.dates = HostDates()
        self._numbered: Numbered | None = None  # links of the answer to come

    def process(
        self, fetched: Fetched, now_s: float, reading: Reading | None = None
    ) -> Processed:
        """Whatever a server sent becomes a named outcome; nothing that it sends can raise.

        `reading` is what another process has read of it; without one, it is read here.
        """
        self.dates.note(fetched.ticket.host, fetched.date_s, fetched.ended_s)
        if fetched.ticket.kind is Kind.ERRAND:
            return results_of(fetched, _process_errand(fetched))
        if reading is None and is_readable(fetched):
            reading = read_answer(fetched, self.rules_for(fetched.url))
        if fetched.ticket.kind is Kind.ROBOTS:
            return results_of(fetched, self._process_robots(fetched, now_s, reading))
        if self._rules.barred(fetched.url):
            return results_of(fetched, self._skip(fetched, "not wanted any more"))
        if reading is not None:
            return results_of(fetched, self._process_reading(fetched, reading))
        return results_of(fetched, self._process_status(fetched))

    def rules_for(self, url: str) -> ReadingRules:
        """By which the page at `url` is to be read."""
        return self._rules.reading(url)

    def note_clock_set(self) -> None:
        """Our clock was set: times noted before are not comparable with later ones."""
        self.dates.start_over()
        self._missing = MissingPages()

    def meet_links(self, fetched: Fetched, reading: Reading) -> Iterator[None]:
        """Number the links of an answer that has many, in steps, for `process` to use."""
        self._numbered = None
        if isinstance(reading, ReadDocument | ReadListing):
            found = reading.links
            if len(found.urls) > PART and not self._rules.barred(fetched.url):
                own = fetched.ticket.page
                self._numbered = yield from self._links.number_in_parts(
                    own, found, _modified_s(reading)
                )

    def _number(self, own: int, reading: ReadDocument | ReadListing) -> Numbered:
        if len(reading.links.urls) > PART and self._numbered is not None:
            numbered = self._numbered
            self._numbered = None
            return numbered
        return self._links.number_listed(own, reading.links, _modified_s(reading))

    def _process_robots(
        self, fetched: Fetched, now_s: float, reading: Reading | None
    ) -> Finding:
        file = reading if isinstance(reading, RobotsFile) else None
        robots = robots_from(fetched, now_s, file)
        sitemaps = self._links.number_urls(-1, file.sitemaps if file else ())
        return Finding(
            Outcome.FAILED if robots.text is None else Outcome.OK,
            _robots_remark(fetched),
            links=sitemaps.links,
            robots=robots,
            elsewhere=sitemaps.elsewhere,
        )

    def _process_status(self, fetched: Fetched) -> Finding:
        """An answer without a body to read."""
        status = fetched.status
        if fetched.failure in (Failure.TOO_LARGE, Failure.FORBIDDEN_ADDRESS):
            return self._skip(fetched, fetched.failure)
        if fetched.failure is not None or status in TRY_LATER or status >= 500:
            return Finding(Outcome.FAILED, fetched.failure or f"status {status}")
        if status in GONE:
            return self._give_up(fetched, f"status {status}", Outcome.GONE)
        if status == 304:
            self._missing.forget(fetched.ticket.page)
            return self._process_not_modified(fetched)
        if status in MOVED:
            return self._process_redirect(fetched)
        return self._give_up(fetched, f"status {status}", Outcome.SKIPPED)

    def _skip(self, fetched: Fetched, remark: str) -> Finding:
        """A page that can no longer be read must leave the collection, for nobody will visit it
        again.
        """
        held = self._held(fetched.ticket.page)
        return Finding(Outcome.SKIPPED, remark, gone=held is not None)

    def _process_not_modified(self, fetched: Fetched) -> Finding:
        held = self._held(fetched.ticket.page)
        # "not modified" since what? We hold nothing and asked for everything.
        if held is None:
            return Finding(Outcome.FAILED, "status 304 for a page that is not held")
        self._noise.note_unmodified(fetched.ticket)
        return Finding(Outcome.UNCHANGED, relevance=held.relevance, seen=True)

    def _give_up(self, fetched: Fetched, remark: str, outcome: Outcome) -> Finding:
        """A server denies a page. A held one is given up only when it is denied a second time."""
        page = fetched.ticket.page
        confirmed = self._missing.is_confirmed(page, fetched.ended_s)
        if not confirmed and self._held(page) is not None:
            return Finding(Outcome.FAILED, f"{remark}, to be confirmed")
        self._missing.forget(page)
        return Finding(outcome, remark, gone=True)

    def _process_redirect(self, fetched: Fetched) -> Finding:
        """The target is a link found, to be judged by itself, so that loops end where they began.

        A held page stays held if it is elsewhere only for now, or if its redirect leads nowhere. It
        is tried again later.
        """
        own = fetched.ticket.page
        target = resolve_link(fetched.location, fetched.url)
        held = self._held(own)
        lasting = fetched.status in LASTING
        numbered = self._links.number_urls(own, [target] if target else [])
        links = numbered.links
        if len(links) and lasting:
            self._aliases.note(own, int(links["page"][0]))
        elsewhere = numbered.elsewhere
        followed = len(links) > 0 or bool(elsewhere.urls)
        remark = _redirect_remark(fetched, target, followed=followed)
        if held is not None and (not lasting or target in (None, fetched.url)):
            found = Finding(Outcome.FAILED, remark, relevance=held.relevance)
        else:
            found = Finding(Outcome.MOVED, remark, gone=held is not None)
        return replace(found, links=links, elsewhere=elsewhere)

    def _process_reading(self, fetched: Fetched, reading: Reading) -> Finding:
        match reading:
            case Unreadable(reason, retry):
                if retry:
                    return Finding(Outcome.FAILED, reason)
                return self._skip(fetched, reason)
            case RobotsFile():
                raise AssertionError("robots.txt is no page")
            case ReadListing():
                self._missing.forget(fetched.ticket.page)
                return self._process_listing(fetched, reading)
            case ReadDocument(missing=True):
                remark = "it says that it is not there"
                return self._give_up(fetched, remark, Outcome.GONE)
            case ReadDocument(document):
                self._missing.forget(fetched.ticket.page)
                if original := self._originals.find_held(fetched, document):
                    return self._process_copy(fetched, original)
                return self._process_document(fetched, reading)

    def _process_copy(self, fetched: Fetched, original: str) -> Finding:
        own = fetched.ticket.page
        links = self._links.number_urls(own, [original]).links
        self._aliases.note(own, int(links["page"][0]))
        remark = f"canonical is {original}"
        gone = self._held(own) is not None
        return Finding(Outcome.MOVED, remark, links=links, gone=gone)

    def _process_document(self, fetched: Fetched, reading: ReadDocument) -> Finding:
        own = fetched.ticket.page
        document = reading.document
        language = reading.language
        held = self._held(own)
        numbered = self._number(own, reading)
        links = numbered.links
        rules = self.rules_for(fetched.url)
        foreign = bool(language) and not self._rules.speaks(language)
        foreign = foreign and not rules.watched  # who lists a page wants it
        # it may lead on, but nothing is kept
        if document.noindex or self._expired(fetched, document) or foreign:
            remark = f"language {language}" if foreign else "noindex"
            left = Finding(Outcome.OK, remark, links=links, gone=held is not None)
            return replace(left, elsewhere=numbered.elsewhere)
        page = build_page(
            fetched, document, 0.0, reading.marks, language, reading.findings
        )
        verdict = TELL
        if held is not None:
            verdict = self._told.judge(fetched.ticket, held, page, reading, rules)
        noise = verdict.telling is not Telling.TELL
        changed = held is None or held.fingerprint != page.fingerprint
        relevance, remark = self._judge.judge(
            own, document, reading.counts, changed and not noise
        )
        remark = remark or verdict.remark
        if held is not None and verdict.telling is Telling.WAIT:
            return Finding(Outcome.OK, remark, relevance=held.relevance, seen=True)
        page = replace(page, relevance=relevance)
        own_version = verdict.telling is not Telling.NOISE
        finding = finding_of(
            held, page, remark, links, noise=noise, own_version=own_version
        )
        original = self._originals.find_named(document)
        texts = self._follow_aliases(own, numbered.texts)
        elsewhere = numbered.elsewhere
        return replace(finding, original=original, texts=texts, elsewhere=elsewhere)

    def _follow_aliases(self, own: int, texts: LinkTexts) -> LinkTexts:
        """What links call a page that has moved is said of the page where it is now."""
        moved = ((self._aliases.of(page), text) for page, text in texts)
        return [(page, text) for page, text in moved if page != own]

    def _expired(self, fetched: Fetched, document: Document) -> bool:
        """A date in the past, unless it is our clock that is wrong."""
        return fetched.ended_s >= document.until_s and not self.dates.suspect

    def _process_listing(self, fetched: Fetched, listing: ReadListing) -> Finding:
        """A sitemap or feed is held without words, for its validators and its mark: no search will
        show it.
        """
        held = self._held(fetched.ticket.page)
        marks = Marks(listing.fingerprint)
        # rules find nothing to read there, but other ones would not either
        findings = Findings(self.rules_for(fetched.url).mark)
        page = build_page(fetched, Document("", ""), 0.0, marks, findings=findings)
        numbered = self._number(fetched.ticket.page, listing)
        signals = NO_SIGNALS if self.dates.suspect else numbered.signals
        finding = finding_of(held, page, listing.what, numbered.links, signals)
        return replace(finding, elsewhere=numbered.elsewhere)


def _modified_s(reading: ReadDocument | ReadListing) -> NDArray[np.float64]:
    return reading.modified_s if isinstance(reading, ReadListing) else NOT_SAID


def _redirect_remark(fetched: Fetched, target: str | None, *, followed: bool) -> str:
    if target is None:
        return "moved to what is not a URL"
    if target == fetched.url:
        return "moved to itself"
    how = "moved" if fetched.status in LASTING else "moved for now"
    return f"{how} to {target}" if followed else f"{how} out of scope, to {target}"


def _robots_remark(fetched: Fetched) -> str:
    remark = fetched.failure or f"status {fetched.status}"
    if fetched.status in MOVED and fetched.location:
        return f"{remark} to {fetched.location}, which was not read"
    return remark


def _process_errand(fetched: Fetched) -> Finding:
    failed = fetched.failure is not None or fetched.status >= 400
    remark = fetched.failure or f"status {fetched.status}"
    return Finding(
        Outcome.FAILED if failed else Outcome.OK,
        f"robots.txt of another host at {fetched.url}: {remark}",
    )
