"""Reading an answer: from its bytes to everything that they say by themselves.

The kind of content, its words and links, the language, and the marks that tell it from others.
Nothing here has a memory, so another process may do it (live/reader_processes.py).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from trapline.core.records import Fetched, Kind
from trapline.politeness.robots_txt import has_robots, read_robots
from trapline.reading.content_type import Content, content_of
from trapline.reading.html.charset import recode
from trapline.reading.html.depth_guard import flatten_if_deep
from trapline.reading.html.document import Document, read_html, read_plain
from trapline.reading.html.links import Anchor
from trapline.reading.identity.marks import marks_of
from trapline.reading.language import language_of
from trapline.reading.listings.feed import read_feed
from trapline.reading.listings.sitemap import read_sitemap
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
from trapline.reading.rules.filtering import RuleFailure, literal_marks, read_by_rules
from trapline.reading.rules.reading_rules import NO_RULES, ReadingRules
from trapline.reading.soft_404 import is_missing
from trapline.topic.word_hashes import count_words

_JSON: Final = re.compile(r"application/(?:[\w.-]+\+)?json")


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
    kind = content_of(fetched.content_type, fetched.body)
    orders = directives_of(fetched.robots_tag.split("\n"))
    named = fetched.content_type.partition(";")[0].strip().lower()
    if rules.watched and _JSON.fullmatch(named):
        kind = Content.PLAIN
    match kind:
        case Content.HTML:
            page = read_html(fetched.body, fetched.content_type, fetched.url, orders)
            return _read_by_rules(page, fetched, rules, is_html=True)
        case Content.PLAIN:
            plain = read_plain(fetched.body, fetched.content_type)
            return _read_by_rules(_obey(orders, plain), fetched, rules)
        case Content.PDF:
            return _read_pdf(orders, fetched, rules)
        case Content.SITEMAP | Content.FEED:
            return _read_listing(kind, orders, fetched)
        case _:
            return Unreadable(f"content type {named or 'missing'}")


def _read_by_rules(
    document: Document, fetched: Fetched, rules: ReadingRules, *, is_html: bool = False
) -> Reading:
    if not rules.asks or document.noindex:
        return analyse_document(document, fetched.url)
    # by the whole page: a part may well say "not found"
    if is_missing(document.title, document.text, fetched.url):
        return analyse_document(document, fetched.url)
    html = None
    if is_html:
        html = flatten_if_deep(recode(fetched.body, fetched.content_type))
    try:
        part, findings = read_by_rules(document, html, rules, fetched.url)
    except RuleFailure as failure:
        return Unreadable(str(failure), retry=True)
    read = analyse_document(part, fetched.url)
    marks = literal_marks(part) if rules.literal else read.marks
    return replace(read, missing=False, marks=marks, findings=findings)


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
    return _read_by_rules(_obey(orders, document), fetched, rules)


def _read_listing(kind: Content, orders: Directives, fetched: Fetched) -> Reading:
    read = read_sitemap if kind is Content.SITEMAP else read_feed
    listing = read(fetched.body, fetched.url, fetched.ended_s)
    if listing is None:
        return Unreadable(f"no {kind.value}, though it looks like one")
    return read_listing(listing._replace(entries=()) if orders.nofollow else listing)
