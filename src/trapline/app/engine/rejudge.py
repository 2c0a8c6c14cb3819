"""Held pages judged anew after the topic has changed: other words or examples, a label, or new word
frequencies.

A few pages at a time are judged, between visits. A page whose relevance has changed is written
again; the controller learns of it at the next visit, even if that finds the page unchanged. New
frequencies come each time that there are four times as many documents (twice as many in a young
crawl), so a page is judged about once more, unless somebody changes the topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from trapline.collection.collection import Collection
from trapline.core.records import Page
from trapline.core.storage import Change, Store
from trapline.robot.response.response_processor import REJUDGED
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import count_words

AT_ONCE: Final = 20  # pages: some four milliseconds


class Rejudge:
    def __init__(
        self, store: Store, collection: Collection, topic: Topic, lessons: TeachingPages
    ) -> None:
        self._store = store
        self._collection = collection
        self._topic = topic
        self._lessons = lessons
        # for which all held pages are judged, or being judged
        self._version = topic.version
        self._rest: Iterator[Change] = iter(())

    def begin(self) -> None:
        """All held pages, from the first."""
        self._version = self._topic.version
        self._rest = self._store.changes()

    def step(self) -> bool:
        """Judge a few pages more; False = nothing is left to do."""
        if self._version != self._topic.version:
            self.begin()
        some = list(islice(self._rest, AT_ONCE))
        for change in some:
            if change.document is not None and change.document.readable:
                self._judge(change.document)
        return bool(some)

    def _judge(self, page: Page) -> None:
        relevance = self._lessons.label_of(page.page)
        if relevance is None:
            relevance = self._topic.judge(count_words(page.title, page.text))
        # a later text, or the page's end, may be on its way into the store
        newest = self._collection.held(page.page)
        if newest is None or newest.fingerprint != page.fingerprint:
            return
        if abs(newest.relevance - relevance) > REJUDGED:
            self._collection.add(replace(page, relevance=relevance))
