"""What others call a page: the texts of links to it, counted by host.

A tally belongs to a target. The numbers are bounded, and what is beyond a bound is not counted: a
menu on ten thousand pages costs as much as on eight.

>>> tally = Tally()
>>> [tally.count("the Sun", host) for host in (3, 3, 4)], tally.ranking()
([True, True, True], [LinkText(text='the Sun', pages=3, hosts=2)])
>>> tally.take_back("the Sun", 4)
>>> tally.ranking()
[LinkText(text='the Sun', pages=2, hosts=1)]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trapline.core.storage import LinkText

# of a host that call a target the same: a lie does not become truer by repetition
MOST_PAGES: Final = 8
# under which one host knows a target: 99.4 % of real pages have fewer
MOST_TEXTS: Final = 16
# of a target: (text, host) that are counted
MOST_ENTRIES: Final = 64
MOST_SHOWN: Final = 16
_DIGITS: Final = "0123456789"


@dataclass(slots=True)
class Tally:
    """What pages call one page.

    `entries` are lines of text, host and pages of that host, each after a line feed. A batch
    touches many tallies, each in one or two places: finding those is quicker than reading all.
    `changes` are pages that were counted or taken back, ever: what tells when the index is to hear
    of it.
    """

    changes: int = 0
    entries: str = ""

    def count(self, text: str, host: int) -> bool:
        """One page more of a host says so. False: it is not counted."""
        at = self._find(text, host)
        if at < 0:
            return self._enter(text, host)
        pages = int(self.entries[at])
        if pages == MOST_PAGES:
            return False
        self._write(at, pages + 1)
        return True

    def take_back(self, text: str, host: int) -> None:
        """One page that was counted does not say so any more."""
        at = self._find(text, host)
        if at < 0:
            return
        pages = int(self.entries[at])
        if pages > 1:
            self._write(at, pages - 1)
            return
        begin = self.entries.rindex("\n", 0, at)
        self.entries = self.entries[:begin] + self.entries[at + 1 :]
        self.changes += 1

    def ranking(self) -> list[LinkText]:
        """What is said most, first. ValueError if the entries are none."""
        found: dict[str, tuple[int, int]] = {}
        for entry in self.entries.split("\n")[1:]:
            text, _, counted = entry.split("\t")
            pages, hosts = found.get(text, (0, 0))
            found[text] = pages + int(counted), hosts + 1
        texts = [LinkText(text, *numbers) for text, numbers in found.items()]
        return sorted(texts, key=_rank)[:MOST_SHOWN]

    def _find(self, text: str, host: int) -> int:
        """Where the digit of an entry stands; −1 = there is no such entry."""
        key = f"\n{text}\t{host}\t"
        at = self.entries.find(key)
        return at if at < 0 else at + len(key)

    def _write(self, at: int, pages: int) -> None:
        self.entries = self.entries[:at] + _DIGITS[pages] + self.entries[at + 1 :]
        self.changes += 1

    def _enter(self, text: str, host: int) -> bool:
        full = self.entries.count("\n") == MOST_ENTRIES
        if full or self.entries.count(f"\t{host}\t") == MOST_TEXTS:
            return False
        if not _is_storable(text):
            return False
        self.entries += f"\n{text}\t{host}\t1"
        self.changes += 1
        return True


def is_news(before: int, after: int) -> bool:
    """Whether a tally has changed so much that the index is to hear of it: at the first change, and
    whenever changes have doubled. So a page is indexed anew only seldom, whatever others say.

    >>> [is_news(before, after) for before, after in ((0, 1), (2, 3), (3, 4), (5, 7), (5, 9))]
    [True, False, True, False, True]
    """
    return after.bit_length() > before.bit_length()


def _is_storable(text: str) -> bool:
    """Readers of pages leave no other texts. One that came all the same must not stop a commit."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\n" not in text and "\t" not in text


def _rank(found: LinkText) -> tuple[int, int, str]:
    return -found.pages, -found.hosts, found.text
