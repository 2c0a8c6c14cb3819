"""The short way to resolve plain references, and to name a host, says what the long way says, or
nothing.
"""

from __future__ import annotations

import pytest
from ada_url import URL
from hypothesis import example, given
from hypothesis import strategies as st

from trapline.core.urls import Folder, canonical, host_of

BASES = st.sampled_from(
    [
        "http://example.org/",
        "http://example.org/a",
        "https://example.org:8443/a/b/c.html",
        "http://127.0.0.1:8000/a//b/?q=/x/y",
        "http://[::1]/a/b",
    ]
)
REFERENCES = st.lists(
    st.sampled_from(
        [*"/.ab1_-~%?:\\é@;", "..", "../", "./", "b.html", "~c", "%2e", "index.html"]
    ),
    max_size=10,
).map("".join)


@given(BASES, REFERENCES)
@example("http://example.org/a/b", "../../../c")
@example("http://example.org/a/b", "..")
@example("http://127.0.0.1:8000/a//b/?q=/x/y", "../../c/")
@example("http://example.org/a/b", "x" * 1990)
def test_what_a_folder_resolves_is_canonical(base: str, reference: str) -> None:
    found = Folder(base).resolve(reference)
    assert found is None or found == canonical(reference, base)


@pytest.mark.parametrize(
    "reference",
    [
        "c.html",
        "../c/d.html",
        "../../../../e",
        "f/",
        "0~_-.x",
        "/",
        "/g/h.html",
        "../a../b",
    ],
)
def test_plain_references_take_the_short_way(reference: str) -> None:
    base = "http://example.org/a/b.html"
    assert Folder(base).resolve(reference) == canonical(reference, base)


@pytest.mark.parametrize("port", ["", ":8080", ":80", ":443"])
@pytest.mark.parametrize(
    "name", ["a.example", "127.0.0.1", "[::1]", "xn--mnchen-3ya.de", "a_b.c"]
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_host_is_what_a_parser_of_urls_finds(
    scheme: str, name: str, port: str
) -> None:
    url = canonical(f"{scheme}://{name}{port}/x:1/@y?z=//q:9/")
    parsed = URL(url)
    assert (
        host_of(url)
        == f"{parsed.hostname}:{parsed.port or {'http': 80, 'https': 443}[scheme]}"
    )
