"""Whatever is typed, the index is asked for words, phrases and their combinations, and for few."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trapline.core.records import Page
from trapline.core.storage import Change
from trapline.search.index import FullTextIndex
from trapline.search.query_language import (
    MOST_BRACKETS,
    MOST_PHRASES,
    MOST_WORDS,
    tame,
)

# words, quotes around words, brackets, signs before them, the names of fields
TAME = re.compile(r'(?:[\w\s()]|(?:title|text):|"[\w\s]+"|[+-](?=[\w("]))*')
COSTLY = [
    "text:[a TO z]",
    "[a TO z]",
    "{a TO *}",
    "text:*",
    "te*",
    "*",
    "moon~2",
    '"moon far"~9',
    '"moon f"*',
    "text:/m.*n/",
    "/m.*n/",
    "moon^1000000",
    "text: IN [moon rice]",
    ">=a",
    "text:>a",
    "text:<=z",
    "url:a",
    "relevance:[0 TO 1]",
    "page:7",
    "\\*",
    "(" * 400,
    "NOT " * 250,
    "moon " * 200,
    '"a b" ' * 160,
]
PIECES = st.sampled_from(
    [*"()[]{}\"'~^*/\\+-:<> ", "a", "TO", "IN", "AND", "OR", "NOT", "text:", "9", "é"]
)


@given(st.lists(PIECES, max_size=60).map("".join))
@example(" ".join(COSTLY))
def test_nothing_costly_is_left(query: str) -> None:
    tamed = tame(query)
    assert TAME.fullmatch(tamed), tamed
    words = re.findall(r"\w+", re.sub(r"\b(?:title|text):", "", tamed))
    others = [word for word in words if word not in ("AND", "OR", "NOT")]
    assert len(others) <= MOST_WORDS
    assert tamed.count('"') <= 2 * MOST_PHRASES
    assert tamed.count("(") <= MOST_BRACKETS


@pytest.fixture(scope="module")
def index() -> FullTextIndex:
    index = FullTextIndex(None)
    texts = ["the moon is far", "rice far from the moon", "boil the rice"]
    for number, text in enumerate(texts):
        page = Page(number, f"http://a/{number}", "", text, 0.5, 1, "", "", 1.0, 1.0)
        index.update([Change(number + 1, number, page)])
    index.commit()
    return index


@pytest.mark.parametrize("query", COSTLY, ids=lambda query: query[:20])
def test_what_is_costly_is_read_as_words(index: FullTextIndex, query: str) -> None:
    index.search(query[:1000])  # nothing is raised, and nothing is taken for damage


def found(index: FullTextIndex, query: str) -> list[int]:
    return sorted(hit.page for hit in index.search(query).hits)


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("moon", [0, 1]),
        ("moon rice", [1]),
        ("moon OR rice", [0, 1, 2]),
        ("moon -rice", [0]),
        ("moon NOT rice", [0]),
        ("(moon OR boil) AND rice", [1, 2]),
        ('"moon is"', [0]),
        ('"is moon"', []),
        ("text:boil", [2]),
        ("title:boil", []),
        ("moo*", []),
        ("*", [0, 1, 2]),
    ],
)
def test_what_is_understood(index: FullTextIndex, query: str, pages: list[int]) -> None:
    assert found(index, query) == pages
