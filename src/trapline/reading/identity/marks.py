"""Marks of a document: what tells it from others, and from what it was before."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from trapline.reading.html.document import Document
from trapline.reading.identity.fingerprint import fingerprint, text_hash
from trapline.reading.identity.simhash import simhash
from trapline.reading.identity.steady_text import steady_text
from trapline.reading.identity.text_links import targets_in_text


class Marks(NamedTuple):
    """What tells a document from others, and from what it was before: 64 bits each, signed as
    SQLite wants them.
    """

    fingerprint: int
    simhash: int = 0


def marks_of(document: Document, url: str) -> Marks:
    """Of a document that was found at `url`.

    >>> seen = Document("Stars", "hot and far. 17 views")
    >>> again = Document("Stars", "hot and far. 18 views")
    >>> marks_of(seen, "http://a/") == marks_of(again, "http://a/")
    True
    """
    text = steady_text(document.title, document.text)
    return Marks(fingerprint(text, targets_in_text(document, url)), simhash(text))


def literal_marks(document: Document) -> Marks:
    """Of a text in which every letter counts. It is nobody's copy: people have chosen it."""
    return Marks(text_hash(document.text))


def flowing_marks(document: Document, url: str, *, literal: bool = False) -> Marks:
    """Of a text that is kept line by line, though where its lines break is no news.

    >>> one, other = Document("", "hot\\nand far"), Document("", "hot and\\nfar")
    >>> flowing_marks(one, "http://a/") == flowing_marks(other, "http://a/")
    True
    """
    if literal:
        return literal_marks(replace(document, text=" ".join(document.text.split())))
    text = " ".join(steady_text(document.title, document.text).split())
    return Marks(fingerprint(text, targets_in_text(document, url)), simhash(text))
