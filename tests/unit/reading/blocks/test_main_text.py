"""The main content of pages of all kinds, and never too little of it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.reading.blocks.main_text import main_text

PROSE = "Telescopes gather light, and astronomers look at it for hours. " * 6
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Topic {n}</a>" for n in range(8)) + "</ul>"
FRAME = (
    f"<div id=top class=menu>{MENU}</div>"
    "{}"
    f"<div class=footer>{MENU}<p>Copyright 2024 All rights reserved</div>"
)


def read(html: str) -> str:
    return main_text(html.encode())


def lines(html: str) -> list[str]:
    return read(html).splitlines()


def test_an_article_is_read_without_what_is_around_it() -> None:
    html = FRAME.format(
        f"<h1>The Sun</h1><p>{PROSE}</p><p>{PROSE}</p>"
        "<div class=share><a href=/f>Share on Facebook</a></div>"
        f"<div class=related><h3>Related</h3>{MENU}</div>"
    )
    assert lines(html) == ["The Sun", PROSE.strip(), PROSE.strip()]


NAMES = [
    "advert",
    "tag-sponsor newsletter",
    "comment",
    "cookie-consent nav",
    "footer popup",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("articles", [1, 2, 10])
@pytest.mark.parametrize("place", ["body", "div", "article"])
def test_no_name_takes_most_words_away(name: str, articles: int, place: str) -> None:
    """WordPress puts the tags of a post into its class."""
    article = f"<article class='post {name}'><h2>News</h2><p>{PROSE}</p></article>"
    html = f"<{place} class='{name}'>{FRAME.format(article * articles)}</{place}>"
    assert read(html).count(PROSE.strip()) >= 0.9 * articles


@given(st.text("abcdefimnoprstuvw- ", max_size=40))
def test_no_name_at_all_takes_most_words_away(name: str) -> None:
    article = f"<div class='{name}' id='{name}'><p>{PROSE}</p></div>"
    html = FRAME.format(article * 3)
    assert read(html).count(PROSE.strip()) == 3


def test_noscript_counts_where_there_is_little_else() -> None:
    alone = f"<div id=root>Loading</div><noscript><p>{PROSE}</p></noscript>"
    assert PROSE.strip() in read(alone)
    beside = (
        f"<p>{PROSE}</p><noscript><p>Please switch on scripts. {PROSE}</p></noscript>"
    )
    assert read(beside) == PROSE.strip()


def test_a_page_of_nothing_but_navigation_has_words() -> None:
    assert len(lines(f"<nav>{MENU}</nav>")) == 8
    assert "Imprint" in read("<header>Logo</header><footer>Imprint</footer>")


def test_a_listing_is_read_whole() -> None:
    links = "".join(f"<li><a href=/{n}>Report {n} of the year</a>" for n in range(50))
    html = f"<nav>{MENU}</nav><ul>{links}</ul><footer>Imprint</footer>"
    found = lines(html)
    assert len(found) == 50
    assert found[-1] == "Report 49 of the year"


def test_a_table_is_read_whole() -> None:
    rows = "".join(f"<tr><td>{n}<td>tea {n}<td>{n}.50 €" for n in range(60))
    html = (
        f"<nav>{MENU}</nav><h1>Prices</h1><table>{rows}</table><footer>Imprint</footer>"
    )
    found = lines(html)
    assert sum(line.startswith("tea") for line in found) == 60
    assert "Imprint" not in found


def test_documentation_keeps_code_and_tables() -> None:
    functions = "".join(
        f"<h3>f{n}</h3><pre>int f{n}(char *x);</pre><p>Does {n}.</p>" for n in range(20)
    )
    html = (
        f"<div class=sphinxsidebar><h3>Contents</h3>{MENU}</div>"
        f"<div class=body><h1>API</h1><p>{PROSE}</p>{functions}"
        "<table><tr><th>Name<th>Type</tr><tr><td>x<td>int</tr></table></div>"
        "<div class=footer>Created using Sphinx</div>"
    )
    text = read(html)
    assert text.count("char *x") == text.count("Does") == 20
    assert "Type" in text
    assert "Topic" not in text and "Sphinx" not in text


def test_texts_without_spaces_are_read() -> None:
    prose = "望远镜收集光线，天文学家观察它们。" * 20
    html = (
        "<div class=nav><a href=/>首页</a><a href=/b>新闻</a></div>"
        f"<div><h1>望远镜</h1><p>{prose}</p><p>{prose}</p></div><div class=footer>版权</div>"
    )
    assert lines(html) == ["望远镜", prose, prose]


def test_a_forum_is_read() -> None:
    posts = "".join(
        f"<div class=post><div class=author>User {n}</div><div class=message>"
        f"I think that {n} is right, because stars are far.</div></div>"
        for n in range(15)
    )
    html = f"<div class=header>Forum</div>{posts}<div class=footer>Powered by X</div>"
    text = read(html)
    assert text.count("I think") == 15
    assert "Powered" not in text


def test_a_form_around_everything_is_no_form() -> None:
    content = FRAME.format(f"<h1>A</h1><p>{PROSE}</p>")
    assert PROSE.strip() in read(f"<form id=aspnetForm>{content}</form>")


TAGS = [
    "p",
    "div",
    "span",
    "a",
    "ul",
    "li",
    "td",
    "nav",
    "header",
    "footer",
    "aside",
    "form",
    "noscript",
    "main",
    "article",
    "h2",
]
PIECES = st.sampled_from(
    [f"<{mark}{tag}>" for tag in TAGS for mark in ("", "/")] + ["word ", "Long. " * 40]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_a_page_with_words_has_a_text(html: str) -> None:
    assert bool(read(html)) == any(word in html for word in ("word", "Long"))


@given(st.binary(max_size=300))
def test_any_bytes_have_a_text(body: bytes) -> None:
    main_text(body.decode("utf-8", "replace").encode())


@pytest.mark.parametrize(
    "piece",
    ["<div>", "</div>", "<p>word", "<a href=x>", "<table><td>", "<li>x", "&#", "<"],
)
def test_huge_pages_are_read(piece: str) -> None:
    main_text((piece * 400_000).encode())


MANUAL = f"<p>{PROSE}</p>" * 3


@pytest.mark.parametrize(
    "heading", ["<b>NAME</b>", "<div>get/2</div>", "<div><a href=/x>get</a></div>"]
)
def test_headings_of_what_is_read_are_read(heading: str) -> None:
    html = f"<div>{MANUAL}<h2 class=title>{heading}</h2><p>{PROSE}</p></div>"
    assert re.sub("<.*?>", "", heading) in lines(FRAME.format(html))


def test_headings_of_what_is_not_read_are_left_out() -> None:
    related = f"<div class=related><h3>RELATED</h3>{MENU}</div>"
    assert "RELATED" not in read(FRAME.format(MANUAL + related))


def test_the_signature_between_a_heading_and_its_text_is_read() -> None:
    method = (
        "<section><h3>get</h3><div class='nav signature'>public <a href=/v>V</a> get"
        f"(<a href=/o>Object</a> key)</div><div>{PROSE}</div></section>"
    )
    found = lines(FRAME.format(MANUAL + 3 * method))
    assert found.count("get") == 3
    assert found.count("public V get(Object key)") == 3


def test_who_wrote_an_article_is_no_part_of_it() -> None:
    html = (
        f"<h1>The Sun</h1><div class=author><a href=/a>By A. Nobody</a></div>{MANUAL}"
    )
    assert "By A. Nobody" not in lines(FRAME.format(f"<div>{html}</div>"))


def test_a_row_is_read_whole() -> None:
    def row(n: int) -> str:
        words = "The member function that looks at the element of this number."
        return f"<tr class=info><td><b><a href=/{n}>name_{n}</a></b><td>{words}</tr>"

    table = f"<table>{''.join(map(row, range(5)))}</table>"
    found = lines(FRAME.format(MANUAL + table))
    assert {f"name_{n}" for n in range(5)} <= set(found)


def test_rows_that_lay_out_a_page_are_not_read_whole() -> None:
    row = f"<tr><td class='nav sidebar'>{MENU}<td>{MANUAL}"
    found = lines(f"<table>{3 * row}</table>")
    assert "Topic 3" not in found
    assert found.count(PROSE.strip()) == 9
