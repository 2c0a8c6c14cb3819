"""Whatever is typed is read as words and a few signs, and never as anything costly."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trapline.core.errors import BadQuery
from trapline.core.records import Page
from trapline.core.storage import Change
from trapline.search.index import FullTextIndex
from trapline.search.query_dates import Span, read_span
from trapline.search.query_language import LONGEST, MOST_PHRASES, MOST_WORDS, read_query

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
    "moon^1000000",
    "text: IN [moon rice]",
    ">=a",
    "url:a",
    "relevance:[0 TO 1]",
    "page:7",
    "\\*",
    "(" * 400,
    "NOT " * 250,
    "moon " * 200,
    '"a b" ' * 160,
    "title:" * 100,
    "-" * 900,
    "host:" + "a." * 400,
    "changed:>NaN",
    "\x00\x1b[31m moon",
    "\ud800 moon",
    "\u202emoon",
    "全文検索" * 100,
]
PIECES = st.sampled_from(
    [
        *"()[]{}\"'~^*/\\+-:<> ",
        "a",
        "AND",
        "OR",
        "NOT",
        "title:",
        "host:",
        "9",
        "é",
        "文",
    ]
)


@pytest.fixture(scope="module")
def index() -> FullTextIndex:
    index = FullTextIndex(None)
    texts = ["the moon is far", "rice far from the moon", "boil the rice"]
    for number, text in enumerate(texts):
        page = Page(
            number,
            f"http://h{number}.org/",
            "Near" if number == 1 else "",
            text,
            0.5,
            1,
            "",
            "",
            1.0,
            1e8 * number,
            "en" if number == 0 else "",
        )
        index.update([Change(number + 1, number, page)])
    index.commit()
    return index


@given(st.lists(PIECES, max_size=60).map("".join))
@example(" ".join(COSTLY)[:LONGEST])
def test_queries_are_bounded(query: str) -> None:
    asked = read_query(query)
    assert len(asked.words) <= MOST_WORDS
    phrases = (*asked.phrases, *asked.unwanted, *asked.in_title)
    assert sum(len(phrase) > 1 for phrase in phrases) <= 3 * MOST_PHRASES
    assert all(word == word.lower() and word.isalnum() for word in asked.words)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_whatever_is_typed_is_no_damage(index: FullTextIndex, query: str) -> None:
    index.rank(read_query(query))


@pytest.mark.parametrize("query", COSTLY, ids=lambda query: repr(query[:20]))
def test_what_is_costly_is_read_as_words(index: FullTextIndex, query: str) -> None:
    index.rank(read_query(query[:LONGEST]))  # nothing is raised or taken for damage


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("git rebase -i", ("git", "rebase", "i")),
        ("git log --oneline", ("git", "log", "oneline")),
        ("pg_dump --schema-only", ("pg", "dump", "schema", "only")),
        ("ｖａｃｕｕｍ İstanbul", ("vacuum", "istanbul")),
        ("डेटाबेस", ("डेटाबेस",)),
    ],
)
def test_what_is_read_as_words(query: str, words: tuple[str, ...]) -> None:
    asked = read_query(query)
    assert asked.words == words
    assert asked.unwanted == ()


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(BadQuery, match="1000 characters"):
        read_query("(" * 10_000)


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("moon", [0, 1]),
        ("moon rice", [1, 0, 2]),
        ("how is the moon", [0, 1]),
        ("moon OR rice", [1, 0, 2]),
        ("moon AND rice", [1]),
        ("+moon +rice", [1]),
        ("moon -rice", [0]),
        ("moon NOT rice", [0]),
        ("-moon", [2]),
        ('"moon is"', [0]),
        ('"is moon"', []),
        ('moon -"far from"', [0]),
        ("title:boil", []),
        ("moo*", []),
        ("host:h1.org", [1]),
        ("site:org moon", [0, 1]),
        ("moon -host:h1.org", [0]),
        ("changed:>1972", [2, 1]),
        ("changed:1973..1974 moon", [1]),
        ("lang:de", []),
        ("lang:en-US moon", [0]),
        ("-lang:en moon", [1]),
        ("moon -title:near", [0]),
        ("title:near", [1]),
        ("site:h1.org/ moon", [1]),
        ("host:https://h1.org/ moon", [1]),
        ("moon -r", [0, 1]),
        ("moon --rice", [1, 0, 2]),
        ("moon --rice-only -is", [1, 2]),
        ("*", [2, 1, 0]),
        ("", []),
    ],
)
def test_what_is_understood(index: FullTextIndex, query: str, pages: list[int]) -> None:
    ranked = index.rank(read_query(query)).pages
    found = [page for page, _ in ranked]
    assert found[:1] == pages[:1]
    assert sorted(found) == sorted(pages)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("2026-13", None),
        ("2026-02-30", None),
        ("NaN", None),
        ("..", None),
        ("0000", None),
        ("<<2026", None),
        (">=2000-01-01", Span(946_684_800.0, None)),
        (">1999-12-31", Span(946_684_800.0, None)),
        ("<2000", Span(None, 946_684_800.0)),
        ("<=1999-12", Span(None, 946_684_800.0)),
    ],
)
def test_spans_of_time(text: str, span: Span | None) -> None:
    assert read_span(text) == span
