"""The URL book: numbers stay, texts leave memory, growth loses nothing."""

from __future__ import annotations

import pytest

from trapline.collection import url_book
from trapline.collection.url_book import HashUrlBook
from trapline.core.errors import UnknownPage
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore


def address(page: int) -> str:
    return f"http://h{page % 7}.example/{page}"


def committed_store(pages: int) -> MemoryStore:
    book = HashUrlBook(seed=1)
    store = MemoryStore()
    for page in range(pages):
        book.number(address(page))
    hosts, urls = book.new_rows()
    store.commit(Batch(hosts=hosts, urls=urls))
    return store


def test_numbers_are_dense_and_stay_while_the_table_grows() -> None:
    book = HashUrlBook(seed=3)
    first = [book.number(address(page)) for page in range(5000)]
    assert first == [(page, page % 7) for page in range(5000)]
    assert [book.number(address(page)) for page in range(5000)] == first
    assert len(book) == 5000


def test_the_table_is_never_fuller_than_promised() -> None:
    book = HashUrlBook(seed=3)
    for page in range(3000):
        book.number(address(page))
        assert len(book) <= 0.6 * book._slots.size
        assert (book._slots >= 0).sum() == len(book)


def test_colliding_places_are_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that all want the last slot: each finds its own place, past the end of the table."""
    monkeypatch.setattr(
        url_book, "_hash", lambda url, seed: (int(url.rsplit("/", 1)[1]) << 40) - 1
    )
    book = HashUrlBook(seed=1)
    assert [book.number(address(page))[0] for page in range(2000)] == list(range(2000))
    assert [book.number(address(page))[0] for page in range(2000)] == list(range(2000))


def test_one_host_under_two_spellings() -> None:
    book = HashUrlBook(seed=1)
    assert book.number("https://a/")[1] == 0
    assert book.number("http://a:443/x")[1] == 0
    assert book.number("http://a/")[1] == 1
    assert book.number("http://[::1]:8080/")[1] == 2
    assert [book.host_name(host) for host in range(3)] == [
        "a:443",
        "a:80",
        "[::1]:8080",
    ]
    assert [book.home(host) for host in range(3)] == [
        "https://a/",
        "http://a/",
        "http://[::1]:8080/",
    ]


@pytest.mark.parametrize("latest", [0, 1])
def test_rows_are_handed_out_once_and_texts_kept_until_committed(
    latest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of the latest ones still longer."""
    monkeypatch.setattr(url_book, "LATEST", latest)
    asked: list[int] = []

    def lookup(page: int) -> str:
        asked.append(page)
        return f"stored {page}"

    book = HashUrlBook(1, lookup)
    book.number("http://a/0")
    book.number("http://a/1")
    hosts, urls = book.new_rows()
    assert hosts == [HostRow(0, "a:80", "http://a/")]
    assert urls == [UrlRow(0, "http://a/0", 0), UrlRow(1, "http://a/1", 0)]
    book.number("http://a/2")
    assert book.new_rows() == ([], [UrlRow(2, "http://a/2", 0)])
    assert [book.url(page) for page in range(3)] == [
        "http://a/0",
        "http://a/1",
        "http://a/2",
    ]
    assert asked == []
    book.note_committed(1)
    kept = ["stored 0", "stored 1"][: 2 - latest] + ["http://a/1", "http://a/2"][
        1 - latest :
    ]
    assert [book.url(page) for page in range(3)] == kept
    assert asked == [0, 1][: 2 - latest]
    assert set(book._texts) == {1, 2} - set(asked)
    book.note_committed(2)
    assert set(book._texts) == {2} if latest else not book._texts


def test_an_unusable_url_leaves_the_book_as_it_was() -> None:
    book = HashUrlBook(seed=1)
    book.number("http://a/0")
    with pytest.raises(ValueError, match="substring"):
        book.number("nonsense")
    assert book.number("http://a/1") == (1, 0)
    assert book.number("http://a/0") == (0, 0)


def test_the_url_of_an_unknown_page() -> None:
    with pytest.raises(UnknownPage):
        HashUrlBook(seed=1).url(0)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_loaded_book_goes_on_where_the_store_is(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(url_book, "_CHUNK", 300)
    store = committed_store(2000)
    book = HashUrlBook.load(store, seed)
    assert len(book) == 2000
    assert book.new_rows() == ([], [])
    assert not book._texts
    assert [book.number(address(page)) for page in range(2000)] == [
        (page, page % 7) for page in range(2000)
    ]
    assert book.url(1234) == address(1234)
    assert book.host_name(6) == "h6.example:80"
    assert book.number("http://new.example/") == (2000, 7)
    assert book.number("http://h3.example/new") == (2001, 3)
    hosts, urls = book.new_rows()
    store.commit(Batch(hosts=hosts, urls=urls))
    book.note_committed(2001)
    assert book.url(2000) == "http://new.example/"


def test_an_empty_store_makes_an_empty_book() -> None:
    book = HashUrlBook.load(MemoryStore(), seed=1)
    assert len(book) == 0
    assert book.number("http://a/") == (0, 0)


def test_memory_per_url() -> None:
    # as full as a million: 125,000 · 2^3
    book = HashUrlBook.load(committed_store(125_000), seed=1)
    assert book.nbytes / len(book) <= 30
