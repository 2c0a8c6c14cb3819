"""Reading an answer: from its bytes to everything that they say by themselves.

The kind of content, its words and links, the language, and the marks that tell it from others.
Nothing here has a memory, so another process may do it (live/reader_processes.py).
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf
from typing import Final

from trapline.core.records import Fetched, Kind
from trapline.politeness.robots_txt import has_robots, read_robots
from trapline.reading.content_type import HEAD, Content, content_of
from trapline.reading.html.charset import recode
from trapline.reading.html.depth_guard import flatten_if_deep
from trapline.reading.html.document import Document, read_html, read_plain
from trapline.reading.html.links import Anchor
from trapline.reading.identity.marks import flowing_marks, literal_marks, marks_of
from trapline.reading.language import language_of
from trapline.reading.listings.feed import feed_text, read_feed
from trapline.reading.listings.sitemap import read_sitemap, sitemap_text
from trapline.reading.pdf import can_read_pdf, read_pdf
from trapline.reading.readings import (
    FoundLinks,
    ReadDocument,
    Reading,
    Unreadable,
    find_links,
    read_listing,
)
from trapline.reading.robots_directives import Directives, directives_of
from trapline.reading.rules.filtering import RuleFailure, read_by_rules
from trapline.reading.rules.reading_rules import NO_RULES, ReadingRules
from trapline.reading.soft_404 import is_missing
from trapline.topic.word_hashes import count_words

# what is text, though pages of a crawl are not written so
_TEXT: Final = re.compile(
    r"text/.+|application/(?:[\w.-]+[+-])?(?:json|xml|yaml|toml|csv|javascript)"
)


def is_readable(fetched: Fetched) -> bool:
    """Whether an answer has a body that is to be read."""
    if fetched.ticket.kind is Kind.ROBOTS:
        return has_robots(fetched)
    page = fetched.ticket.kind is Kind.PAGE
    return page and fetched.status == 200 and fetched.failure is None


def read_answer(fetched: Fetched, rules: ReadingRules = NO_RULES) -> Reading:
    """One reader for each kind of content; `rules` are those of people for this page."""
    if fetched.ticket.kind is Kind.ROBOTS:
        return read_robots(fetched.body, fetched.url)
    reading = _read_page(fetched, rules)
    if rules.watched and isinstance(reading, Unreadable) and not reading.retry:
        # who waits for a page wants to hear of it, and keep what there was
        return Unreadable(f"it cannot be read: {reading.reason}", retry=True)
    return reading


def _read_page(fetched: Fetched, rules: ReadingRules) -> Reading:
    named = fetched.content_type.partition(";")[0].strip().lower()
    kind = content_of(fetched.content_type, fetched.body)
    if rules.watched:
        kind = _watched_kind(kind, named, fetched.body)
    orders = directives_of(fetched.robots_tag.split("\n"))
    match kind:
        case Content.HTML:
            page = read_html(fetched.body, fetched.content_type, fetched.url, orders)
            return _read_by_rules(page, fetched, rules, kind)
        case Content.PLAIN:
            plain = read_plain(fetched.body, fetched.content_type, rules.watched)
            return _read_by_rules(_obey(orders, plain), fetched, rules, kind)
        case Content.PDF:
            return _read_pdf(orders, fetched, rules)
        case Content.SITEMAP | Content.FEED:
            if rules.watched:
                return _read_listed(kind, fetched, rules)
            return _read_listing(kind, orders, fetched)
        case _:
            return Unreadable(f"content type {named or 'missing'}")


def _watched_kind(kind: Content, named: str, body: bytes) -> Content:
    """Of a page that people have listed: whatever is text is read as one."""
    text = _TEXT.fullmatch(named) if named else b"\0" not in body[:HEAD]
    return Content.PLAIN if kind is Content.OTHER and text else kind


def _read_listed(kind: Content, fetched: Fetched, rules: ReadingRules) -> Reading:
    """A feed or sitemap that people watch: what it lists is its text, and every letter counts."""
    text_of = sitemap_text if kind is Content.SITEMAP else feed_text
    text = text_of(fetched.body, fetched.url)
    if text is None:
        plain = read_plain(fetched.body, fetched.content_type, by_line=True)
        return _read_by_rules(plain, fetched, rules, Content.PLAIN)
    reading = _read_by_rules(Document("", text), fetched, rules, kind)
    if isinstance(reading, ReadDocument):
        return replace(reading, missing=False, marks=literal_marks(reading.document))
    return reading


def _read_by_rules(
    document: Document, fetched: Fetched, rules: ReadingRules, kind: Content
) -> Reading:
    url = fetched.url
    # what is selected may be an attribute
    if rules.watched and not (document.title or document.text or rules.select):
        return Unreadable("there is no text in it")
    if rules.watched:
        document = _as_listed(document)
    # missing by the whole page: a part may well say "not found"
    if (
        not rules.asks
        or document.noindex
        or is_missing(document.title, document.text, url)
    ):
        return _mark(analyse_document(document, url), url, rules, kind)
    html = None
    if kind is Content.HTML:
        html = flatten_if_deep(recode(fetched.body, fetched.content_type))
    try:
        part, findings = read_by_rules(document, html, rules, url)
    except RuleFailure as failure:
        return Unreadable(str(failure), retry=True)
    read = replace(analyse_document(part, url), missing=False, findings=findings)
    return _mark(read, url, rules, kind)


def _as_listed(document: Document) -> Document:
    """A page that people have listed is watched where it is, whatever it says of being kept."""
    return replace(document, noindex=False, until_s=inf, canonical="")


def _mark(
    read: ReadDocument, url: str, rules: ReadingRules, kind: Content
) -> ReadDocument:
    """With the marks that its kind and its rules ask for."""
    document = read.document
    if rules.watched and kind is Content.PLAIN:
        return replace(read, marks=flowing_marks(document, url, literal=rules.literal))
    if rules.literal and not (read.missing or document.noindex):
        return replace(read, marks=literal_marks(document))
    return read


def analyse_document(document: Document, url: str) -> ReadDocument:
    """Everything that a document at `url` says by itself."""
    return ReadDocument(
        document,
        is_missing(document.title, document.text, url),
        document.language or language_of(document.text),
        marks_of(document, url),
        count_words(document.title, document.text),
        _links_of(document),
    )


def _links_of(document: Document) -> FoundLinks:
    """The links of a page, and the URL where it says that it belongs."""
    original = "" if document.nofollow else document.canonical
    if not original:
        return find_links(document.links)
    return find_links([*document.links, Anchor(original, document.title)])


def _obey(orders: Directives, document: Document) -> Document:
    return replace(
        document,
        noindex=orders.noindex,
        nofollow=orders.nofollow,
        until_s=orders.until_s,
    )


def _read_pdf(orders: Directives, fetched: Fetched, rules: ReadingRules) -> Reading:
    if not can_read_pdf():
        return Unreadable("application/pdf: install trapline[pdf] to read it")
    document = read_pdf(fetched.body)
    if document is None:
        return Unreadable("application/pdf: broken or locked")
    return _read_by_rules(_obey(orders, document), fetched, rules, Content.PDF)


def _read_listing(kind: Content, orders: Directives, fetched: Fetched) -> Reading:
    read = read_sitemap if kind is Content.SITEMAP else read_feed
    listing = read(fetched.body, fetched.url, fetched.ended_s)
    if listing is None:
        return Unreadable(f"no {kind.value}, though it looks like one")
    return read_listing(listing._replace(entries=()) if orders.nofollow else listing)
