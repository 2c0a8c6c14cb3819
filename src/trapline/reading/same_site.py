"""Whether two URLs belong to one site."""

from __future__ import annotations

from functools import lru_cache

from trapline.core.urls import host_of

_USUAL = ("80", "443")


def same_site(one: str, other: str) -> bool:
    """The same host of two canonical URLs; scheme and a leading `www.` may differ.

    >>> same_site("http://www.a.org/x", "https://a.org/")
    True
    >>> home = "http://a.org/"
    >>> same_site(home, "http://b.a.org/"), same_site("http://a.org:8080/", home)
    (False, False)
    """
    return _site(_origin(one)) == _site(_origin(other))


def _origin(url: str) -> str:
    return url[: url.find("/", len("https://"))] + "/"


@lru_cache(1 << 10)  # a listing names one host over and over
def _site(origin: str) -> tuple[str, str]:
    name, _, port = host_of(origin).rpartition(":")
    return name.removeprefix("www."), "" if port in _USUAL else port
