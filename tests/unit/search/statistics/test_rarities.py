"""Engines that are told how rare words are score alike."""

from __future__ import annotations

import math

import pytest

from trapline.core.errors import BadQuery
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import GIVEN, OWN, Answer, Question
from trapline.search.statistics.query_words import query_words
from trapline.search.statistics.rarities import (
    LONGEST,
    Rarity,
    read_rarities,
    write_rarities,
)
from trapline.stores.memory import MemoryStore

FILLING = "and some more words that follow here"


def text_of(number: int) -> str:
    """Vacuum is everywhere in the first half, rare in the second; index the other way round."""
    first = number < 20
    vacuum = "vacuum" if first or number % 10 == 0 else "orbit"
    index = "index" if not first or number % 10 == 1 else "moon"
    return f"the {vacuum} of the {index} number{number} {FILLING}"


def processor_of(numbers: range) -> QueryProcessor:
    store = MemoryStore()
    urls = [UrlRow(n, f"http://a.org/{n}", 0) for n in range(numbers.stop)]
    pages = [
        Page(
            n,
            f"http://a.org/{n}",
            f"Page {n}",
            text_of(n),
            1.0,
            n + 1,
            "",
            "",
            5.0,
            5.0,
        )
        for n in numbers
    ]
    store.commit(Batch(hosts=[HostRow(0, "a.org:80", "http://a.org/")], urls=urls))
    store.commit(Batch(pages=pages))
    index = FullTextIndex(None)
    index.catch_up(store)
    return QueryProcessor(index, store)


def rarity(pages: int, having: int) -> float:
    return math.log1p((pages - having + 0.5) / (having + 0.5))


def count(word: str) -> int:
    return sum(word in text_of(number).split() for number in range(40))


SHARED = (
    Rarity("en", "vacuum", rarity(40, count("vacuum"))),
    Rarity("en", "index", rarity(40, count("index"))),
)


def scores(answer: Answer) -> dict[str, float]:
    return {hit.url: hit.score for hit in answer.hits}


def test_halves_that_are_told_score_as_the_whole() -> None:
    whole = scores(processor_of(range(40)).ask(Question("vacuum index", 40)))
    told = Question("vacuum index", 40, rarities=SHARED)
    halves = [processor_of(range(20)), processor_of(range(20, 40))]
    found: dict[str, float] = {}
    for half in halves:
        answer = half.ask(told)
        assert answer.statistics == GIVEN
        found |= scores(answer)
    assert found.keys() == whole.keys()
    for url, score in whole.items():
        assert found[url] == pytest.approx(score, rel=1e-3)


def test_the_version_of_a_table_is_said_again() -> None:
    told = Question("vacuum index", 40, rarities=SHARED, statistics="v7")
    processor = processor_of(range(20))
    assert processor.ask(told).statistics == "v7"
    nothing = Question("vacuum index", 40, statistics="v7")
    assert processor.ask(nothing).statistics == OWN


def test_by_themselves_they_do_not() -> None:
    whole = scores(processor_of(range(40)).ask(Question("vacuum index", 40)))
    answer = processor_of(range(20)).ask(Question("vacuum index", 40))
    assert answer.statistics == OWN
    alone = scores(answer)
    assert max(abs(alone[url] - whole[url]) for url in alone) > 0.5


def test_what_is_asked_as_typed_is_not_corrected() -> None:
    processor = processor_of(range(40))
    assert processor.ask(Question("vacum")).corrected
    answer = processor.ask(Question("vacum", as_typed=True))
    assert (answer.hits, answer.meant) == ([], "")


def test_words_of_a_query_in_several_tongues() -> None:
    words = query_words("Die Häuser", ["en", "de"])
    assert [word.word for word in words] == ["die", "häuser"]
    # a stop word in German, a word in English
    assert words[0].stems == (("en", "die"),)
    assert {tongue for tongue, _ in words[1].stems} == {"en", "de"}
    assert query_words("moon", []) == []


@pytest.mark.parametrize(
    "text",
    ["vacuum", "en:vacuum", "en:vacuum:x", "en::1", "en:a:nan", "en:a:-1", ":a:1"],
)
def test_what_is_no_list_of_rarities(text: str) -> None:
    with pytest.raises(BadQuery, match="rarities are written"):
        read_rarities(text)


def test_a_list_that_is_too_long() -> None:
    with pytest.raises(BadQuery, match="longer than"):
        read_rarities("en:vacuum:7," * LONGEST)


def test_a_list_comes_back() -> None:
    assert read_rarities(write_rarities(SHARED))[0].rarity == pytest.approx(
        SHARED[0].rarity, abs=1e-4
    )
    assert read_rarities("") == ()
