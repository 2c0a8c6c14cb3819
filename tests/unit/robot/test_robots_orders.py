"""X-Robots-Tag and meta robots: whom they mean, and what they say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.robot.html_reader import read_html
from trapline.robot.robots_orders import NO_ORDERS, Orders, orders_of


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("", NO_ORDERS),
        ("all, index, follow", NO_ORDERS),
        ("noindex", Orders(noindex=True)),
        (" NoIndex , NOFOLLOW", Orders(True, True)),
        ("none", Orders(True, True)),
        ("noarchive, nosnippet, max-snippet:-1, max-image-preview:large", NO_ORDERS),
        ("googlebot: noindex", NO_ORDERS),
        ("googlebot: noindex, nofollow", NO_ORDERS),  # both are for it
        ("Trapline: noindex", Orders(noindex=True)),
        ("*: noindex", Orders(noindex=True)),
        ("googlebot: noindex, trapline: nofollow", Orders(nofollow=True)),
        ("noindex, googlebot: nofollow", Orders(noindex=True)),
        ("unavailable_after: 01 Jan 1970 00:02:00 GMT", Orders(until_s=120.0)),
        ("unavailable_after: Thu, 01 Jan 1970 00:02:00 GMT, nofollow", Orders(False, True, 120.0)),
        ("unavailable_after: Thursday, 01-Jan-70 00:02:00 UTC", Orders(until_s=120.0)),
        ("unavailable_after: 1970-01-01T00:02:00Z", Orders(until_s=120.0)),
        ("unavailable_after: 1970-01-01", Orders(until_s=0.0)),
        ("trapline: unavailable_after: 1970-01-01T00:02:00+00:00", Orders(until_s=120.0)),
        ("otherbot: unavailable_after: 1970-01-01", NO_ORDERS),
        ("unavailable_after: soon", NO_ORDERS),
        ("noindexed, no index", NO_ORDERS),
    ],
)
def test_one_header(line: str, orders: Orders) -> None:
    assert orders_of([line]) == orders


def test_several_are_all_obeyed() -> None:
    assert orders_of(["noindex", "otherbot: none", "nofollow"]) == Orders(True, True)
    assert Orders(True, False, 5.0).joined(Orders(False, True, 9.0)) == Orders(True, True, 5.0)


@given(st.text(alphabet=st.sampled_from("noindex,: -unavailable_after0123ThuJan\n*\0é"), max_size=80))
def test_no_text_raises(text: str) -> None:
    assert orders_of([text]).until_s > -math.inf


def test_header_and_page_are_joined() -> None:
    page = b"<meta name=robots content='unavailable_after: 1970-01-02'><a href=/b>b</a>"
    document = read_html(page, "", "http://example.org/a", Orders(noindex=True))
    assert (document.noindex, document.nofollow, document.until_s) == (True, False, 86_400.0)
    assert read_html(page, "", "http://example.org/a", Orders(nofollow=True)).links == ()
