"""Nesting is counted as a slow walk counts it, whatever a document is made of."""

from __future__ import annotations

import random

import pytest

from tests.unit.reading.html.slow_nesting import is_deeper_slowly
from trapline.reading.html.nesting import is_deeper

PLAIN_SOUP = (
    "<div>|</div>|</DIV>|<b "
    "a=1>|</b>|<i>|</i>|<p>|</p>|<li>|</li>|<tr>|<td>|</tr>|<table>|</table>|<dt>|<option>|"
    "<br/>|<IMG a=b>|<a b='<c>'>|</a>|<div a = 'b>' c>|<span title=\"it's\">|</span>|<!-- "
    "<div> -->|<!-->|<!doctype x>|"
    "x|\n|<svg>|</svg>|<g>|</g>|<path/>|<path d='1' />|<path d=1/>|<circle r=\"1\" "
    "b></circle>|<title>a<b</title>|"
    "<div a='> </div>'>|<div a=\"> </div>\">|<div><!--></div>-->|<div><script></div></script>"
)
ODD_SOUP = (
    "<![cdata[|]]|<linearGradient>|</lineargradient>|<radialgradient id='x'/>|<g a='1|<path / >|"
    "<path a='1'b/>|<math/>|<track>|<div<b>|<a[>|</a{>|</averylongnameindeed>|<x-y>|</X-Y>|"
    "<!--|-->|--!>|<!x |?>|<?|<style>|</style>|</stylex>|<script>|</script >|<!--<script|<div "
    "a=\"|\"|'|>|<div a='|"
    "<math>|</math>|<![CDATA[|]]>|<foreignObject>|<svg/>|<svg a='/' />|<span|</ "
    "|\u00a0|<lin\u212a>|<g \u00e9='1'/>|"
    '/>|=|</svg >|<div a=="b>">|<textarea>|</textarea>|<averylongnameindeed>'
)
PLAIN = PLAIN_SOUP.split("|")
ODD = ODD_SOUP.split("|")


@pytest.mark.parametrize("pieces", [PLAIN, PLAIN + ODD], ids=["plain", "odd"])
def test_soups_are_as_deep_as_a_slow_walk_says(pieces: list[str]) -> None:
    deep = 0
    for seed in range(4_000):
        chance = random.Random(seed)
        some = chance.sample(pieces, chance.randint(2, 9))
        html = "".join(chance.choices(some, k=chance.randint(3, 50)))
        limits = chance.choice([(2, 99), (4, 1), (8, 3), (99, 0), (25, 99)])
        found = is_deeper(html.encode(), *limits)
        assert found == is_deeper_slowly(html, *limits), (seed, html)
        deep += found
    assert 500 < deep < 3_500


@pytest.mark.parametrize(
    "unit",
    [
        "<p title='a > b'>one</p>",
        "<!-- <div> <b> was here --><p>one<br><img src=x alt='<b>'></p>",
        "<script><!-- if (a<b) c('<div>'); --></script><P>one</p>",
        '<svg viewBox="0 0 1 1"><g><path d="M0 0"/><circle r="1" /></g></svg><p>one</p>',
        "<ul><li><p>one<li>two</ul><table><tr><td>a<td>b<tr><td>c</table>",
    ],
)
def test_honest_pages_are_shallow(unit: str) -> None:
    assert not is_deeper(unit.encode() * 2_000, 10, 10)


def test_attributes_in_foreign_letters_are_closed_by_a_stroke() -> None:
    unit = "<svg><g \u00e9='1'/></svg>"
    assert not is_deeper(unit.encode() * 9, 2, 9)
    assert not is_deeper_slowly(unit * 9, 2, 9)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<",
        "</",
        "<!",
        "<!-",
        "<!--",
        "<a",
        "<a b",
        "<a b=",
        "<a b='",
        "<script>",
        "a<",
    ],
)
def test_what_breaks_off_does_no_harm(html: str) -> None:
    assert not is_deeper(html.encode(), 9, 9)
