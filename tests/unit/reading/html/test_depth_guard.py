"""What takes a tree builder too long is found, wherever its end tags are hidden; honest pages are
left alone.
"""

from __future__ import annotations

import random

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from trapline.reading.html.depth_guard import flatten_if_deep
from trapline.reading.html.nesting import is_deeper

HIDING = {
    "in a comment": "<div><!--</div>-->",
    "in a comment that ends oddly": "<div><!--</div>--!>",
    "after a comment of nothing": "<div><!-->",
    "in an attribute": "<div a='</div>'>",
    "in an attribute after a mark": '<div a="> </div>">',
    "in an attribute after odd quotes": """<div a='"' b="></div>">""",
    "in an attribute's name": "<div </div>",
    "in what passes for a comment": "<div><!x </div>",
    "in an instruction": "<div><?x </div>",
    "in an end tag of nothing": "<div></ </div>",
    "in a text area": "<div><textarea></div></textarea>",
    "in a style sheet": "<div><style></stylex></div></style>",
    "in a script in a script": "<div><script><!--<script></script></div>--></script>",
    "by a space that is none": "<div\u00a0></div>",
    "by a letter that is none": "<lin\u212a>",
}


def is_flattened(html: str) -> bool:
    return flatten_if_deep(html.encode()) != html.encode()


@pytest.mark.parametrize("unit", HIDING.values(), ids=HIDING)
def test_hidden_levels_are_seen(unit: str) -> None:
    assert is_flattened(unit * 3_000)


@pytest.mark.parametrize(
    "start", ["<svg><title>", "<svg><style>", "<svg><foreignObject>", "<math>"]
)
@pytest.mark.parametrize(
    "unit",
    [
        "<path/>",
        "<g><![CDATA[></g>]]>",
        "<g><!--</g>-->",
        "<track>",
        "<style></style><g>",
    ],
)
def test_levels_are_seen_in_drawings_that_are_none(start: str, unit: str) -> None:
    assert is_flattened(start + unit * 3_000)


@pytest.mark.parametrize("unit", ["<p><b a={} t='</b>'>", "<p><!--</b>--><b a={}>"])
def test_copies_are_seen(unit: str) -> None:
    """Read as they are, 100 KB of these would fill gigabytes."""
    html = "".join(unit.format(n) for n in range(5_000))
    assert is_flattened(html)


def test_too_many_options() -> None:
    assert is_flattened("<select>" + "<option>x" * 9_000)
    assert not is_flattened("<select>" + "<option>x" * 4_000)


@pytest.mark.parametrize(
    "unit",
    [
        "<p title='a > b'>one</p>",
        "<!-- <div> <b> was here --><p>one</p>",
        "<p>one<br><img src=x alt='<b>'></p>",
        "<script>if (a<b) c('<div>');</script><p>one</p>",
        "<style>a > b {}</style><p>one</p>",
        '<svg viewBox="0 0 1 1"><g><path d="M0 0"/><circle r="1" /></g></svg><p>one</p>',
        "<math><mi>x</mi><mo>=</mo></math><p>one<br></p>",
        "<textarea><div><div></textarea><p>one</p>",
    ],
)
def test_honest_pages_are_left_alone(unit: str) -> None:
    assert not is_flattened(unit * 2_000)


def depth(node: LexborNode | None) -> int:
    """Levels of a tree, without calling itself."""
    deepest = 0
    level: dict[int, int] = {}
    for one in node.traverse() if node else ():
        above = one.parent
        level[one.mem_id] = 1 + (level.get(above.mem_id, 0) if above else 0)
        deepest = max(deepest, level[one.mem_id])
    return deepest


SOUP = (
    "<div>|</div>|<b a=1>|</b>|<p>|</p>|<!--|-->|--!>|<!-->|<!x "
    "|?>|<?|<style>|</style>|</stylex>|<script>|</script>|"
    '<textarea>|</textarea>|<title>|</title>|<div a="|">|"|\'|>|<div '
    "a='|<svg>|</svg>|<path/>|<path a=b/>|<g>|</g>|"
    "<![CDATA[|]]>|<math>|</math>|<mi>|<select>|</select>|<noscript>|</noscript>|<table>"
    "|</table>|<td>|</ |x|"
    "<foreignObject>|</foreignObject>|<svg/>|<span|<xmp>|</xmp>|\u00a0|<template>|</template>"
    "|<a href=x>|</a>|<track>|"
    "<div/>|/>|=|<desc>|</desc>|<lin\u212a>|<iframe>|</iframe>"
)
PIECES = SOUP.split("|")


def test_no_soup_is_deeper_than_it_looks() -> None:
    """Whatever lexbor makes deep is seen to be deep: random soups, repeated sixty times."""
    for seed in range(3_000):
        chance = random.Random(seed)
        unit = "".join(chance.choice(PIECES) for _ in range(chance.randint(2, 7)))
        html = (
            chance.choice(
                ["", "<svg>", "<svg><title>", "<table>", "<svg><style>", "<math>"]
            )
            + unit * 60
        )
        if depth(LexborHTMLParser(html).root) > 60:
            assert is_deeper(html.encode(), 25, 10**9), (seed, unit, html[:12])


def test_letters_beyond_ascii_survive() -> None:
    assert (
        flatten_if_deep(("<div>gr\u00fcn" * 3_000).encode()).decode().split()
        == ["gr\u00fcn"] * 3_000
    )


@pytest.mark.parametrize("unit", ["<option>x", "<OPTGROUP>x</OPTGROUP>"])
def test_more_options_than_can_be_compared_are_flattened(unit: str) -> None:
    assert is_flattened("<select>" + unit * 9_000)
