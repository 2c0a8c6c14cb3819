"""Answers by OpenSearch 1.1: feeds in Atom 1.0 or RSS 2.0.

>>> rss = b"<rss><channel><item><title>A</title><link>http://a.org/</link></item></channel></rss>"
>>> read_feed(rss)
[ForeignHit(url='http://a.org/', title='A', text='')]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from trapline.core.errors import AnswerUnreadable
from trapline.oasis.neighbours.bounded_xml import (
    XmlUnreadable,
    parse_xml,
    text_of,
    text_of_html,
)
from trapline.oasis.neighbours.foreign_hits import (
    LONGEST_TEXT,
    ForeignHit,
    Found,
    collect_hits,
)

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_LONGEST_MARKUP: Final = 4 * LONGEST_TEXT


def read_feed(body: bytes) -> list[ForeignHit]:
    try:
        root = parse_xml(body)
    except XmlUnreadable as problem:
        raise AnswerUnreadable(str(problem)) from None
    if root.tag == f"{_ATOM}feed":
        return collect_hits(map(_read_entry, root.iterchildren(f"{_ATOM}entry")))
    if root.tag == "rss":
        return collect_hits(map(_read_item, root.iterfind("channel/item")))
    raise AnswerUnreadable("its XML is neither Atom nor RSS")


def _read_entry(entry: Any) -> Found:
    summary = entry.find(f"{_ATOM}summary")
    if summary is None:
        summary = entry.find(f"{_ATOM}content")
    return (
        next(_page_links(entry), ""),
        _atom_text(entry.find(f"{_ATOM}title")),
        _atom_text(summary),
    )


def _page_links(entry: Any) -> Iterator[str]:
    """Where the page itself is, not its comments or copies of it."""
    for link in entry.iterchildren(f"{_ATOM}link"):
        if link.get("rel", "alternate") == "alternate":
            yield link.get("href", "")


def _atom_text(element: Any) -> str:
    text = text_of(element)
    if element is not None and element.get("type") in ("html", "text/html"):
        return text_of_html(text[:_LONGEST_MARKUP])
    return text


def _read_item(item: Any) -> Found:
    """Titles are plain; a description is HTML by custom."""
    description = text_of(item.find("description"))[:_LONGEST_MARKUP]
    return (
        text_of(item.find("link")),
        text_of(item.find("title")),
        text_of_html(description),
    )
