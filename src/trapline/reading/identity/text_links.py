"""Which links of a page belong to what a reader reads: menus and boxes beside it are no news."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from trapline.reading.html.document import Document

# letters that are searched for the words of links; beyond that, all links count
MOST_SEARCHED: Final = 8_000_000
_PREFIX: Final = (
    8  # letters of a link's words that tell; what follows may be its tooltip
)


def targets_in_text(document: Document, url: str) -> Iterator[str]:
    """Targets on the page's own host (`url`) of links whose words stand in its text, or that have
    none.

    >>> from trapline.reading.html.links import Anchor
    >>> sun = Anchor("http://a/sun", "the Sun")
    >>> page = Document("Stars", "See the Sun.", (sun, Anchor("http://a/", "Back to the menu")))
    >>> list(targets_in_text(page, "http://a/stars"))
    ['http://a/sun']
    """
    own = url[: url.find("/", 8) + 1]
    text = document.text
    searches = MOST_SEARCHED // (len(text) + 1)
    for anchor in document.links:
        if not anchor.url.startswith(own):
            continue
        searches -= 1
        if searches < 0 or _first_words(anchor.text) in text:
            yield anchor.url


def _first_words(text: str) -> str:
    end = text.find(" ", _PREFIX)
    return text if end < 0 else text[:end]
