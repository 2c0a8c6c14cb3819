"""Counting what the pages of a batch call others (link_tallies.py).

Each page that was read has a list of what it was counted for, so that this can be taken back when
the page is read anew or is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch
from trapline.stores.link_tallies import Tally

MOST_REFUSALS: Final = 20_000  # that are remembered: 3 MB


class TallyBook(Protocol):
    """Where tallies and lists are kept."""

    def host(self, page: int) -> int: ...

    def tally(self, target: int) -> Tally: ...

    def contribution(self, page: int) -> LinkTexts:
        """What a page was counted for."""

    def write(self, page: int, counted: LinkTexts) -> None: ...


class Refusals:
    """What was not counted, and would not be now: the menus of whole sites, mostly.

    Only a memory, so that they need not be looked up again.
    """

    def __init__(self) -> None:
        self._refused: dict[int, set[tuple[str, int]]] = {}  # by target: (text, host)
        self._room = MOST_REFUSALS

    def has(self, target: int, text: str, host: int) -> bool:
        return (text, host) in self._refused.get(target, ())

    def add(self, target: int, text: str, host: int) -> None:
        if not self._room:
            self._refused.clear()
            self._room = MOST_REFUSALS
        self._refused.setdefault(target, set()).add((text, host))
        self._room -= 1

    def drop(self, target: int) -> None:
        """There may be room again."""
        self._refused.pop(target, None)


def count_texts(batch: Batch, book: TallyBook, refusals: Refusals) -> None:
    """Count what the pages of a batch call others, instead of what they did before."""
    said = dict(batch.texts)
    for page in dict.fromkeys(_pages_read(batch)):
        _replace(page, said.get(page, ()), book, refusals)


def _pages_read(batch: Batch) -> Iterable[int]:
    """Pages that now say what the batch says: those that are gone say nothing."""
    yield from batch.gone
    yield from (page for page, _ in batch.links)
    yield from (page for page, _ in batch.texts)


def _replace(page: int, said: LinkTexts, book: TallyBook, refusals: Refusals) -> None:
    before = set(book.contribution(page))
    now = dict.fromkeys(said)
    if not before and not now:
        return
    host = book.host(page)
    for target, text in before.difference(now):
        book.tally(target).take_back(text, host)
        refusals.drop(target)
    counted = []
    for target, text in now:
        if (target, text) in before:
            counted.append((target, text))
        elif refusals.has(target, text, host):
            continue
        elif book.tally(target).count(text, host):
            counted.append((target, text))
        else:
            refusals.add(target, text, host)
    if before.symmetric_difference(counted):
        book.write(page, counted)
