"""Questions and answers: order, paging, and a store that knows better than the index."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

import trapline.search.index
from trapline.core.errors import BadNumber, BadQuery
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Question
from trapline.stores.memory import MemoryStore


def page(number: int, title: str, text: str, relevance: float) -> Page:
    return Page(
        number, f"http://a/{number}", title, text, relevance, number, "", "", 1.0, 1.0
    )


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    store.commit(
        Batch(
            hosts=[HostRow(0, "a:80", "http://a/")],
            urls=[UrlRow(n, f"http://a/{n}", 0) for n in range(9)],
        )
    )
    text = "a comet passes by"
    store.commit(
        Batch(pages=[page(number, "Sky", text, number / 8) for number in range(8)])
    )
    store.commit(
        Batch(
            pages=[
                page(
                    8,
                    "Rice",
                    "how to cook rice, at length, " * 20 + "under a comet",
                    1.0,
                )
            ]
        )
    )
    return store


@pytest.fixture
def processor(store: MemoryStore) -> QueryProcessor:
    index = FullTextIndex(None)
    index.catch_up(store)
    ticks = count(10.0, 0.5)
    return QueryProcessor(index, store, clock=lambda: next(ticks))


def test_equal_texts_are_ordered_by_relevance(processor: QueryProcessor) -> None:
    answer = processor.ask(Question('"comet passes by"'))
    assert [hit.page for hit in answer.hits] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert answer.total == 8
    assert answer.seconds == 0.5


def test_relevance_does_not_lift_what_hardly_matches(processor: QueryProcessor) -> None:
    assert processor.ask(Question("comet", limit=9)).hits[-1].page == 8
    assert processor.ask(Question("rice")).hits[0].page == 8


def test_pages_of_an_answer(processor: QueryProcessor) -> None:
    whole = processor.ask(Question("comet", limit=9)).hits
    parts = [
        hit
        for offset in (0, 4, 8)
        for hit in processor.ask(Question("comet", limit=4, offset=offset)).hits
    ]
    assert parts == whole


def test_the_store_has_the_last_word(
    processor: QueryProcessor, store: MemoryStore
) -> None:
    store.commit(Batch(gone=[7], seen=[(6, 77.0)]))
    answer = processor.ask(Question('"comet passes by"'))
    assert [hit.page for hit in answer.hits] == [6, 5, 4, 3, 2, 1, 0]
    assert answer.total == 7
    assert answer.hits[0].fetched_s == 77.0


def test_no_answer(processor: QueryProcessor) -> None:
    answer = processor.ask(Question("zebra"))
    assert (answer.hits, answer.total) == ([], 0)


def test_mistakes_are_named(processor: QueryProcessor) -> None:
    with pytest.raises(BadQuery):
        processor.ask(Question("x" * 5000))
    with pytest.raises(BadNumber):
        processor.ask(Question("comet", limit=0))


@pytest.mark.parametrize("part", ["rank", "suggest", "Wording"])
def test_an_index_damaged_meanwhile_is_made_anew(
    store: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    FullTextIndex(tmp_path / "index").catch_up(store)
    processor = QueryProcessor(FullTextIndex(tmp_path / "index", read_only=True), store)

    def answers() -> list[object]:
        rice = store.page(8)
        assert rice is not None
        pages = [hit.page for hit in processor.ask(Question("rice")).hits]
        return [pages, processor.suggest("ri"), processor.mark_text(rice, "rice")]

    before = answers()
    whole = getattr(trapline.search.index, part)
    failures = [ValueError("Data corrupted")]

    def fail_once(*words: object) -> object:
        if failures:
            raise failures.pop()
        return whole(*words)

    monkeypatch.setattr(trapline.search.index, part, fail_once)
    assert answers() == before
    assert not failures
