"""Whose an address is, roughly: so that one party cannot fill a directory."""

from __future__ import annotations

from trapline.core.sites import site_of_host
from trapline.core.urls import host_of


def site_of(url: str) -> str:
    """The domain that somebody has registered, or the network of an address.

    >>> site_of("https://a.b.example.org/x"), site_of("http://a.example.co.uk:8080")
    ('example.org', 'example.co.uk')
    """
    return site_of_host(host_of(url if url.endswith("/") else f"{url}/"))
