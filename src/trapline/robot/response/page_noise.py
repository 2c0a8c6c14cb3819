"""Whether a page that is not as it was held has news, or only noise where its host has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trapline.core.records import Page, Ticket
from trapline.core.storage import Held
from trapline.reading.identity.fingerprint import links_differ
from trapline.reading.identity.steady_text import steady_text
from trapline.reading.readings import ReadDocument
from trapline.robot.response.noisy_places import NoisyPlaces, Visited

# of a text: longer ones are not compared, since that would hold up the robot; they have news
LONGEST: Final = 40_000  # letters,
MOST_LINES: Final = 2_000
MOST_DIGITS: Final = 2_000  # and digits: numbers take time
# lines that only one of two versions has: no host has so many places that are noise
MOST_DIFFERENT: Final = 200


def _nothing(_: int) -> Page | None:
    return None


def _is_quick(text: str) -> bool:
    return (
        len(text) <= LONGEST
        and text.count("\n") <= MOST_LINES
        and sum(map(text.count, "0123456789")) <= MOST_DIGITS
    )


def _differ_much(old: str, new: str) -> bool:
    return len(set(old.split("\n")) ^ set(new.split("\n"))) > MOST_DIFFERENT


class PageNoise:
    """`document(page)` tells the whole of what is held of a page."""

    def __init__(
        self,
        places: NoisyPlaces | None = None,
        document: Callable[[int], Page | None] = _nothing,
    ) -> None:
        self._places = places or NoisyPlaces()
        self.document = document

    def is_noise(self, ticket: Ticket, held: Held, reading: ReadDocument) -> bool:
        """Whether what differs is no news; learns from it."""
        document = reading.document
        found = reading.marks.fingerprint
        if found == held.fingerprint:
            if self._places.knows(ticket.host) and _is_quick(document.text):
                text = steady_text(document.title, document.text)
                self._places.note_quiet(ticket.host, text)
            return False
        old = self.document(ticket.page)
        if old is None or not old.readable:
            return False
        if not (_is_quick(old.text) and _is_quick(document.text)):
            return False
        if _differ_much(old.text, document.text):
            return False
        visited = Visited(
            ticket.host,
            steady_text(old.title, old.text),
            steady_text(document.title, document.text),
            found if links_differ(held.fingerprint, found) else 0,
        )
        return not self._places.is_news(visited)

    def note_unmodified(self, ticket: Ticket) -> None:
        """A server says that a page is as before."""
        if not self._places.knows(ticket.host):
            return
        old = self.document(ticket.page)
        if old is not None and _is_quick(old.text):
            text = steady_text(old.title, old.text)
            self._places.note_quiet(ticket.host, text)
