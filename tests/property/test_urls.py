"""The canonical spelling of a URL is one, and safe to build on."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trapline.core.errors import BadUrl
from trapline.core.urls import canonical, host_of, robots_url

HOSTS = st.one_of(
    st.sampled_from(
        [
            "example.org",
            "EXAMPLE.org.",
            "127.0.0.1",
            "0x7f.1",
            "2130706433",
            "[::1]",
            "[::ffff:1.2.3.4]",
            "münchen.de",
        ]
    ),
    st.from_regex(r"[a-zA-Z0-9_-]{1,20}(\.[a-zA-Z0-9-]{1,10}){0,3}\.?", fullmatch=True),
    st.text(min_size=1, max_size=20),
)
REST = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [
                *"/?#&=%:@;.\\|^`{}<>\"' \t\n\r",
                "..",
                "%2e",
                "%2E%2e",
                "%",
                "%zz",
                "é",
                "a",
            ]
        )
    ).map("".join),
)
URLS = st.builds(
    lambda scheme, user, host, port, rest: f"{scheme}:{user}{host}{port}{rest}",
    st.sampled_from(["http", "https", "HTTP", "hTTps", " http", "ftp", "javascript"]),
    st.sampled_from(["//", "//u:p@", "//@", "/", "", "////", "\\\\", "//a@b@"]),
    HOSTS,
    st.sampled_from(["", ":", ":80", ":443", ":8080", ":0", ":65535", ":99999"]),
    REST,
)


@given(URLS)
@example("http://example.org/a b?c d#e f")
@example("http://example.org/?")
@example("http://example.org/?#")
@example("http://example.org/a/%2e%2e/b/./c/..")
@example("http://u:p@example.org:80")
@example("http://example.org//a//b")
@example("http://example.org/\u3000 \u00a0")
@example("http://example.org?x=1 #")
@example("https://xn--mnchen-3ya.de/%e2%82%ac?%e2%82%ac='\"<>")
@example("http://[::ffff:127.0.0.1]:8080/")
@example("http://0x7f000001/")
@example("http://example.org/;a=b?x=http://other/#!/app")
@example("http://example.org/\ud800")
@example("http://example.org./")
@example("http://example.org/\x00\x1f")
def test_canonical_twice_is_canonical_once(url: str) -> None:
    try:
        once = canonical(url)
    except BadUrl:
        return  # there is nothing to build on; to filter so many out is slow
    assert canonical(once) == once
    assert canonical(once, base="http://other.example/x/") == once
    assert "#" not in once and once.isascii() and once.isprintable() and " " not in once


@given(URLS)
def test_whatever_is_canonical_has_a_host_and_a_robots_txt(url: str) -> None:
    try:
        once = canonical(url)
    except BadUrl:
        return  # there is nothing to build on; to filter so many out is slow
    name, _, port = host_of(once).rpartition(":")
    assert name and 0 <= int(port) <= 65535
    assert "@" not in name
    robots = robots_url(once)
    assert robots == canonical(robots) and robots.endswith("/robots.txt")
    assert host_of(robots) == host_of(once)


@given(st.text(), URLS)
def test_nothing_but_bad_url_is_raised(text: str, base: str) -> None:
    for foundation in ("", base):
        with contextlib.suppress(BadUrl):
            assert canonical(text, foundation)


@pytest.mark.parametrize(
    ("url", "once"),
    [
        ("HTTP://Example.ORG:80/a/../b?#top", "http://example.org/b"),
        ("https://example.org:443", "https://example.org/"),
        ("http://u:p@example.org/", "http://example.org/"),
        ("http://0x7f000001:8000/", "http://127.0.0.1:8000/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
        ("http://example.org/%7Ea", "http://example.org/%7Ea"),
    ],
)
def test_spellings(url: str, once: str) -> None:
    assert canonical(url) == once


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a",
        "/a",
        "ftp://a/",
        "javascript:1",
        "http://",
        "http://a b/",
        "http://[::1/",
        "mailto:a@b",
        "http://a:99999/",
    ],
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(BadUrl):
        canonical(url)
