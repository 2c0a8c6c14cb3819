"""What links call the pages that they lead to, out of whatever a page says."""

from __future__ import annotations

import pytest

from trapline.core.records import Fetched, Kind, Ticket
from trapline.reading.answer import read_answer
from trapline.reading.html.link_texts import LONGEST, MOST_OF_PAGE, link_text
from trapline.reading.html.links import MOST_LABELS
from trapline.reading.packing import pack_reading, unpack_reading
from trapline.reading.readings import FoundLinks, ReadDocument, ReadListing

URL = "http://a.test/"


def found_in(body: str, content_type: str = "text/html; charset=utf-8") -> FoundLinks:
    """As it comes out of a reader process."""
    ticket = Ticket(1, Kind.PAGE, 0, 0, 0.0, 1.0)
    content = body.encode("utf-8", "surrogatepass")
    fetched = Fetched(ticket, URL, 1.0, 200, body=content, content_type=content_type)
    reading = unpack_reading(pack_reading(read_answer(fetched)))
    assert isinstance(reading, ReadDocument | ReadListing)
    return reading.links


def texts_in(body: str) -> list[str]:
    found = found_in(body)
    assert len(found.texts) == len(found.urls)
    return found.texts


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<a href=/x> The <b>red</b>\n planet </a>", ["The red planet"]),
        ("<a href=/x title='All of it'>Mars</a>", ["Mars"]),  # nobody sees the title
        ("<a href=/x title=Mars></a>", [""]),
        ("<a href=/x><img src=y alt=' A  map '></a>", ["A map"]),
        ("<a href=/x>Mars<img src=y alt=map></a>", ["Mars"]),
        ("<a href=/x>Mars</a> <a href=/y>tea</a>", ["Mars", "tea"]),
        ("<a href=/x>Mars</a> <a href=/x>the red one</a>", ["Mars", "the red one"]),
        ("<a href=/x>Mars</a> <a href=/x>next</a>", ["Mars", ""]),
        ("<p>no link", []),
    ],
)
def test_what_one_sees_of_a_link(html: str, texts: list[str]) -> None:
    assert texts_in(html) == texts


@pytest.mark.parametrize(
    "words",
    [
        *("", " ", "¶", "#", "»", "3", "[12]", "a", "(b)", "1.2.3", "2026-01-01", "—"),
        *("here", "Click here!", "[Next]", "← Previous", "Read more…", "MORE >>", "Up"),
        *(
            "hier",
            "zurück",
            "Précédent",
            "más",
            "здесь",
            "下一页",
            "次へ",
            "Weiterlesen →",
        ),
        *("http://a.org/x?y=z", "HTTPS://A.ORG", "www.a.org/", "mailto:me@a.org"),
        *("\0", "\u202e", "\ud83d", "\x07\x08"),
    ],
)
def test_words_that_say_nothing(words: str) -> None:
    assert link_text(words) == ""


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("C++", "C++"),
        ("C#", "C#"),
        (".NET", ".NET"),
        ("json.dumps()", "json.dumps()"),
        ("5.1. Syntax »", "5.1. Syntax"),
        ("See http://a.org/", "See http://a.org/"),
        ("here be dragons", "here be dragons"),
        ("次世代", "次世代"),
        ("שמש وشمس", "שמש وشمس"),
        ("\u202ethe Sun\u202c\x07\0", "the Sun"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("half \ud83d of it", "half  of it"),
        ("x" * 300, "x" * LONGEST),
        ("word " * 60, " ".join(["word"] * 16)),
    ],
)
def test_words_that_say_something(words: str, text: str) -> None:
    assert link_text(words) == text


def test_hostile_texts_come_through_the_packing() -> None:
    body = "".join(
        f"<a href=/{n}>{text}</a>"
        for n, text in enumerate(
            [
                "a&#0;b",
                "line&#10;feed",
                "tab&#9;tab",
                "\u202etxet",
                "&#xD83D;x",
                "x" * 999,
            ]
        )
    )
    texts = texts_in(body)
    assert len(texts) == 6
    assert texts[1:4] == ["line feed", "tab tab", "txet"]
    assert len(texts[5]) == LONGEST
    for text in texts:
        assert text
        assert text == text.encode().decode()
        assert not {"\0", "\n", "\t"} & set(text)


def test_a_page_with_very_many_links_gives_so_many_texts() -> None:
    body = "".join(f"<a href=/{n}>page number {n}</a> " for n in range(50_000))
    texts = texts_in(body)
    assert texts[:MOST_OF_PAGE] == [f"page number {n}" for n in range(MOST_OF_PAGE)]
    assert not any(texts[MOST_OF_PAGE:])


def test_links_without_text_do_not_count_as_texts() -> None:
    body = "".join(f"<a href=/n{n}>next</a>" for n in range(2 * MOST_OF_PAGE))
    assert texts_in(f"{body}<a href=/sun>the Sun</a>")[-1] == "the Sun"


def test_what_is_no_visible_link_calls_nobody_anything() -> None:
    head = (
        "<title>Stars</title><link rel=canonical href=http://b.test/>"
        "<link rel=alternate type=application/rss+xml href=/feed title=News>"
    )
    found = found_in(f"<html><head>{head}</head><p>far away")
    assert set(found.urls) == {"http://b.test/", URL + "feed"}
    assert not any(found.texts)
    listing = "<urlset><url><loc>http://a.test/c</loc></url></urlset>"
    assert found_in(listing, "text/xml").texts == []


def test_links_in_parts_keep_their_texts() -> None:
    found = found_in("".join(f"<a href=/{n}>number {n}</a>" for n in range(9)))
    assert found.part(3, 5).texts == ["number 3", "number 4"]


def test_a_page_may_call_another_by_many_names() -> None:
    html = "".join(f'<a href="/b#s{n}">section {n} of it</a> ' for n in range(40))
    found = found_in(html)
    assert len(found.urls) == 3  # clues are taken of the first few
    assert sum(text.count("\t") + 1 for text in found.texts) == MOST_LABELS
    assert "section 20 of it" in found.texts[0].split("\t")
