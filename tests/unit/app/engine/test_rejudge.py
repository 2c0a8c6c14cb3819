"""Held pages are judged anew when the topic has changed, and only then."""

from __future__ import annotations

import pytest

from trapline.app.engine.rejudge import AT_ONCE, Rejudge
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.records import Page
from trapline.stores.memory import MemoryStore
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import count_words

PAGES = 2 * AT_ONCE + 5


class Shelf:
    """A store of pages about stars (even numbers) and tea, judged by nobody yet."""

    def __init__(self, topic: Topic) -> None:
        self.store = MemoryStore()
        self.book = HashUrlBook(1, self.store.url)
        self.collection = Collection(self.store, self.book)
        self.topic, self.lessons = topic, TeachingPages(topic)
        for page in range(PAGES):
            self.book.number(f"http://h.org/{page}")
            self.put(page, "stars and galaxies" if page % 2 == 0 else "tea and leaves")
        self.judging = Rejudge(self.store, self.collection, topic, self.lessons)

    def put(self, page: int, text: str, at_s: float = 1.0) -> None:
        mark = hash(text)
        self.collection.add(
            Page(page, f"http://h.org/{page}", "", text, 0.25, mark, "", "", at_s, at_s)
        )
        self.collection.flush()

    def judge(self) -> int:
        steps = 0
        while self.judging.step():
            steps += 1
        self.collection.flush()
        return steps

    def relevance(self, page: int) -> float:
        held = self.store.held(page)
        assert held is not None
        return held.relevance


def test_nothing_is_done_until_the_topic_changes() -> None:
    shelf = Shelf(Topic.from_text("star"))
    assert shelf.judge() == 0 and shelf.relevance(0) == 0.25
    shelf.topic.exemplify("tea", count_words("", "leaves of tea"))
    assert shelf.judge() == 3  # a few at a time
    assert shelf.relevance(0) == shelf.relevance(PAGES - 2) == 1.0 == shelf.relevance(1)
    assert shelf.judge() == 0


def test_a_label_is_the_relevance_of_its_page() -> None:
    shelf = Shelf(Topic.from_text("star"))
    shelf.lessons.label(2, belongs=False)
    shelf.lessons.read(2, count_words("", "stars and galaxies"))
    shelf.judge()
    assert [shelf.relevance(page) for page in (0, 1, 2)] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("text", ["stars are hot now", None])
def test_what_came_later_is_not_overwritten(text: str | None) -> None:
    shelf = Shelf(Topic.from_text("star"))
    shelf.judging.begin()
    if text is None:
        shelf.collection.note_gone(0)
    else:
        shelf.collection.add(
            Page(0, "http://h.org/0", "", text, 0.7, hash(text), "", "", 2.0, 2.0)
        )
    shelf.judge()
    found = shelf.store.page(0)
    assert (found.text if found else None) == text
    assert shelf.relevance(2) == 1.0


def test_a_page_that_is_judged_as_before_is_not_written() -> None:
    shelf = Shelf(Topic.from_text("star"))
    shelf.judging.begin()
    shelf.judge()
    revision = shelf.store.counts().revision
    shelf.judging.begin()
    assert shelf.judge() == 3
    assert shelf.store.counts().revision == revision
