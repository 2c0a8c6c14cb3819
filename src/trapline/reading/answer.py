"""Reading: from an answer's bytes to all that they say by themselves, whatever the robot knows or
holds.

What kind of content it is, its words and links, the language, the marks that tell it from others.
Nothing here has a memory, so it may be done in another process (live/reader_processes.py), for
which a reading can be packed.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from trapline.core.records import Fetched, Kind
from trapline.core.session_urls import without_session
from trapline.reading.content_type import Content, content_of
from trapline.reading.html.document import Document, read_html, read_plain
from trapline.reading.html.links import Anchor
from trapline.reading.identity.marks import NO_MARKS, Marks, marks_of
from trapline.reading.language import language_of
from trapline.reading.listings.entries import Entry, Listing
from trapline.reading.listings.feed import read_feed
from trapline.reading.listings.sitemap import read_sitemap
from trapline.reading.pdf import can_read_pdf, read_pdf
from trapline.reading.robots_directives import Directives, directives_of
from trapline.reading.soft_404 import is_missing
from trapline.topic.link_clues import NOTHING_SAID, Said, said_by
from trapline.topic.word_hashes import Bag, bag_of

NO_BAG: Final = Bag(np.empty(0, np.int32), np.empty(0, np.float32))


class Leads(NamedTuple):
    """Where links lead, and what they say of it."""

    urls: list[str]
    said: Said


NO_LEADS: Final = Leads([], NOTHING_SAID)


class Reading(NamedTuple):
    """What was read: a document, a listing of other pages, or a reason why there is none.

    The rest is of documents.
    """

    content: Document | Listing | str
    missing: bool = False  # it says that it is not there
    language: str = ""
    marks: Marks = NO_MARKS
    bag: Bag = NO_BAG
    leads: Leads = NO_LEADS
    # it could not be read this time, for which it may not be to blame
    later: bool = False


def is_readable(fetched: Fetched) -> bool:
    """Whether an answer has a body that is to be read."""
    return (
        fetched.status == 200
        and fetched.failure is None
        and fetched.ticket.kind is Kind.PAGE
    )


def read_answer(fetched: Fetched) -> Reading:
    content = _content(fetched)
    return (
        reading_of(content, fetched.url)
        if isinstance(content, Document)
        else Reading(content)
    )


def reading_of(document: Document, url: str) -> Reading:
    """Of a document that was found at `url`."""
    return Reading(
        document,
        is_missing(document.title, document.text, url),
        document.language or language_of(document.text),
        marks_of(document, url),
        bag_of(document.title, document.text),
        _leads(document),
    )


def _leads(document: Document) -> Leads:
    """The links of a page, and the place where it says that it belongs."""
    original = "" if document.nofollow else document.canonical
    return leads_of(
        [*document.links, Anchor(original, document.title)]
        if original
        else document.links
    )


def leads_of(anchors: Sequence[Anchor]) -> Leads:
    anchors = list(map(_without_sessions, anchors))
    return Leads([anchor.url for anchor in anchors], said_by(anchors))


def _without_sessions(anchor: Anchor) -> Anchor:
    """One page has one URL, whoever asks."""
    url = anchor.url
    return (
        anchor._replace(url=without_session(url))
        if "?" in url or ";" in url or "(" in url
        else anchor
    )


def pack_reading(reading: Reading) -> bytes:
    """For the way to another process, as things that are quickly taken apart and put together
    again.

    Of links only the leads go along; the entries of a listing go as columns, arrays as bytes.
    """
    arrays = [bytearray(array) for array in (*reading.bag, *reading.leads.said)]
    rest = (reading.missing, reading.language, reading.marks)
    return pickle.dumps(
        (*_parts(reading.content), rest, arrays, reading.leads.urls),
        pickle.HIGHEST_PROTOCOL,
    )


def unpack_reading(message: bytes) -> Reading:
    kind, values, columns, (missing, language, marks), arrays, urls = pickle.loads(
        message
    )
    content = values
    if kind is Document:
        content = Document(*values)
    elif kind is Listing:
        content = Listing(values, tuple(map(Entry._make, zip(*columns, strict=True))))
    words, times, *said = arrays
    bag = Bag(np.frombuffer(words, np.int32), np.frombuffer(times, np.float32))
    leads = Leads(urls, Said(*(np.frombuffer(array, np.int32) for array in said)))
    return Reading(content, missing, language, marks, bag, leads)


def _parts(
    content: Document | Listing | str,
) -> tuple[type, object, tuple[object, ...]]:
    """(kind, values, columns)"""
    if isinstance(content, Document):
        return (
            Document,
            [
                () if name == "links" else getattr(content, name)
                for name in Document.__slots__
            ],
            (),
        )
    if isinstance(content, Listing):
        return Listing, content.what, tuple(zip(*content.entries, strict=True))
    return str, content, ()


def _content(fetched: Fetched) -> Document | Listing | str:
    """One reader for each kind of content; a string says why there is none."""
    kind = content_of(fetched.content_type, fetched.body)
    orders = directives_of(fetched.robots_tag.split("\n"))
    if kind is Content.HTML:
        return read_html(fetched.body, fetched.content_type, fetched.url, orders)
    if kind is Content.PLAIN:
        return _under(orders, read_plain(fetched.body, fetched.content_type))
    if kind is Content.PDF:
        document = _pdf(fetched.body)
        return document if isinstance(document, str) else _under(orders, document)
    if kind in (Content.SITEMAP, Content.FEED):
        return _listing(kind, orders, fetched)
    return f"content type {fetched.content_type.partition(';')[0].strip().lower() or 'missing'}"


def _under(orders: Directives, document: Document) -> Document:
    return replace(
        document,
        noindex=orders.noindex,
        nofollow=orders.nofollow,
        until_s=orders.until_s,
    )


def _pdf(body: bytes) -> Document | str:
    if not can_read_pdf():
        return "application/pdf: install trapline[pdf] to read it"
    return read_pdf(body) or "application/pdf: broken or locked"


def _listing(kind: Content, orders: Directives, fetched: Fetched) -> Listing | str:
    read = read_sitemap if kind is Content.SITEMAP else read_feed
    listing = read(fetched.body, fetched.url, fetched.ended_s)
    if listing is None:
        return f"no {kind.value}, though it looks like one"
    return listing._replace(entries=()) if orders.nofollow else listing
