"""Digesting: an answer is read, what is in it goes to the collection, what it taught goes back to
the controller.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from trapline.collection.collection import Collection
from trapline.collection.differences import difference
from trapline.collection.duplicates import Duplicates
from trapline.core.records import Fetched, Kind, Observation, Outcome
from trapline.reading.answer import is_readable
from trapline.reading.readings import Reading
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.robot.response.results import Processed
from trapline.scope.gate import Gate

# letters, some thirty words: an endless pattern of "nothing on this day" yields nothing
LONG: Final = 150
# of a page's relevance, where another page says the same: it is visited more seldom
COPY_WORTH: Final = 0.1


Read = Callable[[Fetched], asyncio.Future[Reading]]


class Digester:
    """`read`, if given, has answers read elsewhere meanwhile; without it they are read when they
    are digested.
    """

    def __init__(
        self,
        collection: Collection,
        processor: ResponseProcessor,
        duplicates: Duplicates,
        gate: Gate,
        read: Read | None = None,
    ) -> None:
        self._collection = collection
        self._processor = processor
        self._duplicates = duplicates
        self._gate = gate
        self._read = read
        # ticket → what is read of its answer
        self._readings: dict[int, asyncio.Future[Reading]] = {}

    def prepare(self, fetched: Fetched) -> asyncio.Future[Reading] | None:
        """Have an answer read; once that is done, `digest` will not have to wait."""
        if self._read is None or not is_readable(fetched):
            return None
        reading = self._readings[fetched.ticket.number] = self._read(fetched)
        return reading

    def digest(self, fetched: Fetched, now_s: float) -> Observation:
        reading = self._readings.pop(fetched.ticket.number, None)
        found = self._processor.process(
            fetched, now_s, reading.result() if reading else None
        )
        if fetched.ticket.kind is Kind.ROBOTS:
            if found.robots is not None:
                self._collection.note_robots(fetched.ticket.host, found.robots)
        else:
            first = self._note_difference(fetched, found)
            self._file(fetched, found)
            if first and found.page is not None and found.page.readable:
                self._teach_gate(fetched, found)
        self._collection.note_visit(found.visit)
        return self._told(fetched.ticket.page, found.observation)

    def _note_difference(self, fetched: Fetched, found: Processed) -> bool:
        """What became of the document, for those who want to hear of changes; whether there was
        none before.
        """
        page = fetched.ticket.page
        if not found.gone and (found.page is None or not found.observation.changed):
            return False
        old = (
            self._collection.document(page)
            if self._collection.held(page) is not None
            else None
        )
        diff = difference(old, found.page, page, fetched.ended_s)
        if diff is not None:
            self._collection.note_difference(diff)
        return old is None

    def _file(self, fetched: Fetched, found: Processed) -> None:
        page = fetched.ticket.page
        collection = self._collection
        if found.page is not None:
            moved = self._duplicates.put(page, found.page.simhash)
            first = moved.pop(page)
            collection.add(
                found.page
                if first == found.page.same_as
                else replace(found.page, same_as=first)
            )
            self._regroup(moved)
        if found.seen:
            collection.note_current(page, fetched.ended_s)
        if found.gone:
            collection.note_gone(page)
            self._regroup(self._duplicates.drop(page))
        if found.observation.outcome in (Outcome.OK, Outcome.MOVED) and not found.seen:
            collection.note_links(page, found.observation.links)

    def _regroup(self, same: dict[int, int]) -> None:
        for page, first in same.items():
            self._collection.note_copy(page, first)

    def _teach_gate(self, fetched: Fetched, found: Processed) -> None:
        copy = self._duplicates.is_copy(fetched.ticket.page)
        long = found.page is not None and len(found.page.text) >= LONG
        self._gate.note_visit(
            fetched.url, found.observation.relevance, fresh=long and not copy
        )

    def _told(self, page: int, said: Observation) -> Observation:
        """What the controller hears: a copy is worth little."""
        copy = page >= 0 and self._duplicates.is_copy(page)
        return replace(said, relevance=said.relevance * COPY_WORTH) if copy else said
