"""Marks of a document: what tells it from others, and from what it was before."""

from __future__ import annotations

from typing import NamedTuple

from trapline.reading.html.document import Document
from trapline.reading.identity.fingerprint import fingerprint
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
