"""X-Robots-Tag and meta robots: whom they mean, and what they say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.reading.html.document import read_html
from trapline.reading.robots_directives import NO_ORDERS, Directives, directives_of


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("", NO_ORDERS),
        ("all, index, follow", NO_ORDERS),
        ("noindex", Directives(noindex=True)),
        (" NoIndex , NOFOLLOW", Directives(True, True)),
        ("none", Directives(True, True)),
        ("noarchive, nosnippet, max-snippet:-1, max-image-preview:large", NO_ORDERS),
        ("googlebot: noindex", NO_ORDERS),
        ("googlebot: noindex, nofollow", NO_ORDERS),  # both are for it
        ("Trapline: noindex", Directives(noindex=True)),
        ("*: noindex", Directives(noindex=True)),
        ("googlebot: noindex, trapline: nofollow", Directives(nofollow=True)),
        ("noindex, googlebot: nofollow", Directives(noindex=True)),
        ("unavailable_after: 01 Jan 1970 00:02:00 GMT", Directives(until_s=120.0)),
        (
            "unavailable_after: Thu, 01 Jan 1970 00:02:00 GMT, nofollow",
            Directives(False, True, 120.0),
        ),
        (
            "unavailable_after: Thursday, 01-Jan-70 00:02:00 UTC",
            Directives(until_s=120.0),
        ),
        ("unavailable_after: 1970-01-01T00:02:00Z", Directives(until_s=120.0)),
        ("unavailable_after: 1970-01-01", Directives(until_s=0.0)),
        (
            "trapline: unavailable_after: 1970-01-01T00:02:00+00:00",
            Directives(until_s=120.0),
        ),
        ("otherbot: unavailable_after: 1970-01-01", NO_ORDERS),
        ("unavailable_after: soon", NO_ORDERS),
        ("noindexed, no index", NO_ORDERS),
    ],
)
def test_one_header(line: str, orders: Directives) -> None:
    assert directives_of([line]) == orders


def test_several_are_all_obeyed() -> None:
    assert directives_of(["noindex", "otherbot: none", "nofollow"]) == Directives(
        True, True
    )
    assert Directives(True, False, 5.0).join(
        Directives(False, True, 9.0)
    ) == Directives(True, True, 5.0)


@given(
    st.text(
        alphabet=st.sampled_from("noindex,: -unavailable_after0123ThuJan\n*\0é"),
        max_size=80,
    )
)
def test_no_text_raises(text: str) -> None:
    assert directives_of([text]).until_s > -math.inf


def test_header_and_page_are_joined() -> None:
    page = b"<meta name=robots content='unavailable_after: 1970-01-02'><a href=/b>b</a>"
    document = read_html(page, "", "http://example.org/a", Directives(noindex=True))
    assert (document.noindex, document.nofollow, document.until_s) == (
        True,
        False,
        86_400.0,
    )
    assert (
        read_html(page, "", "http://example.org/a", Directives(nofollow=True)).links
        == ()
    )
