"""What is taken for canonical at a glance is canonical."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trapline.core.errors import BadUrl
from trapline.core.urls import canonical, host_of
from trapline.net.credentials import Access, Credentials
from trapline.net.host_routes import Routes

ORIGINS = [
    "http://example.org",
    "https://a.b:8443",
    "http://a:80",
    "http://0x7f.1",
    "http://127.1",
    "http://xn--a",
    "http://2130706433",
]
PARTS = [*"/.?=&%~-_:@#a0Z", "..", "%2e", "//", "/./", "/../", "/.a"]
URLS = st.builds(
    lambda origin, parts: origin + "/" + "".join(parts),
    st.sampled_from(ORIGINS),
    st.lists(st.sampled_from(PARTS)),
)


@given(URLS)
@example("http:////example.org/a")
@example("http://example.org/a/..")
@example("http://example.org/a?")
@example("http://:80/a")
@example("http://a:99999/a")
@example("http://example.org/" + "a" * 3000)
def test_a_url_is_spelt_as_canonical_says(url: str) -> None:
    ways = Routes(Credentials({}))
    try:
        wanted = canonical(url)
    except BadUrl:
        with pytest.raises(BadUrl):
            ways.spell(url)
        return
    for _ in range(2):  # also when the way is known
        assert ways.spell(url) == wanted
    assert ways.to(wanted).host_name == host_of(wanted)


def test_each_host_has_its_own_headers() -> None:
    ways = Routes(
        Credentials({"http://example.org": Access(headers={"X-Key": "secret"})})
    )
    assert ways.to("http://example.org/a").headers == {"X-Key": "secret"}
    assert (
        ways.to("http://example.org:8080/a").headers
        == ways.to("http://example.org.evil.net/a").headers
        == {}
    )
    assert "secret" not in repr(ways.to("http://example.org/a"))
