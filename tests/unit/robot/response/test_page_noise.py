"""Noise on the way through the response processor: what is told, and what is kept of it."""

from __future__ import annotations

import pytest

from tests.unit.robot.response.desk import Desk
from trapline.robot.response.noisy_places import LEARNT

QUOTES = [
    "Be brief.",
    "Know thyself.",
    "Well begun.",
    "Slow down.",
    "Look up.",
    "Go on.",
]
ARTICLE = "".join(
    f"<p>Paragraph {n} of a long article about the {n}th kind of tea.</p>"
    for n in range(20)
)


def html(quote: str, article: str = ARTICLE) -> bytes:
    return (
        f"<title>Tea</title><h1>All about tea</h1>{article}<h4>Quote of the day</h4>"
        f"<p>{quote}</p><p>Contact us</p>"
    ).encode()


def taught_desk(url: str = "http://example.org/a") -> Desk:
    desk = Desk()
    for number, quote in enumerate(QUOTES):
        done = desk.read(body=html(quote), url=url, at_s=10.0 * number)
        assert done.observation.changed == (number <= LEARNT)
    return desk


def test_noise_is_written_but_is_no_change() -> None:
    desk = taught_desk()
    before = desk.held[0]
    done = desk.read(body=html("Never mind."), at_s=100.0)
    assert not done.observation.changed
    assert done.page is not None and "Never mind." in done.page.text
    assert done.page.changed_s == before.changed_s
    assert desk.held[0].fingerprint != before.fingerprint


def test_news_beside_noise_is_a_change() -> None:
    desk = taught_desk()
    article = ARTICLE.replace("the 7th kind", "the best kind")
    done = desk.read(body=html("Never mind.", article), at_s=100.0)
    assert done.observation.changed
    assert done.page is not None and done.page.changed_s == 100.0


def test_another_page_profits_at_its_second_visit() -> None:
    desk = taught_desk()
    rum = ARTICLE.replace("tea", "rum")
    url = "http://example.org/rum"
    assert desk.read(body=html("One.", rum), url=url, at_s=100.0).observation.changed
    assert not desk.read(
        body=html("Two.", rum), url=url, at_s=110.0
    ).observation.changed


def test_pages_that_are_as_before_unteach() -> None:
    desk = taught_desk()
    for number in range(10):
        done = desk.read(body=html("Go on."), at_s=100.0 + number)
        assert not done.observation.changed
        desk.read(304, at_s=100.5 + number)
    assert desk.read(body=html("Two."), at_s=200.0).observation.changed


def test_a_page_that_was_gone_is_new() -> None:
    desk = taught_desk()
    desk.read(410, at_s=100.0)
    desk.read(410, at_s=200.0)
    assert desk.read(body=html("One."), at_s=300.0).observation.changed


@pytest.mark.parametrize(
    "filler",
    [
        "<p>1 2 3 4 5 6 7 8</p>" * 400,
        f"<p>{'tea ' * 12_000}</p>",
        "<p>tea</p>" * 3_000,
    ],
    ids=["digits", "letters", "lines"],
)
def test_a_text_that_takes_long_to_compare_has_news(filler: str) -> None:
    """Fail safe, and quick: the loop waits for it."""
    desk = taught_desk()
    for number in range(8):
        body = html(QUOTES[number % 6], ARTICLE + filler)
        done = desk.read(body=body, at_s=100.0 + number)
    assert done.observation.changed


def test_a_page_of_which_much_is_new_has_news() -> None:
    desk = taught_desk()
    for number in range(8):
        other = "".join(f"<p>tea {chr(97 + number)}{n}</p>" for n in range(150))
        done = desk.read(body=html(QUOTES[0], ARTICLE + other), at_s=100.0 + number)
        assert done.observation.changed
