"""Word vectors: pages that say the same in other words, where the index was made with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.folder.folder_search import open_query_processor
from trapline.app.folder.reindex import reindex
from trapline.core.errors import UserMistake
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search import meaning
from trapline.search.index import FullTextIndex
from trapline.search.meaning import WordVectors, open_word_vectors
from trapline.search.questions import Question
from trapline.stores.sqlite.store import SqliteStore

pytest.importorskip("wordllama", reason="the extra `meaning` is not installed")

TEXTS = (
    ("Baking", "Flour, butter and sugar make a cake. The program of the day is slow."),
    ("Profiling", "Measure which functions of a program take long, and speed it up."),
)


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    return open_word_vectors()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = [
        Page(n, f"http://a/{n}", title, text, 0.5, 1, "", "", 1.0, 1.0)
        for n, (title, text) in enumerate(TEXTS)
    ]
    urls = [UrlRow(page.page, page.url, 0) for page in pages]
    home = HostRow(0, "a:80", "http://a/")
    store = SqliteStore(tmp_path)
    store.commit(Batch(hosts=[home], urls=urls, pages=pages))
    store.close()
    return tmp_path


def found(folder: Path, query: str) -> dict[str, float]:
    """What meaning adds to the score of each page."""
    processor, store = open_query_processor(folder)
    try:
        hits = processor.ask(Question(query, explain=True)).hits
    finally:
        store.close()
    return {
        hit.title: {f.name: f.points for f in hit.factors}["meaning"] for hit in hits
    }


def test_near_is_what_says_the_same_in_other_words(vectors: WordVectors) -> None:
    pages = [vectors.passages(*page) for page in TEXTS]
    cake, profile = vectors.nearness("find slow code", pages)
    assert profile > cake
    cake, profile = vectors.nearness("dessert recipe", pages)
    assert cake > profile


def test_the_best_passage_counts(vectors: WordVectors) -> None:
    cakes = "Flour, butter and sugar make a cake. " * 100
    buried = vectors.passages("Book", cakes + TEXTS[1][1] + cakes)
    plain = vectors.passages("Book", cakes)
    near = vectors.nearness("profiling of functions in a program", [buried, plain])
    assert near[0] > near[1]


def test_pages_without_vectors_are_as_near_as_others(vectors: WordVectors) -> None:
    one = vectors.passages(*TEXTS[0])
    near = vectors.nearness("cake", [one, b""])
    assert near[0] == near[1]
    assert vectors.nearness("cake", [b"", b""]) == [0.0, 0.0]


@pytest.mark.parametrize("text", ["", "x" * 200_000, "\x00 \u202e", "語 " * 9000])
def test_any_text_has_bounded_vectors(vectors: WordVectors, text: str) -> None:
    passages = vectors.passages("", text)
    assert len(passages) % 64 == 0 and 64 <= len(passages) <= 32 * 64
    assert -1.01 <= vectors.nearness("cake", [passages])[0] <= 1.01


def test_it_is_the_index_that_has_them(folder: Path) -> None:
    reindex(folder)
    assert set(found(folder, "slow program").values()) == {0.0}
    reindex(folder, meaning=True)
    near = found(folder, "slow program")
    assert near["Profiling"] > near["Baking"] > 0.0
    reindex(folder)  # as before
    assert found(folder, "slow program") == near
    reindex(folder, meaning=False)
    assert set(found(folder, "slow program").values()) == {0.0}


def test_a_robot_keeps_to_what_the_index_was_made_with(folder: Path) -> None:
    reindex(folder, meaning=True)
    store = SqliteStore(folder)
    store.commit(
        Batch(
            urls=[UrlRow(2, "http://a/2", 0)],
            pages=[Page(2, "http://a/2", "Slow", "program", 0.5, 1, "", "", 1.0, 1.0)],
        )
    )
    index = FullTextIndex(folder / "index")
    index.catch_up(store)
    index.close()
    store.close()
    assert len(set(found(folder, "slow program").values())) == 3


def test_without_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reindex(folder, meaning=True)
    monkeypatch.setattr(meaning, "find_spec", lambda _: None)
    with pytest.raises(UserMistake, match=r"pip install trapline\[meaning\]"):
        reindex(folder, meaning=True)
    assert set(found(folder, "slow program").values()) == {0.0}
    said: list[str] = []
    FullTextIndex(folder / "index", say=said.append)
    assert len(said) == 1 and "trapline[meaning]" in said[0]
