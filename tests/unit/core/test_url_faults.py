"""A bad URL is refused for the right reason."""

from __future__ import annotations

import pytest

from trapline.core.errors import BadUrl
from trapline.core.urls import canonical


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.org:99999/", "its port 99999 is above 65535"),
        ("http://a.org:abc/", "its port 'abc' is not a number"),
        ("http://a.org:-1/", "its port '-1' is not a number"),
        ("http://[::1]:99999/", "its port 99999 is above 65535"),
        ("http:///x", "it names no host"),
        ("HTTPS:///x", "it names no host"),
        ("http://", "it names no host"),
        ("https://?x", "it names no host"),
        ("http://user@:80/", "it names no host"),
        ("http://exa mple.org/", "its host 'exa mple.org' has a space in it"),
        ("http://a<b.org/", "its host 'a<b.org' has the character '<' in it"),
        ("http://[::1/", "the ] after its host '[::1' is missing"),
        ("http://[zz]/", "its host '[zz]' is no IPv6 address"),
        ("http://999.1.1.1/", "its host '999.1.1.1' is no IPv4 address"),
        ("ftp://a.org/", "it is not an http:// or https:// URL"),
        ("a.org", "it is not an http:// or https:// URL"),
    ],
)
def test_the_reason_is_the_right_one(url: str, reason: str) -> None:
    with pytest.raises(BadUrl) as caught:
        canonical(url)
    assert reason in str(caught.value)


def test_a_link_is_read_as_browsers_read_it() -> None:
    assert canonical("http:///a.org/x", base="http://b.org/") == "http://a.org/x"
