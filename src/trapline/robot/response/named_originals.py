"""Of which page another one says that it is a copy, and how far it is believed.

Within a site the page's word counts: it gives way to the held page that it names. Beyond that the
page named is only told to whoever compares what they say (collection/originals.py).
"""

from __future__ import annotations

from collections.abc import Callable

from trapline.core.ports import UrlBook
from trapline.core.records import Fetched
from trapline.core.storage import Held
from trapline.reading.html.document import Document
from trapline.reading.same_site import same_site
from trapline.robot.response.aliases import Aliases

NONE = -1


class NamedOriginals:
    def __init__(
        self,
        book: UrlBook,
        aliases: Aliases,
        held: Callable[[int], Held | None],
        in_scope: Callable[[str], bool],
    ) -> None:
        self._book = book
        self._aliases = aliases
        self._held = held
        self._in_scope = in_scope

    def find_held(self, fetched: Fetched, document: Document) -> str:
        """The held page that this one says it is a copy of; "" = there is none.

        Only of what is held: pages that name each other, or one that is gone, forbidden or
        redirected back here, must not make us lose both.
        """
        named = document.canonical
        if not self._is_named(named) or not same_site(named, fetched.url):
            return ""
        page = self._aliases.of(self._book.number(named)[0])
        known = page != fetched.ticket.page and self._held(page) is not None
        return self._book.url(page) if known else ""

    def find_named(self, document: Document) -> int:
        """The page that this one says it is a copy of, wherever it is and held or not, or NONE."""
        named = "" if document.nofollow else document.canonical
        return self._book.number(named)[0] if self._is_named(named) else NONE

    def _is_named(self, url: str) -> bool:
        return bool(url) and self._in_scope(url)
