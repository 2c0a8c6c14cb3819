"""Pages as Markdown: what a page looks like is kept, and its text stays text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from trapline.core.records import Page
from trapline.reading.html.document import read_html
from trapline.reading.markdown.page_markdown import markdown_of

URL = "http://a.org/d/page.html"


def page_of(html: str, url: str = URL) -> Page:
    read = read_html(html.encode(), "text/html; charset=utf-8", url)
    return Page(0, url, "", read.text, 1.0, 0, "", "", 0.0, 0.0, form=read.form)


def markdown(html: str) -> str:
    return markdown_of(page_of(html))


def words_shown(text: str) -> str:
    """What a reader of Markdown sees."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    shown = LexborHTMLParser(html).body
    assert shown is not None
    return " ".join(shown.text(separator="").split())


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h1>One</h1><p>two<h3>Three</h3>", "# One\n\ntwo\n\n### Three\n"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n   - b\n2. c\n"),
        ("<ol start=5><li>a<li>b</ol>", "5. a\n6. b\n"),
        ("<ol start=-2><li>a</ol>", "1. a\n"),
        (
            "<ol start=1984><li>a<ol start=3><li>b</ol></ol><pre>c\n d</pre>",
            "1984. a\n      3. b\n\n```\nc\n d\n```\n",
        ),
        (
            "<blockquote><ol start=20><li><p>a<ol start=300><li>b</ol></ol>",
            "> 20. a\n>     300. b\n",
        ),
        ("<ul><li>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c\n"),
        ("<ul><li><pre>x\n y</pre></ul>", "- ```\n  x\n   y\n  ```\n"),
        ("<dl><dt>a<dt>b<dd>c<dd>d</dl>", "- a\n\n- b\n\n  c\n\n  d\n"),
        ("<dl><dd><ul><li>a</ul></dl>", "- a\n"),
        ("<ul><li><h2>a</h2>b<li>c</ul>", "## a\n\nb\n\nc\n"),
        ("<ul><li><ul><li>a</ul><li>b</ul>", "- a\n\nb\n"),
        ("<dl><dt>a<dd><ul><li>b</ul></dl>", "- a\n  - b\n"),
        ("<li>a</li>", "- a\n"),
        ("<blockquote><p>a<p>b<ul><li>c</ul></blockquote>", "> a\n>\n> b\n>\n> - c\n"),
        ("<p>a <code>b c</code> d", "a `b c` d\n"),
        ("<p>a <code>b`c</code> <kbd>`</kbd>", "a ``b`c`` `` ` ``\n"),
        ("<h2>a<a href=#b>¶</a></h2>", "## a\n"),
    ],
)
def test_shapes(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (
            "<table><caption>t</caption><tr><th>a<th>b|c<tr><td><td>d<br>e</table>",
            "t\n\n| a | b\\|c |\n| --- | --- |\n|  | d e |\n",
        ),
        (
            "<table><tr><td>a<td>b<tr><th>c<td><p>d<p>e</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c | d<br>e |\n",
        ),
        (
            "<table><tr><td><code>a|b</code><td><ul><li>c<li>d</ul></table>",
            "|  |  |\n| --- | --- |\n| `a\\|b` | - c<br>- d |\n",
        ),
        (
            "<table><tr><th>a<th>b<th>c<tr><td colspan=2>d<td>e</table>",
            "| a | b | c |\n| --- | --- | --- |\n| d |  | e |\n",
        ),
        (
            "<table><tr><th>a<th>b<tr><td rowspan='2'>c<td>d<tr><td>e<tr><td>f</table>",
            "| a | b |\n| --- | --- |\n| c | d |\n|  | e |\n| f |\n",
        ),
        (
            "<table><tr><td rowspan=9 colspan=2>a<td rowspan=2>b<td>c<tr><td>d<tr><td>e</table>",
            "|  |  |  |  |\n| --- | --- | --- | --- |\n| a |  | b | c |\n|  |  |  | d |\n"
            "|  |  | e |\n",
        ),
        (
            "<table><tr><th>a<th>b<tr><td><pre>c\n  d|e</pre><td>f</table>",
            "| a | b |\n| --- | --- |\n| `c`<br>`  d\\|e` | f |\n",
        ),
        # they only lay out a page
        ("<table><tr><td>1<td><pre>a\n  b</pre></table>", "1\n\n```\na\n  b\n```\n"),
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb\n"),
        ("<table><tr><td>a<td><h2>b</h2></table>", "a\n\n## b\n"),
    ],
)
def test_tables(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<pre>\nif a:\n    b\n\n\n\n\tc</pre>", "if a:\n    b\n\n\n\tc"),
        ("<pre>a&nbsp; b<br>  c &lt; d</pre>", "a  b\n  c < d"),
        (
            "<pre><b>a</b>\n  <i>b</i>(<a href=x>c</a>)\r\n<!-- x -->d</pre>",
            "a\n  b(c)\nd",
        ),
        ("<pre><div>  a\n</div><div>b</div></pre>", "  a\nb"),
        ("<pre><ul><li># a</ul>`` * b</pre>", "# a\n`` * b"),
    ],
)
def test_code_has_its_lines_and_its_indentation(html: str, written: str) -> None:
    assert markdown(html) == f"```\n{written}\n```\n"


def test_a_fence_is_longer_than_those_in_the_code() -> None:
    assert markdown("<pre>```\na\n````</pre>") == "`````\n```\na\n````\n`````\n"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (
            '<p><a href="../x?a=1&amp;b=2#c">y</a> z',
            "[y](http://a.org/x?a=1&b=2#c) z\n",
        ),
        ("<p>see <a href=b_(c)>d[0]</a>", "see [d\\[0\\]](<http://a.org/d/b_(c)>)\n"),
        ("<p>a!<a href=/b>c</a>", "a\\![c](http://a.org/b)\n"),
        ("<p><a href=/b><code>c]</code> d</a>", "[`c]` d](http://a.org/b)\n"),
        ("<p><a href='javascript:x'># a</a> <a href=mailto:b>c</a>", "\\# a c\n"),
        ("<p><a href='//[bad'>a</a> <a href=#b>c</a> <a>d</a>", "a c d\n"),
        ("<p><a href='page.html#b'>a</a> <a href=/d/page.html>b</a>", "a b\n"),
        ("<base href=http://b.org/><p><a href=c>d</a>", "[d](http://b.org/c)\n"),
        ("<p><a href='/b&quot;&lt;>c'>d</a>", "[d](http://a.org/b%22%3C%3Ec)\n"),
        (
            "<p><a href='c d'>e</a> <a href=' \nf\n '>g</a> <a href=' #h'>i</a>",
            "[e](http://a.org/d/c%20d) [g](http://a.org/d/f) i\n",
        ),
        ("<p>ä<a href=/ü>ö</a>ü", "ä[ö](http://a.org/%C3%BC)ü\n"),
    ],
)
def test_links(html: str, written: str) -> None:
    assert markdown(html) == written


def test_a_page_from_before_has_paragraphs() -> None:
    page = replace(page_of("<ul><li>* a<li>b</ul>"), form=b"")
    assert markdown_of(page) == "\\* a\n\nb\n"


@pytest.mark.parametrize(
    "form", [b"\0", b"\1", b"\1\xff\xff", b"\1\1\0\0\x70", b"\xff" * 99]
)
def test_the_form_of_another_text_is_not_used(form: bytes) -> None:
    page = replace(page_of("<p>a<p>b"), form=form)
    assert markdown_of(page) == "a\n\nb\n"


def test_furniture_is_left_out() -> None:
    prose = "<p>This is a sentence of the page, and it is long enough to be one." * 9
    shown = markdown(f"<nav><ul><li><a href=/>Home</a></ul></nav><main>{prose}</main>")
    assert "Home" not in shown and "sentence" in shown


def test_what_a_host_repeats_is_left_out() -> None:
    bar = "<table><tr><td>Prev<td>Next</table>"
    page = page_of(f"{bar}<h1>One</h1><h2>NAME</h2><p>Motto<ul><li>a<li>b</ul>{bar}")
    numbers = {"Prev", "Next", "NAME", "Motto", "a"}
    lines = enumerate(page.text.split("\n"))
    repeated = {number for number, line in lines if line in numbers}
    assert markdown_of(page, repeated) == "# One\n\n## NAME\n\n- a\n- b\n"
    plain = replace(page, form=b"")
    assert markdown_of(plain, repeated) == "One\n\nb\n"


SIGNS = st.text(st.sampled_from("ab1 .-+*_`~#>|[]()!\\&;<=:/\t"), max_size=30)


@given(st.lists(SIGNS, min_size=1, max_size=3))
@example(["a ~~b~~ *c* **d** _e_ __f__ `g`"])
@example(
    ["# a", "- b", "1. c", "> d", "---", "===", "~~~", "```", "| a | b |", "| - | - |"]
)
@example(["[a](b) ![c](d) [e]: f <g> <!--h--> &amp; &#65; \\* \\"])
@example(["[e]: http://f.org", "+ g", "12) h", "* * *", "    i", "####### j"])
def test_text_stays_text(lines: list[str]) -> None:
    texts = [" ".join(line.split()) for line in lines]
    page = replace(page_of(""), text="\n".join(texts))
    assert words_shown(markdown_of(page)) == " ".join(filter(None, texts))


@given(SIGNS, SIGNS)
def test_links_and_code_stay_what_they_are(words: str, code: str) -> None:
    def escape(text: str) -> str:
        return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")

    page = page_of(
        f"<p>a <a href=/b>x{escape(words)}y</a> <code>x{escape(code)}y</code> z"
    )
    assert words_shown(markdown_of(page)) == page.text


TAGS = re.findall(
    r"\w+", "p div ul ol li dl dt dd table tr td th pre blockquote h2 a code br"
)
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        ["<a href=x>", "word", "two words", " ", "\n  ", "`", "é", "&nbsp;"]
    ),
)


@given(st.lists(PIECES, max_size=40))
def test_any_page_has_markdown_with_all_its_words(pieces: list[str]) -> None:
    page = page_of("".join(pieces))
    shown = markdown_of(page)
    for word in ("word", "two", "é"):
        assert shown.count(word) == page.text.count(word)


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>" * 3000 + "a",
        "<blockquote>" * 3000 + "<pre>a\n b",
        "<table><tr><td>" * 500 + "a",
        "<p>" + "<a href=x>a</a><code>b</code>" * 20_000,
        "<table>" + "<tr><td rowspan=9999>a<td rowspan=0 colspan=9999>b" * 5000,
        "<table><tr>" + "<td>a" * 5000 + "<tr><td>b" * 5000,
        "<pre>" + "a\n" * 100_000,
    ],
)
def test_nesting_and_size_are_bounded(html: str) -> None:
    page = page_of(html)
    assert len(page.form) < len(html) + 100
    assert len(markdown_of(page)) < 30 * len(page.text) + 100
