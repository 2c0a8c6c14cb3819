"""What is held of a page that became known since is asked of the store only after the store has
heard of it.
"""

from __future__ import annotations

from tests.unit.collection.test_collection import WatchedStore
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.records import Page
from trapline.core.storage import Held


class AskedStore(WatchedStore):
    asked = 0

    def held(self, page: int) -> Held | None:
        self.asked += 1
        return super().held(page)


def a_page(book: HashUrlBook, name: str) -> Page:
    url = f"http://a/{name}"
    return Page(
        book.number(url)[0], url, "title", "text", 0.5, 7, "etag", "lm", 1.0, 1.0
    )


def test_a_new_page_is_not_asked_for() -> None:
    store = AskedStore()
    book = HashUrlBook(1, store.url)
    collection = Collection(store, book)
    pages = [a_page(book, str(name)) for name in range(100)]
    collection.add(pages[3])
    collection.add(pages[99])
    collection.flush()
    assert all(
        collection.held(page.page) is None
        for page in pages
        if page not in (pages[3], pages[99])
    )
    assert collection.held(100_000) is None and store.asked == 0
    assert (
        collection.held(3) == collection.held(99) == Held.of(pages[3])
        and store.asked == 2
    )


def test_a_page_that_is_gone_is_not_held() -> None:
    store = AskedStore()
    book = HashUrlBook(1, store.url)
    collection = Collection(store, book)
    collection.add(a_page(book, "0"))
    collection.flush()
    collection.note_gone(0)
    assert collection.held(0) is None
    collection.flush()
    assert collection.held(0) is None


def test_pages_of_an_earlier_run_are_asked_for() -> None:
    store = AskedStore()
    book = HashUrlBook(1, store.url)
    earlier = Collection(store, book)
    page = a_page(book, "0")
    earlier.add(page)
    earlier.flush()
    assert Collection(store, HashUrlBook.load(store, 1)).held(0) == Held.of(page)
