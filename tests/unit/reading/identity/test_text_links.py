"""Which links count: those that stand in the text, to the page's own host."""

from __future__ import annotations

import pytest

from trapline.reading.html.document import Document
from trapline.reading.html.links import Anchor
from trapline.reading.identity import text_links
from trapline.reading.identity.marks import marks_of
from trapline.reading.identity.text_links import targets_in_text

URL = "http://example.org/stars"
TEXT = "Stars are hot.\nSee the Sun, the Moon and the catalogue of all stars."


def targets(*anchors: Anchor) -> list[str]:
    return list(targets_in_text(Document("Stars", TEXT, anchors), URL))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("the Sun", True),
        ("the catalogue of all stars", True),
        ("the catalogue What is in it", True),  # with its tooltip
        ("", True),  # a picture
        ("Back to the menu", False),
        ("Ten ways to look at the sky", False),
    ],
)
def test_words_of_links(text: str, counts: bool) -> None:
    target = "http://example.org/x"
    assert targets(Anchor(target, text)) == ([target] if counts else [])


def test_advertisements_lead_elsewhere() -> None:
    assert targets(Anchor("http://ads.example/7", "the Sun")) == []
    assert targets(Anchor("http://example.org.ads.example/", "the Sun")) == []


def test_a_page_of_many_links_and_words_counts_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_links, "MOST_SEARCHED", 3 * len(TEXT))
    anchors = [Anchor(f"http://example.org/{n}", "Home page") for n in range(5)]
    assert len(targets(*anchors)) == 3


def test_a_box_with_other_links_is_no_change() -> None:
    def marks(link: Anchor) -> int:
        sun = Anchor("http://example.org/sun", "the Sun")
        return marks_of(Document("Stars", TEXT, (sun, link)), URL).fingerprint

    teaser = marks(Anchor("http://example.org/1", "Ten ways to store apples"))
    assert teaser == marks(Anchor("http://example.org/2", "Choir wins first prize"))
    moved = marks(Anchor("http://example.org/moon2", "the Moon"))
    assert moved != marks(Anchor("http://example.org/moon", "the Moon"))
