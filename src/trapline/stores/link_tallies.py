"""What others call a page: the texts of links to it, counted by host.

A tally belongs to a target. Each page that was read has a list of what it was counted for, so that
it can be taken back when the page is read anew or is gone. The numbers are bounded, and whatever is
beyond a bound is neither counted nor listed: a menu on ten thousand pages costs as much as on
eight.

>>> tally = Tally()
>>> [tally.count("the Sun", host) for host in (3, 3, 4)], tally.ranking()[0]
([True, True, True], LinkText(text='the Sun', pages=3, hosts=2))
>>> tally.take_back("the Sun", 4)
>>> tally.ranking()
[LinkText(text='the Sun', pages=2, hosts=1)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch, LinkText

# of a host that call a target the same: a lie does not become truer by repetition
MOST_PAGES: Final = 8
# under which one host knows a target; 99.4 % of real pages have fewer
MOST_TEXTS: Final = 16
# of a target: (text, host) that are counted
MOST_ENTRIES: Final = 64
MOST_SHOWN: Final = 16


@dataclass(slots=True)
class Tally:
    """`changes` are entries that came or went, ever: what tells when the index is to hear of it."""

    changes: int = 0
    # text → host → pages of that host; no text without a host, no host without a page
    texts: dict[str, dict[int, int]] = field(default_factory=dict)
    dirty: bool = False  # to be written

    def count(self, text: str, host: int) -> bool:
        """One page more of a host says so. False: it is not counted."""
        hosts = self.texts.get(text, {})
        pages = hosts.get(host, 0)
        if pages == MOST_PAGES or (not pages and not self._has_room(host)):
            return False
        self.dirty = True
        self.changes += pages == 0
        self.texts[text] = hosts
        hosts[host] = pages + 1
        return True

    def take_back(self, text: str, host: int) -> None:
        """One page that was counted does not say so any more."""
        hosts = self.texts.get(text, {})
        pages = hosts.pop(host, 0)
        if pages > 1:
            hosts[host] = pages - 1
        if not hosts:
            self.texts.pop(text, None)
        self.changes += pages == 1
        self.dirty = True

    def ranking(self) -> list[LinkText]:
        """What is said most, first."""
        found = [
            LinkText(text, sum(hosts.values()), len(hosts))
            for text, hosts in self.texts.items()
        ]
        return sorted(found, key=_rank)[:MOST_SHOWN]

    def _has_room(self, host: int) -> bool:
        entries = sum(map(len, self.texts.values()))
        own = sum(host in hosts for hosts in self.texts.values())
        return entries < MOST_ENTRIES and own < MOST_TEXTS


def _rank(found: LinkText) -> tuple[int, int, str]:
    return -found.pages, -found.hosts, found.text


class TallyBook(Protocol):
    """Where tallies and lists are kept."""

    def host(self, page: int) -> int: ...

    def tally(self, target: int) -> Tally: ...

    def counted(self, page: int) -> LinkTexts:
        """What a page was counted for."""

    def write(self, page: int, counted: LinkTexts) -> None: ...


def count_texts(batch: Batch, book: TallyBook) -> None:
    """Count what the pages of a batch call others, instead of what they did before."""
    said = dict(batch.texts)
    for page in dict.fromkeys(_pages_read(batch)):
        _replace(page, said.get(page, ()), book)


def is_news(before: int, after: int) -> bool:
    """Whether a tally has changed so much that the index is to hear of it: at the first change, and
    whenever changes have doubled. So a page is indexed anew only seldom, whatever others say.

    >>> [is_news(before, after) for before, after in ((0, 1), (2, 3), (3, 4), (5, 7), (5, 9))]
    [True, False, True, False, True]
    """
    return after.bit_length() > before.bit_length()


def _pages_read(batch: Batch) -> Iterable[int]:
    """Pages that now say what the batch says: those that are gone say nothing."""
    yield from batch.gone
    yield from (page for page, _ in batch.links)
    yield from (page for page, _ in batch.texts)


def _replace(page: int, said: LinkTexts, book: TallyBook) -> None:
    before = set(book.counted(page))
    now = dict.fromkeys(said)
    if not before and not now:
        return
    host = book.host(page)
    for target, text in before.difference(now):
        book.tally(target).take_back(text, host)
    counted = [
        (target, text)
        for target, text in now
        if (target, text) in before or book.tally(target).count(text, host)
    ]
    if before.symmetric_difference(counted):
        book.write(page, counted)
