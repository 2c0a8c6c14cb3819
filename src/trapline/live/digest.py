"""Digesting: an answer is read, its content goes to the collection, and what it taught goes back to
the controller.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from trapline.collection.collection import Collection
from trapline.collection.differences import difference
from trapline.collection.duplicates import Duplicates
from trapline.core.records import Fetched, Kind, Observation, Outcome
from trapline.core.status_words import say_status
from trapline.reading.answer import is_readable
from trapline.reading.readings import Reading
from trapline.reading.rules.reading_rules import ReadingRules
from trapline.robot.response.elsewhere import Elsewhere
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.robot.response.results import Processed
from trapline.scope.gate import Gate

# Letters, some thirty words. What is shorter says nothing new, like "nothing on this day".
LONG: Final = 150
# The share of its relevance that a copy of another page is worth: it is visited more seldom.
COPY_WORTH: Final = 0.1

Read = Callable[[Fetched, ReadingRules], asyncio.Future[Reading]]
# an answer, what it came to, and whether no document of its page was held before
Tell = Callable[[Fetched, Processed, bool], None]
# links for other shards, and the visit that found them
Send = Callable[[Elsewhere, Observation], None]


class Digester:
    """`read`, if given, reads answers elsewhere; else they are read when they are digested.

    `tell` hears of each visit before anything is learnt from it. `send` may be set: it sends links
    to the shards that are to follow them.
    """

    def __init__(
        self,
        collection: Collection,
        processor: ResponseProcessor,
        duplicates: Duplicates,
        gate: Gate,
        read: Read | None = None,
        tell: Tell = lambda *_: None,
    ) -> None:
        self.send: Send = lambda *_: None
        self._collection = collection
        self._processor = processor
        self._duplicates = duplicates
        self._gate = gate
        self._read = read
        self._tell = tell
        # ticket → what is read of its answer
        self._readings: dict[int, asyncio.Future[Reading]] = {}

    def prepare(self, fetched: Fetched) -> asyncio.Future[Reading] | None:
        """Have an answer read; once that is done, `digest` will not have to wait."""
        if self._read is None or not is_readable(fetched):
            return None
        reading = self._read(fetched, self._processor.rules_for(fetched.url))
        self._readings[fetched.ticket.number] = reading
        return reading

    def meet_links(self, fetched: Fetched) -> Iterator[None]:
        """What takes longest of digesting an answer with many links, in steps."""
        reading = self._readings.get(fetched.ticket.number)
        if reading is not None:
            yield from self._processor.meet_links(fetched, reading.result())

    def digest(self, fetched: Fetched, now_s: float) -> Observation:
        """Take an answer in; returns what the controller learns from it."""
        reading = self._readings.pop(fetched.ticket.number, None)
        found = self._processor.process(
            fetched, now_s, reading.result() if reading else None
        )
        held = False  # a document of the page, before
        if fetched.ticket.kind is Kind.ROBOTS:
            if found.robots is not None:
                self._collection.note_robots(fetched.ticket.host, found.robots)
        elif fetched.ticket.kind is Kind.PAGE:
            held = self._collection.held(fetched.ticket.page) is not None
            first = self._note_difference(fetched, found, held)
            self._file(fetched, found)
            if first and found.page is not None and found.page.readable:
                self._teach_gate(fetched, found)
        self._collection.note_visit(found.visit)
        self._tell(fetched, found, not held)
        observation = self._devalue_copy(fetched.ticket.page, found.observation)
        if found.elsewhere.urls:
            self.send(found.elsewhere, observation)
        return observation

    def _note_difference(self, fetched: Fetched, found: Processed, held: bool) -> bool:
        """Note how the document has changed; returns whether nothing was held of it before."""
        page = fetched.ticket.page
        if not found.gone and (found.page is None or not found.observation.changed):
            return False
        old = self._collection.document(page) if held else None
        diff = difference(old, found.page, page, fetched.ended_s)
        if diff is not None:
            remark = _why(fetched, found) if held else ""
            self._collection.note_difference(replace(diff, remark=remark))
        return old is None

    def _file(self, fetched: Fetched, found: Processed) -> None:
        page = fetched.ticket.page
        collection = self._collection
        if found.original >= 0:
            self._regroup(self._duplicates.name_original(page, found.original))
        if found.page is not None:
            groups = self._duplicates.put(page, found.page.simhash)
            original = groups.pop(page)
            if original == found.page.same_as:
                collection.add(found.page)
            else:
                collection.add(replace(found.page, same_as=original))
            self._regroup(groups)
        if found.seen:
            collection.note_current(page, fetched.ended_s)
        if found.gone:
            collection.note_gone(page)
            self._regroup(self._duplicates.drop(page))
        if found.observation.outcome in (Outcome.OK, Outcome.MOVED) and not found.seen:
            collection.note_links(page, found.observation.links, found.texts)

    def _regroup(self, groups: dict[int, int]) -> None:
        for page, original in groups.items():
            self._collection.note_copy(page, original)

    def _teach_gate(self, fetched: Fetched, found: Processed) -> None:
        copy = self._duplicates.is_copy(fetched.ticket.page)
        long = found.page is not None and len(found.page.text) >= LONG
        self._gate.note_visit(
            fetched.url, found.observation.relevance, fresh=long and not copy
        )

    def _devalue_copy(self, page: int, observation: Observation) -> Observation:
        """The observation for the controller: a copy is worth little."""
        if page < 0 or not self._duplicates.is_copy(page):
            return observation
        return replace(observation, relevance=observation.relevance * COPY_WORTH)


def _why(fetched: Fetched, found: Processed) -> str:
    """What there is to remark of a change, or why a document is gone."""
    if found.gone and fetched.failure is None and fetched.status >= 400:
        return say_status(fetched.status)
    return found.observation.remark
