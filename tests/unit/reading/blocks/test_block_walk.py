"""The walk over the tags of a page: the same words as a tree has, cut into blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.page_arrays import arrays_for


def blocks(html: str | bytes) -> list[str]:
    page = arrays_for(html if isinstance(html, bytes) else html.encode())
    walk_page(page)
    return page.letters[: page.pen[0]["letters"]].tobytes().decode().splitlines()


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>One <b>two</b>, H<sub>2</sub>O", ["One two, H2O"]),
        ("one<br>two<br>\n<br>three<hr>four", ["one two", "three", "four"]),
        ("<p>one<p>two<div>three</div>four", ["one", "two", "three", "four"]),
        ("<table><tr><td>a<td>b<tr><th>c</table>d", ["a", "b", "c", "d"]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["a", "b", "c"]),
        ("<dl><dt>a<dd>b</dl>", ["a", "b"]),
        ("<a href=1>a</a><a href=2>b</a> <span>c</span><span>d</span>", ["a b c d"]),
        ("<pre><span>a</span><span>(b)</span></pre>", ["a(b)"]),
        (
            "<span>str.</span><span><span>count</span></span><span>(</span><em>x</em>"
            "<span>[</span>, <em>y</em><span>]</span><span>)</span>",
            ["str.count(x[, y])"],
        ),
        ("<span>std</span><span>::</span><span>set</span>", ["std::set"]),
        ("<span>Date:</span><span>May</span>", ["Date: May"]),
        ("a<script>if (a<b) x</script>b <style>p{}</style>c", ["ab c"]),
        ("a<!-- <p>no > -->b<![CDATA[x]]>c<?php y ?>d", ["abcd"]),
        ("<title>no</title><textarea>no</textarea><select><option>no</select>a", ["a"]),
        ("<svg><text>no</text></svg><svg/>a<iframe>no</iframe>", ["a"]),
        (
            "a &lt; b < c &amp;&copy 2 &eacute;&#233;&#xE9;&#128; AT&T",
            ["a < b < c &© 2 ééé€ AT&T"],
        ),
        ("a&nbsp; &emsp;b\u3000c\u200bd\u00a0", ["a b c d"]),
        ("<p class='a>b' title=\"<p>\">x</p>", ["x"]),
        ("<b><p>one</b>two</p>three", ["onetwo", "three"]),
        ("</p></div></x>one</td>two", ["onetwo"]),
        ("<table><tr><td><div>a</table>b", ["a", "b"]),
        ("<script>never ends", []),
        ("one <", ["one <"]),
        ("", []),
    ],
)
def test_blocks(html: str, found: list[str]) -> None:
    assert blocks(html) == found


TAGS = [
    "p",
    "div",
    "span",
    "b",
    "a",
    "ul",
    "li",
    "table",
    "td",
    "h1",
    "section",
    "em",
    "article",
    "blockquote",
    "code",
]
WORDS = st.sampled_from(
    ["one", "zwei ", " 三", "&amp;", "4.", "\n", "&eacute;t&eacute;"]
)
NESTED = st.recursive(
    WORDS,
    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(
        lambda element: f"<{element[0]}>{''.join(element[1])}</{element[0]}>"
    ),
    max_leaves=20,
)
LOOSE = st.lists(
    st.sampled_from([f"<{mark}{tag}>" for tag in TAGS for mark in ("", "/")]) | WORDS
).map("".join)


@given(NESTED | LOOSE)
def test_no_word_is_lost_or_made_up(html: str) -> None:
    tree = LexborHTMLParser(f"<body>{html}")
    assert tree.body is not None
    # what stands in a table outside of its cells, a tree moves before the table
    expected = "".join(tree.body.text().split())
    found = "".join("".join(blocks(html)).split())
    assert sorted(found) == sorted(expected)


@given(st.binary(max_size=400))
def test_any_bytes_are_walked(body: bytes) -> None:
    html = body.decode("utf-8", "replace").encode()
    for block in blocks(html):
        assert block == " ".join(block.split()) != ""


@given(
    st.lists(
        st.sampled_from(
            ["<", "</", ">", "a", "svg", "td", "'", '"', "=", "&#", "x3", "!--"]
        )
    )
)
def test_any_markup_is_walked(pieces: list[str]) -> None:
    blocks("".join(pieces))
