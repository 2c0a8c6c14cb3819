"""Secrets go to one scheme, name and port, however a stranger spells the URL."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from trapline.app.engine.from_settings import accesses
from trapline.app.settings import settings_from
from trapline.core.urls import canonical
from trapline.net.credentials import Access, Credentials
from trapline.net.host_routes import Routes

ANN = Access(headers={"X-Key": "k3y"}, user="ann", password="s3cret")
SECURE = Routes(Credentials({"https://docs.example": ANN}))
PLAIN = Routes(Credentials({"http://docs.example": ANN}))


def headers(routes: Routes, url: str, base: str = "http://evil.example/") -> bool:
    return bool(routes.to(routes.spell(canonical(url, base))).headers)


@pytest.mark.parametrize(
    "url",
    [
        "http://docs.example/",
        "http://docs.example:443/",
        "http://DOCS.example:443/",
        "https://docs.example:80/",
        "https://docs.example:8443/",
        "https://docs.example./",
        "https://docs.example:443@evil.example/",
        "https://docs.example%2eevil.example/",
        "https://evil.example\\@docs.example/",
        "https://evil.example/https://docs.example/",
        "//docs.example/",
        "//docs.example:443/",
        "https://www.docs.example/",
        "https://docs.example.evil.example/",
        "https://döcs.example/",
        "https://docs.ехаmple/",
    ],
)
def test_a_stranger_cannot_draw_them_out(url: str) -> None:
    assert not headers(SECURE, url)


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example/",
        "HTTPS://DOCS.EXAMPLE:443/a",
        "https://mallory:x@docs.example/",
        "https://ｄｏｃｓ.example/",
        "https:docs.example/",
    ],
)
def test_they_reach_their_own_host_however_it_is_spelt(url: str) -> None:
    assert headers(SECURE, url)


def test_over_plain_http_only_where_the_setting_says_so() -> None:
    assert headers(PLAIN, "http://docs.example/")
    assert headers(PLAIN, "//docs.example/")
    assert not headers(PLAIN, "https://docs.example/")
    assert not headers(PLAIN, "http://docs.example:8080/")


def given(**access: dict[str, str]) -> list[str]:
    settings = settings_from("test", {"access": access})
    return list(accesses(settings))


@pytest.mark.parametrize(
    ("key", "origin"),
    [
        ("docs.example", "https://docs.example"),
        ("Docs.Example:443", "https://docs.example"),
        ("https://docs.example", "https://docs.example"),
        ("https://docs.example:443/", "https://docs.example"),
        ("https://docs.example:8443", "https://docs.example:8443"),
        ("http://docs.example", "http://docs.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("bücher.example", "https://xn--bcher-kva.example"),
        ("[::1]", "https://[::1]"),
    ],
)
def test_how_a_key_is_written(key: str, origin: str) -> None:
    assert given(**{key: {"user": "ann"}}) == [origin]


@pytest.mark.parametrize(
    "key",
    [
        "",
        "docs.example:80",
        "docs.example:8000",
        "[::1]:8000",
        "docs.example/a",
        "https://docs.example/a",
        "https://ann@docs.example",
        "ftp://docs.example",
        "https://docs.example:22",
        "two words",
    ],
)
def test_a_key_that_cannot_be_is_one_line(key: str) -> None:
    with pytest.raises(Exception) as mistake:
        given(**{key: {"password": "s3cret"}})
    assert not isinstance(mistake.value, ValidationError)
    text = str(mistake.value)
    assert "access" in text and "\n" not in text and "s3cret" not in text


def test_one_origin_is_named_once() -> None:
    with pytest.raises(Exception, match="named twice"):
        given(**{"docs.example": {"user": "a"}, "https://docs.example": {"user": "b"}})


def test_under_a_bare_name_a_proxy_serves_both_ports_and_no_secret_does() -> None:
    way = "http://127.0.0.1:3128"
    settings = settings_from(
        "test", {"access": {"docs.example": {"user": "ann", "proxy": way}}}
    )
    keys = Credentials(accesses(settings))
    assert str(keys.proxy_for("docs.example:80")) == way
    assert str(keys.proxy_for("docs.example:443")) == way
    assert keys.proxy_for("docs.example:8443") is None
    assert keys.headers("https://docs.example") and not keys.headers(
        "http://docs.example"
    )
