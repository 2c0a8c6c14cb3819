"""Whatever is not markup of our own is text."""

from __future__ import annotations

import json

import pytest

from trapline.app.web.pages.markup import data_block, element, join

ATTACK = "\"><script>alert(1)</script>&'</p>"


def test_text_is_escaped_wherever_it_stands() -> None:
    made = element("p", ATTACK, [ATTACK, element("b", ATTACK)], title=ATTACK)
    assert "<script" not in made
    assert made.count("&lt;script&gt;") == 4
    assert "<script" not in join(ATTACK)


def test_attributes_without_a_value() -> None:
    assert element("input", name="q", required=True) == '<input name="q" required>'
    assert element("a", "x", href=None, hidden=False) == "<a>x</a>"


@pytest.mark.parametrize("text", [ATTACK, "</script>", "<!--<script>", "\u2028"])
def test_data_cannot_end_its_block(text: str) -> None:
    block = data_block("data", {"title": text})
    inner = block.removeprefix('<script type="application/json" id="data">')
    inner = inner.removesuffix("</script>")
    assert "<" not in inner
    assert json.loads(inner) == {"title": text}
