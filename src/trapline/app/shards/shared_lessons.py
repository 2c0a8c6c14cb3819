"""What one shard reads of a page that teaches the topic, told to all others: an example or a label
that is named by its URL lies on one host, and so in one shard.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from trapline.app.engine.parts import Engine
from trapline.app.shards.ledger_lines import LedgerLines
from trapline.app.shards.seat import Seat
from trapline.core.errors import StoreAway
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.word_hashes import count_words

KIND: Final = "lessons"
LOOK_S: Final = 2.0
MOST: Final = 20_000  # letters of a text: more teaches nothing new

Lesson = dict[str, Any]


async def share_lessons(engine: Engine, seat: Seat, lessons: TeachingPages) -> None:
    """Tell what is read here, and learn what others have read."""
    shared = SharedLessons(engine, seat, lessons)
    while True:
        with suppress(StoreAway):  # it comes back, or the lease ends
            shared.learn(await asyncio.to_thread(shared.hear))
            news = list(shared.news())
            await asyncio.to_thread(shared.tell, news)
        await asyncio.sleep(LOOK_S)


class SharedLessons:
    def __init__(self, engine: Engine, seat: Seat, lessons: TeachingPages) -> None:
        self._engine = engine
        self._seat = seat
        self._lessons = lessons
        self._lines = LedgerLines(seat.ledger, KIND)
        self._known: dict[tuple[str, str], Lesson] = {}  # newest, by kind and URL
        # of the teaching pages of this shard: what they were when they were looked at
        self._looked: dict[tuple[str, int], tuple[bool, int]] = {}

    def hear(self) -> list[Lesson]:
        return self._lines.news()

    def learn(self, heard: list[Lesson]) -> None:
        """Pages of this shard have taught it already."""
        for lesson in heard:
            self._known[lesson["kind"], lesson["url"]] = lesson
            if self._seat.is_theirs(lesson["url"]):
                self._teach(lesson)

    def news(self) -> Iterator[Lesson]:
        """Of teaching pages that are held here, what was not told yet."""
        held = self._engine.holdings.collection.held
        for kind, page, belongs in self._lessons.tell_all():
            found = held(page)
            mark = (belongs, found.fingerprint) if found is not None else None
            if mark is None or self._looked.get((kind, page)) == mark:
                continue
            self._looked[kind, page] = mark
            lesson = self._lesson(kind, page, belongs)
            if lesson is not None and self._known.get((kind, lesson["url"])) != lesson:
                yield lesson

    def _lesson(self, kind: str, page: int, belongs: bool) -> Lesson | None:
        held = self._engine.holdings.collection.document(page)
        if held is None:
            return None
        return {
            "kind": kind,
            "url": held.url,
            "belongs": belongs,
            "title": held.title,
            "text": held.text[:MOST],
        }

    def tell(self, news: list[Lesson]) -> None:
        """They are known once they come back as lines."""
        try:
            self._seat.ledger.append(KIND, list(map(json.dumps, news)))
        except StoreAway:
            self._looked.clear()  # all are looked at again
            raise

    def _teach(self, lesson: Lesson) -> None:
        counts = count_words(lesson["title"], lesson["text"])
        if not len(counts.words):
            return
        topic = self._engine.control.topic
        url = lesson["url"]
        if lesson["kind"] == "label":
            topic.label(url, counts, belongs=lesson["belongs"])
        else:
            topic.exemplify(url, counts, like=lesson["belongs"])
